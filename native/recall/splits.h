// Splits: texts taken apart into words, as a vocabulary looks them up. It is the half of indexing that needs no index,
// so the thread that reads the store does it. It owns the bytes of the words. One thread at a time; any.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokens.h"

namespace selfmind::recall {

// Of a folded word, in every table of words.
std::uint32_t hash(std::string_view word);

struct SplitWord {
  std::uint32_t begin = 0;  // in the bytes of all texts
  std::uint32_t length = 0;
  std::uint32_t hash = 0;
  text::TokenKind kind = text::TokenKind::word;
};

// One text's words, an identifier before its parts.
class Split {
 public:
  Split(std::span<const SplitWord> words, const std::string& bytes) : words_(words), bytes_(bytes.data()) {}
  std::span<const SplitWord> words() const { return words_; }
  std::string_view text(const SplitWord& word) const { return {bytes_ + word.begin, word.length}; }

 private:
  std::span<const SplitWord> words_;
  const char* bytes_;
};

class Splits {
 public:
  void add(std::string_view text);
  void clear();
  // The text that was added as number `i`. Valid until the next add() or clear().
  Split operator[](std::size_t i) const;

 private:
  text::Tokens tokens_;
  std::string bytes_;
  std::vector<SplitWord> words_;
  std::vector<std::size_t> ends_;  // of each text, in words_
};

}  // namespace selfmind::recall

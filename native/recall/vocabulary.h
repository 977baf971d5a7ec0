// Vocabulary: texts as numbered terms. It owns the terms; a number stays a term's as long as the vocabulary lives.
// One thread at a time.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/language.h"
#include "text/tokens.h"
#include "text/words.h"

namespace selfmind::recall {

using Term = std::uint32_t;
inline constexpr Term no_term = 0xFFFF'FFFF;

// How texts are taken apart.
enum class Analysis {
  ascii,  // the first design's words as eval measures them
  plain,  // folded words of every script
  full,   // stems without stop words, identifiers whole and in parts
};

// A word of a question.
struct Asked {
  std::string word;         // folded, as typed
  std::vector<Term> terms;  // what it may be in this vocabulary, one for each language of its texts; may be none
  bool name = false;        // written as one
  bool common = false;      // stands in talk about anything
  bool aside = false;       // stands in another sentence than the question that the text ends in
  text::TokenKind kind = text::TokenKind::word;
};

class Vocabulary {
 public:
  explicit Vocabulary(Analysis analysis) : analysis_(analysis) {}

  // The terms of a text, in order, appended; unknown ones get a number. Returns how many words that is: an identifier
  // counts by its parts alone.
  std::size_t read(std::string_view text, std::vector<Term>& terms);

  // The words of a question that say something, each once. Nothing gets a number.
  std::vector<Asked> ask(std::string_view question);

  // The terms of a part of a text that was read, whatever language it was in; nothing gets a number.
  std::vector<Term> known(std::string_view text);

  const std::string& name(Term term) const { return *names_[term]; }
  std::size_t size() const { return names_.size(); }
  Analysis analysis() const { return analysis_; }

 private:
  // What a folded word becomes.
  struct Surface {
    text::LanguageSet stop_word_in = 0;
    std::array<Term, text::languages> terms;  // no_term: not stemmed yet
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };

  std::vector<std::string> plain_words(std::string_view text) const;
  Surface& surface(std::string_view word);
  Term number(std::string term);
  Term term_of(Surface& surface, std::string_view word, text::TokenKind kind, text::Language language);

  Analysis analysis_;
  text::Tokens tokens_;
  text::Stemmer stemmer_;
  std::unordered_map<std::string, Surface, Hash, std::equal_to<>> surfaces_;
  std::unordered_map<std::string, Term, Hash, std::equal_to<>> numbers_;
  std::vector<const std::string*> names_;  // the keys of numbers_
  std::vector<Surface*> reading_;
  text::LanguageSet languages_ = 1u << static_cast<unsigned>(text::Language::english);  // that texts were read in
};

}  // namespace selfmind::recall

// Phrases: a sentence as words with their places, and patterns of words to find in it. Pure.
//
// A pattern is a list of items with blanks between them:
//   a|b_c    one of these; an underscore joins words
//   a|b?     it may be missing
//   *4       up to four words, within the same clause;  +4 at least one;  ~4 across clauses;  =4 four, across clauses
//   ,        here a clause begins (behind a comma, a colon, a dash, a bracket)
//   .        here the sentence ends
//   @name    a named list of words, as in named_words()
//   …        in front: the pattern may begin at any word
// Chinese characters are words of their own: 决定 is two.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace selfmind::learn {

struct Word {
  std::string folded;     // as text::fold has it, with a straight apostrophe
  std::size_t begin = 0;  // in the sentence, bytes
  std::size_t end = 0;
  bool begins_clause = false;
};

// C'est and j'aime are two words, don't and I'm are one.
std::vector<Word> words_of(std::string_view sentence);

class Pattern {
 public:
  using Lists = std::map<std::string, std::string, std::less<>>;

  Pattern(std::string_view written, const Lists& named);

  // The word behind the match that begins at word `from`.
  std::optional<std::size_t> match(const std::vector<Word>& words, std::size_t from) const;
  bool anywhere() const { return anywhere_; }

 private:
  struct Item {
    enum class Kind : std::uint8_t { words, gap, clause, end } kind = Kind::words;
    std::vector<std::vector<std::string>> alternatives;
    bool optional = false;
    std::size_t least = 0;
    std::size_t most = 0;
    bool across = false;
  };

  static Item item(std::string_view written, const Lists& named);
  std::optional<std::size_t> match(const std::vector<Word>& words, std::size_t from, std::size_t item) const;
  std::optional<std::size_t> match_gap(const std::vector<Word>& words, std::size_t from, std::size_t at) const;

  std::vector<Item> items_;
  bool anywhere_ = false;
};

// The first of the patterns that is somewhere in the sentence, or, `at_start`, at its first word.
bool found_in(const std::vector<Pattern>& patterns, const std::vector<Word>& words);
bool found_at(const std::vector<Pattern>& patterns, const std::vector<Word>& words, std::size_t from);

}  // namespace selfmind::learn

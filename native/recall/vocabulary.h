// Vocabulary: texts as numbered terms. It owns the terms; a number stays a term's as long as the vocabulary lives.
// One thread at a time.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recall/splits.h"
#include "text/language.h"
#include "text/tokens.h"
#include "text/words.h"

namespace selfmind::recall {

using Term = std::uint32_t;
inline constexpr Term no_term = 0xFFFF'FFFF;
inline constexpr Term stop_word = 0xFFFF'FFFE;

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

// The folded words of all texts, each with a value. Open addressing and texts in one buffer: every word of every text
// is looked up here. A word's number stays its number.
template <class Value>
class WordTable {
 public:
  std::size_t size() const { return values_.size(); }

  // The word's number, or none.
  static constexpr std::uint32_t none = 0xFFFF'FFFF;
  std::uint32_t find_number(std::string_view word) const {
    return places_.empty() ? none : places_[place_of(word, hash(word))].number;
  }

  Value* find(std::string_view word) {
    if (places_.empty()) return nullptr;
    const auto& place = places_[place_of(word, hash(word))];
    return place.number == none ? nullptr : &values_[place.number];
  }

  Value& operator[](std::uint32_t number) { return values_[number]; }

  // Brings what number() will look at into the cache: of a text all words first, then each.
  void prefetch(std::uint32_t h) const {
    if (!places_.empty()) __builtin_prefetch(&places_[h & (places_.size() - 1)]);
  }

  // The number of a word with this hash, a new one when the word is.
  std::uint32_t number(std::string_view word, std::uint32_t h) {
    if (2 * (values_.size() + 1) > places_.size()) grow();
    auto& place = places_[place_of(word, h)];
    if (place.number == none) {
      place = {h, static_cast<std::uint32_t>(values_.size()), static_cast<std::uint32_t>(texts_.size()),
               static_cast<std::uint32_t>(word.size())};
      values_.emplace_back();
      texts_.append(word);
    }
    __builtin_prefetch(&values_[place.number]);
    return place.number;
  }

 private:
  struct Place {
    std::uint32_t hash = 0;
    std::uint32_t number = none;
    std::uint32_t begin = 0;  // in texts_
    std::uint32_t length = 0;
  };

  std::size_t place_of(std::string_view word, std::uint32_t h) const {
    const auto mask = places_.size() - 1;
    for (std::size_t at = h & mask;; at = (at + 1) & mask) {
      const auto& place = places_[at];
      if (place.number == none) return at;
      if (place.hash != h) continue;
      if (std::string_view(texts_).substr(place.begin, place.length) == word) return at;
    }
  }

  void grow() {
    const auto before = std::exchange(places_, std::vector<Place>(std::max<std::size_t>(places_.size() * 2, 1024)));
    const auto mask = places_.size() - 1;
    for (const auto& place : before) {
      if (place.number == none) continue;
      std::size_t at = place.hash & mask;
      while (places_[at].number != none) at = (at + 1) & mask;
      places_[at] = place;
    }
  }

  std::vector<Place> places_;  // a power of two
  std::vector<Value> values_;
  std::string texts_;
};

class Vocabulary {
 public:
  explicit Vocabulary(Analysis analysis) : analysis_(analysis) {}

  // The terms of a text, in order, appended; unknown ones get a number. Returns how many words that is: an identifier
  // counts by its parts alone. `split` is the same text taken apart, for the full analysis.
  std::size_t read(std::string_view text, const Split& split, std::vector<Term>& terms);

  // The words of a question that say something, each once. Nothing gets a number.
  std::vector<Asked> ask(std::string_view question);

  // The terms of a part of a text that was read, whatever language it was in; nothing gets a number.
  std::vector<Term> known(std::string_view text);

  std::size_t size() const { return numbers_.size(); }
  Analysis analysis() const { return analysis_; }

 private:
  // What a folded word becomes.
  struct Surface {
    bool known = false;
    text::LanguageSet stop_word_in = 0;
    std::array<Term, text::languages> terms;  // no_term: not stemmed yet; stop_word: it says nothing
  };
  std::vector<std::string> plain_words(std::string_view text) const;
  Surface& complete(std::uint32_t surface, std::string_view word);
  Term number(std::string_view term);
  Term term_of(Surface& surface, std::string_view word, text::TokenKind kind, text::Language language);

  Analysis analysis_;
  text::Tokens tokens_;
  text::Stemmer stemmer_;
  WordTable<Surface> surfaces_;
  std::vector<std::uint32_t> reading_;  // the numbers of the words of the text being read
  struct Nothing {};
  WordTable<Nothing> numbers_;                                                          // of the terms
  text::LanguageSet languages_ = 1u << static_cast<unsigned>(text::Language::english);  // that texts were read in
};

}  // namespace selfmind::recall

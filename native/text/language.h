// Which language a text is in, which of its words say nothing, and what its words have in common with their inflected
// forms. The lists are of our own writing; the stems are libstemmer's (Snowball).
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sb_stemmer;

namespace selfmind::text {

// Those that have stop words here. A text of another language is taken for English, which does no harm: its words are
// compared as they are stemmed, and the same stemmer takes the question apart.
enum class Language : std::uint8_t { english, german, french, spanish, italian, portuguese, dutch, russian };
inline constexpr std::size_t languages = 8;

// A set of languages; bit n is Language n.
using LanguageSet = std::uint16_t;
inline constexpr LanguageSet every_language = (1u << languages) - 1;
constexpr bool has(LanguageSet set, Language language) { return (set >> static_cast<unsigned>(language)) & 1u; }

// The languages in which a folded word says nothing: articles, pronouns, auxiliaries. Chinese, Japanese and Korean
// characters and pairs of that kind say nothing in any.
LanguageSet stop_word_in(std::string_view word);

// Does a folded word stand in talk about anything, in any of the languages?
bool is_common(std::string_view word);

// Counts the votes of a text's words.
class LanguageVotes {
 public:
  void add(LanguageSet stop_word_in) {
    if (stop_word_in == 0) return;  // most words
    for (std::size_t i = 0; i < languages; ++i) votes_[i] += (stop_word_in >> i) & 1u;
  }
  // The one with most; English when in doubt.
  Language winner() const;

 private:
  std::array<std::uint32_t, languages> votes_{};
};

// One thread at a time.
class Stemmer {
 public:
  // Of a folded word; words with digits or signs in them stay as they are.
  std::string stem(std::string_view word, Language language);

 private:
  struct Free {
    void operator()(sb_stemmer* stemmer) const;
  };
  std::array<std::unique_ptr<sb_stemmer, Free>, languages> stemmers_;  // made at the first use
};

}  // namespace selfmind::text

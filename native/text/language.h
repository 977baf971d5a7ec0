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

// Does a folded word name the user, as every memory does ("the user", "der Nutzer", "用户" and its characters)?
bool names_the_user(std::string_view word);

// Counts the votes of a text's words. Whether a word is a stop word is as good as chance, so nothing branches on it:
// each language has a byte of a number.
class LanguageVotes {
 public:
  void add(LanguageSet stop_word_in) {
    bytes_ += spread_[stop_word_in];
    if (++added_ == 0xFF) flush();
  }
  // The one with most; English when in doubt.
  Language winner();

 private:
  static constexpr auto spread_ = [] {
    std::array<std::uint64_t, 1u << languages> spread{};
    for (std::size_t set = 0; set < spread.size(); ++set) {
      for (std::size_t i = 0; i < languages; ++i) spread[set] |= std::uint64_t{(set >> i) & 1u} << (8 * i);
    }
    return spread;
  }();
  static_assert(languages <= sizeof(std::uint64_t));

  void flush();

  std::uint64_t bytes_ = 0;
  unsigned added_ = 0;  // to the bytes
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

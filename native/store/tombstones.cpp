#include "store/tombstones.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <set>

#include "store/key.h"
#include "text/language.h"
#include "text/tokens.h"

namespace selfmind::store {
namespace {

using text::Language;
using text::TokenKind;

// Of both texts' words so many have to be the other's as well.
constexpr double mostly = 0.8;
// What a word of talk about anything ("called", "prefer") counts where it was only added or left out. Where each text
// has words of its own it counts whole: "left" and "right" are such words too.
constexpr double common_word = 0.3;

using Texts = std::set<std::string, std::less<>>;

// All of them say "not"; they count as one word.
const Texts negations = {
    "not",     "no",      "never",    "nor",     "neither", "none",    "nothing", "nobody", "without", "cannot",
    "cant",    "wont",    "dont",     "doesnt",  "didnt",   "isnt",    "arent",   "wasnt",  "werent",  "hasnt",
    "havent",  "hadnt",   "shouldnt", "wouldnt", "couldnt", "mustnt",  "nicht",   "kein",   "keine",   "keinen",
    "keinem",  "keiner",  "keines",   "nie",     "niemals", "nichts",  "ohne",    "weder",  "ne",      "pas",
    "jamais",  "sans",    "aucun",    "aucune",  "ni",      "rien",    "nunca",   "sin",    "nada",    "ningún",
    "ninguna", "non",     "mai",      "senza",   "nessun",  "nessuna", "niente",  "não",    "nem",     "sem",
    "nenhum",  "nenhuma", "niet",     "geen",    "nooit",   "niets",   "zonder",  "не",     "нет",     "никогда",
    "без",     "ничего",  "不",       "没",      "沒",      "無",      "ない",    "않",     "못",      "안"};

// 5432, 1.2.3, c++
bool has_digit_or_sign(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return (c > ' ' && c < 'A') || c == '_'; });
}

struct Word {
  std::string text;    // its stem
  bool exact = false;  // a number, a name, a negation: where it differs, something else is said
  bool common = false;
};

// A text's words, taken apart once; which of them carry its meaning, and their stems, depend on a language.
class Reading {
 public:
  explicit Reading(std::string_view text) {
    text::LanguageVotes votes;
    std::optional<std::uint32_t> sentence;
    for (const auto& token : tokens_.split(text)) {
      const auto word = tokens_.text(token);
      votes.add(text::stop_word_in(word));
      // In the middle of a sentence a capital tells a name; at its start a word that is rare in talk may be one.
      const bool opens = token.sentence != sentence;
      sentence = token.sentence;
      words_.push_back({std::string(word), token.kind, token.name || (opens && !text::is_common(word))});
      if (token.kind == TokenKind::pair) pairs_ += std::string(word) + " ";
    }
    language_ = votes.winner();
  }

  Language language() const { return language_; }

  std::vector<Word> content(Language language) {
    std::vector<Word> content;
    for (const auto& word : words_) {
      if (negations.count(word.text) > 0) {
        content.push_back({"not", true, false});
        continue;
      }
      // Characters stand in the pairs already.
      if (word.kind == TokenKind::character && pairs_.find(word.text) != std::string::npos) continue;
      if (text::has(text::stop_word_in(word.text), language) || text::names_the_user(word.text)) continue;
      // In German every noun has a capital.
      const bool name = word.name && language != Language::german;
      const bool inflected = word.kind != TokenKind::character && word.kind != TokenKind::pair;
      content.push_back({inflected ? stemmer_.stem(word.text, language) : word.text,
                         (name && inflected) || has_digit_or_sign(word.text), text::is_common(word.text)});
    }
    return content;
  }

 private:
  struct Token {
    std::string text;
    TokenKind kind;
    bool name;
  };

  text::Tokens tokens_;
  text::Stemmer stemmer_;
  std::vector<Token> words_;
  std::string pairs_;
  Language language_ = Language::english;
};

// Of one text: the hashes of its words, each 8 bytes whose lowest bits say that the word is exact or common. In a row
// they are [language: 1 byte][how many: 2 bytes][hashes], everything little-endian, one set after the other.
struct WordSet {
  Language language = Language::english;
  std::vector<std::uint64_t> all, exact, common;  // sorted, without these bits
};

constexpr std::size_t longest_set = 0xFFFF;
constexpr std::uint64_t exact_bit = 1, common_bit = 2;
constexpr std::uint64_t hash_bits = ~(exact_bit | common_bit);

std::uint64_t hashed(const std::string& word, const std::string& key) {
  std::array<unsigned char, crypto_generichash_BYTES> out{};
  crypto_generichash(out.data(), out.size(), reinterpret_cast<const unsigned char*>(word.data()), word.size(),
                     reinterpret_cast<const unsigned char*>(key.data()), key.size());
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i) number |= std::uint64_t{out[i]} << (8 * i);
  return number & hash_bits;
}

void sort_unique(std::vector<std::uint64_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

WordSet set_of(Reading& reading, Language language, const std::string& key) {
  WordSet set;
  set.language = language;
  for (const auto& word : reading.content(language)) {
    const auto number = hashed(word.text, key);
    set.all.push_back(number);
    if (word.exact) set.exact.push_back(number);
    if (word.common) set.common.push_back(number);
  }
  sort_unique(set.all);
  sort_unique(set.exact);
  sort_unique(set.common);
  if (set.all.size() > longest_set) set.all.resize(longest_set);
  return set;
}

bool holds(const std::vector<std::uint64_t>& all, std::uint64_t one) {
  return std::binary_search(all.begin(), all.end(), one);
}

bool holds(const std::vector<std::uint64_t>& all, const std::vector<std::uint64_t>& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

void write_set(const WordSet& set, std::string& out) {
  out += static_cast<char>(set.language);
  out += static_cast<char>(set.all.size() & 0xFF);
  out += static_cast<char>(set.all.size() >> 8);
  for (const auto hash : set.all) {
    const auto number = hash | (holds(set.exact, hash) ? exact_bit : 0) | (holds(set.common, hash) ? common_bit : 0);
    for (std::size_t i = 0; i < sizeof number; ++i) out += static_cast<char>((number >> (8 * i)) & 0xFF);
  }
}

// Bytes that are no set end it; a row that somebody has damaged blocks nothing.
std::vector<WordSet> read_sets(std::string_view bytes) {
  std::vector<WordSet> sets;
  const auto byte = [&bytes](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
  while (bytes.size() >= 3) {
    const std::size_t size = byte(1) | (byte(2) << 8);
    if (byte(0) >= text::languages || bytes.size() < 3 + 8 * size) return sets;
    WordSet set;
    set.language = static_cast<Language>(byte(0));
    for (std::size_t at = 3; at < 3 + 8 * size; at += 8) {
      std::uint64_t number = 0;
      for (std::size_t i = 0; i < sizeof number; ++i) number |= std::uint64_t{byte(at + i)} << (8 * i);
      const auto hash = number & hash_bits;
      set.all.push_back(hash);
      if ((number & exact_bit) != 0) set.exact.push_back(hash);
      if ((number & common_bit) != 0) set.common.push_back(hash);
    }
    sets.push_back(std::move(set));
    bytes.remove_prefix(3 + 8 * size);
  }
  return sets;
}

struct Weight {
  double shared = 0;
  double own = 0;  // what the other one does not have
};

Weight weigh(const WordSet& set, const WordSet& other, double of_common) {
  Weight weight;
  for (const auto word : set.all) {
    (holds(other.all, word) ? weight.shared : weight.own) += holds(set.common, word) ? of_common : 1.0;
  }
  return weight;
}

bool mostly_same(const WordSet& a, const WordSet& b) {
  if (!holds(a.all, b.exact) || !holds(b.all, a.exact)) return false;
  const bool reworded = holds(a.all, b.all) || holds(b.all, a.all);
  const double of_common = reworded ? common_word : 1.0;
  const auto enough = [](const Weight& weight) {
    return weight.shared > 0 && weight.shared >= mostly * (weight.shared + weight.own);
  };
  return enough(weigh(a, b, of_common)) && enough(weigh(b, a, of_common));
}

}  // namespace

Result<bool> is_forgotten(Database& database, std::string_view text, Time evidence) {
  const auto key = words_key_if_any(database);
  if (!key) return key.error();
  if (!*key) return false;
  const auto rows =
      collect(query(database, "SELECT words FROM tombstone WHERE analysis = ? AND at >= ? AND words <> x''",
                    tombstone_analysis, to_millis(evidence)),
              [](const Statement& row) { return row.text(0); });
  if (!rows) return rows.error();
  if (rows->empty()) return false;
  Reading reading(text);
  std::array<std::optional<WordSet>, text::languages> known;  // the text's words as each language has them
  for (const auto& row : *rows) {
    for (const auto& buried : read_sets(row)) {
      auto& said = known[static_cast<std::size_t>(buried.language)];
      if (!said) said = set_of(reading, buried.language, **key);
      if (mostly_same(buried, *said)) return true;
    }
  }
  return false;
}

Result<bool> is_forgotten_id(Database& database, std::string_view uuid) {
  const auto found = number(query(database, "SELECT count(*) FROM tombstone WHERE uuid = ?", uuid));
  if (!found) return found.error();
  return *found > 0;
}

Result<void> bury(Database& database, Transaction& transaction, const Tombstone& tombstone,
                  const std::vector<std::string>& texts) {
  const auto key = words_key(database);
  if (!key) return key.error();
  std::set<std::string> sets;
  for (const auto& text : texts) {
    Reading reading(text);
    const auto set = set_of(reading, reading.language(), *key);
    if (set.all.empty()) continue;
    std::string bytes;
    write_set(set, bytes);
    sets.insert(std::move(bytes));
  }
  std::string words;
  for (const auto& set : sets) words += set;
  transaction.run(
      "INSERT INTO tombstone (uuid, words, analysis, at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (uuid) DO UPDATE SET "
      "words = ?2, analysis = ?3, at = max(at, ?4)",
      tombstone.uuid, Blob{words}, tombstone_analysis, to_millis(tombstone.at));
  return transaction.so_far();
}

void bury_id(Transaction& transaction, const Tombstone& tombstone) {
  transaction.run(
      "INSERT INTO tombstone (uuid, words, analysis, at) VALUES (?, x'', ?, ?) ON CONFLICT (uuid) DO UPDATE SET "
      "at = max(at, excluded.at)",
      tombstone.uuid, tombstone_analysis, to_millis(tombstone.at));
}

Result<std::vector<Tombstone>> tombstones(Database& database) {
  return collect(query(database, "SELECT uuid, at FROM tombstone ORDER BY uuid"), [](const Statement& row) {
    return Tombstone{row.text(0), from_millis(row.integer(1))};
  });
}

}  // namespace selfmind::store

// Sentence: one sentence of a message, as the word lists of one language (rule_lists.h) understand it: what it does,
// and whether by its form it is a memory. Used by rules.cpp and forms.cpp. It owns nothing; pure.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "learn/rule_lists.h"

namespace selfmind::learn {

// What the rules found in a sentence.
struct Found {
  const Rule* rule;
  const LanguageRules* language;
  std::size_t begin;  // word
};

class Sentence {
 public:
  Sentence(std::string_view text, const std::vector<Word>& words, const LanguageRules& language)
      : text_(text), words_(words), language_(language) {}

  // The memory that it is by one of the language's rules; none: by no rule.
  std::optional<Found> memory() const;
  bool is_role_play() const;
  // Asks, wants something done, supposes, is not sure, or tells what another says.
  bool claims_nothing() const;
  // "Good morning, hope you had a nice weekend".
  bool greets() const;
  // "My tests are green now", "I'm getting a segfault".
  bool tells_a_state() const;

 private:
  // Where a clause begins, with and without the words that may stand in front of it.
  std::vector<std::size_t> clause_starts() const;
  std::optional<std::size_t> after_lead(std::size_t at) const;
  // The sentence, behind its leads.
  bool begins_with(const std::vector<Pattern>& patterns) const;
  bool holds(const Rule& rule, std::size_t at) const;
  bool allowed(const Rule& rule) const;
  // "My name is in the header, please change it".
  bool requests_later() const;
  // "Never push", at the start of the sentence or behind "when …", not ", always calm".
  bool is_order(std::size_t at, std::size_t verb) const;
  // English alone has these forms. "Seen", "here" and "reporting" are no orders; "do" is one, though it says little.
  static bool may_order(const std::string& word);
  // "is failing", "is slow": tomorrow it may be otherwise.
  bool passes(std::size_t at) const;

  std::string_view text_;
  const std::vector<Word>& words_;
  const LanguageRules& language_;
};

}  // namespace selfmind::learn

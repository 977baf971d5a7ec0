#include "learn/forms.h"

#include <algorithm>

#include "base/limits.h"
#include "learn/sentence.h"
#include "learn/spoken.h"
#include "text/dates.h"
#include "text/tokens.h"

namespace selfmind::learn {
namespace {

// "Looks fine." says nothing of anything.
constexpr std::size_t said_words = 3;

// The kinds that say how things are; a plan, a decision or a lesson may well speak of today.
bool speaks_of_what_is(std::string_view kind) {
  return kind == "fact" || kind == "preference" || kind == "context" || kind == "identity" || kind == "risk" ||
         kind == "incident";
}

bool found_in_any(const std::vector<Word>& words, std::vector<Pattern> LanguageRules::*list) {
  const auto& languages = rules_by_language();
  return std::any_of(languages.begin(), languages.end(),
                     [&](const auto& language) { return found_in(language.*list, words); });
}

}  // namespace

bool asserts(std::string_view sentence, std::string_view kind) {
  const auto words = words_of(sentence);
  const auto& languages = rules_by_language();
  if (text::asks(sentence) || quotes_words(sentence)) return false;
  if (std::any_of(languages.begin(), languages.end(),
                  [&](const auto& language) { return Sentence(sentence, words, language).memory().has_value(); })) {
    return true;
  }
  if (words.size() < said_words) return false;
  return std::none_of(languages.begin(), languages.end(), [&](const auto& language) {
    const Sentence as_said(sentence, words, language);
    return as_said.claims_nothing() || as_said.greets() || (speaks_of_what_is(kind) && as_said.tells_a_state());
  });
}

bool plays_a_part(std::string_view message) {
  const auto sentences = spoken_sentences(message);
  return std::any_of(sentences.begin(), sentences.end(), [](std::string_view sentence) {
    const auto words = words_of(sentence);
    const auto& languages = rules_by_language();
    return std::any_of(languages.begin(), languages.end(),
                       [&](const auto& language) { return Sentence(sentence, words, language).is_role_play(); });
  });
}

bool names_a_time(std::string_view sentence) {
  return text::names_time(sentence) || found_in_any(words_of(sentence), &LanguageRules::times);
}

bool is_assent(std::string_view message) {
  const auto words = words_of(message);
  const auto& languages = rules_by_language();
  if (message.size() > limits::assent_bytes || words.empty() || text::asks(message)) return false;
  return std::any_of(languages.begin(), languages.end(),
                     [&](const auto& language) { return found_at(language.assent, words, 0); });
}

bool limits_to_project(std::string_view text) { return found_in_any(words_of(text), &LanguageRules::here); }

bool tells_a_change(std::string_view text) { return found_in_any(words_of(text), &LanguageRules::change); }

}  // namespace selfmind::learn

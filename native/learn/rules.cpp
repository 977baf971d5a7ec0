#include "learn/rules.h"

#include <algorithm>
#include <optional>

#include "base/limits.h"
#include "base/utf8.h"
#include "learn/rule_lists.h"
#include "learn/spoken.h"
#include "learn/third_person.h"
#include "text/dates.h"
#include "text/language.h"
#include "text/secrets.h"
#include "text/tokens.h"

namespace selfmind::learn {
namespace {

// A longer sentence is a paragraph without full stops, which no form describes.
constexpr std::size_t sentence_bytes = 600;
// "I prefer that." says nothing; a whole sentence has to say a little more.
constexpr std::size_t sentence_words = 4;
// "Looks fine." says nothing of anything.
constexpr std::size_t said_words = 3;

struct Found {
  const Rule* rule;
  const LanguageRules* language;
  std::size_t begin;  // word
};

// One sentence, and what the rules of one language make of it.
class Sentence {
 public:
  Sentence(std::string_view text, const std::vector<Word>& words, const LanguageRules& language)
      : text_(text), words_(words), language_(language) {}

  std::optional<Found> memory() const {
    const auto starts = clause_starts();
    for (const auto& rule : language_.rules) {
      if (rule.pattern.anywhere()) {
        for (std::size_t at = 0; at < words_.size(); ++at) {
          if (holds(rule, at)) return Found{&rule, &language_, 0};
        }
        continue;
      }
      for (const auto at : starts) {
        if (holds(rule, at)) return Found{&rule, &language_, at};
      }
    }
    return std::nullopt;
  }

  bool is_role_play() const { return begins_with(language_.role_play); }

  // Asks, wants something done, supposes, is not sure, or tells what another says.
  bool claims_nothing() const {
    return begins_with(language_.questions) || begins_with(language_.requests) || begins_with(language_.unreal) ||
           is_role_play() || found_in(language_.unsure, words_) || found_in(language_.reported, words_);
  }

  // "Good morning, hope you had a nice weekend".
  bool greets() const { return found_at(language_.greetings, words_, 0); }

  // "My tests are green now", "I'm getting a segfault".
  bool tells_a_state() const {
    if (found_in(language_.passing, words_)) return true;
    for (std::size_t at = 0; at < words_.size(); ++at) {
      for (const auto& copula : language_.copulas) {
        const auto behind = copula.match(words_, at);
        if (behind && *behind < words_.size() && found_at(language_.states, words_, *behind)) return true;
      }
    }
    return false;
  }

 private:
  // Where a clause begins, with and without the words that may stand in front of it.
  std::vector<std::size_t> clause_starts() const {
    std::vector<std::size_t> starts;
    for (std::size_t at = 0; at < words_.size(); ++at) {
      if (!words_[at].begins_clause) continue;
      starts.push_back(at);
      for (auto next = after_lead(at); next && *next < words_.size(); next = after_lead(starts.back())) {
        if (*next == starts.back()) break;
        starts.push_back(*next);
      }
    }
    return starts;
  }

  std::optional<std::size_t> after_lead(std::size_t at) const {
    for (const auto& lead : language_.leads) {
      if (const auto end = lead.match(words_, at)) return end;
    }
    return std::nullopt;
  }

  // The sentence, behind its leads.
  bool begins_with(const std::vector<Pattern>& patterns) const {
    for (std::optional<std::size_t> at = 0; at && *at < words_.size();) {
      if (found_at(patterns, words_, *at)) return true;
      const auto next = after_lead(*at);
      at = next == at ? std::nullopt : next;
    }
    return false;
  }

  bool holds(const Rule& rule, std::size_t at) const {
    const auto end = rule.pattern.match(words_, at);
    if (!end || !allowed(rule)) return false;
    if (found_at(language_.not_kept, words_, at)) return false;
    if ((rule.flags & states) != 0 && passes(*end)) return false;
    if ((rule.flags & whole) != 0) return words_.size() >= sentence_words;
    if ((rule.flags & complete) != 0) return true;
    if ((rule.flags & order) != 0 && !is_order(at, *end)) return false;
    if (*end == words_.size() || found_at(language_.dangling, words_, *end)) return false;
    // "I like holding them." In a longer one the word has what it stands for.
    const bool is_short = words_.size() - *end <= 3;
    return (rule.flags & standing) != 0 || !is_short || !found_at(language_.dangling, words_, words_.size() - 1);
  }

  bool allowed(const Rule& rule) const {
    const auto may = [&rule](unsigned flag) { return (rule.flags & flag) != 0; };
    if (begins_with(language_.questions) && !may(standing)) return false;
    if (begins_with(language_.unreal) || found_in(language_.unsure, words_) || found_in(language_.reported, words_))
      return false;
    if (found_in(language_.credentials, words_)) return false;
    if (!may(standing) && (begins_with(language_.requests) || requests_later())) return false;
    if (!may(lasting) && found_in(language_.passing, words_)) return false;
    if (!may(addressed) && found_in(language_.to_assistant, words_)) return false;
    return !may(timed) || text::names_time(text_) || found_in(language_.times, words_);
  }

  // "My name is in the header, please change it".
  bool requests_later() const {
    for (std::size_t at = 1; at < words_.size(); ++at) {
      if (words_[at].begins_clause && found_at(language_.requests, words_, at)) return true;
    }
    return false;
  }

  // "Never push", at the start of the sentence or behind "when …", not ", always calm".
  bool is_order(std::size_t at, std::size_t verb) const {
    static constexpr std::string_view openers[] = {"when", "whenever", "in", "for",    "before", "after", "during",
                                                   "by",   "on",       "as", "unless", "once",   "with",  "if"};
    if (verb == words_.size() || !may_order(words_[verb].folded)) return false;
    const auto first = words_.front().folded;
    if (at == 0 || std::find(std::begin(openers), std::end(openers), first) != std::end(openers)) return true;
    std::size_t start = 0;
    for (auto next = after_lead(start); next && *next > start && *next <= at; next = after_lead(start)) start = *next;
    return start == at;
  }

  // English alone has these forms. "Seen", "here" and "reporting" are no orders; "do" is one, though it says little.
  static bool may_order(const std::string& word) {
    static constexpr std::string_view odd[] = {"saw",   "came", "went", "knew",  "found", "made",
                                               "took",  "felt", "full", "nice",  "fun",   "open",
                                               "worth", "mind", "give", "ready", "happy"};
    static constexpr std::string_view little[] = {"do", "let", "put", "have", "be", "show", "say", "tell", "use"};
    const auto in = [&word](const auto& list) {
      return std::find(std::begin(list), std::end(list), word) != std::end(list);
    };
    if (in(little)) return true;
    const bool ending =
        (word.ends_with("ing") && word != "bring") || (word.ends_with("ed") && word != "embed" && word != "need");
    return !ending && !in(odd) && !text::has(text::stop_word_in(word), text::Language::english);
  }

  // "is failing", "is slow": tomorrow it may be otherwise.
  bool passes(std::size_t at) const {
    if (at == words_.size() || found_at(language_.states, words_, at)) return true;
    return language_.name == "en" && words_[at].folded.ends_with("ing");
  }

  std::string_view text_;
  const std::vector<Word>& words_;
  const LanguageRules& language_;
};

// The kinds that say how things are; a plan, a decision or a lesson may well speak of today.
bool speaks_of_what_is(std::string_view kind) {
  return kind == "fact" || kind == "preference" || kind == "context" || kind == "identity" || kind == "risk" ||
         kind == "incident";
}

// Or did, before it was taken out.
bool holds_secret(std::string_view sentence) {
  return sentence.find("[secret: ") != std::string_view::npos || text::SecretMask().mask(sentence) != sentence;
}

bool can_be_memory(std::string_view sentence) {
  return sentence.size() <= sentence_bytes && !text::asks(sentence) && !quotes_words(sentence) &&
         !holds_secret(sentence);
}

Candidate candidate(std::string_view said, const std::vector<Word>& words, const Found& found) {
  const bool all = (found.rule->flags & whole) != 0;
  const auto begin = all || words.empty() ? 0 : words[found.begin].begin;
  Candidate candidate;
  candidate.kind = found.rule->kind;
  candidate.quote = said;
  // An order and a correction make sense as what was said alone.
  const bool as_it_is = (found.rule->flags & standing) != 0 || candidate.kind == "correction";
  const auto part = said.substr(begin);
  candidate.text = as_it_is ? as_said(part, found.language->name) : in_third_person(part, found.language->name);
  return candidate;
}

// "Translate this: …": what follows is a text, not the user's word.
bool announces(std::string_view said, const std::vector<Word>& words) {
  const bool colon = said.find(':') != std::string_view::npos || said.find("：") != std::string_view::npos;
  return colon && !words.empty() && found_at(announcing_words(), words, 0);
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

namespace {

bool found_in_any(const std::vector<Word>& words, std::vector<Pattern> LanguageRules::*list) {
  const auto& languages = rules_by_language();
  return std::any_of(languages.begin(), languages.end(),
                     [&](const auto& language) { return found_in(language.*list, words); });
}

}  // namespace

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

bool tells_a_change(std::string_view text) { return found_in_any(words_of(text), &LanguageRules::change); }

std::vector<Candidate> recognise(std::string_view message) {
  const std::string text = utf8::clean(utf8::prefix(message, limits::question_bytes));
  std::vector<Candidate> candidates;
  for (const auto said : spoken_sentences(text)) {
    const auto words = words_of(said);
    if (announces(said, words)) break;
    for (const auto& language : rules_by_language()) {
      const Sentence sentence(said, words, language);
      if (sentence.is_role_play()) return {};
      if (candidates.size() == limits::memories_per_turn || !can_be_memory(said)) continue;
      if (const auto found = sentence.memory()) {
        candidates.push_back(candidate(said, words, *found));
        break;
      }
    }
  }
  return candidates;
}

}  // namespace selfmind::learn

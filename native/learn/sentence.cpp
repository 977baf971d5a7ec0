#include "learn/sentence.h"

#include <algorithm>

#include "text/dates.h"
#include "text/language.h"

namespace selfmind::learn {
namespace {

// "I prefer that." says nothing; a whole sentence has to say a little more.
constexpr std::size_t sentence_words = 4;

}  // namespace

std::optional<Found> Sentence::memory() const {
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

bool Sentence::is_role_play() const { return begins_with(language_.role_play); }

bool Sentence::claims_nothing() const {
  return begins_with(language_.questions) || begins_with(language_.requests) || begins_with(language_.unreal) ||
         is_role_play() || found_in(language_.unsure, words_) || found_in(language_.reported, words_);
}

bool Sentence::greets() const { return found_at(language_.greetings, words_, 0); }

bool Sentence::tells_a_state() const {
  if (found_in(language_.passing, words_)) return true;
  for (std::size_t at = 0; at < words_.size(); ++at) {
    for (const auto& copula : language_.copulas) {
      const auto behind = copula.match(words_, at);
      if (behind && *behind < words_.size() && found_at(language_.states, words_, *behind)) return true;
    }
  }
  return false;
}

std::vector<std::size_t> Sentence::clause_starts() const {
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

std::optional<std::size_t> Sentence::after_lead(std::size_t at) const {
  for (const auto& lead : language_.leads) {
    if (const auto end = lead.match(words_, at)) return end;
  }
  return std::nullopt;
}

bool Sentence::begins_with(const std::vector<Pattern>& patterns) const {
  for (std::optional<std::size_t> at = 0; at && *at < words_.size();) {
    if (found_at(patterns, words_, *at)) return true;
    const auto next = after_lead(*at);
    at = next == at ? std::nullopt : next;
  }
  return false;
}

bool Sentence::holds(const Rule& rule, std::size_t at) const {
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

bool Sentence::allowed(const Rule& rule) const {
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

bool Sentence::requests_later() const {
  for (std::size_t at = 1; at < words_.size(); ++at) {
    if (words_[at].begins_clause && found_at(language_.requests, words_, at)) return true;
  }
  return false;
}

bool Sentence::is_order(std::size_t at, std::size_t verb) const {
  static constexpr std::string_view openers[] = {"when", "whenever", "in", "for",    "before", "after", "during",
                                                 "by",   "on",       "as", "unless", "once",   "with",  "if"};
  if (verb == words_.size() || !may_order(words_[verb].folded)) return false;
  const auto first = words_.front().folded;
  if (at == 0 || std::find(std::begin(openers), std::end(openers), first) != std::end(openers)) return true;
  std::size_t start = 0;
  for (auto next = after_lead(start); next && *next > start && *next <= at; next = after_lead(start)) start = *next;
  return start == at;
}

bool Sentence::may_order(const std::string& word) {
  static constexpr std::string_view odd[] = {"saw",  "came", "went", "knew",  "found", "made", "took",  "felt", "full",
                                             "nice", "fun",  "open", "worth", "mind",  "give", "ready", "happy"};
  static constexpr std::string_view little[] = {"do", "let", "put", "have", "be", "show", "say", "tell", "use"};
  const auto in = [&word](const auto& list) {
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
  };
  if (in(little)) return true;
  const bool ending =
      (word.ends_with("ing") && word != "bring") || (word.ends_with("ed") && word != "embed" && word != "need");
  return !ending && !in(odd) && !text::has(text::stop_word_in(word), text::Language::english);
}

bool Sentence::passes(std::size_t at) const {
  if (at == words_.size() || found_at(language_.states, words_, at)) return true;
  return language_.name == "en" && words_[at].folded.ends_with("ing");
}

}  // namespace selfmind::learn

#include "recall/select.h"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "recall/weights.h"

namespace selfmind::recall {
namespace {

// Two texts say the same from this overlap of their words on (Jaccard), unless what differs could be what changed.
constexpr double same = 0.9;
// A reply repeats a text when it has this share of its terms, and at most so many times as many; of fewer terms it may
// be chance.
constexpr double repeated_share = 0.8;
constexpr std::size_t repeated_in = 4;
constexpr std::size_t repeated_terms = 3;
// A list is compared with its first hits only; longer lists are for looking through.
constexpr std::size_t compared = 50;

std::vector<Term> distinct(std::vector<Term> terms) {
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  return terms;
}

double overlap(const std::vector<Term>& a, const std::vector<Term>& b) {  // Jaccard's
  const auto lengths = std::minmax({a.size(), b.size()});
  if (static_cast<double>(lengths.first) < same * static_cast<double>(lengths.second)) return 0;
  std::size_t shared = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j)
      ++shared, ++i, ++j;
    else if (*i < *j)
      ++i;
    else
      ++j;
  }
  const std::size_t all = a.size() + b.size() - shared;
  return all == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(all);
}

// A number or a negation: one of them more or less is another fact.
bool changes_the_meaning(const std::string& word) {
  static const std::set<std::string_view> negations = {
      "not",      "no",      "never",        "none",         "nothing",     "without", "longer", "anymore", "cannot",
      "cant",     "wont",    "dont",         "doesnt",       "didnt",       "isnt",    "arent",  "wasnt",   "werent",
      "shouldnt", "mustnt",  "nor",          "neither",      "nicht",       "nichts",  "kein",   "keine",   "keinen",
      "nie",      "niemals", "ohne",         "ne",           "pas",         "jamais",  "sans",   "plus",    "\u4E0D",
      "\u6CA1",   "\u65E0",  "\u6CA1\u6709", "\u306A\u3044", "\u306A\u304F"};
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; }) ||
         negations.count(word) > 0;
}

std::set<std::string> word_set(std::string_view text) {
  const auto list = text::words(text);
  return {list.begin(), list.end()};
}

bool same_words(const std::set<std::string>& first, const std::set<std::string>& second) {
  std::size_t shared = 0;
  for (const auto& word : first) shared += second.count(word);
  const std::size_t all = first.size() + second.size() - shared;
  if (all == 0 || static_cast<double>(shared) < same * static_cast<double>(all)) return false;
  const auto differs = [](const std::set<std::string>& one, const std::set<std::string>& other) {
    return std::any_of(one.begin(), one.end(),
                       [&](const std::string& word) { return other.count(word) == 0 && changes_the_meaning(word); });
  };
  return !differs(first, second) && !differs(second, first);
}

}  // namespace

std::string name_of(const store::Item& item) {
  return fmt::format("{} {}", item.kind == store::ItemKind::memory ? "memory" : "turn", item.id);
}

// Asked before, in the same words: it tells nothing that the question does not say. Its reply may.
bool Selection::only_asks_the_same(const Entry& entry) const {
  if (entry.item.kind != store::ItemKind::turn || entry.item.role != store::Role::user) return false;
  const auto text = utf8::trim(entry.item.text);
  const bool asks = text.ends_with('?') || text.ends_with("？") || text.ends_with("吗");
  if (!asks || query_.size() > limits::question_bytes || text.size() > limits::question_bytes) return false;
  if (query_words_.empty()) query_words_ = word_set(query_);
  return same_words(word_set(text), query_words_);
}

const Entry* Selection::says_the_same(const Entry& entry) const {
  const auto terms = distinct(entry.terms);
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const Entry& listed = state_.entries[list_[i].slot];
    if (overlap(terms_[i], terms) >= same && same_words(word_set(listed.item.text), word_set(entry.item.text)))
      return &listed;
  }
  return nullptr;
}

// A reply that says again what the user said, or what is remembered of it, with little of its own.
const Entry* Selection::is_repeated_by(const Entry& reply) const {
  if (reply.item.kind != store::ItemKind::turn || reply.item.role != store::Role::assistant) return nullptr;
  const auto terms = distinct(reply.terms);
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const auto& listed = terms_[i];
    if (listed.size() < repeated_terms || terms.size() > repeated_in * listed.size()) continue;
    std::vector<Term> shared;
    std::set_intersection(terms.begin(), terms.end(), listed.begin(), listed.end(), std::back_inserter(shared));
    const bool most = static_cast<double>(shared.size()) >= repeated_share * static_cast<double>(listed.size());
    if (most) return &state_.entries[list_[i].slot];
  }
  return nullptr;
}

bool Selection::put_back(Candidate& candidate) const {
  if (candidate.repeats) return false;
  const Entry* listed = says_the_same(state_.entries[candidate.slot]);
  if (listed == nullptr) return false;
  candidate.repeats = true;
  candidate.add(Part::repeats, -candidate.score() * (1 - weights.repeat));
  return true;
}

std::string Selection::offer(const Candidate& candidate, bool novel) {
  const Entry& entry = state_.entries[candidate.slot];
  const auto& item = entry.item;
  if (item.kind == store::ItemKind::turn) {
    if (const auto told = told_.find(item.id); told != told_.end()) return "said by " + told->second;
    if (novel && only_asks_the_same(entry)) return "it only asks the same";
  } else if (!item.turns.empty() &&
             std::all_of(item.turns.begin(), item.turns.end(), [&](store::Id turn) { return told_.count(turn) > 0; })) {
    return "said by " + told_.at(item.turns.front());
  }
  if (const Entry* listed = novel ? is_repeated_by(entry) : nullptr) return "it repeats " + name_of(listed->item);
  if (full()) return fmt::format("it is behind the first {}", k_);
  const auto name = name_of(item);
  if (item.kind == store::ItemKind::turn) told_.try_emplace(item.id, name);
  for (const auto turn : item.turns) told_.try_emplace(turn, name);
  list_.push_back(candidate);
  if (terms_.size() < compared) terms_.push_back(distinct(entry.terms));
  return {};
}

}  // namespace selfmind::recall

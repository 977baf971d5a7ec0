// The list as it grows: which candidate joins it, and why another does not. Pure.
#pragma once
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "recall/candidates.h"

namespace selfmind::recall {

class Selection {
 public:
  Selection(const Index::State& state, std::string_view query, std::size_t k) : state_(state), query_(query), k_(k) {}

  // A candidate that says the same as a listed one loses some of its score, once; then true, and it is offered again
  // where it belongs now.
  bool put_back(Candidate& candidate) const;

  // Why the candidate is not taken, or empty when it was. Candidates come best first. `novel`: nor is an earlier
  // question in the same words, or a reply that only says again what is listed; the published designs list both.
  std::string offer(const Candidate& candidate, bool novel);

  bool full() const { return list_.size() >= k_; }
  const std::vector<Candidate>& list() const { return list_; }

 private:
  bool only_asks_the_same(const Entry& entry) const;
  const Entry* says_the_same(const Entry& entry) const;
  const Entry* is_repeated_by(const Entry& reply) const;

  const Index::State& state_;
  std::string query_;
  mutable std::set<std::string> query_words_;  // once somebody asks for them
  std::size_t k_;
  std::vector<Candidate> list_;
  std::vector<std::vector<Term>> terms_;             // of the first in the list, distinct and sorted
  std::unordered_map<store::Id, std::string> told_;  // turns that need not be listed any more, by what
};

// "memory 12", "turn 40": as people are shown them.
std::string name_of(const store::Item& item);

}  // namespace selfmind::recall

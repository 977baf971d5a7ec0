// The second pass of the default ranking: each candidate looked at closely, with all that speaks for it. Pure.
#pragma once
#include <unordered_map>
#include <vector>

#include "recall/confidence.h"
#include "recall/question.h"

namespace selfmind::recall {

struct Candidate {
  Slot slot = no_slot;
  double score = 0;
  std::vector<ScorePart> parts;  // add up to the score
  bool repeats = false;          // another one; its score is already less for it
};

// The order of lists; of equals the older first.
inline bool better(const Candidate& a, const Candidate& b) {
  return a.score != b.score ? a.score > b.score : a.slot < b.slot;
}

struct Candidates {
  std::vector<Candidate> list;  // best first; each above 0
  Evidence evidence;
};

Candidates candidates(const Index::State& state, const View& view, const Question& question, const Context& context,
                      Time now, std::size_t k);

}  // namespace selfmind::recall

// The second pass of the default ranking: each candidate looked at closely, with all that speaks for it. Pure.
#pragma once
#include <array>
#include <vector>

#include "recall/confidence.h"
#include "recall/question.h"

namespace selfmind::recall {

// What a score is made of, with the names that people see.
enum class Part {
  words,
  neighbours,
  phrase,
  speaker,
  session,
  memory,
  names_time,
  in_time,
  recent,
  here,
  turn,
  repeats,
  bm25,
  text,
  age
};
inline constexpr std::array part_names = {"words",    "neighbours",   "phrase",       "speaker", "session",
                                          "memory",   "names a time", "in that time", "recent",  "this project",
                                          "its turn", "repeats",      "bm25",         "text",    "age"};

struct Candidate {
  Slot slot = no_slot;
  std::array<double, part_names.size()> parts{};  // by Part; the score is their sum
  bool repeats = false;                           // another one; its score is already less for it

  void add(Part part, double value) {
    parts[static_cast<std::size_t>(part)] += value;
    score_ += value;
  }
  double score() const { return score_; }

 private:
  double score_ = 0;
};

inline Candidate candidate(Slot slot, Part part, double value) {
  Candidate candidate;
  candidate.slot = slot;
  candidate.add(part, value);
  return candidate;
}

// The order of lists; of equals the older first.
inline bool better(const Candidate& a, const Candidate& b) {
  return a.score() != b.score() ? a.score() > b.score() : a.slot < b.slot;
}

struct Candidates {
  std::vector<Candidate> list;  // best first; each above 0
  Evidence evidence;
};

Candidates candidates(const Index::State& state, const View& view, const Question& question, const Context& context,
                      Time now, std::size_t k);

}  // namespace selfmind::recall

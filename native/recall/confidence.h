// Confidence: does the store know anything of what was asked? A ranking always has a best hit; this says whether it is
// one. Pure.
#pragma once
#include <cstddef>

namespace selfmind::recall {

// What of the question was found, at its best over the candidates that are memories or a user's own words; a long reply
// has every word in it.
struct Evidence {
  double match = 0;            // best score by words, as a share of the best a text could have
  double known = 0;            // share of the question that the store knows at all, by value
  double uncommon = 0;         // share of its uncommon words found together in one place
  double phrase = 0;           // words side by side as in the question, by value
  std::size_t words = 0;       // that the question has
  bool names_speaker = false;  // it names somebody who speaks in the log
  bool unknown_name = false;   // it has a name that stands nowhere
  bool in_memory = false;      // a memory has at least one of its words
  bool asks_of_time = false;   // it names a time and little else, and something was said in that time
  bool characters = false;     // Chinese, Japanese or Korean
};

// From 0 to 1. A logistic function of the evidence, one for questions of words and one for questions of characters.
// Its numbers are those that lose least where it matters, at the floor: fitted by search on questions asked of the file
// they belong to and of others (the recall sets of design, half of the other files of their corpora, and our own).
double confidence(const Evidence& evidence);

// With both, 89 % of BEAM's questions and 94 % of LoCoMo's, where there are memories as well, get nothing from another
// file, and their own lose at most 1.2 points of R@6; of files of theirs that nothing was fitted on it is 92 and 98 %,
// and at most 3.
inline constexpr double floor_of_turns = 0.5;
inline constexpr double floor_of_memories = 0.18;

}  // namespace selfmind::recall

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

// From 0 to 1. Logistic regression over the evidence, fitted on questions asked of the file they belong to and of
// others (the recall sets of design, and our own), one for questions of words and one for questions of characters.
double confidence(const Evidence& evidence);

// Chosen on the same files: with both, 88 % of BEAM's questions get nothing from another of its files, and 93 % of
// LoCoMo's, where there are memories as well.
inline constexpr double floor_of_turns = 0.5;
inline constexpr double floor_of_memories = 0.18;

}  // namespace selfmind::recall

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

// What they do, by `eval --unrelated`: how many questions of other files get nothing, in %, and how many points of R@6
// a file's own lose.
//   The recall sets of design: LoCoMo 93.6 and 0.3, BEAM 88.9 and 1.2, MemDaily 70.9 and 0.6.
//   Files that nothing was chosen on: BEAM's 35 chats of 500K 90.6 and 1.9 (21,386 questions of others, 629 own), nine
//   of 1M 92.0 and 0.9; LoCoMo's other five 98.2 and 0.0; logs 25 to 49 of the seven MemDaily files 71.8 and 1.4.
//   BEAM's other 15 of 100K, a third of them fitted on: 91.2 and 2.9.
// Of all 26 MemDaily files (logs 25 to 49) only 51 % get nothing, and 1.6 are lost: they are about the same few people,
// so that most answers do stand in the other file. Between those about people, events, and things it is 84 %.
inline constexpr double floor_of_turns = 0.5;
inline constexpr double floor_of_memories = 0.18;

}  // namespace selfmind::recall

// The weights of the default ranking, all in one table. They were chosen on the corpora of design's recall sets
// (LoCoMo, BEAM, MemDaily) by changing one at a time, and looked at on other files of these and on one more corpus;
// each optimum is flat, so the second digit means nothing. `make eval` shows what a change does.
#pragma once
#include <array>
#include <cstddef>

namespace selfmind::recall {

struct Weights {
  // Words. Okapi BM25: how soon a repeated word stops counting, and how much a long text is held against it.
  double k1 = 0.9;
  double b = 0.5;
  // How rare a word is, is counted over the store and this many imaginary texts, in whose share a common word stands:
  // a small store does not know that "project" says little.
  double background_texts = 300;
  double background_share = 0.1;
  double character = 1.2;   // a single Chinese, Japanese or Korean character
  double foreign_word = 4;  // a word or number among them: worth about as many characters
  double aside = 0.6;       // a word outside the sentence that asks
  double phrase = 0.8;      // words that stand side by side as they do in the question, by the rarer one

  // Around a turn. The words of its neighbours count as its own, at these shares.
  double before = 0.42;
  double after = 0.32;
  double second = 0.12;        // two turns away
  double answers = 0.25;       // more for the turn before, where that one asks
  double reply_before = 0.05;  // replies are long, so a little of one is much
  double reply_after = 0.15;
  double reply_second = 0.036;
  double fact_words = 0.5;  // so do the words of the memories that it established

  // What a turn is.
  double reply = 0.3;    // an assistant's turn beside a user's
  double speaker = 1.5;  // said by somebody whom the question names

  // Added to the score above, which is scaled to the best turn's, or the best memory's, as 1.
  double session = 0.5;  // its session's own BM25, scaled to the best one's
  double session_k1 = 1.2;
  double session_b = 0.75;
  double fact = 0.5;        // of the best memory that it established
  double names_time = 0.2;  // it names a time, and the question asks for one
  double in_time = 0.25;    // it was said in the time that the question names
  double recent = 0.03;     // said now; half of it half_life earlier
  double half_life_days = 45;
  double here = 0.03;   // of this project, not global
  double memory = 0.9;  // a memory's own words, beside a turn's
  // A memory stands for its turn from this share of the turn's score on; below it the turn says it better.
  double stands_for = 0.5;

  // What says the same as a better one keeps this share of its score.
  double repeat = 0.8;

  // How many of the best by their own words are looked at closely; their neighbours and turns come along.
  std::size_t pool = 300;
  // And of all these this many, by what the first pass tells.
  std::size_t measured = 160;
};

inline constexpr Weights weights;

}  // namespace selfmind::recall

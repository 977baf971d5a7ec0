// The first pass: scores of all items by the question's words, and of all sessions. Pure over an index.
#pragma once
#include <vector>

#include "recall/question.h"

namespace selfmind::recall {

struct Scan {
  std::vector<float> items;     // by slot; 0 has none of the words
  std::vector<float> sessions;  // by session slot; empty when not asked for
};

// Okapi BM25 with the preset's constants over every list of every word. Floats: close enough to choose candidates by.
Scan scan(const Index::State& state, const View& view, const Question& question, double k1, double b,
          bool with_sessions);

// The slots of the best `n` by `items` × the factor of their sort, in no order.
std::vector<Slot> best(const Index::State& state, const std::vector<float>& items,
                       const std::array<float, sorts>& factor, std::size_t n);

}  // namespace selfmind::recall

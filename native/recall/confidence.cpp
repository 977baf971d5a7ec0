#include "recall/confidence.h"

#include <cmath>

namespace selfmind::recall {
namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

double of_words(const Evidence& e) {
  double x = -4.95;
  x += 1.52 * e.match;
  x += 2.15 * e.known;
  x += 2.59 * e.uncommon;
  x += 0.24 * std::log1p(e.phrase);
  x += 0.42 * std::log1p(static_cast<double>(e.words));  // the same share of a long question is harder to come by
  if (e.in_memory) x += 1.47;
  if (e.asks_of_time) x += 2;  // "what did we decide last week": by hand, too few questions are of this kind
  if (e.names_speaker) {
    x += 2.99;
  } else if (e.unknown_name) {
    x -= 2.89;
  }
  return logistic(x);
}

// Of single characters some are found anywhere; runs of them are not.
double of_characters(const Evidence& e) {
  return logistic(-4.52 + 8 * e.match + 0.57 * e.known + 1.78 * std::log1p(e.phrase));
}

}  // namespace

double confidence(const Evidence& evidence) {
  return evidence.characters ? of_characters(evidence) : of_words(evidence);
}

}  // namespace selfmind::recall

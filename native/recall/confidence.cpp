#include "recall/confidence.h"

#include <cmath>

namespace selfmind::recall {
namespace {

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

double of_words(const Evidence& e) {
  double x = -5.17;
  x += 4.56 * e.match;
  x += 0.77 * e.known;
  x += 2.11 * e.uncommon;
  x += 0.87 * std::log1p(static_cast<double>(e.words));  // the same share of a long question is harder to come by
  if (e.in_memory) x += 0.89;
  if (e.asks_of_time) x += 2;  // "what did we decide last week": by hand, too few questions are of this kind
  if (e.names_speaker) {
    x += 3.40;
  } else if (e.unknown_name) {
    x -= 2.36;
  }
  return logistic(x);
}

// Of single characters some are found anywhere; runs of them are not.
double of_characters(const Evidence& e) { return logistic(-3.40 + 5.46 * e.known + 0.89 * std::log1p(e.phrase)); }

}  // namespace

double confidence(const Evidence& evidence) {
  return evidence.characters ? of_characters(evidence) : of_words(evidence);
}

}  // namespace selfmind::recall

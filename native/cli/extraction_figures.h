// How well an extractor and the gate behind it do on extraction sets. Pure.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/extraction_sets.h"
#include "store/records.h"

namespace selfmind::cli {

// A share of nothing is no number.
struct Share {
  std::size_t right = 0;
  std::size_t of = 0;
  std::optional<double> value() const;
  void add(bool is_right) {
    ++of;
    right += is_right ? 1 : 0;
  }
};

struct Quality {
  Share precision;
  Share recall;
};

struct ExtractionFigures {
  std::size_t n = 0;
  Quality texts;   // was something kept where something should be, and nothing elsewhere?
  Quality quotes;  // over the lines with quotes: does what was kept rest on the labelled words?
  Share memories;  // of all that was kept anywhere: how much rests on labelled words (of lines that can tell)
  std::map<std::string, Share> types;      // by labelled type: texts with one, and with a memory of that kind
  std::map<std::string, Quality> classes;  // texts, by class
  std::map<std::string, std::size_t> class_sizes;
  std::vector<std::string> missed;  // ids
  std::vector<std::string> wrong;   // ids of texts with a memory that rests on no labelled words
};

struct AnswerFigures {
  std::size_t n = 0;
  Quality memories;                 // that survive, and have to
  std::vector<std::string> differ;  // ids of the exchanges whose answer did not come through as it should
};

struct Threshold {
  double threshold = 0;
  Quality overlap;    // Jaccard alone: precision and recall of "same"
  Quality duplicate;  // learn::find_duplicate
};

// The message as learning has it in hand.
store::QueueEntry entry_of(const Exchange& exchange);

// `drafts`: what was kept of each exchange, in their order.
ExtractionFigures figures_of(const std::vector<Exchange>& exchanges,
                             const std::vector<std::vector<store::MemoryDraft>>& drafts);
ExtractionFigures rule_figures(const std::vector<Exchange>& exchanges);
// ErrorKind::invalid: an answer to an exchange that is not among them.
Result<AnswerFigures> answer_figures(const std::vector<ScriptedAnswer>& answers,
                                     const std::vector<Exchange>& exchanges);
std::vector<Threshold> threshold_figures(const std::vector<Pair>& pairs);

}  // namespace selfmind::cli

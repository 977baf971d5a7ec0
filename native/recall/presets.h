// Named settings of retrieval, so that anyone can compare.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "recall/vocabulary.h"

namespace selfmind::recall {

// How scores are made.
enum class Method {
  bm25,       // the words alone
  scenes,     // the words alone; memories in place of nothing
  anamnesis,  // the words scaled to 1, age, and variety
  fused,      // recall/weights.h
};

struct Preset {
  std::string name;
  Method method = Method::fused;
  Analysis analysis = Analysis::full;
  double k1 = 1.5;  // Okapi BM25: how soon a repeated word stops counting
  double b = 0.75;  // and how much a long text is held against it

  // Below this nothing is returned, from 0 to 1: of `anamnesis` the score, of `default` the confidence that the store
  // knows anything of the question. A memory needs less than a line of the log: it was kept because it matters.
  double min_score = 0;
  double min_score_memory = 0;

  // anamnesis
  double text_weight = 0.5;
  bool mmr = false;             // maximal marginal relevance: variety against score
  double mmr_lambda = 0.7;      // 1 is score alone
  bool temporal_decay = false;  // the score halves with every half_life_days of age
  double half_life_days = 45;
  double candidate_multiplier = 6;  // candidates, times k
};

// An unknown name is ErrorKind::invalid and lists the known ones.
Result<Preset> preset(std::string_view name);
std::vector<std::string> preset_names();
inline constexpr std::string_view default_preset = "default";

// What the preset lacks so far of the design it is named after, a sentence for the user; empty when nothing.
std::string lacking(const Preset& preset);

}  // namespace selfmind::recall

// Eval: how much of what a probe expects is recalled. Pure but for the stopwatch.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "recall/presets.h"
#include "recall/sets.h"

namespace selfmind::recall {

struct EvalOptions {
  std::vector<std::size_t> ks = {3, 6, 10};
  Preset preset = *recall::preset(default_preset);
};

// How one probe went.
struct Answer {
  bool expects = false;       // or should nothing have come back?
  bool nothing = false;       // nothing came back
  std::vector<double> share;  // per k of the options: expected ids among what was returned
  double reciprocal = 0;      // of the best place of an expected id among the first 20
  double milliseconds = 0;
  std::string category;
};

// A mean over no probe is no number.
using Mean = std::optional<double>;
Mean mean(const std::vector<double>& values);

inline constexpr std::size_t mrr_looks_at = 20;  // places

struct Category {
  std::size_t n = 0;
  std::vector<Mean> recall;  // per k
};

struct Figures {
  std::string set;
  std::size_t n = 0;         // probes
  std::vector<Mean> recall;  // per k: mean share of the expected ids
  std::vector<Mean> any;     // per k: share of the probes with at least one of them
  Mean mrr;
  Mean none;  // share of the probes that expect nothing and got it
  std::map<std::string, Category> categories;
  Mean p50, p95, p99;  // milliseconds
};

// Loads the set into an index of its own and asks every probe: at its time, over what was there by then.
std::vector<Answer> ask(const Set& set, const EvalOptions& options);
Figures figures(std::string name, std::span<const Answer> answers, std::size_t ks);

// What the floor of a preset is worth to a set: questions of other sets should get nothing, and its own lose little.
struct Floor {
  std::vector<bool> nothing;     // per question of another set: it got nothing
  std::vector<Answer> unbarred;  // its own probes, without the floor
};

// Asks sets[which] every probe of the others that expects something. Such a question knows neither the set's projects
// nor its times: it is asked of all projects, when the set ends.
Floor try_floor(std::span<const Set> sets, std::size_t which, const EvalOptions& options);

struct FloorFigures {
  std::size_t n = 0;       // questions of other sets
  Mean none;               // share of them that got nothing
  std::vector<Mean> lost;  // per k: the recall of its own probes without the floor, less that with it
};

FloorFigures floor_figures(const Floor& floor, const Figures& with_floor, std::size_t ks);

}  // namespace selfmind::recall

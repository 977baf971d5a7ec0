// Eval: asks the probes of a recall set and counts.
#include "recall/eval.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "recall/rank.h"

namespace selfmind::recall {

Mean mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

namespace {

// Where the expected ids stand among the hits, from 0; each id once, at its best place. A memory stands for itself and
// for the turns it came from.
std::vector<std::size_t> places(const std::vector<Hit>& hits, const std::vector<store::Id>& expect) {
  std::vector<std::size_t> found;
  for (const auto id : expect) {
    const auto shows = [id](const Hit& hit) {
      const auto& turns = hit.item.turns;
      return hit.item.id == id || std::find(turns.begin(), turns.end(), id) != turns.end();
    };
    const auto hit = std::find_if(hits.begin(), hits.end(), shows);
    if (hit != hits.end()) found.push_back(static_cast<std::size_t>(hit - hits.begin()));
  }
  return found;
}

bool finds_nothing(const Index& index, const Probe& probe, const EvalOptions& options) {
  Context context;
  context.all_projects = true;
  context.preset = options.preset;
  return rank(index, probe.query, context, mrr_looks_at).empty();
}

Answer ask(const Index& index, const Probe& probe, const EvalOptions& options) {
  Context context;
  context.project = probe.project;
  context.preset = options.preset;
  context.now = probe.at.value_or(Time{});

  const auto start = std::chrono::steady_clock::now();
  const auto first = rank(index, probe.query, context, mrr_looks_at);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;

  Answer answer;
  answer.category = probe.category;
  answer.milliseconds = took.count();
  answer.expects = !probe.expect.empty();
  answer.nothing = first.empty();
  if (!answer.expects) return answer;

  const auto best = places(first, probe.expect);
  if (!best.empty()) answer.reciprocal = 1.0 / static_cast<double>(1 + *std::min_element(best.begin(), best.end()));
  for (const auto k : options.ks) {
    // Asked anew: a list of three is not the start of a list of six once memories put turns out of it.
    const auto returned = rank(index, probe.query, context, k);
    answer.share.push_back(static_cast<double>(places(returned, probe.expect).size()) /
                           static_cast<double>(probe.expect.size()));
  }
  return answer;
}

// The smallest value that `share` of all values do not exceed.
Mean percentile(std::vector<double> values, double share) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::max<std::size_t>(rank, 1) - 1];
}

// Collects what is averaged over the probes that expect something.
template <class Value>
Mean mean_of(std::span<const Answer> answers, Value value) {
  std::vector<double> values;
  for (const auto& answer : answers) {
    if (answer.expects) values.push_back(value(answer));
  }
  return mean(values);
}

std::vector<Mean> recall_of(std::span<const Answer> answers, std::size_t ks) {
  std::vector<Mean> recall;
  for (std::size_t k = 0; k < ks; ++k) recall.push_back(mean_of(answers, [k](const Answer& a) { return a.share[k]; }));
  return recall;
}

}  // namespace

std::vector<Answer> ask(const Set& set, const EvalOptions& options) {
  // In the order of their times, so that one index grows along.
  std::vector<std::size_t> order(set.probes.size());
  std::iota(order.begin(), order.end(), 0);
  const auto time_of = [&](std::size_t probe) { return set.probes[probe].at.value_or(Time::max()); };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return time_of(a) < time_of(b); });

  Index index(options.preset.analysis);
  std::vector<bool> there(set.items.size());
  std::optional<Time> reached;
  std::vector<Answer> answers(set.probes.size());
  for (const auto probe : order) {
    const Time time = time_of(probe);
    for (std::size_t item = 0; item < set.items.size() && reached != time; ++item) {
      if (there[item] || set.items[item].at > time) continue;
      there[item] = true;
      index.put(set.items[item]);
    }
    reached = time;
    answers[probe] = ask(index, set.probes[probe], options);
  }
  return answers;
}

Figures figures(std::string name, std::span<const Answer> answers, std::size_t ks) {
  Figures figures;
  figures.set = std::move(name);
  figures.n = answers.size();
  figures.recall = recall_of(answers, ks);
  for (std::size_t k = 0; k < ks; ++k) {
    figures.any.push_back(mean_of(answers, [k](const Answer& a) { return a.share[k] > 0 ? 1.0 : 0.0; }));
  }
  figures.mrr = mean_of(answers, [](const Answer& a) { return a.reciprocal; });

  std::vector<double> nothing, milliseconds;
  std::map<std::string, std::vector<Answer>> by_category;
  for (const auto& answer : answers) {
    if (!answer.expects) nothing.push_back(answer.nothing ? 1.0 : 0.0);
    if (!answer.category.empty()) by_category[answer.category].push_back(answer);
    milliseconds.push_back(answer.milliseconds);
  }
  figures.none = mean(nothing);
  for (const auto& [category, members] : by_category) {
    figures.categories[category] = {members.size(), recall_of(members, ks)};
  }
  figures.p50 = percentile(milliseconds, 0.50);
  figures.p95 = percentile(milliseconds, 0.95);
  figures.p99 = percentile(milliseconds, 0.99);
  return figures;
}

Floor try_floor(std::span<const Set> sets, std::size_t which, const EvalOptions& options) {
  auto unbarred = options;
  unbarred.preset.min_score = unbarred.preset.min_score_memory = 0;
  Floor floor;
  floor.unbarred = ask(sets[which], unbarred);

  Index index(options.preset.analysis);
  for (const auto& item : sets[which].items) index.put(item);
  for (std::size_t other = 0; other < sets.size(); ++other) {
    if (other == which) continue;
    for (const auto& probe : sets[other].probes) {
      if (!probe.expect.empty()) floor.nothing.push_back(finds_nothing(index, probe, options));
    }
  }
  return floor;
}

FloorFigures floor_figures(const Floor& floor, const Figures& with_floor, std::size_t ks) {
  FloorFigures figures;
  figures.n = floor.nothing.size();
  figures.none = mean({floor.nothing.begin(), floor.nothing.end()});
  const auto without = recall_of(floor.unbarred, ks);
  for (std::size_t k = 0; k < ks; ++k) {
    const bool counted = without[k] && with_floor.recall[k];
    figures.lost.push_back(counted ? Mean(*without[k] - *with_floor.recall[k]) : std::nullopt);
  }
  return figures;
}

}  // namespace selfmind::recall

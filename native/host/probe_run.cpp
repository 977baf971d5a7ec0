#include "host/probe_run.h"

#include <algorithm>

#include "recall/eval.h"
#include "recall/sets.h"

namespace selfmind::host {
namespace {

using recall::mean;
using recall::mrr_looks_at;

// A memory stands for itself and, where a turn is expected, for the turns it came from.
bool shows(const recall::Hit& hit, const store::Expected& expected) {
  if (hit.item.kind == expected.kind) return hit.item.id == expected.id;
  if (expected.kind == store::ItemKind::memory) return false;
  const auto& turns = hit.item.turns;
  const auto end = turns.begin() + static_cast<std::ptrdiff_t>(std::min(turns.size(), recall::turns_of_a_memory));
  return std::find(turns.begin(), end, expected.id) != end;
}

std::vector<std::size_t> each_once(std::vector<std::size_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

// The lists are asked for one by one, as `eval` does: one of three is not always the start of one of six.
std::vector<std::size_t> lengths_for(std::vector<std::size_t> ks) {
  ks.push_back(mrr_looks_at);
  return each_once(std::move(ks));
}

// What the figures say of one probe that expects something.
struct Found {
  std::size_t possible = 0;
  std::vector<std::size_t> places;

  explicit Found(const ProbeOutcome& outcome) {
    for (const auto& expected : outcome.probe.expect) possible += expected.can_be_found() ? 1 : 0;
    for (const auto& place : outcome.places) {
      if (place) places.push_back(*place);
    }
  }

  double share(std::size_t k) const {
    const auto within = std::count_if(places.begin(), places.end(), [k](std::size_t place) { return place <= k; });
    return static_cast<double>(within) / static_cast<double>(possible);
  }
  double reciprocal() const {
    const auto best = std::min_element(places.begin(), places.end());
    return best == places.end() || *best > mrr_looks_at ? 0.0 : 1.0 / static_cast<double>(*best);
  }
};

}  // namespace

ProbeRun::ProbeRun(std::vector<store::Probe> probes, std::vector<std::size_t> ks)
    : ks_(each_once(std::move(ks))), lengths_(lengths_for(ks_)) {
  for (auto& probe : probes) {
    ProbeOutcome outcome;
    outcome.places.resize(probe.expect.size());
    const auto possible = [](const store::Expected& expected) { return expected.can_be_found(); };
    outcome.counted = probe.expect.empty() || std::any_of(probe.expect.begin(), probe.expect.end(), possible);
    outcome.probe = std::move(probe);
    outcomes_.push_back(std::move(outcome));
  }
  skip_uncounted();
}

std::optional<ProbeRun::Question> ProbeRun::next() const {
  if (probe_ == outcomes_.size()) return std::nullopt;
  const auto& probe = outcomes_[probe_].probe;
  return Question{probe.query, probe.expect.empty() ? lengths_.back() : lengths_[length_]};
}

void ProbeRun::take(const std::vector<recall::Hit>& hits) {
  auto& outcome = outcomes_[probe_];
  if (!outcome.first && !hits.empty()) outcome.first = hits.front();
  // Whoever asked for fewer did not get it.
  const std::size_t best_possible = length_ == 0 ? 1 : lengths_[length_ - 1] + 1;
  for (std::size_t i = 0; i < outcome.places.size(); ++i) {
    if (outcome.places[i] || !outcome.probe.expect[i].can_be_found()) continue;
    const auto hit = std::find_if(hits.begin(), hits.end(),
                                  [&](const recall::Hit& each) { return shows(each, outcome.probe.expect[i]); });
    if (hit == hits.end()) continue;
    outcome.places[i] = std::max(best_possible, static_cast<std::size_t>(hit - hits.begin()) + 1);
  }
  go_on();
}

bool ProbeRun::settled(const ProbeOutcome& outcome) const {
  if (outcome.probe.expect.empty() || length_ + 1 == lengths_.size()) return true;
  for (std::size_t i = 0; i < outcome.places.size(); ++i) {
    if (!outcome.places[i] && outcome.probe.expect[i].can_be_found()) return false;
  }
  return true;
}

void ProbeRun::go_on() {
  if (!settled(outcomes_[probe_])) {
    ++length_;
    return;
  }
  length_ = 0;
  ++probe_;
  skip_uncounted();
}

void ProbeRun::skip_uncounted() {
  while (probe_ < outcomes_.size() && !outcomes_[probe_].counted) ++probe_;
}

ProbeReport ProbeRun::report() const {
  ProbeReport report;
  report.outcomes = outcomes_;
  report.ks = ks_;
  std::vector<Found> found;
  std::vector<double> nothing;
  for (const auto& outcome : outcomes_) {
    if (!outcome.counted) continue;
    ++report.counted;
    if (outcome.probe.expect.empty()) {
      nothing.push_back(outcome.first ? 0.0 : 1.0);
    } else {
      found.emplace_back(outcome);
    }
  }
  const auto mean_of = [&found](auto value) {
    std::vector<double> values;
    for (const auto& probe : found) values.push_back(value(probe));
    return mean(values);
  };
  for (const auto k : ks_) {
    report.recall.push_back(mean_of([k](const Found& probe) { return probe.share(k); }));
    report.any.push_back(mean_of([k](const Found& probe) { return probe.share(k) > 0 ? 1.0 : 0.0; }));
  }
  report.mrr = mean_of([](const Found& probe) { return probe.reciprocal(); });
  report.none = mean(nothing);
  return report;
}

}  // namespace selfmind::host

// ProbeRun asks the user's probes and counts, as `eval` does with a recall set. It recalls nothing itself: next() says
// what to ask, take() is told what came, report() has the figures. Pure; the command line and the host use it.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "recall/rank.h"
#include "store/probes.h"

namespace selfmind::host {

inline const std::vector<std::size_t> default_probe_ks = {3, 6, 10};  // as eval has them

struct ProbeOutcome {
  store::Probe probe;
  // Where each of what it expects came, from 1: in the first of the lists that has it. None: not found, or not to be
  // found any more.
  std::vector<std::optional<std::size_t>> places;
  std::optional<recall::Hit> first;  // what came first
  bool counted = true;               // false: nothing of what it expects is recalled any more; it was not asked
};

// All shares from 0 to 1; none where there is nothing to take the mean of.
struct ProbeReport {
  std::vector<ProbeOutcome> outcomes;
  std::vector<std::size_t> ks;
  std::size_t counted = 0;                    // probes that were asked
  std::vector<std::optional<double>> recall;  // by k: the share of what a probe expects that is in the first k
  std::vector<std::optional<double>> any;     // by k: the share of probes of which at least one is there
  std::optional<double> mrr;                  // looks at the first 20
  std::optional<double> none;                 // of the probes that expect nothing: the share that got nothing
};

class ProbeRun {
 public:
  // `ks`: the cut-offs, at least one.
  ProbeRun(std::vector<store::Probe> probes, std::vector<std::size_t> ks);

  struct Question {
    std::string query;
    std::size_t k;
  };
  std::optional<Question> next() const;  // none: all were asked
  void take(const std::vector<recall::Hit>& hits);
  ProbeReport report() const;

 private:
  bool settled(const ProbeOutcome& outcome) const;
  void go_on();
  void skip_uncounted();

  std::vector<std::size_t> ks_;
  std::vector<std::size_t> lengths_;  // of the lists a probe is asked for, shortest first
  std::vector<ProbeOutcome> outcomes_;
  std::size_t probe_ = 0;   // the one being asked
  std::size_t length_ = 0;  // and for which list
};

}  // namespace selfmind::host

// Recaller owns the index: it lives on a thread of its own, which answers recalls and takes in what has changed, so
// that a recall never waits for the store. take() from the store's thread, which takes the texts apart; use() and ask()
// on the loop.
#pragma once
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/scheduler.h"
#include "host/worker.h"
#include "recall/rank.h"

namespace selfmind::host {

class Recaller {
 public:
  using Then = std::function<void(std::vector<recall::Hit> hits, bool late)>;

  Recaller(Scheduler& scheduler, Clock& clock) : scheduler_(scheduler), clock_(clock) {}

  // What is recalled by from now on. Before anything is taken: the index is begun anew.
  void use(recall::Preset preset);

  // What is asked after this sees it; but not what is `loading`, nor what comes while that is not taken in yet.
  void take(store::Feed feed, bool loading);

  // The preset and the time of `context` are set here. With a deadline, `then` comes with no hits and late = true when
  // it has passed; zero: however long it takes.
  void ask(std::string query, recall::Context context, std::size_t k, std::chrono::milliseconds deadline, Then then);

  // What is nearest to a text whether or not it is an answer to it: without a floor, however long it takes.
  void nearest(std::string text, recall::Context context, std::size_t k, Then then);

 private:
  void rank(Priority priority, std::string query, recall::Context context, std::size_t k, Then then);

  Scheduler& scheduler_;
  Clock& clock_;
  recall::Preset preset_ = *recall::preset(recall::default_preset);
  std::atomic<int> waiting_ = 0;  // feeds that recalls overtake
  recall::Index index_;           // worker thread only
  Worker worker_;
};

}  // namespace selfmind::host

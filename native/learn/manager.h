// Manager curates memory: it takes turns from the queue and works them off one at a time, lease → find known → extract
// → gate → keep → notice. Events in, commands out; no I/O and no clock; host/learner performs its commands. It is not
// the one who answers: it sees a turn only after its reply. One object per editor; loop thread only.
#pragma once
#include <optional>

#include "learn/events.h"

namespace selfmind::learn {

class Manager {
 public:
  explicit Manager(Settings settings) : settings_(std::move(settings)) {}
  Commands on(const Event& event);
  // The entry it holds now, so that a quitting editor can give it back.
  const std::optional<store::QueueEntry>& holds() const { return entry_; }

 private:
  Commands handle(const Woken& event);
  Commands handle(const Leased& event);
  Commands handle(const Known& event);
  Commands handle(const Extracted& event);
  Commands handle(const ExtractFailed& event);
  Commands handle(const Kept& event);
  Commands handle(const Released& event);
  Commands handle(const StoreFailed& event);
  Commands over_budget(const std::string& date);
  Commands failed(const Error& error, const store::Spent& spent);
  Commands rest();

  Settings settings_;
  std::optional<store::QueueEntry> entry_;
  std::string date_;                  // the day on which it was leased
  std::vector<store::Memory> known_;  // what the model was shown beside it
  std::string told_of_budget_;        // the day on which the user was told that it is spent
  bool busy_ = false;
  bool woken_again_ = false;
  int left_ = 0;  // entries that may still be learned before the next turn of the user's
};

}  // namespace selfmind::learn

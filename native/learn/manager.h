// Manager curates memory: it takes turns from the queue and works them off one at a time, lease → extract → gate → keep
// → notice. Events in, commands out; no I/O and no clock; host/learner performs its commands. It is not the one who
// answers: it sees a turn only after its reply. One object per editor; loop thread only.
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
  Commands handle(const Extracted& event);
  Commands handle(const ExtractFailed& event);
  Commands handle(const Kept& event);
  Commands handle(const Released& event);
  Commands handle(const StoreFailed& event);
  Commands rest();

  Settings settings_;
  std::optional<store::QueueEntry> entry_;
  bool busy_ = false;
  bool woken_again_ = false;
  int left_ = 0;  // entries that may still be learned before the next turn of the user's
};

}  // namespace selfmind::learn

// What the program needs of an event loop: work brought to its thread, and timers. io/loop implements it; tests turn
// one by hand.
#pragma once
#include <chrono>
#include <functional>
#include <memory>

namespace selfmind {

class Timer {  // destroying it stops it
 public:
  virtual ~Timer() = default;
};

class Scheduler {
 public:
  virtual ~Scheduler() = default;
  // Any thread: runs `work` on the loop, in the order of posting, never from inside post().
  virtual void post(std::function<void()> work) = 0;
  // Loop thread: runs `work` once, `delay` from now, unless the timer is destroyed first.
  virtual std::unique_ptr<Timer> after(std::chrono::milliseconds delay, std::function<void()> work) = 0;
};

}  // namespace selfmind

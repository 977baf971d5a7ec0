// ManualLoop: a Scheduler that a test turns by hand. What other threads post waits until the test runs it.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "base/scheduler.h"

namespace selfmind::test {

class ManualLoop final : public Scheduler {
 public:
  void post(std::function<void()> work) override {
    {
      const std::lock_guard lock(mutex_);
      posted_.push_back(std::move(work));
    }
    wake_.notify_one();
  }

  std::unique_ptr<Timer> after(std::chrono::milliseconds delay, std::function<void()> work) override {
    auto alarm = std::make_unique<Alarm>(*this, now_ + delay, std::move(work));
    alarms_.insert(alarm.get());
    return alarm;
  }

  // Runs what is posted until `holds`; false after a minute without it.
  bool run_until(const std::function<bool()>& holds) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!holds()) {
      std::function<void()> work;
      {
        std::unique_lock lock(mutex_);
        if (!wake_.wait_until(lock, limit, [this] { return !posted_.empty(); })) return false;
        work = std::move(posted_.front());
        posted_.pop_front();
      }
      work();
    }
    return true;
  }

  // Lets time pass for the timers; real time has nothing to do with it.
  void advance(std::chrono::milliseconds by) {
    now_ += by;
    for (bool ran = true; std::exchange(ran, false);) {
      for (auto* alarm : alarms_) {
        if (alarm->due > now_) continue;
        alarms_.erase(alarm);
        const auto work = std::exchange(alarm->work, nullptr);  // the work may destroy the timer
        work();
        ran = true;
        break;
      }
    }
  }

 private:
  struct Alarm final : Timer {
    Alarm(ManualLoop& owner, std::chrono::milliseconds time, std::function<void()> what)
        : loop(owner), due(time), work(std::move(what)) {}
    ~Alarm() override { loop.alarms_.erase(this); }
    ManualLoop& loop;
    std::chrono::milliseconds due;
    std::function<void()> work;
  };

  std::set<Alarm*> alarms_;
  std::chrono::milliseconds now_{0};
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> posted_;  // last: work that is never run may own timers
};

}  // namespace selfmind::test

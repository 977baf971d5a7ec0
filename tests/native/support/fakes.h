// Time and ids that a test decides.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/ids.h"

namespace selfmind::test {

class FakeClock : public Clock {
 public:
  FakeClock() = default;
  explicit FakeClock(Time start) : time(start) {}
  Time now() override { return time; }
  void advance(std::chrono::milliseconds by) { time += by; }

  Time time = from_millis(1'790'000'000'000);  // some day, always the same
};

// Unique per object and the same in every run.
class CountingIds : public Ids {
 public:
  explicit CountingIds(std::uint64_t first = 1) : next_(first) {}
  std::string uuid(Time now) override { return uuid7(now, 0, next_++); }

 private:
  std::uint64_t next_;
};

}  // namespace selfmind::test

// Unique ids that sort by time (UUIDv7, RFC 9562 section 5.7). An interface so that tests are deterministic.
#pragma once
#include <string>

#include "base/clock.h"

namespace selfmind {

class Ids {
 public:
  virtual ~Ids() = default;
  // 36 characters, lower case, with dashes. Any thread.
  virtual std::string uuid(Time now) = 0;
};

class RandomIds final : public Ids {
 public:
  std::string uuid(Time now) override;
};

// Lays out 48 bits of milliseconds and 74 bits of `random_high`/`random_low` as a UUIDv7.
std::string uuid7(Time now, std::uint64_t random_high, std::uint64_t random_low);

}  // namespace selfmind

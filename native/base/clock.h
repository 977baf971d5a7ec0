// Time as the program sees it: UTC, whole milliseconds. Clock is an interface so that tests are deterministic.
#pragma once
#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"

namespace selfmind {

using Time = std::chrono::sys_time<std::chrono::milliseconds>;

inline constexpr std::int64_t to_millis(Time time) { return time.time_since_epoch().count(); }
inline constexpr Time from_millis(std::int64_t millis) { return Time(std::chrono::milliseconds(millis)); }

// "2026-11-30T14:05:09.120Z"; the form of every time in JSON and RPC.
std::string iso8601(Time time);
// "2026-11-30", UTC.
std::string iso_date(Time time);
// The same as the user's calendar has it: local time.
std::string local_date(Time time);
// Reads YYYY-MM-DD[THH:MM[:SS[.mmm]][Z|±HH:MM]]; without a zone UTC.
Result<Time> parse_iso8601(std::string_view text);

// What somebody means by a date: [from, to), local time where no zone is given. A bare date is the whole day; with a
// time it is that moment.
struct DateSpan {
  Time from, to;
  Time last() const { return from == to ? to : to - std::chrono::milliseconds(1); }  // the last moment of it
};
Result<DateSpan> parse_date(std::string_view text);
// The same where only a whole day will do: ErrorKind::invalid when a time is given.
Result<DateSpan> parse_day(std::string_view text);

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Time now() = 0;
};

class SystemClock final : public Clock {
 public:
  Time now() override;
};

}  // namespace selfmind

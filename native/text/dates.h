// Dates and relative time in a text, in English, German, French, Chinese and Japanese, by rules. Pure; any thread; any
// bytes are accepted; linear time. Only the first 4 KB of a text are looked at.
#pragma once
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace selfmind::text {

// Half open, UTC. The start of time is the epoch.
struct Span {
  Time from;
  Time to;

  bool operator==(const Span&) const = default;
};

// The times a question names, as seen from `now`, in the order they are named. Weeks start on Monday; a date without a
// year is the latest one at or before `now`; times of day are not read.
std::vector<Span> times_in(std::string_view question, Time now);

// Does the text ask for a time ("when did", "which month", "how long ago", "wann", "什么时候")?
bool asks_when(std::string_view question);

// Does the text name a time at all: would times_in() find any?
bool names_time(std::string_view text);

}  // namespace selfmind::text

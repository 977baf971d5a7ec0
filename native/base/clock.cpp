#include "base/clock.h"

#include <charconv>
#include <cstdint>
#include <ctime>
#include <optional>

#include <fmt/format.h>

namespace selfmind {
namespace {

struct Parts {
  std::chrono::year_month_day date;
  std::chrono::hh_mm_ss<std::chrono::milliseconds> time;
};

Parts split(Time time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  return {std::chrono::year_month_day(day), std::chrono::hh_mm_ss(time - day)};
}

// Reads exactly `digits` digits from the front of `text`; -1 when they are not there.
int take(std::string_view& text, std::size_t digits) {
  int value = 0;
  if (text.size() < digits) return -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + digits, value);
  if (error != std::errc() || end != text.data() + digits || text.front() == '-') return -1;
  text.remove_prefix(digits);
  return value;
}

bool take_char(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

// A date as it stands there.
struct Written {
  std::chrono::sys_days date;
  std::optional<std::chrono::milliseconds> time;  // of the day
  std::optional<std::chrono::minutes> zone;       // east of UTC
};

Result<Written> read(std::string_view text) {
  const Error bad{ErrorKind::invalid,
                  fmt::format("\"{}\" is not a date; write YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ.", text)};
  std::string_view rest = text;
  const int year = take(rest, 4);
  if (year < 0 || !take_char(rest, '-')) return bad;
  const int month = take(rest, 2);
  if (month < 0 || !take_char(rest, '-')) return bad;
  const int day = take(rest, 2);
  if (day < 0) return bad;
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return bad;
  Written written{std::chrono::sys_days(date), {}, {}};
  if (!rest.empty()) {
    if (!take_char(rest, 'T')) return bad;
    const int hours = take(rest, 2);
    if (hours < 0 || hours > 23 || !take_char(rest, ':')) return bad;
    const int minutes = take(rest, 2);
    if (minutes < 0 || minutes > 59) return bad;
    auto time = std::chrono::milliseconds(std::chrono::hours(hours) + std::chrono::minutes(minutes));
    if (take_char(rest, ':')) {
      const int seconds = take(rest, 2);
      if (seconds < 0 || seconds > 60) return bad;
      time += std::chrono::seconds(seconds);
      if (take_char(rest, '.')) {
        int scale = 100;
        if (rest.empty() || rest.front() < '0' || rest.front() > '9') return bad;
        while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
          time += std::chrono::milliseconds((rest.front() - '0') * scale);
          scale /= 10;
          rest.remove_prefix(1);
        }
      }
    }
    written.time = time;
    if (take_char(rest, 'Z')) {
      written.zone = std::chrono::minutes(0);
    } else if (!rest.empty()) {
      const bool ahead = rest.front() == '+';
      if (!ahead && rest.front() != '-') return bad;
      rest.remove_prefix(1);
      const int zone_hours = take(rest, 2);
      take_char(rest, ':');
      const int zone_minutes = take(rest, 2);
      if (zone_hours < 0 || zone_hours > 14 || zone_minutes < 0 || zone_minutes > 59) return bad;
      const auto zone = std::chrono::hours(zone_hours) + std::chrono::minutes(zone_minutes);
      written.zone = ahead ? zone : -zone;
    }
    if (!rest.empty()) return bad;
  }
  return written;
}

// Where the clock is put forward a time may not exist, where it is put back it is there twice: mktime() decides.
Time from_local(std::chrono::sys_days date, std::chrono::milliseconds time) {
  const std::chrono::year_month_day day(date);
  std::tm parts{};
  parts.tm_year = static_cast<int>(day.year()) - 1900;
  parts.tm_mon = static_cast<int>(static_cast<unsigned>(day.month())) - 1;
  parts.tm_mday = static_cast<int>(static_cast<unsigned>(day.day()));
  parts.tm_sec = static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(time).count());
  parts.tm_isdst = -1;
  return Time(std::chrono::seconds(std::mktime(&parts))) + time % std::chrono::seconds(1);
}

}  // namespace

std::string iso8601(Time time) {
  const auto [date, clock] = split(time);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

std::string iso_date(Time time) { return iso8601(time).substr(0, 10); }

std::string local_date(Time time) {
  const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
}

Result<Time> parse_iso8601(std::string_view text) {
  const auto written = read(text);
  if (!written) return written.error();
  return Time(written->date) + written->time.value_or(std::chrono::milliseconds(0)) -
         written->zone.value_or(std::chrono::minutes(0));
}

Result<DateSpan> parse_date(std::string_view text) {
  const auto written = read(text);
  if (!written) return written.error();
  if (written->zone) {
    const auto moment = Time(written->date) + *written->time - *written->zone;
    return DateSpan{moment, moment};
  }
  if (written->time) {
    const auto moment = from_local(written->date, *written->time);
    return DateSpan{moment, moment};
  }
  constexpr std::chrono::milliseconds midnight(0);
  return DateSpan{from_local(written->date, midnight), from_local(written->date + std::chrono::days(1), midnight)};
}

Result<DateSpan> parse_day(std::string_view text) {
  auto day = parse_date(text);
  if (day && day->from == day->to) {
    return Error{ErrorKind::invalid, fmt::format("\"{}\" is not a day; write YYYY-MM-DD, without a time.", text)};
  }
  return day;
}

Time SystemClock::now() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

}  // namespace selfmind

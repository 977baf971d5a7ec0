#include "text/calendar.h"

namespace selfmind::text::calendar {

std::optional<Days> date_of(int y, int m, int d) {
  if (y < 1900 || y > 2099 || m < 1 || d < 1) return std::nullopt;
  const Date date{std::chrono::year(y), std::chrono::month(static_cast<unsigned>(m)),
                  std::chrono::day(static_cast<unsigned>(d))};
  return date.ok() ? std::optional<Days>(date) : std::nullopt;
}

int month_index(Time time) {
  const Date date(std::chrono::floor<days>(time));
  return static_cast<int>(date.year()) * 12 + static_cast<int>(unsigned{date.month()}) - 1;
}
Days month_start(int index) { return Days((std::chrono::year(0) / 1 + months(index)) / 1); }

Made on(std::optional<Days> day) { return day ? Made({*day, *day + days(1)}) : std::nullopt; }
Made in_months(int first, int count) { return Span{month_start(first), month_start(first + count)}; }

Days months_before(Days day, int count) {
  const Date date = Date(day) - months(count);
  return date.ok() ? Days(date) : Days(date.year() / date.month() / std::chrono::last);
}

Time start(int unit, int offset, Time now) {
  const Days today = std::chrono::floor<days>(now);
  const int this_month = month_index(today);
  switch (unit) {
    case minute:
      return std::chrono::floor<std::chrono::minutes>(now) + std::chrono::minutes(offset);
    case hour:
      return std::chrono::floor<std::chrono::hours>(now) + std::chrono::hours(offset);
    case day:
      return today + days(offset);
    case month:
      return month_start(this_month + offset);
    case quarter:
      return month_start((this_month / 3 + offset) * 3);
    case year:
      return month_start((this_month / 12 + offset) * 12);
    default:
      return today - (std::chrono::weekday(today) - std::chrono::Monday) + days(7 * offset);  // a week
  }
}

Span units(int unit, int first, int last, Time now) {
  if (unit == weekend) return {start(week, first, now) + days(5), start(week, last + 1, now)};
  if (unit == part_of_day)
    return {start(day, first, now) + std::chrono::hours(12), start(day, last + 1, now) + std::chrono::hours(12)};
  return {start(unit, first, now), start(unit, last + 1, now)};
}

Span rolling(int unit, int count, Time now) {
  const Days today = std::chrono::floor<days>(now);
  const auto shifted = [&](int by) -> Time {
    switch (unit) {
      case minute:
        return now + std::chrono::minutes(by);
      case hour:
        return now + std::chrono::hours(by);
      case month:
        return months_before(today, -by);
      case quarter:
        return months_before(today, -3 * by);
      case year:
        return months_before(today, -12 * by);
      default:
        return today + days(unit == day || unit == part_of_day ? by : 7 * by);
    }
  };
  return count < 0 ? Span{now, shifted(-count) + (unit > hour ? days(1) : days(0))} : Span{shifted(-count), now};
}

}  // namespace selfmind::text::calendar

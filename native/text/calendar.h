// Days, months and units of time around a moment, as dates.cpp needs them. UTC; weeks start on Monday. Pure.
#pragma once
#include <chrono>
#include <optional>

#include "base/clock.h"
#include "text/dates.h"

namespace selfmind::text::calendar {

using std::chrono::days;
using std::chrono::months;
using Days = std::chrono::sys_days;
using Date = std::chrono::year_month_day;
using Made = std::optional<Span>;

enum Unit { minute, hour, day, week, weekend, month, quarter, year, part_of_day };

// None where there is no such day, or it is centuries away.
std::optional<Days> date_of(int y, int m, int d);

// Months are counted from the year 0.
int month_index(Time time);
Days month_start(int index);
Made on(std::optional<Days> day);
Made in_months(int first, int count);

// The same day so many months earlier, or the last of that month.
Days months_before(Days day, int count);

// The start of a unit, so many after the present one.
Time start(int unit, int offset, Time now);

// From the first of these units through the last.
Span units(int unit, int first, int last, Time now);

// The last `count` units up to now, or the next ones.
Span rolling(int unit, int count, Time now);

}  // namespace selfmind::text::calendar

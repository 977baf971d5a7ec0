#include "base/clock.h"

#include <cstdlib>
#include <ctime>

#include "base/ids.h"
#include "support/catch.h"

using namespace selfmind;

TEST_CASE("a time is written as ISO 8601 and read back the same") {
  for (const char* text : {"1970-01-01T00:00:00.000Z", "2024-02-29T23:59:59.999Z", "2026-11-30T14:05:09.120Z"}) {
    const auto time = parse_iso8601(text);
    REQUIRE(time.ok());
    CHECK(iso8601(*time) == text);
  }
}

TEST_CASE("shorter forms and zones are understood") {
  CHECK(iso8601(*parse_iso8601("2026-11-30")) == "2026-11-30T00:00:00.000Z");
  CHECK(iso8601(*parse_iso8601("2026-11-30T08:05")) == "2026-11-30T08:05:00.000Z");
  CHECK(iso8601(*parse_iso8601("2026-11-30T08:05:01.5Z")) == "2026-11-30T08:05:01.500Z");
  CHECK(iso8601(*parse_iso8601("2026-11-30T01:05:00+02:00")) == "2026-11-29T23:05:00.000Z");
  CHECK(iso8601(*parse_iso8601("2026-11-30T01:05:00-0230")) == "2026-11-30T03:35:00.000Z");
}

TEST_CASE("what is no date is refused with the form to use") {
  for (const char* text :
       {"", "2026", "2026-13-01", "2026-02-30", "2026-11-30 08:05", "2026-11-30T", "2026-11-30T25:00",
        "2026-11-30T08:05:00.Z", "2026-11-30T08:05:00+99:00", "2026-11-30T08:05:00Zx", "-026-11-30"}) {
    INFO(text);
    const auto time = parse_iso8601(text);
    REQUIRE(!time.ok());
    CHECK(time.error().message.find("YYYY-MM-DD") != std::string::npos);
  }
}

TEST_CASE("unique ids sort by time and have the form of a UUIDv7") {
  const auto earlier = uuid7(from_millis(0x0123456789ab), ~0ULL, ~0ULL);
  const auto later = uuid7(from_millis(0x0123456789ac), 0, 0);
  CHECK(earlier == "01234567-89ab-7fff-bfff-ffffffffffff");
  CHECK(later == "01234567-89ac-7000-8000-000000000000");
  CHECK(earlier < later);
  RandomIds ids;
  CHECK(ids.uuid(from_millis(1)) != ids.uuid(from_millis(1)));
}

TEST_CASE("a date without a zone is a day here, with its end") {
  ::setenv("TZ", "Europe/Berlin", 1);
  ::tzset();
  const auto span = [](std::string_view text) {
    const auto read = parse_date(text);
    return read ? iso8601(read->from) + " " + iso8601(read->to) : read.error().message;
  };
  CHECK(span("2026-11-30") == "2026-11-29T23:00:00.000Z 2026-11-30T23:00:00.000Z");
  CHECK(span("2026-03-29") == "2026-03-28T23:00:00.000Z 2026-03-29T22:00:00.000Z");  // an hour is put forward
  CHECK(span("2026-07-01T12:30") == "2026-07-01T10:30:00.000Z 2026-07-01T10:30:00.000Z");
  CHECK(span("2026-07-01T12:30:05Z") == "2026-07-01T12:30:05.000Z 2026-07-01T12:30:05.000Z");
  CHECK(span("2026-07-01T12:30:05-02:00") == "2026-07-01T14:30:05.000Z 2026-07-01T14:30:05.000Z");
  CHECK_FALSE(parse_date("yesterday").ok());
  CHECK_FALSE(parse_date("2026-02-30").ok());
  ::unsetenv("TZ");
  ::tzset();
}

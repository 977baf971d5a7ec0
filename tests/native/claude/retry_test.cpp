#include "claude/retry.h"

#include "support/catch.h"

namespace selfmind::claude {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

Retry told(int status, const http::Headers& headers = {}, std::string_view body = "") {
  return retry_from_response(status, headers, body);
}

}  // namespace

TEST_CASE("what passes by itself is tried again, what does not is not") {
  for (const int status : {408, 409, 429, 500, 502, 503, 504, 529}) {
    INFO(status);
    CHECK(told(status).worthwhile);
  }
  for (const int status : {200, 400, 401, 402, 403, 404, 413, 422, 431, 499}) {
    INFO(status);
    CHECK_FALSE(told(status).worthwhile);
  }
  CHECK(told(400, {}, R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})").worthwhile);
}

TEST_CASE("the server's word on trying again decides first") {
  CHECK(told(400, {{"x-should-retry", "true"}}).worthwhile);
  CHECK_FALSE(told(529, {{"x-should-retry", "false"}}).worthwhile);
  CHECK(told(529, {{"x-should-retry", "perhaps"}}).worthwhile);
}

TEST_CASE("a spending limit does not pass in a minute") {
  const char* body =
      R"({"error":{"type":"rate_limit_error","message":"m","details":{"error_code":"enforced_spend_limit_reached"}}})";
  CHECK_FALSE(told(429, {}, body).worthwhile);
}

TEST_CASE("the pause is the one the server names") {
  const auto pause = [](const http::Headers& headers) { return pause_before(1, told(429, headers), 0.5); };
  CHECK(pause({{"retry-after", "7"}}) == milliseconds(7000));
  CHECK(pause({{"retry-after", "0.25"}}) == milliseconds(250));
  CHECK(pause({{"retry-after", "7"}, {"retry-after-ms", "1200"}}) == milliseconds(1200));
  CHECK(pause({{"retry-after", "Mon, 30 Nov 2026 08:00:20 GMT"}, {"date", "Mon, 30 Nov 2026 07:59:50 GMT"}}) ==
        milliseconds(30'000));
  SECTION("what is no pause is passed over") {
    for (const char* value : {"0", "-3", "soon", "7 apples", "", "nan", "1e300"}) {
      INFO(value);
      CHECK(pause({{"retry-after", value}}) == milliseconds(438));
    }
    CHECK(pause({{"retry-after", "Mon, 30 Nov 2026 08:00:20 GMT"}}) == milliseconds(438));
  }
  SECTION("longer than anyone would watch a countdown") {
    CHECK(told(429, {{"retry-after", "600"}}).worthwhile);
    CHECK_FALSE(told(429, {{"retry-after", "601"}}).worthwhile);
  }
}

TEST_CASE("without a named pause it doubles from half a second to eight, up to a quarter less") {
  const Retry retry{true, std::nullopt};
  CHECK(pause_before(1, retry, 0) == milliseconds(500));
  CHECK(pause_before(2, retry, 0) == milliseconds(1000));
  CHECK(pause_before(9, retry, 0) == milliseconds(8000));
  CHECK(pause_before(1, retry, 0.999) >= milliseconds(375));
}

TEST_CASE("a broken connection is tried again, a wrong address and a long silence are not") {
  CHECK(retry_from_transport({ErrorKind::network, "x"}).worthwhile);
  CHECK_FALSE(retry_from_transport({ErrorKind::invalid, "x"}).worthwhile);
  CHECK_FALSE(retry_from_transport({ErrorKind::timed_out, "x"}).worthwhile);
  CHECK(retry_from_event("overloaded_error").worthwhile);
  CHECK_FALSE(retry_from_event("invalid_request_error").worthwhile);
}

}  // namespace selfmind::claude

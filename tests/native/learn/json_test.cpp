#include "learn/json.h"

#include <nlohmann/json.hpp>

#include "support/catch.h"

using namespace selfmind;
using namespace selfmind::learn;
using nlohmann::ordered_json;

TEST_CASE("each event of learning is read as it was written") {
  store::QueueEntry entry;
  entry.id = 7;
  entry.lease = "here";
  entry.said_at = *parse_iso8601("2026-11-29T10:00:00.250Z");
  claude::Reply reply;
  reply.text = "{}";
  reply.stop_reason = claude::StopReason::max_tokens;
  reply.usage.cache_write = 4;
  store::Added added;
  added.duplicate = true;
  added.memory.revision = 0;  // the default is 1
  added.memory.turns = {3, 4};
  const std::vector<std::pair<std::string, Event>> events = {
      {R"({"woken":{}})", Woken{}},
      {R"({"leased":{"date":"2026-11-30"}})", Leased{std::nullopt, "2026-11-30"}},
      {R"({"leased":{"entry":{"id":7,"lease":"here","said_at":"2026-11-29T10:00:00.250Z"}}})", Leased{entry, ""}},
      {R"({"extracted":{"reply":{"text":"{}","stop_reason":"max_tokens","usage":{"cache_write":4}}}})",
       Extracted{reply}},
      {R"({"extract_failed":{"error":{"kind":"overloaded","message":"No room."}}})",
       ExtractFailed{{ErrorKind::overloaded, "No room."}}},
      {R"({"kept":{"added":[{"duplicate":true,"memory":{"revision":0,"turns":[3,4]}}]}})", Kept{{added}}},
      {R"({"released":{}})", Released{}},
      {R"({"store_failed":{"error":{"kind":"busy"}}})", StoreFailed{{ErrorKind::busy, ""}}},
  };
  for (const auto& [text, event] : events) {
    CHECK(to_json(event).dump() == text);
    const auto read = event_from(ordered_json::parse(text));
    REQUIRE(read.ok());
    CHECK(read->index() == event.index());
    CHECK(to_json(*read).dump() == text);
  }
}

TEST_CASE("what is no event of learning is refused") {
  const auto text = GENERATE(as<std::string>(), "[]", "{}", R"({"woken":{},"released":{}})", R"({"dreaming":{}})",
                             R"({"woken":1})", R"({"woken":{"colour":1}})", R"({"leased":{"date":3}})",
                             R"({"kept":{"added":{}}})", R"({"store_failed":{"error":{"kind":"?"}}})",
                             R"({"store_failed":{"error":{"kind":""}}})", R"({"leased":{"entry":{"said_at":"soon"}}})");
  CAPTURE(text);
  const auto event = event_from(ordered_json::parse(text));
  REQUIRE_FALSE(event.ok());
  CHECK(event.error().kind == ErrorKind::invalid);
}

#include "sse/decoder.h"

#include "base/limits.h"
#include "support/catch.h"
#include "support/transcripts.h"

namespace selfmind::sse {
namespace {

bool same(const Event& a, const Event& b) { return a.name == b.name && a.data == b.data; }

bool same(const std::vector<Event>& a, const std::vector<Event>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Event& x, const Event& y) { return same(x, y); });
}

void feed(Decoder& decoder, std::string_view bytes, std::vector<Event>& out) {
  auto events = decoder.feed(bytes);
  if (!events.ok()) throw std::runtime_error(events.error().message);
  for (auto& event : *events) out.push_back(std::move(event));
}

std::vector<Event> decode(std::string_view bytes) {
  Decoder decoder;
  std::vector<Event> out;
  feed(decoder, bytes, out);
  return out;
}

std::vector<Event> decode_bytewise(std::string_view bytes) {
  Decoder decoder;
  std::vector<Event> out;
  for (std::size_t at = 0; at < bytes.size(); ++at) feed(decoder, bytes.substr(at, 1), out);
  return out;
}

}  // namespace

TEST_CASE("every transcript gives the same events whole, byte by byte and split anywhere") {
  const auto all = test::transcripts();
  REQUIRE(all.size() >= 21);
  for (const auto& [name, bytes] : all) {
    INFO(name);
    const auto whole = decode(bytes);
    REQUIRE_FALSE(whole.empty());
    CHECK(same(decode_bytewise(bytes), whole));

    // The front is fed once: each split continues from a copy of the decoder as it stood there.
    Decoder front;
    std::vector<Event> front_events;
    std::size_t fed = 0;
    std::size_t different = 0;
    for (const std::size_t at : test::split_positions(bytes)) {
      feed(front, std::string_view(bytes).substr(fed, at - fed), front_events);
      fed = at;
      Decoder rest = front;
      auto events = front_events;
      feed(rest, std::string_view(bytes).substr(at), events);
      if (!same(events, whole)) ++different;
    }
    CHECK(different == 0);
  }
}

TEST_CASE("lines end with a line feed, a carriage return or both") {
  for (const std::string end : {"\n", "\r", "\r\n"}) {
    const auto events = decode("event: a" + end + "data: 1" + end + "data: 2" + end + end + "data: 3" + end + end);
    REQUIRE(events.size() == 2);
    CHECK(events[0].name == "a");
    CHECK(events[0].data == "1\n2");
    CHECK(events[1].name.empty());
    CHECK(events[1].data == "3");
  }
}

TEST_CASE("an event that ends with a carriage return does not wait for the next byte") {
  CHECK(decode("data: now\r\r").size() == 1);
}

TEST_CASE("only what the format calls a line end is one") {
  const auto events = decode(
      "data: a\xE2\x80\xA8"
      "b\xC2\x85"
      "c\n\n");
  REQUIRE(events.size() == 1);
  CHECK(events[0].data ==
        "a\xE2\x80\xA8"
        "b\xC2\x85"
        "c");
}

TEST_CASE("one blank after the colon belongs to the format, the others to the data") {
  CHECK(decode("data:x\n\n").at(0).data == "x");
  CHECK(decode("data: x\n\n").at(0).data == "x");
  CHECK(decode("data:  x \n\n").at(0).data == " x ");
}

TEST_CASE("comments and unknown fields are dropped, and an event without data is none") {
  CHECK(decode(": hello\nid: 7\nretry: 3\nevent: ping\n\n").empty());
  const auto events = decode("event: ping\n\n: x\nfuture: y\ndata: z\n\n");
  REQUIRE(events.size() == 1);
  CHECK(events[0].name.empty());  // the name of an event without data does not stick to the next one
}

TEST_CASE("a BOM is dropped at the beginning only") {
  const auto events = decode(
      "\xEF\xBB\xBF"
      "data: a\n\n\xEF\xBB\xBF"
      "data: b\n\ndata: c\n\n");
  REQUIRE(events.size() == 2);
  CHECK(events[0].data == "a");
  CHECK(events[1].data == "c");
}

TEST_CASE("the last event is not given out without its empty line") { CHECK(decode("data: half\n").empty()); }

TEST_CASE("an event that grows past its limit is an error, in one line or in many") {
  const std::string line = "data: " + std::string(1u << 20, 'x');
  SECTION("one line") {
    Decoder decoder;
    REQUIRE(decoder.feed("data: ").ok());
    std::size_t sent = 0;
    while (sent <= limits::sse_event_bytes && decoder.feed(line).ok()) sent += line.size();
    CHECK(sent <= limits::sse_event_bytes);
    CHECK(sent + 2 * line.size() > limits::sse_event_bytes);
  }
  SECTION("many lines") {
    Decoder decoder;
    std::size_t sent = 0;
    while (sent <= 2 * limits::sse_event_bytes) {
      const auto events = decoder.feed(line + "\n");
      if (!events.ok()) {
        CHECK(events.error().kind == ErrorKind::protocol);
        break;
      }
      sent += line.size();
    }
    CHECK(sent <= limits::sse_event_bytes);
  }
}

}  // namespace selfmind::sse

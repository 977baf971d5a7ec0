#include "rpc/codec.h"

#include <cmath>
#include <limits>
#include <random>

#include "base/limits.h"
#include "support/catch.h"

using namespace selfmind;
using namespace selfmind::rpc;

namespace {

std::string bytes(std::initializer_list<int> list) {
  std::string out;
  for (const int byte : list) out.push_back(static_cast<char>(byte));
  return out;
}

// One of each shape, with the edges of every type.
std::vector<Message> samples() {
  Map settings = {{"top_k", 6}, {"db", "/tmp/ü.db"}, {"empty", ""}, {"nothing", Value()}};
  Array numbers = {0,
                   127,
                   128,
                   -1,
                   -32,
                   -33,
                   65536,
                   std::numeric_limits<std::int64_t>::max(),
                   std::numeric_limits<std::int64_t>::min(),
                   0.5,
                   -1e300};
  return {
      Request{0, "hello", {Map{{"protocol", 1}, {"settings", settings}}}},
      Request{std::numeric_limits<std::uint32_t>::max(), "stats", {}},
      Response{7, {}, Map{{"ok", true}, {"list", numbers}}},
      Response{8, Map{{"kind", "invalid"}, {"message", "No."}}, {}},
      Notification{"turn.start", {41, Map{{"chat", 3}, {"text", std::string(300, 'x')}}}},
      Notification{"nvim_error_event", {0, std::string("bytes \0\xff", 8)}},
      Notification{"memory.forget", {1, Map{{"ids", Array{1, 2, 3}}, {"dry_run", false}}}},
  };
}

bool same(const Message& a, const Message& b) { return encode(a) == encode(b); }

void check_same(const std::vector<Message>& got, const std::vector<Message>& wanted) {
  REQUIRE(got.size() == wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    INFO("message " << i);
    CHECK(same(got[i], wanted[i]));
  }
}

void feed(Decoder& decoder, std::string_view piece, std::vector<Message>& messages) {
  auto more = decoder.feed(piece);
  REQUIRE(more);
  for (Message& message : *more) messages.push_back(std::move(message));
}

std::string encoded(const std::vector<Message>& messages) {
  std::string stream;
  for (const Message& message : messages) stream += encode(message);
  return stream;
}

// The reason for which `hostile` is refused; fails when it is taken or waited for.
std::string refusal(std::string_view hostile) {
  Decoder decoder;
  const auto result = decoder.feed(hostile);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().kind == ErrorKind::protocol);
  CHECK_FALSE(decoder.feed(encode(Notification{"fine", {}})).ok());
  return result.error().message;
}

}  // namespace

TEST_CASE("what was encoded is decoded to the same values") {
  Decoder decoder;
  auto got = decoder.feed(encode(samples()[0]));
  REQUIRE(got);
  REQUIRE(got->size() == 1);
  const auto* request = std::get_if<Request>(&got->front());
  REQUIRE(request);
  CHECK(request->id == 0);
  CHECK(request->method == "hello");
  REQUIRE(request->params.size() == 1);
  const Value* settings = request->params[0].find("settings");
  REQUIRE(settings);
  REQUIRE(settings->find("top_k"));
  CHECK(*settings->find("top_k") == Value(6));
  CHECK(*settings->find("db") == Value("/tmp/ü.db"));
  CHECK(settings->find("nothing")->is_nil());
  CHECK(settings->find("absent") == nullptr);
}

TEST_CASE("messages are the same whole, byte by byte and at every split") {
  const auto wanted = samples();
  const std::string stream = encoded(wanted);
  SECTION("whole") {
    Decoder decoder;
    std::vector<Message> got;
    feed(decoder, stream, got);
    check_same(got, wanted);
  }
  SECTION("byte by byte") {
    Decoder decoder;
    std::vector<Message> got;
    for (const char byte : stream) feed(decoder, {&byte, 1}, got);
    check_same(got, wanted);
  }
  SECTION("at every split") {
    for (std::size_t at = 0; at <= stream.size(); ++at) {
      INFO("split at " << at);
      Decoder decoder;
      std::vector<Message> got;
      feed(decoder, std::string_view(stream).substr(0, at), got);
      feed(decoder, std::string_view(stream).substr(at), got);
      check_same(got, wanted);
    }
  }
}

TEST_CASE("each message comes out with its last byte, not later") {
  Decoder decoder;
  for (const Message& message : samples()) {
    const std::string whole = encode(message);
    const auto before = decoder.feed(std::string_view(whole).substr(0, whole.size() - 1));
    REQUIRE(before);
    CHECK(before->empty());
    const auto after = decoder.feed(std::string_view(whole).substr(whole.size() - 1));
    REQUIRE(after);
    REQUIRE(after->size() == 1);
    CHECK(same(after->front(), message));
  }
}

TEST_CASE("not-a-number and binary strings are values") {
  Decoder decoder;
  // [2, "m", [NaN, bin "hi"]]
  auto got = decoder.feed(bytes({0x93, 2, 0xa1, 'm', 0x92, 0xcb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0, 0xc4, 2, 'h', 'i'}));
  REQUIRE(got);
  REQUIRE(got->size() == 1);
  const Array& params = std::get<Notification>(got->front()).params;
  REQUIRE(params[0].as_double());
  CHECK(std::isnan(*params[0].as_double()));
  CHECK(params[1] == Value("hi"));
}

TEST_CASE("a whole number that is a double stays one") {
  for (const double number : {1.0, -3.0, 9223372036854775808.0, 18446744073709551616.0}) {
    INFO(number);
    Decoder decoder;
    auto got = decoder.feed(encode(Notification{"m", {number}}));
    REQUIRE(got);
    CHECK(std::get<Notification>(got->front()).params[0] == Value(number));
  }
}

TEST_CASE("a header that announces too much is an error at once") {
  CHECK(refusal(bytes({0xdd, 0xff, 0xff, 0xff, 0xff})).find("array") != std::string::npos);
  CHECK(refusal(bytes({0xdf, 0xff, 0xff, 0xff, 0xff})).find("map") != std::string::npos);
  CHECK_FALSE(refusal(bytes({0x93, 2, 0xa1, 'm', 0xdc, 0x10, 0x01})).empty());  // 4097 parameters
}

TEST_CASE("a string announced with four gigabytes is given up at the bound") {
  for (const int header : {0xdb, 0xc6, 0xc9}) {  // str, bin, ext
    INFO("header " << header);
    Decoder decoder;
    std::string start = bytes({0x93, 2, header, 0xff, 0xff, 0xff, 0xff});
    if (header == 0xc9) start.push_back(1);
    REQUIRE(decoder.feed(start));
    const std::string block(1u << 20, 'x');
    std::size_t taken = 0;
    while (taken <= limits::rpc_message_bytes && decoder.feed(block)) taken += block.size();
    CHECK(taken <= limits::rpc_message_bytes);
    CHECK_FALSE(decoder.feed("x").ok());
  }
}

TEST_CASE("nested headers are an error before they reserve much") {
  std::string nested;
  for (int i = 0; i < 64; ++i) nested += bytes({0xdd, 0, 0, 0x0f, 0xff});
  CHECK(refusal(nested).find("depth") != std::string::npos);
  CHECK_FALSE(refusal(std::string(100000, static_cast<char>(0x91))).empty());
}

TEST_CASE("bytes that are no msgpack-RPC close the decoder") {
  CHECK_FALSE(refusal(bytes({0xc1})).empty());
  CHECK_FALSE(refusal(bytes({0x05})).empty());
  CHECK_FALSE(refusal("Hello, world").empty());
  CHECK_FALSE(refusal(bytes({0x90})).empty());                              // []
  CHECK_FALSE(refusal(bytes({0x80})).empty());                              // {}
  CHECK_FALSE(refusal(bytes({0x93, 3, 0xa1, 'm', 0x90})).empty());          // unknown type
  CHECK_FALSE(refusal(bytes({0x94, 2, 0xa1, 'm', 0x90, 0x90})).empty());    // a notification of four
  CHECK_FALSE(refusal(bytes({0x93, 0, 1, 0xa1, 'm'})).empty());             // a request of three
  CHECK_FALSE(refusal(bytes({0x93, 0xa1, '2', 0xa1, 'm', 0x90})).empty());  // the type as a string
  CHECK_FALSE(refusal(bytes({0x94, 0, 0xff, 0xa1, 'm', 0x90})).empty());    // id -1
  CHECK_FALSE(refusal(bytes({0x94, 0, 0xcf, 0, 0, 0, 1, 0, 0, 0, 0, 0xa1, 'm', 0x90})).empty());  // id 2^32
  CHECK_FALSE(refusal(bytes({0x93, 2, 5, 0x90})).empty());                      // a method that is a number
  CHECK_FALSE(refusal(bytes({0x93, 2, 0xa1, 'm', 0x80})).empty());              // params that are a map
  CHECK_FALSE(refusal(bytes({0x93, 2, 0xa1, 'm', 0x91, 0x81, 5, 5})).empty());  // a key that is a number
  CHECK_FALSE(refusal(bytes({0x93, 2, 0xa1, 'm', 0x91, 0xd4, 0, 1})).empty());  // a buffer handle
  CHECK_FALSE(refusal(bytes({0x93, 2, 0xa1, 'm', 0x91, 0xcf, 0x80, 0, 0, 0, 0, 0, 0, 0})).empty());  // 2^63
}

TEST_CASE("random bytes never hang or crash the decoder") {
  std::mt19937 random(3);
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string noise(1 + random() % 200, '\0');
    for (char& byte : noise) byte = static_cast<char>(random());
    Decoder decoder;
    if (!decoder.feed(noise)) ++refused;
  }
  CHECK(refused > 1000);
}

TEST_CASE("a message of two megabytes arrives byte by byte") {
  const Message big = Notification{"turn.start", {1, Map{{"text", std::string(2u << 20, 'y')}}}};
  const std::string stream = encode(big);
  Decoder decoder;
  std::vector<Message> got;
  std::size_t early = 0;
  for (const char& byte : stream) {
    auto more = decoder.feed({&byte, 1});
    if (!more) break;
    if (!more->empty() && &byte != &stream.back()) ++early;
    for (Message& message : *more) got.push_back(std::move(message));
  }
  CHECK(early == 0);
  REQUIRE(got.size() == 1);
  CHECK(same(got[0], big));
}

TEST_CASE("a long channel of many messages stays usable") {
  Decoder decoder;
  std::vector<Message> got;
  const Message small = Notification{"chat.draft", {0, Map{{"chat", 1}, {"text", std::string(5000, 'd')}}}};
  for (int i = 0; i < 5000; ++i) feed(decoder, encode(small), got);  // 25 MB, more than one message may have
  CHECK(got.size() == 5000);
}

TEST_CASE("an empty list counts as an empty map") {
  CHECK(Value(Array{}).as_map());
  CHECK(Value(Array{}).as_map()->empty());
  CHECK(Value(Array{}).as_array());
  CHECK(Value(Map{}).as_map());
  CHECK_FALSE(Value(Array{1}).as_map());
  CHECK_FALSE(Value("x").as_map());
  CHECK_FALSE(Value().as_map());
}

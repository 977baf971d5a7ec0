#include "claude/decode.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "support/catch.h"

namespace selfmind::claude {
namespace {

using Json = nlohmann::ordered_json;

// Plays events to a decoder and keeps what comes out.
struct Stream {
  ReplyDecoder decoder;
  std::vector<StreamEvent> out;

  Stream& on(const std::string& name, const std::string& data) {
    for (auto& event : decoder.on({name, data})) out.push_back(std::move(event));
    return *this;
  }
  Stream& start(const std::string& model = "m") {
    return on("message_start", R"({"type":"message_start","message":{"id":"msg_1","model":")" + model +
                                   R"(","usage":{"input_tokens":5,"output_tokens":1}}})");
  }
  Stream& block(int index, const std::string& json) {
    return on("content_block_start", R"({"index":)" + std::to_string(index) + R"(,"content_block":)" + json + "}");
  }
  Stream& delta(int index, const std::string& json) {
    return on("content_block_delta", R"({"index":)" + std::to_string(index) + R"(,"delta":)" + json + "}");
  }
  Stream& text(int index, const std::string& text) {
    return delta(index, Json{{"type", "text_delta"}, {"text", text}}.dump());
  }
  Stream& stop(int index) { return on("content_block_stop", R"({"index":)" + std::to_string(index) + "}"); }
  Stream& message_delta(const std::string& json) { return on("message_delta", json); }
  Stream& message_stop() { return on("message_stop", R"({"type":"message_stop"})"); }

  std::size_t count() const { return out.size(); }
  const Reply& done() const { return std::get<Done>(out.back()).reply; }
  const Failed& failed() const { return std::get<Failed>(out.back()); }
};

const std::string text_block = R"({"type":"text","text":""})";
const std::string thinking_block = R"({"type":"thinking","thinking":"","signature":""})";

}  // namespace

TEST_CASE("usage is overwritten by what is told, and never erased or added up") {
  Stream s;
  s.start();
  s.message_delta(R"({"delta":{},"usage":{"input_tokens":7,"output_tokens":10,"cache_read_input_tokens":100}})");
  s.message_delta(
      R"({"delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":null,"output_tokens":25,"cache_creation_input_tokens":"?"}})");
  s.message_delta(R"({"delta":{"stop_reason":null}})").message_stop();
  CHECK(s.done().usage.input == 7);
  CHECK(s.done().usage.output == 25);
  CHECK(s.done().usage.cache_read == 100);
  CHECK(s.done().usage.cache_write == 0);
  CHECK(s.done().stop_reason == StopReason::end_turn);
}

TEST_CASE("an unknown stop reason is a stop all the same") {
  Stream s;
  s.start().message_delta(R"({"delta":{"stop_reason":"model_context_window_exceeded"}})").message_stop();
  CHECK(s.done().stop_reason == StopReason::context_exceeded);
  Stream future;
  future.start().message_delta(R"({"delta":{"stop_reason":"compaction"}})").message_stop();
  CHECK(future.done().stop_reason == StopReason::other);
}

TEST_CASE("nothing follows the end of a reply") {
  Stream s;
  s.start().message_stop();
  const auto before = s.count();
  s.start().text(0, "more").message_stop().on("error", R"({"error":{"type":"api_error"}})");
  CHECK(s.count() == before);
  CHECK(s.decoder.on_end(nullptr).empty());
  CHECK(s.decoder.finished());
}

TEST_CASE("fields that are missing or of another type are passed over") {
  Stream s;
  s.on("message_start", "{}").on("message_start", R"({"message":[]})");
  s.on("content_block_start", R"({"index":"x"})")
      .on("content_block_delta", R"({"index":9,"delta":{"type":"text_delta","text":"lost"}})");
  s.block(0, R"({"type":7})")
      .delta(0, R"({"type":"text_delta","text":null})")
      .delta(0, R"({"type":null})")
      .delta(0, "3");
  s.on("content_block_stop", R"({"index":44})").on("message_delta", R"({"delta":{"stop_reason":3},"usage":[1]})");
  s.on("ping", "").on("", "[DONE]").on("future", "not json").message_stop();
  CHECK(s.done().text.empty());
  CHECK(s.done().stop_reason == StopReason::other);
}

TEST_CASE("text that stands in the start of a block belongs to the reply") {
  Stream s;
  s.start().block(0, R"({"type":"text","text":"Hel"})").text(0, "lo").stop(0).message_stop();
  CHECK(s.done().text == "Hello");
  CHECK(std::get<TextDelta>(s.out[1]).text == "Hel");
}

TEST_CASE("events without a name are known by their type") {
  Stream s;
  s.on("", R"({"type":"message_start","message":{"id":"i","model":"m"}})");
  s.on("", R"({"type":"message_stop"})");
  CHECK(s.count() == 2);
  CHECK(s.decoder.finished());
}

TEST_CASE("half a surrogate pair is shown as a replacement, a whole one as it is") {
  Stream s;
  s.start().block(0, text_block);
  s.delta(0, R"({"type":"text_delta","text":"a\ud83eb\udd80c\ud83e\udd80\\ud83e"})").stop(0).message_stop();
  CHECK(s.done().text ==
        "a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD"
        "c\xF0\x9F\xA6\x80\\ud83e");
}

TEST_CASE("bytes that are no UTF-8 are shown as a replacement") {
  Stream s;
  s.start().block(0, text_block).delta(0, "{\"type\":\"text_delta\",\"text\":\"caf\xE9\"}").stop(0).message_stop();
  CHECK(s.done().text == "caf\xEF\xBF\xBD");
}

TEST_CASE("a part that cannot be read ends the reply, with what had come") {
  Stream s;
  s.start().block(0, text_block).text(0, "Half").on("content_block_delta", "{\"index\":0,");
  CHECK(s.failed().error.kind == ErrorKind::protocol);
  CHECK(s.failed().partial.text == "Half");
  CHECK(s.decoder.finished());
}

TEST_CASE("a second start takes the place of the first while there was no text, and is an error afterwards") {
  Stream early;
  early.start("first")
      .block(0, thinking_block)
      .start("second")
      .block(0, text_block)
      .text(0, "Hi")
      .stop(0)
      .message_stop();
  CHECK(early.done().model == "second");
  CHECK(early.done().text == "Hi");
  CHECK(Json::parse(early.done().content).size() == 1);
  CHECK(std::count_if(early.out.begin(), early.out.end(),
                      [](const auto& e) { return std::holds_alternative<Started>(e); }) == 1);

  Stream late;
  late.start().block(0, text_block).text(0, "Hi").start();
  CHECK(late.failed().error.kind == ErrorKind::protocol);
  CHECK(late.failed().partial.text == "Hi");
}

TEST_CASE("what has come so far is fit to be sent back") {
  Stream s;
  s.start();
  SECTION("a thought without its signature is left out") {
    s.block(0, thinking_block).delta(0, R"({"type":"thinking_delta","thinking":"hm"})");
    CHECK(s.decoder.partial().content == "[]");
    s.delta(0, R"({"type":"signature_delta","signature":"c2ln"})");
    CHECK(Json::parse(s.decoder.partial().content)[0]["signature"] == "c2ln");
  }
  SECTION("a later signature replaces the earlier one") {
    s.block(0, thinking_block).delta(0, R"({"type":"signature_delta","signature":"a"})");
    s.delta(0, R"({"type":"signature_delta","signature":"b"})");
    CHECK(Json::parse(s.decoder.partial().content)[0]["signature"] == "b");
  }
  SECTION("an open text is closed, and half a tool call is left out") {
    s.block(0, text_block).text(0, "Let me ");
    s.block(1, R"({"type":"tool_use","id":"t","name":"n","input":{}})")
        .delta(1, R"({"type":"input_json_delta","partial_json":"{\"a\":"})");
    const Reply partial = s.decoder.partial();
    CHECK(partial.text == "Let me ");
    CHECK(partial.content == R"([{"type":"text","text":"Let me "}])");
    CHECK(partial.stop_reason == StopReason::other);
  }
  SECTION("a tool call that stopped with half an input is left out too") {
    s.block(0, R"({"type":"tool_use","id":"t","name":"n","input":{}})")
        .delta(0, R"({"type":"input_json_delta","partial_json":"{\"a\":"})")
        .stop(0);
    CHECK(s.decoder.partial().content == "[]");
  }
  SECTION("an unknown block is kept once it is whole") {
    s.block(0, R"({"type":"future","payload":{"z":1,"a":[2.50]}})");
    CHECK(s.decoder.partial().content == "[]");
    s.stop(0);
    CHECK(s.decoder.partial().content == R"([{"type":"future","payload":{"z":1,"a":[2.5]}}])");
  }
}

TEST_CASE("a connection that ends too early keeps what had come") {
  Stream s;
  s.start().block(0, text_block).text(0, "Half a");
  SECTION("cleanly") {
    for (auto& event : s.decoder.on_end(nullptr)) s.out.push_back(event);
    CHECK(s.failed().error.kind == ErrorKind::network);
    CHECK(s.failed().error.message ==
          "The connection ended in the middle of the reply; what had come is kept. Send again to get a whole one.");
  }
  SECTION("with an error") {
    const Error why{ErrorKind::network, "example.org sent nothing more for 120 s; send again."};
    for (auto& event : s.decoder.on_end(&why)) s.out.push_back(event);
    CHECK(s.failed().error.message == why.message);
  }
  CHECK(s.failed().partial.text == "Half a");
}

TEST_CASE("of a reply that ended before its first word nothing is said to be kept") {
  Stream s;
  s.start().block(0, text_block);
  for (auto& event : s.decoder.on_end(nullptr)) s.out.push_back(event);
  CHECK(s.failed().error.message == "The connection ended before the reply began; send again.");
  CHECK(s.failed().retry.worthwhile);
}

TEST_CASE("an error in the middle of the stream is told by its type") {
  const auto kind_of = [](const std::string& type) {
    Stream s;
    s.start().on("error", R"({"type":"error","error":{"type":")" + type + R"(","message":"The server's words."}})");
    INFO(s.failed().error.message);
    CHECK(s.failed().error.message.find("The server's words") != std::string::npos);
    return s.failed().error.kind;
  };
  CHECK(kind_of("overloaded_error") == ErrorKind::overloaded);
  CHECK(kind_of("api_error") == ErrorKind::overloaded);
  CHECK(kind_of("timeout_error") == ErrorKind::overloaded);
  CHECK(kind_of("rate_limit_error") == ErrorKind::rate_limited);
  CHECK(kind_of("authentication_error") == ErrorKind::auth);
  CHECK(kind_of("permission_error") == ErrorKind::auth);
  CHECK(kind_of("invalid_request_error") == ErrorKind::rejected);
  CHECK(kind_of("billing_error") == ErrorKind::rejected);
  CHECK(kind_of("something_new") == ErrorKind::overloaded);

  Stream unnamed;
  unnamed.start().on("", R"({"error":{"message":"context shift is disabled","code":500}})");
  CHECK(unnamed.failed().error.message.find("context shift is disabled") != std::string::npos);
}

}  // namespace selfmind::claude

// Every recorded answer through the SSE decoder and the reply decoder, compared with expected.json. That any split
// gives the same events, and so the same reply, is shown position by position in sse/decoder_test; the whole way is
// gone here at each split at a line end and at every sixteenth of the others, which keeps it quick.
#include "support/transcripts.h"

#include <nlohmann/json.hpp>

#include "claude/decode.h"
#include "support/catch.h"

namespace selfmind::claude {
namespace {

using Json = nlohmann::ordered_json;

// What a reader of the stream has in the end.
struct Seen {
  std::string outcome;  // as expected.json names it
  Reply reply;
  Error error{ErrorKind::invalid, {}};
  std::string text;
  std::string thinking;
  int started = 0;
  int after_the_end = 0;

  void take(std::vector<StreamEvent> events) {
    for (auto& event : events) {
      if (!outcome.empty()) ++after_the_end;
      if (std::holds_alternative<Started>(event)) ++started;
      if (auto* delta = std::get_if<TextDelta>(&event)) text += delta->text;
      if (auto* delta = std::get_if<ThinkingDelta>(&event)) thinking += delta->text;
      if (auto* done = std::get_if<Done>(&event)) {
        outcome = "ok";
        reply = std::move(done->reply);
      }
      if (auto* failed = std::get_if<Failed>(&event)) {
        outcome = "error";
        reply = std::move(failed->partial);
        error = std::move(failed->error);
      }
    }
  }
};

class Reader {
 public:
  void feed(std::string_view bytes) {
    auto events = decoder_.feed(bytes);
    if (!events.ok()) throw std::runtime_error(events.error().message);
    for (const auto& event : *events) seen_.take(reply_.on(event));
  }
  Seen end() {
    const bool open = !reply_.finished();
    seen_.take(reply_.on_end(nullptr));
    if (open) seen_.outcome = "truncated";
    return std::move(seen_);
  }

 private:
  sse::Decoder decoder_;
  ReplyDecoder reply_;
  Seen seen_;
};

// Without what expected.json leaves out.
Json simplified(Json block) {
  block.erase("caller");
  for (auto it = block.begin(); it != block.end();) it = it->is_null() ? block.erase(it) : std::next(it);
  return block;
}

Json expected_content(const Json& blocks) {
  Json out = Json::array();
  for (Json block : blocks) {
    if (block.contains("raw_json")) continue;  // half a tool call cannot be sent back
    if (const auto repeat = block.find("text_repeat"); repeat != block.end()) {
      std::string text;
      for (int i = 0; i < (*repeat)[1].get<int>(); ++i) text += (*repeat)[0].get<std::string>();
      block.erase("text_repeat");
      block["text"] = text;
    }
    out.push_back(std::move(block));
  }
  return out;
}

std::string joined(const Json& blocks, const char* type, const char* key) {
  std::string out;
  for (const auto& block : blocks) {
    if (block["type"] == type) out += block[key].get<std::string>();
  }
  return out;
}

std::string stop_reason_of(const Json& expected) { return expected.value("stop_reason", "other"); }

void check(const Seen& seen, const Json& expected) {
  CHECK(seen.outcome == expected["outcome"]);
  CHECK(seen.after_the_end == 0);
  CHECK(to_text(seen.reply.stop_reason) == stop_reason_of(expected));
  if (expected.contains("output_tokens")) CHECK(seen.reply.usage.output == expected["output_tokens"]);
  if (expected.contains("input_tokens")) CHECK(seen.reply.usage.input == expected["input_tokens"]);
  CHECK(seen.reply.usage.cache_read == expected.value("cache_read_input_tokens", 0));
  CHECK(seen.reply.usage.cache_write == expected.value("cache_creation_input_tokens", 0));
  if (expected.contains("stop_details")) CHECK(seen.reply.refusal == expected["stop_details"]["explanation"]);

  const Json wanted = expected_content(expected["blocks"]);
  Json content = Json::parse(seen.reply.content);
  for (auto& block : content) block = simplified(block);
  Json plain = wanted;
  for (auto& block : plain) block = simplified(block);
  // Members may stand in another order than in expected.json.
  CHECK(nlohmann::json(content) == nlohmann::json(plain));
  CHECK(seen.text == joined(wanted, "text", "text"));
  CHECK(seen.reply.text == seen.text);
  CHECK(seen.thinking == joined(wanted, "thinking", "thinking"));
  CHECK(seen.started == (expected.value("error_type", "") == "api_error" ? 0 : 1));

  if (seen.outcome == "ok") return;
  CHECK(seen.error.message.find_first_of("\n{") == std::string::npos);
  const std::string type = expected.value("error_type", "");
  CHECK(seen.error.kind == (type.empty() ? ErrorKind::network : ErrorKind::overloaded));
  if (!type.empty()) {
    CHECK(seen.error.message.find(expected["error_message"].get<std::string>()) != std::string::npos);
  }
}

bool same(const Seen& a, const Seen& b) {
  return a.outcome == b.outcome && a.text == b.text && a.thinking == b.thinking && a.reply.content == b.reply.content &&
         a.reply.stop_reason == b.reply.stop_reason && a.reply.usage.input == b.reply.usage.input &&
         a.reply.usage.output == b.reply.usage.output && a.error.message == b.error.message && a.started == b.started;
}

Seen read(std::initializer_list<std::string_view> pieces) {
  Reader reader;
  for (const auto piece : pieces) reader.feed(piece);
  return reader.end();
}

std::vector<std::size_t> worth_splitting(std::string_view text) {
  std::vector<std::size_t> out;
  if (text.size() > 10'000) return out;
  for (std::size_t at = 1; at < text.size(); ++at) {
    const auto around = text.substr(at - 1, 2);
    if (at % 16 == 0 || around.find_first_of("\r\n") != std::string_view::npos) out.push_back(at);
  }
  return out;
}

}  // namespace

TEST_CASE("every transcript is read as expected, whole, byte by byte and split anywhere") {
  const Json expected = Json::parse(test::read_file(test::transcript_folder() / "expected.json"));
  const auto all = test::transcripts();
  REQUIRE(all.size() == expected.size());
  for (const auto& [name, bytes] : all) {
    INFO(name);
    REQUIRE(expected.contains(name));
    const std::string_view text = bytes;
    const Seen whole = read({text});
    check(whole, expected[name]);

    Reader bytewise;
    for (std::size_t at = 0; at < text.size(); ++at) bytewise.feed(text.substr(at, 1));
    CHECK(same(bytewise.end(), whole));

    std::size_t different = 0;
    for (const std::size_t at : worth_splitting(text)) {
      if (!same(read({text.substr(0, at), text.substr(at)}), whole)) ++different;
    }
    CHECK(different == 0);
  }
}

}  // namespace selfmind::claude

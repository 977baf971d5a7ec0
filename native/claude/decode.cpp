#include "claude/decode.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "claude/errors.h"
#include "claude/retry.h"

namespace selfmind::claude {
namespace {

using Json = nlohmann::ordered_json;

struct Block {
  Json json;
  std::string input_json;  // of a tool call, as it streams
  bool stopped = false;
  bool broken = false;  // stopped with an input that is no JSON
};

std::string string_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string type_of(const Json& object) { return string_at(object, "type"); }

const Json* object_at(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? &*found : nullptr;
}

// The string member `key`, made one where it is missing or null.
std::string& text_member(Json& object, const char* key) {
  Json& member = object[key];
  if (!member.is_string()) member = std::string();
  return member.get_ref<std::string&>();
}

// Counters are cumulative and may come in any event, or not at all: what is there replaces, what is not erases nothing.
void update(std::int64_t& counter, const Json& usage, const char* key) {
  const auto found = usage.find(key);
  if (found != usage.end() && found->is_number_integer()) counter = found->get<std::int64_t>();
}

void update(Usage& usage, const Json* told) {
  if (told == nullptr) return;
  update(usage.input, *told, "input_tokens");
  update(usage.output, *told, "output_tokens");
  update(usage.cache_read, *told, "cache_read_input_tokens");
  update(usage.cache_write, *told, "cache_creation_input_tokens");
}

StopReason stop_reason_from(const std::string& text) {
  for (const auto reason :
       {StopReason::end_turn, StopReason::max_tokens, StopReason::stop_sequence, StopReason::tool_use,
        StopReason::pause_turn, StopReason::refusal, StopReason::context_exceeded}) {
    if (text == to_text(reason)) return reason;
  }
  return StopReason::other;
}

bool sendable(const Block& block) {
  if (block.broken) return false;
  if (block.stopped) return true;
  const std::string type = type_of(block.json);
  // An unsigned thought would be refused; half a tool input, or half of something unknown, as well.
  return type == "text" || (type == "thinking" && !string_at(block.json, "signature").empty());
}

// A model can emit half a surrogate pair, and its escape is no JSON to our parser: it becomes U+FFFD.
std::string without_lone_surrogates(const std::string& json) {
  const auto escape_at = [&json](std::size_t at) -> std::optional<unsigned> {
    if (json.compare(at, 2, "\\u") != 0 || at + 6 > json.size()) return std::nullopt;
    const std::string digits = json.substr(at + 2, 4);
    if (digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) return std::nullopt;
    return static_cast<unsigned>(std::stoul(digits, nullptr, 16));
  };
  std::string out;
  for (std::size_t at = 0; at < json.size();) {
    const auto unit = json[at] == '\\' ? escape_at(at) : std::nullopt;
    if (!unit) {
      const std::size_t length = json[at] == '\\' ? 2 : 1;  // an escaped backslash begins no other escape
      out += json.substr(at, length);
      at += length;
      continue;
    }
    const auto next = escape_at(std::min(at + 6, json.size()));
    const bool high = *unit >= 0xD800 && *unit < 0xDC00;
    const bool low = *unit >= 0xDC00 && *unit < 0xE000;
    const bool pair = high && next && *next >= 0xDC00 && *next < 0xE000;
    const std::size_t length = pair ? 12 : 6;
    out += (high || low) && !pair ? "\\ufffd" : json.substr(at, length);
    at += length;
  }
  return out;
}

Json parse(const std::string& text) {
  Json parsed = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!parsed.is_discarded()) return parsed;
  return Json::parse(without_lone_surrogates(utf8::clean(text)), nullptr, /*allow_exceptions=*/false);
}

}  // namespace

struct ReplyDecoder::State {
  using Events = std::vector<StreamEvent>;

  bool started = false;
  bool finished = false;
  Reply head;  // id, model, stop reason, refusal and usage; text and content stand in the blocks
  std::map<std::int64_t, Block> blocks;

  Reply reply() const {
    Reply out = head;
    Json content = Json::array();
    for (const auto& [index, block] : blocks) {
      if (type_of(block.json) == "text") out.text += string_at(block.json, "text");
      if (sendable(block)) content.push_back(block.json);
    }
    out.content = content.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
    return out;
  }

  Events fail(Error error, Retry retry = {}) {
    finished = true;
    Reply partial = reply();
    partial.stop_reason = StopReason::other;
    return {Failed{std::move(error), std::move(partial), 0, retry}};
  }

  Events on_message_start(const Json& event) {
    if (started) {
      // A proxy that tries again sends a second reply behind the first.
      if (!reply().text.empty()) {
        return fail({ErrorKind::protocol,
                     "The server began a second reply inside the first; what had come is kept. Send again to get a "
                     "whole one."});
      }
      head = {};
      blocks.clear();
    }
    const bool again = std::exchange(started, true);
    if (const Json* message = object_at(event, "message")) {
      head.id = string_at(*message, "id");
      head.model = string_at(*message, "model");
      update(head.usage, object_at(*message, "usage"));
    }
    if (again) return {};
    return {Started{head.model}};
  }

  static std::int64_t index_of(const Json& event) {
    const auto index = event.find("index");
    return index != event.end() && index->is_number_integer() ? index->get<std::int64_t>() : 0;
  }

  static Events deltas(std::string text, std::string thinking) {
    Events out;
    if (!text.empty()) out.emplace_back(TextDelta{std::move(text)});
    if (!thinking.empty()) out.emplace_back(ThinkingDelta{std::move(thinking)});
    return out;
  }

  Events on_block_start(const Json& event) {
    const Json* content = object_at(event, "content_block");
    if (content == nullptr) return {};
    blocks[index_of(event)] = Block{*content, {}, false, false};
    const std::string type = type_of(*content);
    return deltas(type == "text" ? string_at(*content, "text") : "",
                  type == "thinking" ? string_at(*content, "thinking") : "");
  }

  Events on_block_delta(const Json& event) {
    const auto found = blocks.find(index_of(event));
    const Json* delta = object_at(event, "delta");
    if (found == blocks.end() || delta == nullptr) return {};
    Block& block = found->second;
    const std::string type = type_of(*delta);
    if (type == "text_delta") {
      std::string text = string_at(*delta, "text");
      text_member(block.json, "text") += text;
      return deltas(std::move(text), {});
    }
    if (type == "thinking_delta") {
      std::string thinking = string_at(*delta, "thinking");
      text_member(block.json, "thinking") += thinking;
      return deltas({}, std::move(thinking));
    }
    if (type == "signature_delta") text_member(block.json, "signature") = string_at(*delta, "signature");
    if (type == "input_json_delta") block.input_json += string_at(*delta, "partial_json");
    if (type == "citations_delta" && delta->contains("citation")) {
      Json& citations = block.json["citations"];
      if (!citations.is_array()) citations = Json::array();
      citations.push_back((*delta)["citation"]);
    }
    return {};
  }

  Events on_block_stop(const Json& event) {
    const auto found = blocks.find(index_of(event));
    if (found == blocks.end()) return {};
    Block& block = found->second;
    block.stopped = true;
    if (block.input_json.empty()) return {};
    Json input = parse(block.input_json);
    block.broken = input.is_discarded();
    if (!block.broken) block.json["input"] = std::move(input);
    return {};
  }

  Events on_message_delta(const Json& event) {
    update(head.usage, object_at(event, "usage"));
    const Json* delta = object_at(event, "delta");
    if (delta == nullptr) return {};
    if (const std::string reason = string_at(*delta, "stop_reason"); !reason.empty()) {
      head.stop_reason = stop_reason_from(reason);
    }
    if (const Json* details = object_at(*delta, "stop_details")) head.refusal = string_at(*details, "explanation");
    return {};
  }

  Events on_message_stop() {
    finished = true;
    return {Done{reply()}};
  }

  Events on_event(const std::string& type, const Json& event) {
    if (type == "message_start") return on_message_start(event);
    if (type == "content_block_start") return on_block_start(event);
    if (type == "content_block_delta") return on_block_delta(event);
    if (type == "content_block_stop") return on_block_stop(event);
    if (type == "message_delta") return on_message_delta(event);
    if (type == "message_stop") return on_message_stop();
    if (type == "error" || event.contains("error")) {
      const Complaint complaint = complaint_in(event);
      return fail(error_from_event(complaint), retry_from_event(complaint.type));
    }
    return {};
  }
};

ReplyDecoder::ReplyDecoder() : state_(std::make_unique<State>()) {}
ReplyDecoder::~ReplyDecoder() = default;

std::vector<StreamEvent> ReplyDecoder::on(const sse::Event& event) {
  if (state_->finished) return {};
  const Json body = parse(event.data);
  if (body.is_object()) return state_->on_event(event.name.empty() ? type_of(body) : event.name, body);
  // What other servers add without a name ("[DONE]"), and pings without data, say nothing about the reply.
  const bool ours =
      event.name.starts_with("content_block") || event.name.starts_with("message") || event.name == "error";
  if (!ours) return {};
  return state_->fail({ErrorKind::protocol,
                       "The server sent a part of the reply that cannot be read; what had come is kept. Send again to "
                       "get a whole one."});
}

std::vector<StreamEvent> ReplyDecoder::on_end(const Error* why) {
  if (state_->finished) return {};
  const bool begun = !state_->reply().text.empty();
  const Error cut{ErrorKind::network,
                  begun ? "The connection ended in the middle of the reply; what had come is kept. Send again to get a "
                          "whole one."
                        : "The connection ended before the reply began; send again."};
  const Error& error = why != nullptr ? *why : cut;
  return state_->fail(error, retry_from_transport(error));
}

bool ReplyDecoder::finished() const { return state_->finished; }

Reply ReplyDecoder::partial() const {
  Reply out = state_->reply();
  out.stop_reason = StopReason::other;
  return out;
}

}  // namespace selfmind::claude

#include "claude/encode.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/limits.h"
#include "base/log.h"
#include "base/utf8.h"
#include "claude/server.h"

namespace selfmind::claude {
namespace {

using Json = nlohmann::ordered_json;  // keys stay in the order they were given: the bytes are what is cached

constexpr std::size_t max_breakpoints = 4;

bool blank(std::string_view text) { return utf8::trim(text).empty(); }

Json text_block(std::string_view text) { return {{"type", "text"}, {"text", utf8::clean(text)}}; }

void mark(Json& block) { block["cache_control"] = {{"type", "ephemeral"}}; }

std::string type_of(const Json& block) {
  const auto type = block.find("type");
  return type != block.end() && type->is_string() ? type->get<std::string>() : std::string();
}

// No tools are declared, so a call of one, or what it gave, would be refused.
bool about_tools(const std::string& type) {
  const auto ends_with = [&type](std::string_view end) {
    return type.size() >= end.size() && type.compare(type.size() - end.size(), end.size(), end) == 0;
  };
  return ends_with("tool_use") || ends_with("tool_result");
}

bool is_thinking(const std::string& type) { return type == "thinking" || type == "redacted_thinking"; }

std::string string_at(const Json& block, const char* key) {
  const auto found = block.find(key);
  return found != block.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// What a thinking block is bound by: its signature, or its data where it is redacted. Empty: other servers sign none.
std::string seal(const Json& block) { return string_at(block, type_of(block) == "thinking" ? "signature" : "data"); }

std::size_t fingerprint(const Json& block) { return std::hash<std::string>()(seal(block)); }

bool sendable_thinking(const Json& block, const RawBlocks& raw, const Accepts& accepts) {
  return !raw.without_thinking && accepts.thinking_blocks && !seal(block).empty() &&
         accepts.without_thinking.count(fingerprint(block)) == 0;
}

bool sendable(const Json& block, const RawBlocks& raw, const Accepts& accepts) {
  if (!block.is_object()) return false;
  const std::string type = type_of(block);
  if (about_tools(type)) return false;
  if (is_thinking(type)) return sendable_thinking(block, raw, accepts);
  return type != "text" || !blank(string_at(block, "text"));
}

Json blocks_of(const RawBlocks& raw) {
  Json blocks = Json::parse(raw.json, nullptr, /*allow_exceptions=*/false);
  if (blocks.is_array()) return blocks;
  log::warning("a stored reply is no list of content blocks; it was left out of the request");
  return Json::array();
}

// The content of one message. `passed_over` counts the breakpoints that are still to be left out.
Json content_of(const Message& message, const Accepts& accepts, std::size_t& passed_over) {
  Json content = Json::array();
  for (const auto& block : message.blocks) {
    if (const auto* raw = std::get_if<RawBlocks>(&block)) {
      for (auto& stored : blocks_of(*raw)) {
        if (sendable(stored, *raw, accepts)) content.push_back(std::move(stored));
      }
      continue;
    }
    const auto& text = std::get<TextBlock>(block);
    if (blank(text.text)) continue;
    content.push_back(text_block(text.text));
    if (!text.cache_here || !accepts.cache_control) continue;
    if (passed_over > 0) {
      --passed_over;
    } else {
      mark(content.back());
    }
  }
  return content;
}

std::size_t count_breakpoints(const Request& request) {
  std::size_t count = 0;
  for (const auto& message : request.messages) {
    for (const auto& block : message.blocks) {
      const auto* text = std::get_if<TextBlock>(&block);
      if (text != nullptr && text->cache_here && !blank(text->text)) ++count;
    }
  }
  return count;
}

Json messages_of(const Request& request, const Accepts& accepts, bool system_cached) {
  const std::size_t room = max_breakpoints - (system_cached ? 1 : 0);
  const std::size_t wanted = count_breakpoints(request);
  std::size_t passed_over = wanted > room ? wanted - room : 0;  // the newest ones are worth most
  Json messages = Json::array();
  for (const auto& message : request.messages) {
    Json content = content_of(message, accepts, passed_over);
    const char* role = message.from_user ? "user" : "assistant";
    if (content.empty()) continue;
    if (messages.empty() || messages.back()["role"] != role) {
      messages.push_back({{"role", role}, {"content", std::move(content)}});
      continue;
    }
    // What stood between them is not sent; not every server puts them together itself.
    for (auto& block : content) messages.back()["content"].push_back(std::move(block));
  }
  // A reply at the end would be a prefill.
  while (!messages.empty() && messages.back()["role"] != "user") messages.erase(messages.end() - 1);
  return messages;
}

// A list of one block where a breakpoint stands on it, else a string, which every server takes.
bool add_system(Json& body, const Request& request, const Accepts& accepts) {
  if (blank(request.system)) return false;
  if (!request.cache_system || !accepts.cache_control || !accepts.system_blocks) {
    body["system"] = utf8::clean(request.system);
    return false;
  }
  Json system = text_block(request.system);
  mark(system);
  body["system"] = Json::array({std::move(system)});
  return true;
}

// What thinking is asked of the model, and with what effort.
struct Asked {
  const char* thinking = nullptr;  // the type; null: it is not sent
  const char* effort = nullptr;
};

Asked asked_of(const Request& request, const Accepts& accepts) {
  if (request.thinking == Thinking::adaptive && accepts.adaptive) return {"adaptive", nullptr};
  if (request.thinking != Thinking::disabled) return {};
  if (accepts.disabled) return {"disabled", nullptr};
  if (accepts.between_tools) return {"between_tools", nullptr};
  if (accepts.thinks && accepts.effort) return {nullptr, "low"};
  return {};
}

// A model that cannot be kept from thinking gets room for it: max_tokens covers thinking and answer.
int max_tokens(const Request& request, const Accepts& accepts) {
  const bool may_think = accepts.disabled ? !accepts.obeys : accepts.thinks;
  const bool thinks_all_the_same = request.thinking == Thinking::disabled && may_think;
  const int wanted = request.max_tokens + (thinks_all_the_same ? limits::thinking_tokens : 0);
  return accepts.max_output > 0 ? std::min(wanted, accepts.max_output) : wanted;
}

// What the context has room for beside `bytes` of prompt. Local servers refuse a request that could outgrow it.
int fitting(int tokens, std::size_t bytes, const Accepts& accepts) {
  constexpr std::size_t bytes_per_token = 3;  // rather too many tokens than too few
  constexpr std::int64_t least = 1024;        // with less no reply is worth its prompt
  if (accepts.context == 0) return tokens;
  const std::int64_t room = accepts.context - static_cast<std::int64_t>(bytes / bytes_per_token);
  return static_cast<int>(std::min<std::int64_t>(tokens, std::max(room, least)));
}

void add_schema(Json& config, const std::string& schema, const Accepts& accepts) {
  if (schema.empty() || !accepts.structured_outputs) return;
  Json parsed = Json::parse(schema, nullptr, /*allow_exceptions=*/false);
  if (parsed.is_discarded()) {
    log::warning("the schema for an answer is not JSON; it was not sent");
    return;
  }
  config["format"] = {{"type", "json_schema"}, {"schema", std::move(parsed)}};
}

}  // namespace

std::string encode(const Request& request, const Accepts& accepts) {
  Json body;
  body["model"] = utf8::clean(request.model);
  body["max_tokens"] = max_tokens(request, accepts);
  body["stream"] = true;
  const bool system_cached = add_system(body, request, accepts);
  const Asked asked = asked_of(request, accepts);
  if (asked.thinking != nullptr) body["thinking"] = {{"type", asked.thinking}};
  Json config = Json::object();
  if (asked.effort != nullptr) config["effort"] = asked.effort;
  add_schema(config, request.output_schema, accepts);
  if (!config.empty()) body["output_config"] = std::move(config);
  body["messages"] = messages_of(request, accepts, system_cached);
  const auto bytes = [&body] { return body.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace); };
  std::string out = bytes();
  const int fits = fitting(body["max_tokens"].get<int>(), out.size(), accepts);
  if (body["max_tokens"] == fits) return out;
  body["max_tokens"] = fits;
  return bytes();
}

std::string encode(const Request& request) { return encode(request, accepts(request.model)); }

std::set<std::size_t> thinking_in(const Request& request) {
  std::set<std::size_t> found;
  for (const auto& message : request.messages) {
    for (const auto& block : message.blocks) {
      const auto* raw = std::get_if<RawBlocks>(&block);
      if (raw == nullptr) continue;
      for (const auto& stored : blocks_of(*raw)) {
        if (stored.is_object() && is_thinking(type_of(stored))) found.insert(fingerprint(stored));
      }
    }
  }
  return found;
}

http::Request http_request(const Request& request, const Accepts& accepts, const Endpoint& endpoint) {
  http::Request out;
  out.url = messages_url(endpoint.base_url);
  out.body = encode(request, accepts);
  out.headers = headers_for(endpoint);
  out.headers.emplace_back("content-type", "application/json");
  out.headers.emplace_back("accept", "text/event-stream");
  out.connect_timeout = limits::connect_timeout;
  out.first_line_timeout = limits::first_event_timeout;
  out.idle_timeout = limits::idle_timeout;
  return out;
}

}  // namespace selfmind::claude

#include "claude/encode.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/limits.h"
#include "base/log.h"
#include "base/utf8.h"
#include "claude/models.h"
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

bool sendable(const Json& block, bool without_thinking) {
  if (!block.is_object()) return false;
  const std::string type = type_of(block);
  if (about_tools(type)) return false;
  if (type == "thinking" || type == "redacted_thinking") return !without_thinking;
  if (type != "text") return true;
  const auto text = block.find("text");
  return text != block.end() && text->is_string() && !blank(text->get_ref<const std::string&>());
}

void append(Json& content, const RawBlocks& raw) {
  Json blocks = Json::parse(raw.json, nullptr, /*allow_exceptions=*/false);
  if (!blocks.is_array()) {
    log::warning("a stored reply is no list of content blocks; it was left out of the request");
    return;
  }
  for (auto& block : blocks) {
    if (sendable(block, raw.without_thinking)) content.push_back(std::move(block));
  }
}

// The content of one message. `passed_over` counts the breakpoints that are still to be left out.
Json content_of(const Message& message, bool caching, std::size_t& passed_over) {
  Json content = Json::array();
  for (const auto& block : message.blocks) {
    if (const auto* raw = std::get_if<RawBlocks>(&block)) {
      append(content, *raw);
      continue;
    }
    const auto& text = std::get<TextBlock>(block);
    if (blank(text.text)) continue;
    content.push_back(text_block(text.text));
    if (!text.cache_here || !caching) continue;
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

// The API refuses white space at the end of a last assistant message.
void trim_end_of_last(Json& messages) {
  if (messages.empty() || messages.back()["role"] != "assistant") return;
  Json& last = messages.back()["content"].back();
  if (type_of(last) != "text") return;
  auto& text = last["text"].get_ref<std::string&>();
  text.resize(text.find_last_not_of(" \t\r\n\v\f") + 1);
}

Json messages_of(const Request& request, bool caching) {
  const std::size_t room = max_breakpoints - (request.cache_system && !blank(request.system) ? 1 : 0);
  const std::size_t wanted = count_breakpoints(request);
  std::size_t passed_over = wanted > room ? wanted - room : 0;  // the newest ones are worth most
  Json messages = Json::array();
  for (const auto& message : request.messages) {
    Json content = content_of(message, caching, passed_over);
    if (content.empty()) continue;
    messages.push_back({{"role", message.from_user ? "user" : "assistant"}, {"content", std::move(content)}});
  }
  trim_end_of_last(messages);
  return messages;
}

void add_thinking(Json& body, Thinking thinking, const Model& accepts) {
  if (thinking == Thinking::adaptive && accepts.adaptive_thinking) body["thinking"] = {{"type", "adaptive"}};
  if (thinking == Thinking::disabled && accepts.disable_thinking) body["thinking"] = {{"type", "disabled"}};
}

void add_schema(Json& body, const std::string& schema, const Model& accepts) {
  if (schema.empty() || !accepts.structured_outputs) return;
  Json parsed = Json::parse(schema, nullptr, /*allow_exceptions=*/false);
  if (parsed.is_discarded()) {
    log::warning("the schema for an answer is not JSON; it was not sent");
    return;
  }
  body["output_config"] = {{"format", {{"type", "json_schema"}, {"schema", std::move(parsed)}}}};
}

}  // namespace

std::string encode(const Request& request) {
  const Model accepts = model(request.model);
  Json body;
  body["model"] = utf8::clean(request.model);
  body["max_tokens"] = request.max_tokens;
  body["stream"] = true;
  if (!blank(request.system)) {
    Json system = text_block(request.system);
    if (request.cache_system && accepts.known) mark(system);
    body["system"] = Json::array({std::move(system)});
  }
  add_thinking(body, request.thinking, accepts);
  add_schema(body, request.output_schema, accepts);
  body["messages"] = messages_of(request, accepts.known);
  return body.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

http::Request http_request(const Request& request, const Endpoint& endpoint) {
  http::Request out;
  out.url = messages_url(endpoint.base_url);
  out.body = encode(request);
  out.headers = {
      {"content-type", "application/json"}, {"accept", "text/event-stream"}, {"anthropic-version", "2023-06-01"}};
  const auto key = utf8::trim(endpoint.api_key);
  const auto token = utf8::trim(endpoint.auth_token);
  if (!key.empty()) {
    out.headers.emplace_back("x-api-key", key);
  } else if (!token.empty()) {
    out.headers.emplace_back("authorization", "Bearer " + std::string(token));
  }
  out.connect_timeout = limits::connect_timeout;
  out.first_line_timeout = limits::first_event_timeout;
  out.idle_timeout = limits::idle_timeout;
  return out;
}

}  // namespace selfmind::claude

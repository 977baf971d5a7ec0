#include "support/messages_server/stream.h"

namespace messages_server {
namespace {

constexpr int words_per_part = 3;

std::string event(const std::string& type, Json data) {
  Json whole = {{"type", type}};
  whole.update(data);
  return "event: " + type + "\ndata: " + whole.dump() + "\n\n";
}

Json usage_json(const Speech& speech, std::int64_t output) {
  const Usage& usage = speech.usage;
  if (!speech.dialect.cache_usage) return {{"input_tokens", usage.input}, {"output_tokens", output}};
  return {{"input_tokens", usage.input},
          {"cache_creation_input_tokens", usage.cache_write},
          {"cache_read_input_tokens", usage.cache_read},
          {"output_tokens", output}};
}

std::int64_t output_tokens(const Speech& speech) {
  std::size_t characters = speech.thought ? 80 : 0;
  for (const std::string& part : speech.parts) characters += part.size();
  return static_cast<std::int64_t>(1 + characters / 4);
}

Json message_json(const Speech& speech, Json content, Json stop_reason, std::int64_t output) {
  return {{"id", speech.id},          {"type", "message"},       {"role", "assistant"},
          {"model", speech.model},    {"content", content},      {"stop_reason", stop_reason},
          {"stop_sequence", nullptr}, {"stop_details", nullptr}, {"usage", usage_json(speech, output)}};
}

std::string delta(int index, Json part) { return event("content_block_delta", {{"index", index}, {"delta", part}}); }

void add_thought(std::vector<std::string>& out, int index, const Thought& thought) {
  Json block = {{"type", "thinking"}, {"thinking", ""}};
  if (!thought.signature.empty()) block["signature"] = "";
  out.push_back(event("content_block_start", {{"index", index}, {"content_block", block}}));
  if (!thought.text.empty()) out.push_back(delta(index, {{"type", "thinking_delta"}, {"thinking", thought.text}}));
  if (!thought.signature.empty()) {
    out.push_back(delta(index, {{"type", "signature_delta"}, {"signature", thought.signature}}));
  }
  out.push_back(event("content_block_stop", {{"index", index}}));
}

}  // namespace

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::string part;
  int words = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    part.push_back(text[i]);
    const bool word_ends = text[i] == ' ' && i + 1 < text.size() && text[i + 1] != ' ';
    if (word_ends && ++words % words_per_part == 0) parts.push_back(std::exchange(part, {}));
  }
  if (!part.empty()) parts.push_back(part);
  return parts;
}

std::vector<std::string> unfinished_events(const Speech& speech) {
  std::vector<std::string> out;
  Json message = message_json(speech, Json::array(), nullptr, 1);
  if (!speech.dialect.usage_at_start) message.erase("usage");
  if (!speech.dialect.comment.empty()) out.push_back(": " + std::string(speech.dialect.comment) + "\n\n");
  out.push_back(event("message_start", {{"message", message}}));
  out.push_back(event("ping", Json::object()));
  int index = 0;
  if (speech.thought) add_thought(out, index++, *speech.thought);
  if (speech.parts.empty()) return out;
  out.push_back(event("content_block_start", {{"index", index}, {"content_block", {{"type", "text"}, {"text", ""}}}}));
  for (const std::string& part : speech.parts) out.push_back(delta(index, {{"type", "text_delta"}, {"text", part}}));
  return out;
}

std::vector<std::string> events(const Speech& speech) {
  std::vector<std::string> out = unfinished_events(speech);
  if (!speech.parts.empty()) out.push_back(event("content_block_stop", {{"index", speech.thought ? 1 : 0}}));
  const Json end = {{"stop_reason", speech.stop_reason}, {"stop_sequence", nullptr}, {"stop_details", nullptr}};
  out.push_back(event("message_delta", {{"delta", end}, {"usage", usage_json(speech, output_tokens(speech))}}));
  out.push_back(event("message_stop", Json::object()));
  if (speech.dialect.end_marker) out.push_back("data: [DONE]\n\n");
  return out;
}

std::string error_event(const std::string& type, const std::string& message) {
  return event("error", {{"error", {{"type", type}, {"message", message}, {"details", nullptr}}}});
}

Json error_body(const std::string& type, const std::string& message, const std::string& request_id) {
  return {{"type", "error"},
          {"error", {{"type", type}, {"message", message}, {"details", nullptr}}},
          {"request_id", request_id}};
}

Json whole_message(const Speech& speech) {
  Json content = Json::array();
  std::string text;
  for (const std::string& part : speech.parts) text += part;
  if (!text.empty()) content.push_back({{"type", "text"}, {"text", text}});
  return message_json(speech, content, speech.stop_reason, output_tokens(speech));
}

}  // namespace messages_server

// Rules of the headers and of the body's own fields.
#include <algorithm>

#include "support/messages_server/rules.h"

namespace messages_server {
namespace {

// --- headers -------------------------------------------------------------------------------------------------------

Verdict right_key(const Call& call) { return check_key(call.http, call.key); }

Verdict known_version(const Call& call) {
  const std::string* version = call.http.header("anthropic-version");
  if (!version) return invalid("anthropic-version: header is required");
  if (*version == "2023-06-01" || *version == "2026-10-21") return {};
  return invalid("anthropic-version: \"" + *version + "\" is not a valid version");
}

Verdict json_content_type(const Call& call) {
  const std::string* type = call.http.header("content-type");
  if (type && type->starts_with("application/json")) return {};
  return invalid("content-type: header should be application/json");
}

Verdict known_betas(const Call& call) {
  static const std::vector<std::string_view> known = {
      "context-management-2025-06-27",        "compact-2026-01-12",
      "server-side-fallback-2026-07-01",      "message-threads-2026-08-12",
      "thinking-token-count-2026-05-13",      "thinking-display-updates-2026-08-18",
      "thinking-binding-controls-2026-08-01", "mid-conversation-tool-changes-2026-07-01",
      "structured-outputs-2025-11-13"};
  const std::string* header = call.http.header("anthropic-beta");
  if (!header) return {};
  std::string_view rest = *header;
  while (!rest.empty()) {
    const std::string_view name = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), name.size() + 1));
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return invalid("Unexpected value(s) `" + std::string(name) + "` for the `anthropic-beta` header");
    }
  }
  return {};
}

// --- fields --------------------------------------------------------------------------------------------------------

Verdict known_fields(const Call& call) {
  std::vector<std::string_view> known = {"model",        "max_tokens",  "messages",       "system",   "cache_control",
                                         "container",    "diagnostics", "inference_geo",  "metadata", "output_config",
                                         "service_tier", "speed",       "stop_sequences", "stream",   "thinking",
                                         "tool_choice",  "tools"};
  if (call.version() == "2023-06-01") known.insert(known.end(), {"temperature", "top_p", "top_k"});
  if (call.has_beta("context-management-2025-06-27")) known.push_back("context_management");
  if (const std::string key = unknown_key(call.body, known); !key.empty()) return extra(key);
  return {};
}

Verdict required_fields(const Call& call) {
  for (const char* field : {"model", "max_tokens", "messages"}) {
    if (!call.body.contains(field)) return invalid(std::string(field) + ": Field required");
  }
  return {};
}

Verdict field_types(const Call& call) {
  const Json& body = call.body;
  if (!body["model"].is_string()) return invalid("model: Input should be a valid string");
  if (!body["max_tokens"].is_number_integer()) return invalid("max_tokens: Input should be a valid integer");
  if (!body["messages"].is_array()) return invalid("messages: Input should be a valid array");
  if (body.contains("stream") && !body["stream"].is_boolean())
    return invalid("stream: Input should be a valid boolean");
  if (body.contains("tools") && !body["tools"].is_array()) return invalid("tools: Input should be a valid array");
  for (const char* field : {"thinking", "output_config", "metadata", "tool_choice"}) {
    if (body.contains(field) && !body[field].is_object()) {
      return invalid(std::string(field) + ": Input should be an object");
    }
  }
  return {};
}

Verdict known_model(const Call& call) {
  if (call.named_model()) return {};
  return Refusal{404, "not_found_error", "model: " + call.body["model"].get<std::string>(), {}, {}};
}

Verdict max_tokens_in_range(const Call& call) {
  const auto tokens = call.body["max_tokens"].get<std::int64_t>();
  const std::string id = call.body["model"];
  const int most = call.named_model()->max_output;
  if (tokens < 0) return invalid("max_tokens: Input should be greater than or equal to 0");
  if (tokens <= most) return {};
  return invalid("max_tokens: " + std::to_string(tokens) + " > " + std::to_string(most) +
                 ", which is the maximum allowed number of output tokens for " + id);
}

Verdict context_has_room(const Call& call) {
  const auto context = static_cast<std::int64_t>(call.profile.context);
  const auto tokens = call.body["max_tokens"].get<std::int64_t>();
  const auto prompt = static_cast<std::int64_t>(call.body["messages"].dump().size() / 4);
  if (context == 0 || tokens + prompt <= context) return {};
  return invalid("'max_tokens' or 'max_completion_tokens' is too large: " + std::to_string(tokens) +
                 ". This model's maximum context length is " + std::to_string(context) +
                 " tokens and your request has " + std::to_string(prompt) + " input tokens (" + std::to_string(tokens) +
                 " > " + std::to_string(context) + " - " + std::to_string(prompt) + ").");
}

Verdict metadata_shape(const Call& call) {
  if (!call.body.contains("metadata")) return {};
  const std::string key = unknown_key(call.body["metadata"], {"user_id"});
  return key.empty() ? Verdict() : extra("metadata." + key);
}

Verdict stop_sequences_shape(const Call& call) {
  const Json sequences = call.body.value("stop_sequences", Json::array());
  if (!sequences.is_array()) return invalid("stop_sequences: Input should be a valid array");
  for (const Json& sequence : sequences) {
    if (!sequence.is_string()) return invalid("stop_sequences: Input should be a valid string");
    if (sequence.get<std::string>().find_first_not_of(" \t\r\n") == std::string::npos) {
      return invalid("stop_sequences: each stop sequence must contain non-whitespace");
    }
  }
  return {};
}

Verdict tools_shape(const Call& call) {
  const Json tools = call.body.value("tools", Json::array());
  for (std::size_t i = 0; i < tools.size(); ++i) {
    const std::string path = "tools." + std::to_string(i);
    if (!tools[i].is_object() || !tools[i].value("name", Json()).is_string()) {
      return invalid(path + ".name: Field required");
    }
    if (Verdict verdict = check_cache_control(tools[i], path)) return verdict;
    if (tools[i].contains("type") && tools[i]["type"] != "custom") continue;  // one of the API's own
    const std::string key =
        unknown_key(tools[i], {"type", "name", "description", "input_schema", "strict", "eager_input_streaming",
                               "cache_control", "defer_loading", "input_examples"});
    if (!key.empty()) return extra(path + ".custom." + key);
    if (!tools[i].value("input_schema", Json()).is_object()) {
      return invalid(path + ".custom.input_schema: Field required");
    }
  }
  return {};
}

Verdict sampling_accepted(const Call& call) {
  const Model& model = *call.named_model();
  const Json thinking = call.body.value("thinking", Json::object());
  const bool thinks = thinking.value("type", Json()) == "enabled" || thinking.value("type", Json()) == "adaptive";
  for (const char* field : {"temperature", "top_p", "top_k"}) {
    if (!call.body.contains(field)) continue;
    const Json& value = call.body[field];
    if (!value.is_number()) return invalid(std::string(field) + ": Input should be a valid number");
    const bool is_default = std::string_view(field) != "top_k" && value == 1;
    if (!model.sampling && !is_default) return invalid(std::string("`") + field + "` is not supported on this model.");
    const bool fits_thinking = is_default || (std::string_view(field) == "top_p" && value >= 0.95);
    if (thinks && !fits_thinking) {
      return invalid(std::string("`") + field + "` may not be set to this value when thinking is enabled.");
    }
  }
  return {};
}

Verdict tool_choice_accepted(const Call& call) {
  if (!call.body.contains("tool_choice")) return {};
  const Json type = call.body["tool_choice"].value("type", Json());
  const bool forced = type == "any" || type == "tool";
  if (!forced && type != "auto" && type != "none") {
    return invalid("tool_choice: Input tag does not match any of the expected tags: 'auto', 'any', 'tool', 'none'");
  }
  if (!forced) return {};
  const bool thinks = call.body.value("thinking", Json::object()).value("type", Json()) == "enabled";
  if (thinks) return invalid("Thinking may not be enabled when tool_choice forces tool use.");
  if (call.named_model()->forced_tools) return {};
  return invalid("tool_choice: forced tool use is not supported on this model.");
}

}  // namespace

Verdict check_key(const Request& request, const std::string& right) {
  const auto refused = [](const char* message) { return Refusal{401, "authentication_error", message, {}, {}}; };
  if (right.empty()) return {};
  const std::string* key = request.header("x-api-key");
  const std::string* bearer = request.header("authorization");
  if (!key && !bearer) return refused("x-api-key header is required");
  if (key && *key != right) return refused("invalid x-api-key");
  if (!key && *bearer != "Bearer " + right) return refused("invalid bearer token");
  return {};
}

const std::vector<Rule>& header_rules() {
  static const std::vector<Rule> rules = {
      {"the key is right", right_key},
      {"the API version is known", known_version},
      {"the body is announced as JSON", json_content_type},
      {"the betas are known", known_betas},
  };
  return rules;
}

const std::vector<Rule>& field_rules() {
  static const std::vector<Rule> rules = {
      {"no unknown field", known_fields},
      {"model, max_tokens and messages are there", required_fields},
      {"fields have their type", field_types},
      {"the model exists", known_model},
      {"max_tokens is in the model's range", max_tokens_in_range},
      {"the context has room for max_tokens", context_has_room},
      {"metadata has its shape", metadata_shape},
      {"stop_sequences has its shape", stop_sequences_shape},
      {"tools have their shape", tools_shape},
      {"no sampling parameter the model does not take", sampling_accepted},
      {"tool_choice is one the model takes", tool_choice_accepted},
  };
  return rules;
}

}  // namespace messages_server

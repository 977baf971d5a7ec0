#include "support/messages_server/profiles.h"

#include <algorithm>

namespace messages_server {
namespace {

std::vector<Profile> all_profiles() {
  std::vector<Profile> all;
  const auto add = [&all](Profile profile) { all.push_back(std::move(profile)); };

  Profile api{.name = "anthropic", .describes_models = true};
  add(api);

  // Local models behind a conversion to OpenAI's API.
  Profile llama{.name = "llama.cpp", .local = true};
  llama.ignores = {"output_config", "cache_control", "thinking"};
  llama.errors = ErrorShape::openai;
  llama.lists_models = false;
  llama.muses = true;
  add(llama);

  Profile ollama{.name = "ollama", .local = true};
  ollama.ignores = {"output_config", "cache_control", "tool_choice", "metadata"};
  ollama.lists_models = false;
  ollama.muses = true;
  ollama.dialect = {.usage_at_start = false, .cache_usage = false, .error_events = false};
  add(ollama);

  Profile vllm{.name = "vllm", .local = true};
  vllm.ignores = {"thinking", "cache_control"};
  vllm.context = 8192;
  vllm.dialect = {.cache_usage = false, .end_marker = true};
  add(vllm);

  Profile studio{.name = "lmstudio", .local = true};
  studio.ignores = {"thinking", "output_config", "cache_control"};
  studio.errors = ErrorShape::openai;
  studio.dialect = {.usage_at_start = false, .cache_usage = false};
  add(studio);

  // Somebody else's models behind the same API.
  Profile vendor{.name = "minimax", .local = true};
  vendor.ignores = {"output_config", "cache_control"};
  vendor.lists_models = false;
  vendor.muses = true;
  vendor.dialect = {.cache_usage = false};
  add(vendor);

  // The API's models behind a proxy or a cloud.
  Profile litellm{.name = "litellm"};
  litellm.errors = ErrorShape::openai;
  add(litellm);

  Profile router{.name = "openrouter", .vendor = "anthropic/"};
  router.errors = ErrorShape::openai;
  router.dialect = {.comment = "OPENROUTER PROCESSING", .end_marker = true};
  add(router);

  Profile bedrock{.name = "bedrock", .vendor = "anthropic."};
  bedrock.lists_models = false;
  add(bedrock);

  // Proxies that know the API of some years ago, and say so field by field, each in its own way.
  const std::vector<std::string_view> new_fields = {"thinking", "output_config", "cache_control", "system list",
                                                    "thinking blocks"};
  for (const auto& [name, errors] :
       {std::pair{"old-anthropic", ErrorShape::anthropic}, std::pair{"old-openai", ErrorShape::openai},
        std::pair{"old-pydantic", ErrorShape::pydantic}}) {
    Profile old{.name = name};
    old.refuses = new_fields;
    old.errors = errors;
    old.lists_models = false;
    add(old);
  }
  Profile plain{.name = "plain-system"};
  plain.refuses = {"system list"};
  plain.errors = ErrorShape::pydantic;
  add(plain);
  return all;
}

const std::vector<Profile>& profiles() {
  static const std::vector<Profile> all = all_profiles();
  return all;
}

// Where in the body a field stands, or an empty path. Takes it out where it may.
std::string find_key(Json& part, const std::string& path, std::string_view name, bool take_out) {
  if (!part.is_structured()) return {};
  if (part.is_object() && part.contains(std::string(name))) {
    if (!take_out) return path + std::string(name);
    part.erase(std::string(name));
  }
  std::size_t index = 0;
  for (auto& item : part.items()) {
    const std::string key = part.is_array() ? std::to_string(index++) : item.key();
    if (std::string found = find_key(item.value(), path + key + ".", name, take_out); !found.empty()) return found;
  }
  return {};
}

std::string find_thinking_block(const Json& body) {
  const Json messages = body.value("messages", Json::array());
  for (std::size_t i = 0; messages.is_array() && i < messages.size(); ++i) {
    if (!messages[i].is_object() || !messages[i].contains("content") || !messages[i]["content"].is_array()) continue;
    const Json& content = messages[i]["content"];
    for (std::size_t k = 0; k < content.size(); ++k) {
      if (!content[k].is_object()) continue;
      const Json type = content[k].value("type", Json());
      if (type == "thinking" || type == "redacted_thinking") {
        return "messages." + std::to_string(i) + ".content." + std::to_string(k) + ".type";
      }
    }
  }
  return {};
}

std::string find_field(Json& body, std::string_view field, bool take_out) {
  if (field == "cache_control") return find_key(body, "", field, take_out);
  if (field == "thinking blocks") return find_thinking_block(body);
  if (field == "system list") return body.contains("system") && body["system"].is_array() ? "system" : "";
  if (!body.contains(std::string(field))) return {};
  if (take_out) body.erase(std::string(field));
  return take_out ? "" : std::string(field);
}

std::string words_for(std::string_view field, const Profile& profile) {
  if (field == "system list") return "Input should be a valid string";
  if (field == "thinking blocks") return "Input should be 'text', 'image', 'tool_use' or 'tool_result'";
  if (profile.errors == ErrorShape::openai) {
    return "Unrecognized request argument supplied: " + std::string(field);
  }
  return "Extra inputs are not permitted";
}

Json parts_of_path(const std::string& path) {
  Json parts = Json::array({"body"});
  std::size_t at = 0;
  while (at <= path.size()) {
    const std::size_t dot = std::min(path.find('.', at), path.size());
    const std::string part = path.substr(at, dot - at);
    if (!part.empty() && part.find_first_not_of("0123456789") == std::string::npos) {
      parts.push_back(std::stoi(part));
    } else {
      parts.push_back(part);
    }
    at = dot + 1;
  }
  return parts;
}

}  // namespace

const Profile* find_profile(std::string_view name) {
  for (const Profile& profile : profiles()) {
    if (profile.name == name) return &profile;
  }
  return nullptr;
}

std::string profile_names() {
  std::string names;
  for (const Profile& profile : profiles()) names += (names.empty() ? "" : ", ") + std::string(profile.name);
  return names;
}

RefusedField take_in(Json& body, const Profile& profile) {
  for (const auto& field : profile.refuses) {
    if (std::string path = find_field(body, field, /*take_out=*/false); !path.empty()) {
      return {path, words_for(field, profile)};
    }
  }
  for (const auto& field : profile.ignores) find_field(body, field, /*take_out=*/true);
  return {};
}

Json error_answer(const Profile& profile, const std::string& type, const std::string& path, const std::string& message,
                  const std::string& request_id) {
  switch (profile.errors) {
    case ErrorShape::openai:
      return {
          {"error",
           {{"message", message}, {"type", type}, {"param", path.empty() ? Json() : Json(path)}, {"code", nullptr}}}};
    case ErrorShape::pydantic:
      if (path.empty()) return {{"detail", message}};
      return {
          {"detail",
           Json::array({{{"type", "value_error"}, {"loc", parts_of_path(path)}, {"msg", message}, {"input", "…"}}})}};
    case ErrorShape::anthropic:
      break;
  }
  return error_body(type, path.empty() ? message : path + ": " + message, request_id);
}

}  // namespace messages_server

#include "claude/lookup.h"

#include <limits>

#include <nlohmann/json.hpp>

#include "base/limits.h"
#include "claude/server.h"

namespace selfmind::claude {
namespace {

using Json = nlohmann::ordered_json;

const Json& at(const Json& object, const char* key) {
  static const Json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(key);
  return found != object.end() ? *found : nothing;
}

std::optional<int> tokens(const Json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  const auto count = value.get<std::int64_t>();
  if (count <= 0 || count > std::numeric_limits<int>::max()) return std::nullopt;
  return static_cast<int>(count);
}

// A capability is {"supported": true, …}, or the bare answer.
std::optional<bool> supported(const Json& capability) {
  const Json& answer = capability.is_object() ? at(capability, "supported") : capability;
  if (!answer.is_boolean()) return std::nullopt;
  return answer.get<bool>();
}

}  // namespace

http::Request lookup_request(const Endpoint& endpoint, std::string_view model) {
  http::Request out;
  out.method = "GET";
  out.url = model_url(endpoint.base_url, model);
  out.headers = headers_for(endpoint);
  out.headers.emplace_back("accept", "application/json");
  out.connect_timeout = limits::connect_timeout;
  out.first_line_timeout = limits::lookup_timeout;
  out.idle_timeout = limits::lookup_timeout;
  return out;
}

std::optional<Description> read_description(int status, std::string_view body) {
  if (status != 200) return std::nullopt;
  const Json model = Json::parse(body, nullptr, /*allow_exceptions=*/false);
  const Json& capabilities = at(model, "capabilities");
  const Json& thinking = at(at(capabilities, "thinking"), "types");
  Description out;
  out.context = tokens(at(model, "max_input_tokens"));
  if (!out.context) out.context = tokens(at(model, "max_model_len"));  // vLLM's name for it
  out.max_output = tokens(at(model, "max_tokens"));
  out.whole_api = capabilities.is_object();
  out.thinks = supported(at(capabilities, "thinking"));
  out.adaptive = supported(at(thinking, "adaptive"));
  out.disabled = supported(at(thinking, "disabled"));
  out.between_tools = supported(at(thinking, "between_tools"));
  out.effort = supported(at(capabilities, "effort"));
  out.structured_outputs = supported(at(capabilities, "structured_outputs"));
  if (!out.whole_api && !out.context && !out.max_output) return std::nullopt;
  return out;
}

}  // namespace selfmind::claude

#include "host/settings.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "store/paths.h"

namespace selfmind::host {
namespace {

std::string variable(const Environment& environment, const char* name) {
  const char* value = environment(name);
  return value ? std::string(utf8::trim(value)) : std::string();
}

std::string first_of(const std::optional<std::string>& given, std::string from_environment, std::string fallback) {
  if (given && !utf8::trim(*given).empty()) return std::string(utf8::trim(*given));
  return from_environment.empty() ? std::move(fallback) : std::move(from_environment);
}

// Takes a whole number between `low` and `high` into `into`; says what it may be otherwise.
Result<void> take(const std::optional<std::int64_t>& given, const char* name, int low, int high, int& into) {
  if (!given) return {};
  if (*given < low || *given > high) {
    return Error{ErrorKind::invalid,
                 fmt::format("The setting \"{}\" must be from {} to {}; it is {}.", name, low, high, *given)};
  }
  into = static_cast<int>(*given);
  return {};
}

}  // namespace

std::string Settings::offline_why() const {
  if (online()) return {};
  return "there is no API key; set ANTHROPIC_API_KEY in the environment Neovim is started from.";
}

turn::Settings Settings::for_turn() const {
  return {chat_model, max_tokens, top_k, history_turns, online(), offline_why()};
}

learn::Settings Settings::for_learning() const {
  return {memory_model, endpoint.base_url, memory_max_tokens, dedupe_threshold};
}

Result<Settings> settings(const SettingsParams& given, const Environment& environment) {
  Settings result;
  result.chat_model = first_of(given.chat_model, variable(environment, "SELFMIND_CHAT_MODEL"), result.chat_model);
  result.memory_model =
      first_of(given.memory_model, variable(environment, "SELFMIND_MEMORY_MODEL"), result.memory_model);
  result.endpoint.base_url =
      first_of(given.base_url, variable(environment, "ANTHROPIC_BASE_URL"), result.endpoint.base_url);
  // One spelling: the learn queue tells servers apart by it.
  while (result.endpoint.base_url.ends_with('/')) result.endpoint.base_url.pop_back();
  result.endpoint.api_key = variable(environment, "ANTHROPIC_API_KEY");
  result.endpoint.auth_token = variable(environment, "ANTHROPIC_AUTH_TOKEN");
  result.db = first_of(given.db, {}, store::default_path());
  if (!result.endpoint.base_url.starts_with("http://") && !result.endpoint.base_url.starts_with("https://")) {
    return Error{ErrorKind::invalid,
                 fmt::format("The setting \"base_url\" must begin with http:// or https://; it is \"{}\".",
                             result.endpoint.base_url)};
  }
  if (given.learning && *given.learning != "auto" && *given.learning != "off") {
    return Error{ErrorKind::invalid,
                 fmt::format("The setting \"learning\" must be \"auto\" or \"off\"; it is \"{}\".", *given.learning)};
  }
  result.learning = !given.learning || *given.learning == "auto";
  for (const auto& taken : {take(given.top_k, "top_k", 1, 100, result.top_k),
                            take(given.history_turns, "history_turns", 1, 1000, result.history_turns),
                            take(given.max_tokens, "max_tokens", 1, 1'000'000, result.max_tokens),
                            take(given.memory_max_tokens, "memory_max_tokens", 64, 1'000'000, result.memory_max_tokens),
                            take(given.recall_deadline, "recall_deadline", 1, 10'000, result.recall_deadline)}) {
    if (!taken) return taken.error();
  }
  if (given.dedupe_threshold) {
    if (!(*given.dedupe_threshold > 0 && *given.dedupe_threshold <= 1)) {
      return Error{ErrorKind::invalid, "The setting \"dedupe_threshold\" must be above 0 and at most 1."};
    }
    result.dedupe_threshold = *given.dedupe_threshold;
  }
  return result;
}

}  // namespace selfmind::host

#include "host/settings.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/utf8.h"
#include "store/paths.h"

namespace selfmind::host {
namespace {

std::string variable(const Environment& environment, const char* name) {
  const char* value = environment(name);
  return value ? std::string(utf8::trim(value)) : std::string();
}

// What the editor gave, else the variable's value, else what stands in `into`; notes which.
void take_text(Settings& settings, const std::optional<std::string>& given, const Environment& environment,
               const char* name, const char* variable_name, std::string& into) {
  settings.from[name] = "default";
  if (given && !utf8::trim(*given).empty()) {
    into = utf8::trim(*given);
    settings.from[name] = "editor";
  } else if (auto value = variable(environment, variable_name); !value.empty()) {
    into = std::move(value);
    settings.from[name] = variable_name;
  }
}

// A server's address in the one spelling by which the learn queue tells servers apart.
Result<void> check_url(std::string& url) {
  while (url.ends_with('/')) url.pop_back();
  const auto refuse = [&url](const char* why) {
    return Error{
        ErrorKind::invalid,
        fmt::format("The setting \"base_url\" must begin with http:// or https:// and name a server; \"{}\" {}.",
                    without_credentials(url), why)};
  };
  if (!url.starts_with("http://") && !url.starts_with("https://")) return refuse("does not begin so");
  const std::string bare = without_credentials(url);
  const auto server = std::string_view(bare).substr(bare.find("://") + 3);
  if (server.empty() || std::string_view("/:?#").find(server.front()) != std::string_view::npos)
    return refuse("names no server");
  const auto unfit = [](unsigned char c) { return c <= ' ' || c == 0x7F; };
  if (std::any_of(url.begin(), url.end(), unfit)) return refuse("has blanks in it");
  return {};
}

// Why a setting of retrieval changes nothing with this preset; empty: it counts.
std::string no_effect(const recall::Preset& preset, std::string_view name) {
  using recall::Method;
  if (name == "retrieval.vector_weight") return "there are no vectors yet";
  const bool has_minimum = preset.method == Method::fused && name == "retrieval.min_score";
  if (preset.method != Method::anamnesis && !has_minimum) {
    return fmt::format("retrieval.preset is \"{}\"", preset.name);
  }
  if (name == "retrieval.mmr.lambda" && !preset.mmr) return "retrieval.mmr.enabled is false";
  if (name == "retrieval.temporal_decay.half_life_days" && !preset.temporal_decay) {
    return "retrieval.temporal_decay.enabled is false";
  }
  return {};
}

// Whether a setting of retrieval that was given counts; notes where it comes from, or why it does not.
bool counts(Settings& settings, const char* name) {
  if (auto why = no_effect(settings.retrieval, name); !why.empty()) {
    settings.useless[name] = std::move(why);
    return false;
  }
  settings.from[name] = "editor";
  return true;
}

void take_override(Settings& settings, const std::optional<bool>& given, const char* name, bool& into) {
  if (given && counts(settings, name)) into = *given;
}

Result<void> take_override(Settings& settings, const std::optional<double>& given, const char* name, double low,
                           double high, double& into) {
  if (!given) return {};
  if (!(*given >= low && *given <= high)) {
    return Error{ErrorKind::invalid,
                 fmt::format("The setting \"{}\" must be from {} to {}; it is {}.", name, low, high, *given)};
  }
  if (counts(settings, name)) into = *given;
  return {};
}

// The preset, and what overrides it.
Result<void> take_retrieval(Settings& settings, const RetrievalParams& given) {
  if (given.preset) {
    auto named = recall::preset(*given.preset);
    if (!named) return named.error();
    settings.retrieval = std::move(*named);
    settings.from["retrieval.preset"] = "editor";
  }
  auto& preset = settings.retrieval;
  take_override(settings, given.mmr, "retrieval.mmr.enabled", preset.mmr);
  take_override(settings, given.temporal_decay, "retrieval.temporal_decay.enabled", preset.temporal_decay);
  // One minimum for everything: who sets it wants to know what it is.
  double minimum = preset.min_score;
  double no_vectors = 0;
  for (const auto& taken : {
           take_override(settings, given.text_weight, "retrieval.text_weight", 0, 1, preset.text_weight),
           take_override(settings, given.vector_weight, "retrieval.vector_weight", 0, 1, no_vectors),
           take_override(settings, given.min_score, "retrieval.min_score", 0, 1, minimum),
           take_override(settings, given.mmr_lambda, "retrieval.mmr.lambda", 0, 1, preset.mmr_lambda),
           take_override(settings, given.half_life_days, "retrieval.temporal_decay.half_life_days", 0.01, 100'000,
                         preset.half_life_days),
           take_override(settings, given.candidate_multiplier, "retrieval.candidate_multiplier", 1, 100,
                         preset.candidate_multiplier),
       }) {
    if (!taken) return taken.error();
  }
  if (settings.from.contains("retrieval.min_score")) preset.min_score = preset.min_score_memory = minimum;
  return {};
}

// Takes a whole number between `low` and `high` into `into`; says what it may be otherwise.
Result<void> take(Settings& settings, const std::optional<std::int64_t>& given, const char* name, int low, int high,
                  int& into) {
  if (!given) return {};
  if (*given < low || *given > high) {
    return Error{ErrorKind::invalid,
                 fmt::format("The setting \"{}\" must be from {} to {}; it is {}.", name, low, high, *given)};
  }
  into = static_cast<int>(*given);
  settings.from[name] = "editor";
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
  return {memory_model, endpoint.base_url, memory_max_tokens, dedupe_threshold, review, learning_budget};
}

rpc::Map Settings::shown() const {
  rpc::Map map;
  const auto add = [&](const char* name, rpc::Value value) {
    const auto found = from.find(name);
    map.emplace_back(name,
                     rpc::Map{{"value", std::move(value)}, {"from", found == from.end() ? "default" : found->second}});
  };
  add("chat_model", chat_model);
  add("memory_model", memory_model);
  add("base_url", without_credentials(endpoint.base_url));
  add("db", db);
  add("learning", learning_mode());
  add("learning_budget", learning_budget);
  add("top_k", top_k);
  add("history_turns", history_turns);
  add("max_tokens", max_tokens);
  add("memory_max_tokens", memory_max_tokens);
  add("dedupe_threshold", dedupe_threshold);
  add("recall_deadline", recall_deadline);
  add("retrieval.preset", retrieval.name);
  const auto add_used = [&](const char* name, rpc::Value value) {
    if (no_effect(retrieval, name).empty()) add(name, std::move(value));
  };
  add_used("retrieval.text_weight", retrieval.text_weight);
  // Two of them are no value of the setting.
  if (retrieval.min_score == retrieval.min_score_memory) add_used("retrieval.min_score", retrieval.min_score);
  add_used("retrieval.mmr.enabled", retrieval.mmr);
  add_used("retrieval.mmr.lambda", retrieval.mmr_lambda);
  add_used("retrieval.temporal_decay.enabled", retrieval.temporal_decay);
  add_used("retrieval.temporal_decay.half_life_days", retrieval.half_life_days);
  add_used("retrieval.candidate_multiplier", retrieval.candidate_multiplier);
  // Not the patterns themselves: they are what should stand nowhere.
  if (secret_patterns_given > 0) add("secrets.patterns", fmt::format("({} given)", secret_patterns_given));
  return map;
}

rpc::Map Settings::shown_useless() const { return {useless.begin(), useless.end()}; }

std::string without_credentials(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme == std::string_view::npos) return std::string(url);
  const auto server = scheme + 3;
  const auto end = std::min(url.find_first_of("/?#", server), url.size());
  const auto user = url.substr(0, end).rfind('@');
  if (user == std::string_view::npos || user < server) return std::string(url);
  return std::string(url.substr(0, server)) + std::string(url.substr(user + 1));
}

rpc::Map network_variables(const Environment& environment) {
  rpc::Map map;
  for (const char* name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
                           "SSL_CERT_FILE", "SSL_CERT_DIR"}) {
    auto value = variable(environment, name);
    if (value.empty()) continue;
    // A proxy may be named without a scheme.
    const bool bare = value.find("://") == std::string::npos && value.find('@') != std::string::npos;
    map.emplace_back(name, bare ? value.substr(value.rfind('@') + 1) : without_credentials(value));
  }
  return map;
}

Result<Settings> settings(const SettingsParams& given, const Environment& environment) {
  for (const auto& [name, text] :
       {std::pair("chat_model", &given.chat_model), std::pair("memory_model", &given.memory_model),
        std::pair("base_url", &given.base_url), std::pair("db", &given.db)}) {
    if (*text && (*text)->find('\0') != std::string::npos) {
      return Error{ErrorKind::invalid, fmt::format("The setting \"{}\" has a NUL byte in it; take it out.", name)};
    }
  }
  Settings result;
  take_text(result, given.chat_model, environment, "chat_model", "SELFMIND_CHAT_MODEL", result.chat_model);
  take_text(result, given.memory_model, environment, "memory_model", "SELFMIND_MEMORY_MODEL", result.memory_model);
  take_text(result, given.base_url, environment, "base_url", "ANTHROPIC_BASE_URL", result.endpoint.base_url);
  if (auto checked = check_url(result.endpoint.base_url); !checked) return checked.error();
  result.endpoint.api_key = variable(environment, "ANTHROPIC_API_KEY");
  result.endpoint.auth_token = variable(environment, "ANTHROPIC_AUTH_TOKEN");
  if (!result.endpoint.auth_token.empty()) result.from["key"] = "ANTHROPIC_AUTH_TOKEN";
  if (!result.endpoint.api_key.empty()) result.from["key"] = "ANTHROPIC_API_KEY";
  take_text(result, given.db, environment, "db", "SELFMIND_DB", result.db);
  if (result.from["db"] != "editor") result.db = store::default_path();
  if (given.learning) {
    result.learning = *given.learning != "off";
    result.review = *given.learning == "review";
    if (*given.learning != result.learning_mode()) {
      return Error{ErrorKind::invalid,
                   fmt::format("The setting \"learning\" must be \"auto\", \"review\" or \"off\"; it is \"{}\".",
                               *given.learning)};
    }
  }
  if (given.learning) result.from["learning"] = "editor";
  for (const auto& taken :
       {take(result, given.top_k, "top_k", 1, 100, result.top_k),
        take(result, given.history_turns, "history_turns", 1, 1000, result.history_turns),
        take(result, given.max_tokens, "max_tokens", 1, 1'000'000, result.max_tokens),
        take(result, given.memory_max_tokens, "memory_max_tokens", 64, 1'000'000, result.memory_max_tokens),
        take(result, given.learning_budget, "learning_budget", 0, 1'000'000'000, result.learning_budget),
        take(result, given.recall_deadline, "recall_deadline", 1, 10'000, result.recall_deadline)}) {
    if (!taken) return taken.error();
  }
  if (given.dedupe_threshold) {
    if (!(*given.dedupe_threshold > 0 && *given.dedupe_threshold <= 1)) {
      return Error{ErrorKind::invalid, "The setting \"dedupe_threshold\" must be above 0 and at most 1."};
    }
    result.dedupe_threshold = *given.dedupe_threshold;
    result.from["dedupe_threshold"] = "editor";
  }
  if (auto taken = take_retrieval(result, given.retrieval); !taken) return taken.error();
  if (given.secret_patterns) {
    // One that is wrong is not left out: then what it is about would be stored.
    auto patterns = text::SecretPatterns::from(*given.secret_patterns);
    if (!patterns) return patterns.error();
    result.secret_patterns = std::move(*patterns);
    result.secret_patterns_given = static_cast<int>(given.secret_patterns->size());
    result.from["secrets.patterns"] = "editor";
  }
  return result;
}

}  // namespace selfmind::host

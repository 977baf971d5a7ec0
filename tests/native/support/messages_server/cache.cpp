#include "support/messages_server/cache.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "support/messages_server/issued.h"

namespace messages_server {
namespace {

constexpr std::size_t lookback_blocks = 20;
constexpr std::uint64_t minute_ms = 60'000;

// The prefix up to and with one block.
struct Prefix {
  std::size_t hash;
  std::int64_t tokens;
  std::uint64_t keep_ms;  // 0: no breakpoint here
};

std::uint64_t keep_ms(const Json& control) {
  if (control.is_null()) return 0;
  return (control.value("ttl", "5m") == "1h" ? 60 : 5) * minute_ms;
}

class Prefixes {
 public:
  explicit Prefixes(const Json& body) {
    mix(body["model"].dump());
    // A schema adds a system prompt of its own, in front of everything.
    mix(body.value("output_config", Json::object()).value("format", Json()).dump());
    for (const Json& tool : body.value("tools", Json::array())) add(tool);
    const Json system = body.value("system", Json::array());
    add_all(system);
    for (const char* field : {"thinking", "tool_choice"}) mix(body.value(field, Json()).dump());
    mix(body.value("output_config", Json::object()).value("effort", Json()).dump());
    for (const Json& message : body["messages"]) {
      mix(message["role"]);
      add_all(message["content"]);
    }
    if (!all.empty() && body.contains("cache_control")) all.back().keep_ms = keep_ms(body["cache_control"]);
  }

  std::vector<Prefix> all;

 private:
  void mix(const std::string& text) { hash_ = std::hash<std::string>()(std::to_string(hash_) + text); }

  void add_all(const Json& content) {
    if (content.is_string()) return add(Json{{"type", "text"}, {"text", content}});
    for (const Json& block : content) add(block);
  }

  void add(Json block) {
    const std::uint64_t keep = keep_ms(block.value("cache_control", Json()));
    block.erase("cache_control");
    mix(block.dump());
    characters_ += block.contains("text") ? block["text"].get<std::string>().size() : block.dump().size();
    all.push_back({hash_, static_cast<std::int64_t>(characters_ / 4), keep});
  }

  std::size_t hash_ = 0;
  std::size_t characters_ = 0;
};

}  // namespace

Usage Cache::charge(const Json& body, const Model& model, std::uint64_t now_ms) {
  const std::vector<Prefix> prefixes = Prefixes(body).all;
  const auto is_cached = [&](const Prefix& prefix) {
    const auto found = expires_.find(prefix.hash);
    return found != expires_.end() && found->second > now_ms;
  };

  Usage usage;
  std::int64_t covered = 0;  // up to the last breakpoint that is long enough
  for (std::size_t i = 0; i < prefixes.size(); ++i) {
    const Prefix& here = prefixes[i];
    if (here.keep_ms == 0 || model.min_cacheable == 0 || here.tokens < model.min_cacheable) continue;
    covered = here.tokens;
    for (std::size_t back = 0; back <= std::min(i, lookback_blocks); ++back) {
      if (!is_cached(prefixes[i - back])) continue;
      usage.cache_read = std::max(usage.cache_read, prefixes[i - back].tokens);
      break;
    }
  }
  // Written after all reading: a request does not read what it has just written itself.
  for (const Prefix& prefix : prefixes) {
    if (prefix.keep_ms != 0 && prefix.tokens >= model.min_cacheable) expires_[prefix.hash] = now_ms + prefix.keep_ms;
  }
  usage.cache_write = covered - usage.cache_read;
  usage.input = (prefixes.empty() ? 0 : prefixes.back().tokens) - covered;
  return usage;
}

}  // namespace messages_server

// What each known model is and accepts, as published. An unknown model, which may be a local one, is sent the plainest
// request. What a server itself says corrects the table: claude/knowledge.h. Pure.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

#include "claude/types.h"

namespace selfmind::claude {

// The day on which the table's prices were the published ones.
inline constexpr std::string_view prices_as_of = "2026-11-30";

// US dollars per million tokens. All zero: not published.
struct Price {
  double input = 0;
  double write_5m = 0;  // of the cache, kept five minutes
  double write_1h = 0;
  double read = 0;  // from the cache
  double output = 0;
  bool known() const { return input > 0; }
};

// Nothing here about prefill, forced tools and sampling parameters: they are never sent.
struct Model {
  std::string_view id;
  int context = 0;                // tokens of the whole request; 0: unknown
  int max_output = 0;             // the most max_tokens may be; 0: unknown
  bool thinks = false;            // when it is sent no `thinking`
  bool adaptive = false;          // accepts thinking {type: adaptive}
  bool budget = false;            // … {type: enabled, budget_tokens}
  bool disabled = false;          // … {type: disabled}; on Opus 5 and Haiku 5.5 up to effort high only
  bool between_tools = false;     // … {type: between_tools}
  std::string_view efforts = {};  // the levels of output_config.effort, apart by blanks; empty: it is refused
  bool structured_outputs = false;
  int min_cacheable = 0;  // tokens below which a prefix is silently not cached; 0: unknown
  Price price = {};
  Price long_price = {};  // for every token of a request whose prompt is longer than long_prompt; unknown: the same
};

inline constexpr std::int64_t long_prompt = 100'000;  // tokens

// By id, also with a date behind it ("-20251001") or a vendor in front ("anthropic/…"); null when there is none.
const Model* model(std::string_view id);

// What one request cost, in US dollars, its cache writes being such of five minutes; nothing where the model or its
// price is unknown.
std::optional<double> cost(const Usage& usage, std::string_view model_id);

// What may be sent to one model of one server.
struct Accepts {
  int context = 0;     // tokens; 0: unknown
  int max_output = 0;  // tokens; 0: unknown
  bool thinks = true;  // may think though it was not asked to
  bool adaptive = false;
  bool disabled = false;
  bool obeys = true;  // does not think where thinking is disabled
  bool between_tools = false;
  bool effort = false;  // output_config.effort
  bool structured_outputs = false;
  bool cache_control = false;
  bool system_blocks = true;                    // `system` as a list of blocks; else as a string
  bool thinking_blocks = true;                  // in replies that are given back
  std::set<std::size_t> without_thinking = {};  // fingerprints of thinking blocks that it has refused
};

// By the table alone.
Accepts accepts(std::string_view model_id);

}  // namespace selfmind::claude

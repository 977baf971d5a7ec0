#include "claude/models.h"

#include <algorithm>
#include <array>

namespace selfmind::claude {
namespace {

constexpr int M = 1'000'000;
constexpr int K = 1'000;
constexpr bool X = true;
constexpr bool o = false;
constexpr std::string_view all = "low medium high xhigh max";
constexpr std::string_view no_xhigh = "low medium high max";
constexpr std::string_view to_high = "low medium high";
constexpr std::string_view none = "";
constexpr Price opus{5, 6.25, 10, 0.50, 25};
constexpr Price sonnet_4{3, 3.75, 6, 0.30, 15};
constexpr Price fable_5_2{8, 10, 16, 0.20, 40};  // the 1h write by the rule "twice the input"; it is not published
constexpr Price haiku_5_5{0.10, 0.125, 0.20, 0.01, 0.50};
constexpr Price haiku_5_5_long{0.50, 0.625, 1.00, 0.05, 2.50};

// clang-format off
constexpr std::array models = {
    //    id                      context  output  thinks, adaptive, budget, disabled, between_tools
    //                                              |  |  |  |  |  efforts  structured, cache minimum, price
    Model{"claude-fable-5-2",     1 * M,   128 * K, X, X, o, o, o, all,      X, 0,    fable_5_2},
    Model{"claude-fable-5-1",     1 * M,   128 * K, X, X, o, o, o, all,      X, 0,    {10, 12.50, 20, 0.25, 50}},
    Model{"claude-fable-5",       1 * M,   128 * K, X, X, o, o, o, all,      X, 512,  {10, 12.50, 20, 1.00, 50}},
    Model{"claude-mythos-5-2",    1 * M,   128 * K, X, X, o, o, o, all,      X, 0,    fable_5_2},
    Model{"claude-mythos-5-1",    0,       0,       X, X, o, o, o, all,      X, 0},
    Model{"claude-mythos-5",      0,       0,       X, X, o, o, o, all,      X, 0},
    Model{"claude-mythos-preview", 0,      0,       X, X, o, o, o, all,      o, 0},
    Model{"claude-opus-5-5",      1 * M,   128 * K, X, X, o, o, o, all,      X, 0,    {4, 5, 8, 0.20, 20}},
    Model{"claude-opus-5",        1 * M,   128 * K, X, X, o, X, o, all,      X, 512,  opus},
    Model{"claude-opus-4-8",      1 * M,   128 * K, o, X, o, X, o, all,      X, 1024, opus},
    Model{"claude-opus-4-7",      1 * M,   128 * K, o, X, o, X, o, all,      X, 2048, opus},
    Model{"claude-opus-4-6",      1 * M,   128 * K, o, X, X, X, o, no_xhigh, X, 4096, opus},
    Model{"claude-opus-4-5",      200 * K, 64 * K,  o, o, X, X, o, to_high,  X, 4096, opus},
    Model{"claude-sonnet-5-5",    1 * M,   128 * K, X, X, o, o, X, all,      X, 0,    {2, 2.50, 4, 0.10, 10}},
    Model{"claude-sonnet-5",      1 * M,   128 * K, X, X, o, X, o, all,      X, 1024, {2, 2.50, 4, 0.20, 10}},
    Model{"claude-sonnet-4-6",    1 * M,   128 * K, o, X, X, X, o, no_xhigh, X, 1024, sonnet_4},
    Model{"claude-sonnet-4-5",    200 * K, 64 * K,  o, o, X, X, o, none,     X, 1024, sonnet_4},
    Model{"claude-haiku-5-5",     1 * M,   128 * K, X, X, o, X, o, all,      X, 0,    haiku_5_5, haiku_5_5_long},
    Model{"claude-haiku-4-5",     200 * K, 64 * K,  o, o, X, X, o, none,     X, 4096, {1, 1.25, 2, 0.10, 5}},
};
// clang-format on

// "-20251001", or "@20251001" as Google Cloud writes it.
bool is_date_suffix(std::string_view text) {
  constexpr std::string_view digits = "0123456789";
  return text.size() == 9 && (text[0] == '-' || text[0] == '@') &&
         text.find_first_not_of(digits, 1) == std::string_view::npos;
}

std::string_view without_vendor(std::string_view id) {
  const auto name = id.rfind("claude-");
  if (name == std::string_view::npos || name == 0) return id;
  const char before = id[name - 1];
  return before == '/' || before == '.' ? id.substr(name) : id;
}

}  // namespace

const Model* model(std::string_view id) {
  const std::string_view name = without_vendor(id);
  const auto found = std::find_if(models.begin(), models.end(), [name](const Model& entry) {
    return name.starts_with(entry.id) &&
           (name.size() == entry.id.size() || is_date_suffix(name.substr(entry.id.size())));
  });
  return found != models.end() ? &*found : nullptr;
}

std::optional<double> cost(const Usage& usage, std::string_view model_id) {
  const Model* known = model(model_id);
  if (known == nullptr || !known->price.known()) return std::nullopt;
  const bool is_long = usage.input + usage.cache_read + usage.cache_write > long_prompt;
  const Price& price = is_long && known->long_price.known() ? known->long_price : known->price;
  const auto dollars = [](std::int64_t tokens, double per_million) {
    return static_cast<double>(tokens) * per_million / M;
  };
  return dollars(usage.input, price.input) + dollars(usage.cache_write, price.write_5m) +
         dollars(usage.cache_read, price.read) + dollars(usage.output, price.output);
}

Accepts accepts(std::string_view model_id) {
  Accepts out;
  const Model* known = model(model_id);
  if (known == nullptr) return out;
  out.context = known->context;
  out.max_output = known->max_output;
  out.thinks = known->thinks;
  out.adaptive = known->adaptive;
  out.disabled = known->disabled;
  out.between_tools = known->between_tools;
  out.effort = !known->efforts.empty();
  out.structured_outputs = known->structured_outputs;
  out.cache_control = true;
  return out;
}

}  // namespace selfmind::claude

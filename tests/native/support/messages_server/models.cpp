#include "support/messages_server/models.h"

#include <array>

#include "support/messages_server/profiles.h"

namespace messages_server {
namespace {

constexpr std::string_view all = "low medium high xhigh max";
constexpr std::string_view no_xhigh = "low medium high max";
constexpr std::string_view up_to_high = "low medium high";
constexpr auto accepted = Disabled::accepted;
constexpr auto limited = Disabled::up_to_high_effort;
constexpr auto refused = Disabled::refused;
constexpr bool o = false;
constexpr bool X = true;

// clang-format off
constexpr std::array<Model, 22> models = {{
  // The last columns: thinks alone, adaptive, enabled | disabled | between_tools, omits thinking, preserved, sampling,
  // prefill, forced tools, system role, structured.
  // id                           output   cache  efforts
  {"claude-fable-5-2",            128'000,  512, all,        X, X, o, refused,  o, X, X, o, o, o, X, X},
  {"claude-mythos-5-2",           128'000,  512, all,        X, X, o, refused,  o, X, X, o, o, o, X, X},
  {"claude-fable-5-1",            128'000,  512, all,        X, X, o, refused,  o, X, X, o, o, o, X, X},
  {"claude-mythos-5-1",           128'000,  512, all,        X, X, o, refused,  o, X, X, o, o, o, X, X},
  {"claude-fable-5",              128'000,  512, all,        X, X, o, refused,  o, X, o, o, o, X, X, X},
  {"claude-mythos-5",             128'000,  512, all,        X, X, o, refused,  o, X, o, o, o, X, X, X},
  {"claude-opus-5-5",             128'000,  512, all,        X, X, o, refused,  o, X, X, o, o, o, X, X},
  {"claude-opus-5",               128'000,  512, all,        X, X, o, limited,  o, X, o, o, o, X, X, X},
  {"claude-sonnet-5-5",           128'000, 1024, all,        X, X, o, refused,  X, X, X, o, o, o, o, X},
  {"claude-sonnet-5",             128'000, 1024, all,        X, X, o, accepted, o, X, o, o, o, X, o, X},
  {"claude-haiku-5-5",            128'000, 1024, all,        X, X, o, limited,  o, X, X, o, o, X, o, X},
  {"claude-opus-4-8",             128'000, 1024, all,        o, X, o, accepted, o, X, o, o, o, X, X, X},
  {"claude-opus-4-7",             128'000, 2048, all,        o, X, o, accepted, o, X, o, o, o, X, o, X},
  {"claude-opus-4-6",             128'000, 4096, no_xhigh,   o, X, X, accepted, o, o, o, X, o, X, o, X},
  {"claude-sonnet-4-6",           128'000, 1024, no_xhigh,   o, X, X, accepted, o, o, o, X, o, X, o, X},
  {"claude-opus-4-5",              64'000, 4096, up_to_high, o, o, X, accepted, o, o, o, X, X, X, o, X},
  {"claude-opus-4-5-20251101",     64'000, 4096, up_to_high, o, o, X, accepted, o, o, o, X, X, X, o, X},
  {"claude-haiku-4-5",             64'000, 4096, "",         o, o, X, accepted, o, o, o, X, X, X, o, X},
  {"claude-haiku-4-5-20251001",    64'000, 4096, "",         o, o, X, accepted, o, o, o, X, X, X, o, X},
  {"claude-sonnet-4-5",            64'000, 1024, "",         o, o, X, accepted, o, o, o, X, X, X, o, X},
  {"claude-sonnet-4-5-20250929",   64'000, 1024, "",         o, o, X, accepted, o, o, o, X, X, X, o, X},
  {"claude-mythos-preview",       128'000,    0, all,        X, X, o, refused,  o, X, o, o, o, X, X, o},
}};
constexpr Model local =
  {"local",                       128'000,    0, all,        o, X, X, accepted, X, o, o, X, X, X, X, X};
// clang-format on

}  // namespace

const Model* find_model(std::string_view id, const Profile& profile) {
  if (profile.local) return &local;
  if (!id.starts_with(profile.vendor)) return nullptr;
  id.remove_prefix(profile.vendor.size());
  for (const Model& model : models) {
    if (model.id == id) return &model;
  }
  return nullptr;
}

}  // namespace messages_server

// Named settings of retrieval. Pure; any thread.
#include "recall/presets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace selfmind::recall {
namespace {

const std::vector<Preset>& presets() {
  // `default` is the ranking the chat uses; until it has one of its own, that is the first design's.
  static const std::vector<Preset> known = {{"default", 1.5, 0.75}, {"selfmind", 1.5, 0.75}};
  return known;
}

}  // namespace

Result<Preset> preset(std::string_view name) {
  for (const auto& known : presets()) {
    if (known.name == name) return known;
  }
  return Error{ErrorKind::invalid,
               fmt::format("There is no preset \"{}\"; known: {}.", name, fmt::join(preset_names(), ", "))};
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const auto& known : presets()) names.push_back(known.name);
  return names;
}

}  // namespace selfmind::recall

// Named settings of retrieval. Pure; any thread.
#include "recall/presets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "recall/confidence.h"

namespace selfmind::recall {
namespace {

Preset fused() {
  Preset preset;
  preset.name = "default";
  preset.min_score = floor_of_turns;
  preset.min_score_memory = floor_of_memories;
  return preset;
}

Preset selfmind() {
  Preset preset;
  preset.name = "selfmind";
  preset.method = Method::bm25;
  preset.analysis = Analysis::plain;
  return preset;
}

// SQLite's full-text index, which this design uses, has these constants built in.
Preset scenes() {
  Preset preset;
  preset.name = "scenes";
  preset.method = Method::scenes;
  preset.k1 = 1.2;
  preset.b = 0.75;
  return preset;
}

Preset anamnesis() {
  Preset preset;
  preset.name = "anamnesis";
  preset.method = Method::anamnesis;
  preset.k1 = 1.2;
  preset.b = 0.75;
  preset.min_score = 0.20;
  preset.min_score_memory = 0.20;
  preset.mmr = true;
  preset.temporal_decay = true;
  return preset;
}

const std::vector<Preset>& presets() {
  static const std::vector<Preset> known = {fused(), selfmind(), scenes(), anamnesis()};
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

std::string lacking(const Preset& preset) {
  if (preset.method == Method::anamnesis) {
    return "The preset \"anamnesis\" is its text half alone: there are no vectors yet, so no score is above 0.5.";
  }
  if (preset.method == Method::scenes) {
    return "The preset \"scenes\" has no scenes and no salience yet: where nothing matches, the newest memories are "
           "given.";
  }
  return {};
}

}  // namespace selfmind::recall

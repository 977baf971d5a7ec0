// Named settings of retrieval, so that anyone can compare.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace selfmind::recall {

struct Preset {
  std::string name = "selfmind";
  double k1 = 1.5;  // Okapi BM25: how soon a repeated word stops counting
  double b = 0.75;  // and how much a long text is held against it
};

// An unknown name is ErrorKind::invalid and lists the known ones.
Result<Preset> preset(std::string_view name);
std::vector<std::string> preset_names();
inline constexpr std::string_view default_preset = "selfmind";

}  // namespace selfmind::recall

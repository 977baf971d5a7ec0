#include "claude/models.h"

#include <algorithm>
#include <array>

namespace selfmind::claude {
namespace {

constexpr std::array models = {
    // id, adaptive, disabled, structured outputs, known
    Model{"claude-fable-5-2", true, false, true, true},       Model{"claude-fable-5-1", true, false, true, true},
    Model{"claude-fable-5", true, false, true, true},         Model{"claude-mythos-5-2", true, false, true, true},
    Model{"claude-mythos-5-1", true, false, true, true},      Model{"claude-mythos-5", true, false, true, true},
    Model{"claude-mythos-preview", true, false, false, true}, Model{"claude-opus-5-5", true, false, true, true},
    Model{"claude-opus-5", true, true, true, true},           Model{"claude-opus-4-8", true, true, true, true},
    Model{"claude-opus-4-7", true, true, true, true},         Model{"claude-opus-4-6", true, true, true, true},
    Model{"claude-opus-4-5", false, true, true, true},        Model{"claude-sonnet-5-5", true, false, true, true},
    Model{"claude-sonnet-5", true, true, true, true},         Model{"claude-sonnet-4-6", true, true, true, true},
    Model{"claude-sonnet-4-5", false, true, true, true},      Model{"claude-haiku-5-5", true, true, true, true},
    Model{"claude-haiku-4-5", false, true, true, true},
};

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

Model model(std::string_view id) {
  const std::string_view name = without_vendor(id);
  const auto found = std::find_if(models.begin(), models.end(), [name](const Model& entry) {
    return name.starts_with(entry.id) &&
           (name.size() == entry.id.size() || is_date_suffix(name.substr(entry.id.size())));
  });
  return found != models.end() ? *found : Model{{}, false, false, false, false};
}

}  // namespace selfmind::claude

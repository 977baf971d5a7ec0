#include "store/paths.h"

#include <cstdlib>
#include <filesystem>

namespace selfmind::store {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

std::string default_path() {
  if (const auto path = variable("SELFMIND_DB"); !path.empty()) return path;
  const std::filesystem::path data = variable("XDG_DATA_HOME");
  // The XDG specification: a path that is not absolute is invalid and counts as unset.
  const auto base = data.is_absolute() ? data : std::filesystem::path(variable("HOME")) / ".local" / "share";
  return (base / "selfmind" / "memory.db").string();
}

}  // namespace selfmind::store

#include "store/paths.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace selfmind::store {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

// A service may run without HOME; the account has a folder all the same.
std::string home_folder() {
  if (auto home = variable("HOME"); !home.empty()) return home;
  const passwd* account = ::getpwuid(::geteuid());
  return account != nullptr && account->pw_dir != nullptr ? account->pw_dir : "";
}

}  // namespace

std::string default_path() {
  if (const auto path = variable("SELFMIND_DB"); !path.empty()) return path;
  const std::filesystem::path data = variable("XDG_DATA_HOME");
  // The XDG specification: a path that is not absolute is invalid and counts as unset.
  if (data.is_absolute()) return (data / "selfmind" / "memory.db").string();
  const std::filesystem::path home = home_folder();
  if (!home.is_absolute()) return {};
  return (home / ".local" / "share" / "selfmind" / "memory.db").string();
}

}  // namespace selfmind::store

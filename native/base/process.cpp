#include "base/process.h"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <fstream>

namespace selfmind {
namespace {

// Containers that share a folder number their processes apart, and have names of their own.
std::string machine() {
  char name[256] = {};
  if (::gethostname(name, sizeof name - 1) != 0) return {};
  return name;
}

// Linux: ended, and not yet waited for, which in a container may be for ever. The state stands behind the name, which
// is in parentheses and may hold some of its own.
bool ended_unreaped(pid_t number) {
  std::ifstream stat("/proc/" + std::to_string(number) + "/stat");
  std::string line;
  std::getline(stat, line);
  const auto name_end = line.rfind(')');
  return name_end != std::string::npos && line.size() > name_end + 2 && line[name_end + 2] == 'Z';
}

}  // namespace

std::string process_mark() { return machine() + "/" + std::to_string(::getpid()); }

bool process_gone(std::string_view mark) {
  const auto slash = mark.rfind('/');
  if (slash == std::string_view::npos || mark.substr(0, slash) != machine()) return false;
  pid_t number = 0;
  const auto* end = mark.data() + mark.size();
  const auto [stop, failed] = std::from_chars(mark.data() + slash + 1, end, number);
  if (failed != std::errc() || stop != end || number <= 0) return false;
  return (::kill(number, 0) != 0 && errno == ESRCH) || ended_unreaped(number);
}

}  // namespace selfmind

// back_up() of backup.h.
#include "store/backup.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "store/statement.h"
#include "store/vacuum_into.h"
#include "store/whole_file.h"

namespace selfmind::store {
namespace {

// "memory.db.backup-2026-11-30T141500", by the user's clock; forget() knows these names.
std::string free_name(const Database& database) {
  const auto now = fmt::localtime(std::chrono::system_clock::to_time_t(database.clock().now()));
  const std::string name = fmt::format("{}.backup-{:%Y-%m-%dT%H%M%S}", database.path(), now);
  std::error_code ignored;
  std::string free = name;
  for (int count = 2; std::filesystem::exists(free, ignored); ++count) free = fmt::format("{}-{}", name, count);
  return free;
}

}  // namespace

Result<std::string> back_up(Database& database, const std::string& to) {
  std::optional<Transaction> held;
  if (database.writable()) {
    auto begun = Transaction::write(database);
    if (!begun) return begun.error();
    held.emplace(std::move(*begun));
  }
  return write_backup(database, to);
}

Result<std::string> write_backup(Database& database, const std::string& to) {
  std::error_code failed;
  const std::string path = to.empty() ? free_name(database) : std::filesystem::absolute(to, failed).string();
  if (failed) return Error{ErrorKind::invalid, fmt::format("{} is no place for a backup; name another file.", to)};
  auto written = write_whole(path, IfThere::refuse, [&database](const std::string& unfinished) {
    return copy_file(database.path(), unfinished);
  });
  if (!written) return written.error();
  return path;
}

}  // namespace selfmind::store

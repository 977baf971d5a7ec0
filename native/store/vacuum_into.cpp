#include "store/vacuum_into.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <memory>

#include "base/limits.h"

namespace selfmind::store {
namespace {

std::string vacuum_into(const std::string& to) {
  const std::unique_ptr<char, void (*)(void*)> sql(sqlite3_mprintf("VACUUM INTO %Q", to.c_str()), sqlite3_free);
  return sql.get();
}

Error not_copied(const std::string& from, const std::string& to, const char* why) {
  return {ErrorKind::io,
          fmt::format("The memory store {} could not be copied to {}: {}; nothing was changed.", from, to, why)};
}

}  // namespace

Result<void> copy_file(const std::string& from, const std::string& to) {
  sqlite3* handle = nullptr;
  int code = sqlite3_open_v2(from.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr);
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> connection(handle, sqlite3_close);
  sqlite3_busy_timeout(handle, static_cast<int>(std::chrono::milliseconds(limits::busy_timeout).count()));
  if (code == SQLITE_OK) code = sqlite3_exec(handle, vacuum_into(to).c_str(), nullptr, nullptr, nullptr);
  if (code == SQLITE_OK) return {};
  return not_copied(from, to, sqlite3_errmsg(handle));
}

}  // namespace selfmind::store

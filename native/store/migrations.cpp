#include "store/migrations.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <filesystem>
#include <memory>
#include <system_error>

#include "store/files.h"
#include "store/schema.h"
#include "store/statement.h"

namespace selfmind::store {
namespace {

constexpr std::array steps_of_this_program = {Migration{schema_1}, Migration{schema_2}, Migration{schema_3},
                                              Migration{schema_4}, Migration{schema_5}};
static_assert(steps_of_this_program.size() == schema_version);

std::string backup_prefix(const std::string& path) { return path + ".backup-v"; }

// A connection of its own: VACUUM INTO cannot run inside the migration's transaction, and that transaction is what
// keeps other editors from changing the store between the copy and the migration.
Result<void> copy_store(const std::string& from, const std::string& to) {
  sqlite3* handle = nullptr;
  const int opened = sqlite3_open_v2(from.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr);
  const std::unique_ptr<sqlite3, int (*)(sqlite3*)> connection(handle, sqlite3_close);
  int code = opened;
  if (code == SQLITE_OK) {
    const std::unique_ptr<char, void (*)(void*)> sql(sqlite3_mprintf("VACUUM INTO %Q", to.c_str()), sqlite3_free);
    code = sqlite3_exec(handle, sql.get(), nullptr, nullptr, nullptr);
  }
  if (code == SQLITE_OK) return {};
  return Error{ErrorKind::io,
               fmt::format("The memory store could not be copied to {} before its update: {}; nothing was "
                           "changed.",
                           to, sqlite3_errmsg(handle))};
}

Result<void> back_up(const std::string& path, std::int64_t version) {
  const std::string unfinished = path + ".backup-unfinished";
  std::error_code failed;
  std::filesystem::remove(unfinished, failed);
  if (auto made = make_private_file(unfinished); !made) return made;
  if (auto copied = copy_store(path, unfinished); !copied) return copied;
  const std::string backup = backup_prefix(path) + std::to_string(version);
  std::filesystem::rename(unfinished, backup, failed);
  if (failed)
    return Error{ErrorKind::io, fmt::format("The backup {} could not be written: {}.", backup, failed.message())};
  return {};
}

void remove_older_backups(const std::string& path, std::int64_t kept) {
  std::error_code ignored;
  for (std::int64_t version = 1; version < kept; ++version) {
    std::filesystem::remove(backup_prefix(path) + std::to_string(version), ignored);
  }
}

}  // namespace

std::span<const Migration> migrations() { return steps_of_this_program; }

namespace {

// A table that others refer to is made anew by dropping the old one, which would take their rows along. The switch does
// nothing inside a transaction, so it goes around it.
class ForeignKeysOff {
 public:
  explicit ForeignKeysOff(Database& database) : database_(database) {
    switched_ = database_.execute("PRAGMA foreign_keys = OFF");
  }
  ForeignKeysOff(const ForeignKeysOff&) = delete;
  ForeignKeysOff& operator=(const ForeignKeysOff&) = delete;
  ~ForeignKeysOff() { (void)database_.execute("PRAGMA foreign_keys = ON"); }
  const Result<void>& switched() const { return switched_; }

 private:
  Database& database_;
  Result<void> switched_;
};

Result<void> check_references(Database& database) {
  auto broken = query(database, "PRAGMA foreign_key_check");
  if (!broken) return broken.error();
  const auto any = broken->step();
  if (!any) return any.error();
  if (!*any) return {};
  return Error{ErrorKind::io,
               "The memory store could not be updated: a row refers to one that is gone; nothing was "
               "changed."};
}

}  // namespace

Result<void> migrate(Database& database, std::span<const Migration> steps) {
  const auto target = static_cast<std::int64_t>(steps.size());
  const auto before = number(query(database, "PRAGMA user_version"));
  if (!before) return before.error();
  if (*before == target) return {};

  const ForeignKeysOff off(database);
  if (!off.switched()) return off.switched();
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  // Another editor may have done it while this one waited.
  const auto version = number(query(database, "PRAGMA user_version"));
  if (!version) return version.error();
  if (*version >= target) return {};
  if (*version > 0) {
    if (auto kept = back_up(database.path(), *version); !kept) return kept;
  }
  for (const auto& step : steps.subspan(static_cast<std::size_t>(*version))) {
    if (auto done = database.execute(step.sql); !done) return done;
  }
  if (auto whole = check_references(database); !whole) return whole;
  const auto marks = fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application_id, target);
  if (auto done = database.execute(marks); !done) return done;
  if (auto done = transaction->commit(); !done) return done;
  remove_older_backups(database.path(), *version);
  return {};
}

}  // namespace selfmind::store

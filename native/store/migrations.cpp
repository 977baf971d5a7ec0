#include "store/migrations.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <system_error>

#include "store/references.h"
#include "store/schema.h"
#include "store/statement.h"
#include "store/vacuum_into.h"
#include "store/whole_file.h"

namespace selfmind::store {
namespace {

constexpr std::array steps_of_this_program = {Migration{schema_1}, Migration{schema_2}, Migration{schema_3},
                                              Migration{schema_4}, Migration{schema_5}};
static_assert(steps_of_this_program.size() == schema_version);

std::string backup_prefix(const std::string& path) { return path + ".backup-v"; }

// The migration's transaction keeps other editors from changing the store between the copy and the migration.
Result<void> back_up(const std::string& path, std::int64_t version) {
  return write_whole(backup_prefix(path) + std::to_string(version), IfThere::replace,
                     [&path](const std::string& unfinished) { return copy_file(path, unfinished); });
}

void remove_older_backups(const std::string& path, std::int64_t kept) {
  std::error_code ignored;
  for (std::int64_t version = 1; version < kept; ++version) {
    std::filesystem::remove(backup_prefix(path) + std::to_string(version), ignored);
  }
}

}  // namespace

std::span<const Migration> migrations() { return steps_of_this_program; }

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
  if (*version > 0 && !database.in_memory()) {
    if (auto kept = back_up(database.path(), *version); !kept) return kept;
  }
  for (const auto& step : steps.subspan(static_cast<std::size_t>(*version))) {
    if (auto done = database.execute(step.sql); !done) return done;
  }
  const auto broken = broken_references(database);
  if (!broken) return broken.error();
  if (*broken > 0) {
    return Error{ErrorKind::io,
                 "The memory store could not be updated: a row refers to one that is gone; nothing was changed."};
  }
  const auto marks = fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application_id, target);
  if (auto done = database.execute(marks); !done) return done;
  if (auto done = transaction->commit(); !done) return done;
  remove_older_backups(database.path(), *version);
  return {};
}

}  // namespace selfmind::store

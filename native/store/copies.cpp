#include "store/copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "store/bytes.h"

namespace selfmind::store {
namespace {

constexpr int tombstones_since = 5;

std::vector<std::string> copies_of(const std::string& path) {
  const std::filesystem::path store(path);
  const auto prefix = store.filename().string() + ".backup-";
  std::vector<std::string> copies;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(store.parent_path(), failed)) {
    const auto name = entry.path().filename().string();
    const bool journal = name.ends_with("-journal") || name.ends_with("-wal") || name.ends_with("-shm");
    if (name.starts_with(prefix) && !journal && entry.is_regular_file(failed)) copies.push_back(entry.path().string());
  }
  std::sort(copies.begin(), copies.end());
  return copies;
}

struct Buried {
  std::string uuid, words;
  std::int64_t analysis = 0, at = 0;
};

// A copy that is put in the store's place one day still knows what was forgotten.
Result<void> bury_in(Transaction& copy, Database& database, const std::vector<std::string>& uuids) {
  for (const auto& uuid : uuids) {
    const auto buried = first(query(database, "SELECT uuid, words, analysis, at FROM tombstone WHERE uuid = ?", uuid),
                              [](const Statement& row) {
                                return Buried{row.text(0), row.text(1), row.integer(2), row.integer(3)};
                              });
    if (!buried) return buried.error();
    if (!*buried) continue;
    copy.run("INSERT OR REPLACE INTO tombstone (uuid, words, analysis, at) VALUES (?, ?, ?, ?)", (*buried)->uuid,
             Blob{(*buried)->words}, (*buried)->analysis, (*buried)->at);
  }
  return copy.so_far();
}

// Whether the copy had anything of it.
Result<bool> forget_in(Database& copy, Database& database, const Target& target, const Words& words,
                       std::vector<std::string>& sought, bool dry_run) {
  {
    auto transaction = dry_run ? Transaction::read(copy) : Transaction::write(copy);
    if (!transaction) return transaction.error();
    const auto there = plan(copy, target, words);
    if (!there) return there.error();
    if (!there->any() || dry_run) return there->any();
    if (auto done = carry_out(copy, *transaction, *there); !done) return done.error();
    if (there->schema >= tombstones_since) {
      for (const auto* uuids : {&target.memories, &target.chats}) {
        if (auto done = bury_in(*transaction, database, *uuids); !done) return done.error();
      }
    }
    if (auto done = transaction->commit(); !done) return done.error();
    sought.insert(sought.end(), there->sought.begin(), there->sought.end());
  }
  if (auto rebuilt = rebuild(copy); !rebuilt) return rebuilt.error();
  return true;
}

}  // namespace

InCopies forget_in_copies(Database& database, const Target& target, const Words& words,
                          const std::vector<std::string>& sought, bool dry_run) {
  InCopies result;
  for (const auto& path : copies_of(database.path())) {
    auto wanted = sought;
    std::string why = "something else in it says the same.";
    if (auto copy = Database::open_copy(path, database.clock(), database.ids()); !copy) {
      why = copy.error().message;
    } else if (auto had = forget_in(*copy, database, target, words, wanted, dry_run); !had) {
      why = had.error().message;
    } else {
      result.changed += *had;
    }
    // The copy is closed by now, and may be read beside SQLite.
    if (dry_run || !stand_in_file(path, wanted)) continue;
    result.left.push_back(
        fmt::format("The backup {} still has the words: {} Remove the file if you can do without it.", path, why));
  }
  return result;
}

}  // namespace selfmind::store

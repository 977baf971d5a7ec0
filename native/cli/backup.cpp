// backup and restore: copies of the store, and coming back to one.
#include "store/backup.h"

#include <algorithm>
#include <filesystem>
#include <ostream>

#include <fmt/format.h>

#include "cli/cli.h"
#include "cli/commands.h"

namespace selfmind::cli {
namespace {

// Of the store, newest names last.
std::vector<std::string> backups_of(const std::filesystem::path& store) {
  std::vector<std::string> found;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(store.parent_path(), failed)) {
    if (entry.path().filename().string().starts_with(store.filename().string() + ".backup-")) {
      found.push_back(entry.path().string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

int backup(const Options& options, const BackupOptions& own, Streams& streams) {
  auto database = open_store(options, streams.clock, streams.ids);
  if (!database) return fail(streams.err, database.error());
  const auto written = store::back_up(*database, own.file);
  if (!written) return fail(streams.err, written.error());
  if (options.json) {
    print_json(streams.out, rpc::Map{{"path", *written}});
  } else {
    streams.out << *written << '\n';
  }
  return exit_done;
}

int restore(const Options& options, const BackupOptions& own, Streams& streams) {
  auto database = open_store(options, streams.clock, streams.ids);
  if (!database) return fail(streams.err, database.error());
  if (own.file.empty()) {
    const auto there = backups_of(database->path());
    return fail(streams.err, {ErrorKind::invalid,
                              there.empty() ? "Name the backup to restore; there is none beside the store."
                                            : fmt::format("Name the backup to restore; beside the store {}: {}.",
                                                          there.size() == 1 ? "is" : "are", fmt::join(there, ", "))});
  }
  const auto restored = store::restore(*database, own.file);
  if (!restored) return fail(streams.err, restored.error());
  if (options.json) {
    print_json(streams.out, rpc::Map{{"memories", restored->memories},
                                     {"turns", restored->turns},
                                     {"forgotten", restored->forgotten},
                                     {"cut", restored->cut},
                                     {"kept_out", restored->kept_out},
                                     {"backup", restored->kept}});
    return exit_done;
  }
  streams.out << fmt::format("Restored: {}, {}.\nWhat was there before is in {}\n",
                             counted(restored->memories, "memory", "memories"),
                             counted(restored->turns, "message or reply", "messages and replies"), restored->kept);
  if (restored->forgotten > 0) {
    streams.out << fmt::format("Forgotten since that backup, and not brought back: {}.\n",
                               counted(restored->forgotten, "memory", "memories"));
  }
  if (restored->cut > 0) {
    streams.out << fmt::format("Words that were cut from the log since stay cut: in {}.\n",
                               counted(restored->cut, "message or reply", "messages and replies"));
  }
  if (!restored->kept_out.empty()) streams.out << "Kept out of it: " << restored->kept_out << '\n';
  if (restored->elsewhere) {
    streams.out << "It is a backup of another store: run :SelfMind restart in each open Neovim.\n";
  }
  return exit_done;
}

}  // namespace selfmind::cli

// The subcommands. Each returns an exit code; what is wrong with its arguments was refused before.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "cli/session.h"

namespace selfmind::cli {

// Where a subcommand reads and prints, and its time and ids.
struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  Clock& clock;
  Ids& ids;
};

struct RememberOptions {
  std::vector<std::string> text;  // joined by blanks; a single "-" reads stdin
  bool force = false;
};
int remember(const Options& options, const RememberOptions& own, Streams& streams);

struct ForgetOptions {
  std::vector<store::Id> ids;
  store::Id chat = store::no_id;
  bool whole_project = false;
  // What was learned in the chat, or is the project's. Neither: that is asked, where there is anything.
  bool keep_memories = false, with_memories = false;
  bool dry_run = false;
};
int forget(const Options& options, const ForgetOptions& own, Streams& streams);

struct MemoriesOptions {
  bool all = false;
  bool waiting = false;
  std::string kind;
  std::string scene;
};
int memories(const Options& options, const MemoriesOptions& own, Streams& streams);

struct RecallOptions {
  std::vector<std::string> query;
  int k = 6;
  bool explain = false;
  std::string preset;
};
int recall(const Options& options, const RecallOptions& own, Streams& streams);

struct ProbeAddOptions {
  std::string query;
  std::vector<std::string> ids;  // "12" a memory, "turn:34" a turn
  bool nothing = false;          // said, where there are no ids
};
int probe_add(const Options& options, const ProbeAddOptions& own, Streams& streams);

struct ProbeRunOptions {
  std::vector<int> ks = {3, 6, 10};
  std::string preset;
};
int probe_run(const Options& options, const ProbeRunOptions& own, Streams& streams);

int probe_list(const Options& options, Streams& streams);

struct ProbeRemoveOptions {
  store::Id id = store::no_id;
};
int probe_remove(const Options& options, const ProbeRemoveOptions& own, Streams& streams);

struct StateOptions {
  std::vector<store::Id> ids;
  std::vector<store::Id> old;  // replace: which of what it contradicts; empty: all
};
int change_state(const Options& options, const StateOptions& own, store::Verb verb, Streams& streams);

struct HistoryOptions {
  store::Id id = store::no_id;
};
int history(const Options& options, const HistoryOptions& own, Streams& streams);

int undo(const Options& options, Streams& streams);

struct AsOfOptions {
  std::string date;
};
int as_of(const Options& options, const AsOfOptions& own, Streams& streams);

struct RollbackOptions {
  store::Id chat = store::no_id;
  std::string since;  // a date
  bool dry_run = false;
};
int rollback(const Options& options, const RollbackOptions& own, Streams& streams);

struct LogOptions {
  std::string date;  // empty: today
};
int log_of_day(const Options& options, const LogOptions& own, Streams& streams);

struct DoctorOptions {
  bool fix = false;
  std::string libraries;  // versions of those that only the program itself knows
};
int doctor(const Options& options, const DoctorOptions& own, Streams& streams);

struct BackupOptions {
  std::string file;  // empty: backup chooses a name beside the store, restore lists what is there
};
int backup(const Options& options, const BackupOptions& own, Streams& streams);
int restore(const Options& options, const BackupOptions& own, Streams& streams);

struct ExportOptions {
  std::string file;  // empty: stdout
  bool log = false;
};
int export_command(const Options& options, const ExportOptions& own, Streams& streams);

struct ImportOptions {
  std::string file;
  bool trust = false;
};
int import_command(const Options& options, const ImportOptions& own, Streams& streams);

int stats(const Options& options, Streams& streams);
int version(const Options& options, Streams& streams);

// The words of an argument list as one text; "-" alone reads all of stdin.
std::string text_of(const std::vector<std::string>& words, std::istream& in);

}  // namespace selfmind::cli

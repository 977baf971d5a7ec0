// What every subcommand that works on the store needs: the open store, the project in view, and where to print.
#pragma once
#include <iosfwd>
#include <string>

#include "base/result.h"
#include "rpc/message.h"
#include "store/database.h"
#include "store/memories.h"

namespace selfmind::cli {

struct Options {        // those that are common to the subcommands
  std::string db;       // empty: the default
  std::string project;  // empty: the current folder
  bool global = false;  // the global scope alone
  bool json = false;
};

// The store's path with its defaults applied.
Result<store::Database> open_store(const Options& options, Clock& clock, Ids& ids);

// The project of the folder; no_id with --global. `create` for what writes.
Result<store::Id> project_in_view(store::Database& database, const Options& options, bool create);

// The open store, and the memories of the project and the global ones.
struct InView {
  store::Database database;
  store::View view;
};
Result<InView> open_in_view(const Options& options, Clock& clock, Ids& ids);

// "1 memory", "2 memories"
std::string counted(int count, const char* one, const char* many);

// One line on stderr; returns exit_failed.
int fail(std::ostream& err, const Error& error);

// One JSON document and a newline.
void print_json(std::ostream& out, const rpc::Value& value);

// "12  preference  project  The user prefers …", one line a memory.
void print_list(std::ostream& out, const std::vector<store::Memory>& memories, bool with_state);

}  // namespace selfmind::cli

#include <fmt/format.h>

#include <ostream>

#include "cli/cli.h"
#include "cli/commands.h"
#include "host/protocol.h"

namespace selfmind::cli {
namespace {

Result<store::Forgotten> forget_what(store::Database& database, const Options& options, const ForgetOptions& own,
                                     bool dry_run) {
  const auto learned = own.with_memories ? store::WhatWasLearned::forgotten : store::WhatWasLearned::kept;
  if (own.chat != store::no_id) return store::forget_chat(database, own.chat, learned, dry_run);
  if (!own.whole_project) return store::forget(database, own.ids, dry_run);
  const auto project = project_in_view(database, options, /*create=*/false);
  if (!project) return project.error();
  return store::forget_project(database, *project, learned, dry_run);
}

// Whether what was learned goes as well has to be said where anything was.
Result<void> check_answered(store::Database& database, const Options& options, const ForgetOptions& own) {
  if (own.dry_run || own.keep_memories || own.with_memories || !own.ids.empty()) return {};
  const auto found = forget_what(database, options, own, /*dry_run=*/true);
  if (!found) return found.error();
  if (found->kept.empty()) return {};
  return Error{
      ErrorKind::invalid,
      fmt::format("{} {} {}: give --keep-memories or --with-memories (--dry-run lists them); nothing was "
                  "changed.",
                  found->kept.size(), found->kept.size() == 1 ? "memory" : "memories",
                  own.whole_project ? "of this project would be without its chats" : "came from this chat alone")};
}

void print(std::ostream& out, const store::Forgotten& forgotten, bool whole_project, bool would) {
  const auto went = [would](const char* done, const char* to_do) { return would ? to_do : done; };
  if (!forgotten.chats.empty() || whole_project) {
    out << fmt::format("{} {} {}, {} messages and replies{}.\n", went("Deleted", "Would delete"),
                       forgotten.chats.size(), forgotten.chats.size() == 1 ? "chat" : "chats", forgotten.turns_gone,
                       forgotten.name.empty() ? "" : ": " + forgotten.name);
  }
  if (!forgotten.memories.empty()) {
    out << went("Forgotten:\n", "Would forget:\n");
    print_list(out, forgotten.memories, /*with_state=*/false);
  }
  if (!forgotten.kept.empty()) {
    out << went("Kept:\n", "Would be kept, or forgotten --with-memories:\n");
    print_list(out, forgotten.kept, /*with_state=*/false);
  }
  if (forgotten.turns_cut > 0) {
    out << "Their words " << went("were", "would be") << " cut from " << forgotten.turns_cut
        << (forgotten.chats.empty() ? "" : " other") << " messages of the log.\n";
  }
  if (const int gone = forgotten.probes_gone; gone > 0) {
    out << gone << (gone == 1 ? " probe that asks" : " probes that ask") << " for nothing else "
        << went("went", "would go") << " with them.\n";
  }
  if (const int cut = forgotten.probes_cut; cut > 0) {
    out << "They or their words " << went("were", "would be") << " cut from " << cut
        << (cut == 1 ? " probe.\n" : " probes.\n");
  }
  if (const int copies = forgotten.copies; copies > 0) {
    out << "The same " << went("was", "would be") << " done in " << copies << (copies == 1 ? " backup" : " backups")
        << " beside the store.\n";
  }
  for (const auto& sentence : forgotten.remains) out << sentence << "\n";
}

}  // namespace

int forget(const Options& options, const ForgetOptions& own, Streams& streams) {
  auto database = open_store(options, streams.clock, streams.ids);
  if (!database) return fail(streams.err, database.error());
  if (auto answered = check_answered(*database, options, own); !answered) return fail(streams.err, answered.error());
  auto forgotten = forget_what(*database, options, own, own.dry_run);
  if (!forgotten) return fail(streams.err, forgotten.error());
  if (options.json) {
    print_json(streams.out, host::encode(host::ForgetResult{*forgotten}));
    return exit_done;
  }
  print(streams.out, *forgotten, own.whole_project, own.dry_run);
  return exit_done;
}

}  // namespace selfmind::cli

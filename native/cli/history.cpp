// What became of memories, and taking it back: history, undo, asof, rollback, log.
#include <ostream>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "host/protocol.h"
#include "store/log.h"
#include "store/revisions.h"

namespace selfmind::cli {
namespace {

// As the user's clock shows it.
std::string local(Time time) {
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(std::chrono::system_clock::to_time_t(time)));
}

std::string done_by(const store::Change& change) { return change.verb + " by " + change.made_by; }

void print_section(std::ostream& out, const char* title, const std::vector<store::Memory>& memories) {
  if (memories.empty()) return;
  out << title << '\n';
  print_list(out, memories, /*with_state=*/false);
}

}  // namespace

int history(const Options& options, const HistoryOptions& own, Streams& streams) {
  auto database = open_store(options, streams.clock, streams.ids);
  if (!database) return fail(streams.err, database.error());
  const auto told = store::history(*database, own.id);
  if (!told) return fail(streams.err, told.error());
  if (options.json) {
    print_json(streams.out, host::encode(host::HistoryResult{*told}));
    return exit_done;
  }
  for (const auto& revision : told->revisions) {
    streams.out << fmt::format("{:>3}  {}  {:<16}  {:<11}  {:<10}  {}\n", revision.number, local(revision.change.at),
                               done_by(revision.change), revision.state, revision.kind, revision.text);
  }
  const auto& memory = told->memory;
  if (!memory.reason.empty()) streams.out << "     because: " << memory.reason << '\n';
  if (memory.valid_from) streams.out << "     holds from " << local_date(*memory.valid_from) << '\n';
  if (memory.valid_to) streams.out << "     holds until " << local_date(*memory.valid_to) << '\n';
  for (const auto& source : told->sources) {
    streams.out << fmt::format("     {}  said in chat {}, turn {}: {}\n", local(source.said_at), source.session,
                               source.evidence.turn, source.evidence.quote);
  }
  return exit_done;
}

int undo(const Options& options, Streams& streams) {
  auto open = open_in_view(options, streams.clock, streams.ids);
  if (!open) return fail(streams.err, open.error());
  const auto undone = store::undo(open->database, open->view);
  if (!undone) return fail(streams.err, undone.error());
  if (options.json) {
    print_json(streams.out, host::encode(host::UndoResult{*undone}));
    return exit_done;
  }
  streams.out << fmt::format("Taken back: {} ({})\n", done_by(undone->change), local(undone->change.at));
  print_list(streams.out, undone->memories, /*with_state=*/true);
  return exit_done;
}

int as_of(const Options& options, const AsOfOptions& own, Streams& streams) {
  const auto date = parse_date(own.date);
  if (!date) return fail(streams.err, date.error());
  auto open = open_in_view(options, streams.clock, streams.ids);
  if (!open) return fail(streams.err, open.error());
  const auto list = store::memories_as_of(open->database, open->view, date->last());
  if (!list) return fail(streams.err, list.error());
  if (options.json) {
    print_json(streams.out, host::encode_list(*list));
  } else {
    print_list(streams.out, *list, /*with_state=*/false);
  }
  return exit_done;
}

int rollback(const Options& options, const RollbackOptions& own, Streams& streams) {
  store::Rollback what;
  what.session = own.chat;
  what.dry_run = own.dry_run;
  if (!own.since.empty()) {
    const auto since = parse_date(own.since);
    if (!since) return fail(streams.err, since.error());
    what.since = since->to;
  }
  auto open = open_in_view(options, streams.clock, streams.ids);
  if (!open) return fail(streams.err, open.error());
  const auto rolled = store::roll_back(open->database, open->view, what);
  if (!rolled) return fail(streams.err, rolled.error());
  if (options.json) {
    print_json(streams.out, host::encode(host::RollbackResult{*rolled}));
    return exit_done;
  }
  if (rolled->memories.empty()) streams.out << "Nothing was learned there.\n";
  print_section(streams.out, own.dry_run ? "Would be taken back:" : "Taken back:", rolled->memories);
  print_section(streams.out, "Kept, because you changed them since:", rolled->kept);
  return exit_done;
}

int log_of_day(const Options& options, const LogOptions& own, Streams& streams) {
  const auto today = std::chrono::system_clock::to_time_t(streams.clock.now());
  const auto day = parse_day(own.date.empty() ? fmt::format("{:%Y-%m-%d}", fmt::localtime(today)) : own.date);
  if (!day) return fail(streams.err, day.error());
  auto open = open_in_view(options, streams.clock, streams.ids);
  if (!open) return fail(streams.err, open.error());
  const auto turns = store::turns_between(open->database, open->view.project, /*all=*/false, day->from, day->to);
  if (!turns) return fail(streams.err, turns.error());
  if (options.json) {
    print_json(streams.out, host::encode_log(*turns));
    return exit_done;
  }
  for (const auto& turn : *turns) {
    streams.out << fmt::format("{}  chat {}  turn {}  {}{}\n{}\n\n", local(turn.created_at), turn.session, turn.id,
                               store::to_text(turn.role),
                               turn.role == store::Role::user || turn.state == store::TurnState::done
                                   ? ""
                                   : fmt::format(" ({})", store::to_text(turn.state)),
                               turn.text);
  }
  return exit_done;
}

}  // namespace selfmind::cli

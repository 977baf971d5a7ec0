// The user's own probes: which question should find what, and whether it does.
#include <ostream>

#include <fmt/format.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/index.h"
#include "host/protocol.h"

namespace selfmind::cli {
namespace {

constexpr std::string_view turn_prefix = "turn:";

store::Expected expected(std::string_view id) {
  const bool turn = id.starts_with(turn_prefix);
  if (turn) id.remove_prefix(turn_prefix.size());
  return {turn ? store::ItemKind::turn : store::ItemKind::memory, std::stoll(std::string(id)), {}, {}};
}

std::string line_of(store::ItemKind kind, store::Id id, std::string_view text) {
  return fmt::format("{:<6} {:>5}  {}", kind == store::ItemKind::memory ? "memory" : "turn", id,
                     utf8::excerpt(text, limits::excerpt_bytes));
}

void print_probe(std::ostream& out, const store::Probe& probe) {
  out << fmt::format("{:>5}  {:<7}  {}\n", probe.id, probe.project == store::no_id ? "global" : "project", probe.query);
  for (const auto& each : probe.expect) {
    out << fmt::format("{:>14}  {}", "", line_of(each.kind, each.id, each.text));
    if (!each.can_be_found()) out << " (" << each.state << ')';
    out << '\n';
  }
  if (probe.expect.empty()) out << fmt::format("{:>14}  nothing\n", "");
}

std::string place_of(const host::ProbeOutcome& outcome, std::size_t which) {
  const auto& each = outcome.probe.expect[which];
  if (!each.can_be_found()) return each.state;
  return outcome.places[which] ? std::to_string(*outcome.places[which]) : "missed";
}

std::string places(const host::ProbeOutcome& outcome) {
  if (outcome.probe.expect.empty()) return outcome.first ? "something" : "nothing";
  std::string text;
  for (std::size_t i = 0; i < outcome.places.size(); ++i) text += (i > 0 ? ", " : "") + place_of(outcome, i);
  return text;
}

// What was missed, or cannot be found any more, and what came instead.
void print_why(std::ostream& out, const host::ProbeOutcome& outcome) {
  bool missed = outcome.probe.expect.empty();
  for (std::size_t i = 0; i < outcome.places.size(); ++i) {
    if (outcome.places[i]) continue;
    const auto& each = outcome.probe.expect[i];
    missed = missed || each.can_be_found();
    out << fmt::format("{:>7}{:<11}  {}\n", "", each.can_be_found() ? "expected" : each.state,
                       line_of(each.kind, each.id, each.text));
  }
  if (!missed || !outcome.first) return;
  const auto& item = outcome.first->item;
  out << fmt::format("{:>7}{:<11}  {}\n", "", "came first", line_of(item.kind, item.id, item.text));
}

void print_outcome(std::ostream& out, const host::ProbeOutcome& outcome) {
  out << fmt::format("{:>5}  {:<11}  {}\n", outcome.probe.id, places(outcome), outcome.probe.query);
  print_why(out, outcome);
}

std::string percent(double share) { return fmt::format("{:.0f} %", share * 100); }

void print_figures(std::ostream& out, const host::ProbeReport& report) {
  out << report.counted << (report.counted == 1 ? " probe asked" : " probes asked");
  for (std::size_t i = 0; i < report.ks.size(); ++i) {
    if (const auto& share = report.recall[i]) {
      out << (i == 0 ? ". In the first " : ", ") << report.ks[i] << ": " << percent(*share);
    }
  }
  if (report.mrr) out << fmt::format("; MRR {:.2f}", *report.mrr);
  out << ".\n";
  if (report.none) out << "Of those that should find nothing, " << percent(*report.none) << " found nothing.\n";
  if (const auto left_out = report.outcomes.size() - report.counted; left_out > 0) {
    out << left_out << " not asked: what they should find is not recalled any more; add them anew, or remove them.\n";
  }
}

}  // namespace

int probe_add(const Options& options, const ProbeAddOptions& own, Streams& streams) {
  auto database = open_store(options, streams.clock, streams.ids);
  if (!database) return fail(streams.err, database.error());
  auto project = project_in_view(*database, options, /*create=*/true);
  if (!project) return fail(streams.err, project.error());
  store::ProbeDraft draft;
  draft.query = own.query;
  draft.project = *project;
  for (const auto& id : own.ids) draft.expect.push_back(expected(id));
  auto added = store::add_probe(*database, draft);
  if (!added) return fail(streams.err, added.error());
  if (options.json) {
    print_json(streams.out, host::encode(host::ProbeResult{*added}));
    return exit_done;
  }
  streams.out << added->probe.id;
  if (added->replaced != store::no_id) streams.out << "  in the place of " << added->replaced;
  streams.out << '\n';
  return exit_done;
}

int probe_list(const Options& options, Streams& streams) {
  auto database = open_store(options, streams.clock, streams.ids);
  if (!database) return fail(streams.err, database.error());
  auto project = project_in_view(*database, options, /*create=*/false);
  if (!project) return fail(streams.err, project.error());
  auto probes = store::probes(*database, *project);
  if (!probes) return fail(streams.err, probes.error());
  if (options.json) {
    print_json(streams.out, host::encode_list(*probes));
    return exit_done;
  }
  for (const auto& probe : *probes) print_probe(streams.out, probe);
  if (probes->empty()) streams.out << "There are no probes here.\n";
  return exit_done;
}

int probe_remove(const Options& options, const ProbeRemoveOptions& own, Streams& streams) {
  auto database = open_store(options, streams.clock, streams.ids);
  if (!database) return fail(streams.err, database.error());
  auto removed = store::remove_probe(*database, own.id);
  if (!removed) return fail(streams.err, removed.error());
  if (options.json) {
    print_json(streams.out, host::encode(*removed));
  } else {
    streams.out << "Removed:\n";
    print_probe(streams.out, *removed);
  }
  return exit_done;
}

int probe_run(const Options& options, const ProbeRunOptions& own, Streams& streams) {
  auto preset = selfmind::recall::preset(own.preset);
  if (!preset) {
    streams.err << "selfmind-host: " << preset.error().message << '\n';
    return exit_usage;
  }
  if (const auto lacking = selfmind::recall::lacking(*preset); !lacking.empty()) streams.err << lacking << '\n';
  auto database = open_store(options, streams.clock, streams.ids);
  if (!database) return fail(streams.err, database.error());
  auto project = project_in_view(*database, options, /*create=*/false);
  if (!project) return fail(streams.err, project.error());
  auto probes = store::probes(*database, *project);
  if (!probes) return fail(streams.err, probes.error());
  if (probes->empty()) {
    return fail(streams.err,
                {ErrorKind::not_found, "There are no probes here; add one with: selfmind-host probe add QUERY ID…"});
  }
  auto index = load_index(*database, *preset);
  if (!index) return fail(streams.err, index.error());
  selfmind::recall::Context context;
  context.project = *project;
  context.preset = *preset;
  context.now = streams.clock.now();
  host::ProbeRun run(std::move(*probes), {own.ks.begin(), own.ks.end()});
  while (const auto question = run.next()) {
    run.take(selfmind::recall::rank(*index, question->query, context, question->k));
  }
  const auto report = run.report();
  if (options.json) {
    print_json(streams.out, host::encode(report));
    return exit_done;
  }
  for (const auto& outcome : report.outcomes) print_outcome(streams.out, outcome);
  streams.out << '\n';
  print_figures(streams.out, report);
  return exit_done;
}

}  // namespace selfmind::cli

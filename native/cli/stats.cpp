#include "store/stats.h"

#include <ostream>

#include <fmt/format.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "host/protocol.h"

namespace selfmind::cli {
namespace {

std::string counts(const std::map<std::string, std::int64_t>& counts) {
  std::string text;
  for (const auto& [name, count] : counts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
  return text.empty() ? "none" : text;
}

// "12 in, 3 out, 0 read from cache, 0 written to it; 0.0021 USD"
std::string spent(const std::map<std::string, store::Usage>& by_model) {
  const auto all = store::total(by_model);
  const auto dollars = host::cost_of(by_model);
  const auto cost = dollars ? fmt::format("{:.4f} USD", *dollars) : std::string("of unknown price");
  return fmt::format("{} in, {} out, {} read from cache, {} written to it; {}", all.input, all.output, all.cache_read,
                     all.cache_write, cost);
}

}  // namespace

int stats(const Options& options, Streams& streams) {
  auto database = open_store(options, streams.clock, streams.ids);
  if (!database) return fail(streams.err, database.error());
  auto project = project_in_view(*database, options, /*create=*/false);
  if (!project) return fail(streams.err, project.error());
  store::View view;
  view.project = *project;
  auto result = store::stats(*database, view);
  if (!result) return fail(streams.err, result.error());
  if (options.json) {
    print_json(streams.out, host::encode(host::StatsResult{*result}));
    return exit_done;
  }
  const auto& r = *result;
  streams.out << fmt::format("memories   {} ({}; {})\n", counts(r.memories), counts(r.kinds), counts(r.scopes))
              << fmt::format("log        {} turns in {} chats\n", r.turns, r.sessions)
              << fmt::format("to learn   {} turns, {} parked\n", r.queue, r.parked)
              << "index      in memory, built at start\n"
              << fmt::format("chat       tokens: {}\n", spent(r.chat))
              << fmt::format("learning   tokens: {}; {} calls, {} tokens today\n", spent(r.learning), r.learning_calls,
                             r.learning_today)
              << fmt::format("store      {}, {} bytes, schema {}, SQLite {}, journal {}\n", database->path(), r.bytes,
                             r.schema, r.sqlite, r.journal);
  return exit_done;
}

int version(const Options& options, Streams& streams) {
  if (options.json) {
    print_json(streams.out, rpc::Map{{"version", host::program_version},
                                     {"protocol", host::protocol_version},
                                     {"schema", store::schema_version}});
  } else {
    streams.out << fmt::format("selfmind-host {}, protocol {}, schema {}\n", host::program_version,
                               host::protocol_version, store::schema_version);
  }
  return exit_done;
}

}  // namespace selfmind::cli

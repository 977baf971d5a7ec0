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
  streams.out << fmt::format(
      "memories   {} ({}; {})\nlog        {} turns in {} chats\nto learn   {} turns, {} parked\nindex      in memory, "
      "{}\n"
      "tokens     chat: {} in, {} out, {} read from cache, {} written to it\n"
      "store      {}, {} bytes, schema {}, SQLite {}, journal {}\n",
      counts(result->memories), counts(result->kinds), counts(result->scopes), result->turns, result->sessions,
      result->queue, result->parked, "built at start", result->chat.input, result->chat.output, result->chat.cache_read,
      result->chat.cache_write, database->path(), result->bytes, result->schema, result->sqlite, result->journal);
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

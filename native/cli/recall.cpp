#include "recall/rank.h"

#include <istream>
#include <ostream>

#include <fmt/format.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "host/protocol.h"

namespace selfmind::cli {
namespace {

Result<selfmind::recall::Index> load(store::Database& database) {
  selfmind::recall::Index index;
  std::int64_t position = 0;
  while (true) {
    auto feed = store::feed(database, position, 10'000);
    if (!feed) return feed.error();
    for (auto& item : feed->put) index.put(std::move(item));
    position = feed->position;
    if (!feed->more) return index;
  }
}

void print(std::ostream& out, const selfmind::recall::Hit& hit, bool explain) {
  const bool memory = hit.item.kind == store::ItemKind::memory;
  out << fmt::format("{:>7.3f}  {:<6} {:>5}  {}  {}\n", hit.score, memory ? "memory" : "turn", hit.item.id,
                     iso_date(hit.item.at), utf8::excerpt(hit.item.text, limits::excerpt_bytes));
  if (!explain) return;
  for (const auto& part : hit.parts) out << fmt::format("{:>16.3f}  {}\n", part.value, part.name);
}

rpc::Value with_parts(const selfmind::recall::Hit& hit) {
  rpc::Map map = *host::encode(hit).as_map();
  rpc::Map parts;
  for (const auto& part : hit.parts) parts.emplace_back(part.name, part.value);
  map.emplace_back("parts", std::move(parts));
  return map;
}

}  // namespace

int recall(const Options& options, const RecallOptions& own, Streams& streams) {
  auto preset = selfmind::recall::preset(own.preset);
  if (!preset) {
    streams.err << "selfmind-host: " << preset.error().message << '\n';
    return exit_usage;
  }
  auto database = open_store(options, streams.clock, streams.ids);
  if (!database) return fail(streams.err, database.error());
  auto project = project_in_view(*database, options, /*create=*/false);
  if (!project) return fail(streams.err, project.error());
  auto index = load(*database);
  if (!index) return fail(streams.err, index.error());
  selfmind::recall::Context context;
  context.project = *project;
  context.preset = *preset;
  const auto hits =
      selfmind::recall::rank(*index, text_of(own.query, streams.in), context, static_cast<std::size_t>(own.k));
  if (options.json) {
    rpc::Array list;
    for (const auto& hit : hits) list.push_back(own.explain ? with_parts(hit) : host::encode(hit));
    print_json(streams.out, list);
    return exit_done;
  }
  for (const auto& hit : hits) print(streams.out, hit, own.explain);
  if (hits.empty()) streams.out << "Nothing found.\n";
  return exit_done;
}

}  // namespace selfmind::cli

#include "recall/rank.h"

#include <algorithm>
#include <istream>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/index.h"
#include "host/protocol.h"

namespace selfmind::cli {
namespace {

using selfmind::recall::Explanation;
using selfmind::recall::Hit;

void print(std::ostream& out, const Hit& hit, bool explain) {
  const auto& item = hit.item;
  const char* source = item.kind == store::ItemKind::memory ? "memory"
                       : item.role == store::Role::user     ? "turn"
                                                            : "reply";
  std::string text = hit.excerpt;
  std::replace(text.begin(), text.end(), '\n', ' ');
  out << fmt::format("{:>7.3f}  {:<6} {:>5}  {}  {}\n", hit.score, source, item.id, iso_date(item.at), text);
  if (!explain) return;
  for (const auto& part : hit.parts) out << fmt::format("{:>16.3f}  {}\n", part.value, part.name);
}

void print_explanation(std::ostream& out, const Explanation& explanation) {
  out << fmt::format("\nLooked for: {}", fmt::join(explanation.words, " "));
  if (std::any_of(explanation.words.begin(), explanation.words.end(),
                  [](const auto& word) { return word.back() == '*'; }))
    out << "  (* stands nowhere)";
  out << '\n';
  for (const auto& time : explanation.times) out << "Said in that time: " << time << '\n';
  if (explanation.needed > 0) {
    out << fmt::format("Confidence {:.2f}; a turn needs {:.2f}, a memory {:.2f}.\n", explanation.confidence,
                       explanation.needed, explanation.needed_memory);
  }
  if (explanation.missed.empty()) return;
  out << "\nNot in the list:\n";
  for (const auto& missed : explanation.missed) {
    print(out, missed.hit, /*explain=*/true);
    out << fmt::format("{:>16}  {}\n", "why:", missed.why);
  }
}

rpc::Value with_parts(const Hit& hit) {
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
  if (const auto lacking = selfmind::recall::lacking(*preset); !lacking.empty()) streams.err << lacking << '\n';
  auto database = open_store(options, streams.clock, streams.ids);
  if (!database) return fail(streams.err, database.error());
  auto project = project_in_view(*database, options, /*create=*/false);
  if (!project) return fail(streams.err, project.error());
  auto index = load_index(*database, *preset);
  if (!index) return fail(streams.err, index.error());
  selfmind::recall::Context context;
  context.project = *project;
  context.preset = *preset;
  context.now = streams.clock.now();
  const auto query = text_of(own.query, streams.in);
  const auto k = static_cast<std::size_t>(own.k);
  const auto found = own.explain ? selfmind::recall::explain(*index, query, context, k)
                                 : Explanation{selfmind::recall::rank(*index, query, context, k), {}, {}, {}};
  if (options.json) {
    rpc::Array list;
    for (const auto& hit : found.hits) list.push_back(own.explain ? with_parts(hit) : host::encode(hit));
    print_json(streams.out, list);
    return exit_done;
  }
  for (const auto& hit : found.hits) print(streams.out, hit, own.explain);
  if (found.hits.empty()) streams.out << "Nothing found.\n";
  if (own.explain) print_explanation(streams.out, found);
  return exit_done;
}

}  // namespace selfmind::cli

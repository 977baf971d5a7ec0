#include <istream>
#include <iterator>
#include <ostream>

#include "cli/cli.h"
#include "cli/commands.h"
#include "host/protocol.h"
#include "learn/duplicate.h"

namespace selfmind::cli {

std::string text_of(const std::vector<std::string>& words, std::istream& in) {
  if (words.size() == 1 && words.front() == "-") {
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

int remember(const Options& options, const RememberOptions& own, Streams& streams) {
  auto database = open_store(options, streams.clock, streams.ids);
  if (!database) return fail(streams.err, database.error());
  store::MemoryDraft draft;
  draft.text = text_of(own.text, streams.in);
  auto project = project_in_view(*database, options, /*create=*/true);
  if (!project) return fail(streams.err, project.error());
  draft.project = *project;
  auto added = store::add_memory(*database, draft,
                                 own.force ? nullptr : learn::duplicate_finder(learn::default_dedupe_threshold));
  if (!added) return fail(streams.err, added.error());
  // Not among what is printed: that is the id.
  if (!added->kept_out.empty()) streams.err << "selfmind-host: kept out of the memory: " << added->kept_out << '\n';
  if (options.json) {
    print_json(streams.out, host::encode(host::RememberResult{*added}));
  } else if (added->duplicate) {
    streams.out << added->memory.id << "  already known: " << added->memory.text << '\n';
  } else {
    streams.out << added->memory.id << '\n';
  }
  return exit_done;
}

}  // namespace selfmind::cli

#include <ostream>

#include "cli/cli.h"
#include "cli/commands.h"
#include "host/protocol.h"

namespace selfmind::cli {

int memories(const Options& options, const MemoriesOptions& own, Streams& streams) {
  auto database = open_store(options, streams.clock, streams.ids);
  if (!database) return fail(streams.err, database.error());
  auto project = project_in_view(*database, options, /*create=*/false);
  if (!project) return fail(streams.err, project.error());
  store::View view;
  view.project = *project;
  view.all = own.all;
  view.kind = own.kind;
  view.scene = own.scene;
  auto list = store::memories(*database, view);
  if (!list) return fail(streams.err, list.error());
  if (options.json) {
    print_json(streams.out, host::encode_list(*list));
  } else {
    print_list(streams.out, *list, own.all);
  }
  return exit_done;
}

}  // namespace selfmind::cli

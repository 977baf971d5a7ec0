#include <ostream>

#include "cli/cli.h"
#include "cli/commands.h"
#include "host/protocol.h"

namespace selfmind::cli {

int memories(const Options& options, const MemoriesOptions& own, Streams& streams) {
  auto open = open_in_view(options, streams.clock, streams.ids);
  if (!open) return fail(streams.err, open.error());
  open->view.all = own.all;
  open->view.waiting = own.waiting;
  open->view.kind = own.kind;
  open->view.scene = own.scene;
  auto list = store::memories(open->database, open->view);
  if (!list) return fail(streams.err, list.error());
  if (options.json) {
    print_json(streams.out, host::encode_list(*list));
  } else {
    print_list(streams.out, *list, own.all);
  }
  return exit_done;
}

int change_state(const Options& options, const StateOptions& own, store::Verb verb, Streams& streams) {
  auto database = open_store(options, streams.clock, streams.ids);
  if (!database) return fail(streams.err, database.error());
  const auto changed = store::change_state(*database, own.ids, verb, own.old);
  if (!changed) return fail(streams.err, changed.error());
  if (options.json) {
    print_json(streams.out, host::encode_list(*changed));
  } else {
    print_list(streams.out, *changed, /*with_state=*/true);
  }
  return exit_done;
}

}  // namespace selfmind::cli

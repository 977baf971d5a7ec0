#include <ostream>

#include "cli/cli.h"
#include "cli/commands.h"
#include "host/protocol.h"

namespace selfmind::cli {

int forget(const Options& options, const ForgetOptions& own, Streams& streams) {
  auto database = open_store(options, streams.clock, streams.ids);
  if (!database) return fail(streams.err, database.error());
  auto forgotten = store::forget(*database, own.ids, own.dry_run);
  if (!forgotten) return fail(streams.err, forgotten.error());
  if (options.json) {
    print_json(streams.out, host::encode(host::ForgetResult{*forgotten}));
    return exit_done;
  }
  streams.out << (own.dry_run ? "Would forget:\n" : "Forgotten:\n");
  print_list(streams.out, forgotten->memories, /*with_state=*/false);
  if (forgotten->turns_cut > 0) {
    streams.out << "Their words " << (own.dry_run ? "would be" : "were") << " cut from " << forgotten->turns_cut
                << " messages of the log.\n";
  }
  if (const int gone = forgotten->probes_gone; gone > 0) {
    streams.out << gone << (gone == 1 ? " probe that asks" : " probes that ask") << " for nothing else "
                << (own.dry_run ? "would go" : "went") << " with them.\n";
  }
  if (const int cut = forgotten->probes_cut; cut > 0) {
    streams.out << "They or their words " << (own.dry_run ? "would be" : "were") << " cut from " << cut
                << (cut == 1 ? " probe.\n" : " probes.\n");
  }
  if (const int copies = forgotten->copies; copies > 0) {
    streams.out << "The same " << (own.dry_run ? "would be" : "was") << " done in " << copies
                << (copies == 1 ? " backup" : " backups") << " beside the store.\n";
  }
  for (const auto& sentence : forgotten->remains) streams.out << sentence << "\n";
  return exit_done;
}

}  // namespace selfmind::cli

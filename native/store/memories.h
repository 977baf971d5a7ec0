// Memories: what the user said that is worth keeping. Each verb is one transaction.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "store/database.h"

namespace selfmind::store {

// Which memories a caller may see: those of one project and the global ones, or the global ones alone.
struct View {
  Id project = no_id;
  bool all = false;      // every project's and every state's
  std::string kind;      // empty: any
  std::string scene;     // empty: any
  bool waiting = false;  // those that wait for the user instead of the active ones
};

// What a draft is to the memories it could meet.
struct Verdict {
  enum Meaning {
    fresh,
    same,      // `memory` says it already: its evidence grows
    changed,   // it says what `memory` said, with another value: that one is superseded
    doubtful,  // it may contradict `memory`: the user is asked
  };
  Meaning meaning = fresh;
  Id memory = no_id;
  bool better = false;  // same: and says it in better words, which it has from then on
};
// The existing ones are the active ones of the draft's own project and the global ones; they come without the turns
// that established them.
using Compare = std::function<Verdict(const MemoryDraft& draft, std::span<const Memory> existing)>;

// Stores the draft, or names the memory it duplicates. Without `compare` it always stores. Reading the existing
// ones and writing is one immediate transaction, so two editors never both store the same.
Result<Added> add_memory(Database& database, const MemoryDraft& draft, const Compare& compare);

Result<std::vector<Memory>> memories(Database& database, const View& view);  // oldest first
Result<Memory> memory(Database& database, Id id);

// What can be done with memories short of erasing them; all of it is taken back by undo.
enum class Verb {
  accept,     // one that waits for the user becomes active
  archive,    // an active one, or one that waits: not recalled any more
  unarchive,  // an archived one is active again
  replace,    // as accept, and the one that it contradicts is superseded
};
// All of them or none: ErrorKind::not_found for an unknown id, ErrorKind::invalid where the verb does not fit.
Result<std::vector<Memory>> change_state(Database& database, const std::vector<Id>& ids, Verb verb);

struct Forgotten {
  std::vector<Memory> memories;
  int turns_cut = 0;     // log rows from which their words were cut
  int probes_gone = 0;   // probes that asked for nothing else, or said nothing else
  int probes_cut = 0;    // other probes that asked for one of them, or said their words
  bool remains = false;  // the bytes are still in the file after all
};

// Erases for good: the memories, their sources, and the words they quote wherever the log has them verbatim (typed,
// sent, replied), through a redaction row, and in probes, with those that should find nothing else; then the freed
// bytes. An unknown id is ErrorKind::not_found and nothing is
// changed. `dry_run` only says what would go.
Result<Forgotten> forget(Database& database, const std::vector<Id>& ids, bool dry_run);

}  // namespace selfmind::store

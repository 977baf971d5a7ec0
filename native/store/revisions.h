// What became of memories: their history, what was known at a time, and taking changes back. Each verb is one
// transaction. Nothing here erases; an erasure (forget) takes a memory's revisions with it and is not taken back.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "store/memories.h"

namespace selfmind::store {

// The words that established a memory, and where they were said.
struct Source {
  Evidence evidence;
  Id session = no_id;
  Time said_at{};
};

struct History {
  Memory memory;                    // as it is now
  std::vector<Revision> revisions;  // oldest first
  std::vector<Source> sources;      // oldest first
};
Result<History> history(Database& database, Id id);

// The list as it was at that time, by id. Of what was forgotten since nothing is known.
Result<std::vector<Memory>> memories_as_of(Database& database, const View& view, Time time);

struct Undone {
  Change change;                 // that was taken back
  std::vector<Memory> memories;  // that it had changed, as they are now
};
// Takes back the newest change to the memories in view that is not taken back yet, whoever made it; asked again, the
// one before. What it had added is archived. ErrorKind::not_found when there is none.
Result<Undone> undo(Database& database, const View& view);

struct Rollback {
  Id session = no_id;         // all that was learned from this chat,
  std::optional<Time> since;  // or since that time, of the memories in view
  bool dry_run = false;       // only says what would be taken back
};
struct RolledBack {
  std::vector<Memory> memories;  // taken back, as they are now
  std::vector<Memory> kept;      // the user changed them since; they stay
  int turns = 0;                 // from which nothing is learned any more
};
// Takes back what was learned, and its turns are not learned from again. ErrorKind::not_found: there is no such chat.
Result<RolledBack> roll_back(Database& database, const View& view, const Rollback& what);

}  // namespace selfmind::store

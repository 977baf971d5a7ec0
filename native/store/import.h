// Taking in what another store, or another program, has exported.
#pragma once
#include <string>
#include <vector>

#include "store/database.h"
#include "store/package.h"

namespace selfmind::store {

struct ImportHow {
  bool trust = false;  // what is no export of ours is active at once; else it waits for the user
  Id project = no_id;  // where memories of another program go
};

struct Imported {
  bool own = false;                      // the file is an export of ours
  int memories = 0;                      // new ones
  int waiting = 0;                       // of these, such that wait for the user
  int known = 0;                         // that are here already
  int different = 0;                     // that are here, and say something else; they stay as they are
  int forgotten = 0;                     // that were forgotten here
  int chats_forgotten = 0;               // the same of whole chats
  int left_out = 0;                      // that were nothing but a secret
  int chats = 0, turns = 0, probes = 0;  // new ones
  int unfounded = 0;                     // quotations whose message is not here, so that they could not be kept
  std::vector<Id> forgotten_there;       // memories that stand here and were forgotten where the export was made
  std::string kept_out;                  // secrets, in words
};

// Takes in what is new, all of it in one transaction or nothing; the same again changes nothing. Memories, chats,
// messages and probes keep their unique ids, what stands here stays as it is, what was forgotten here does not come
// back, and secrets pass the door. The memories are one change, "import", which undo takes back; the log is not.
// ErrorKind::ambiguous when a project of the export is two projects here.
Result<Imported> take_in(Database& database, const Package& package, const ImportHow& how);

}  // namespace selfmind::store

// The store as JSON lines that any store can take in (import.h).
#pragma once
#include <iosfwd>

#include "store/database.h"

namespace selfmind::store {

struct ExportWhat {
  bool all = true;      // every project; else
  Id project = no_id;   // this one's and what is global
  bool log = false;     // the chats as well
  std::string version;  // of the program
};

struct Exported {
  int memories = 0, chats = 0, turns = 0, probes = 0, tombstones = 0;
};

// A line for the export itself, then projects, chats and turns, changes, memories in every state with their history and
// evidence, relations, probes, tombstones (ids only), each after what it refers to. One view of the store.
Result<Exported> export_store(Database& database, const ExportWhat& what, std::ostream& out);

}  // namespace selfmind::store

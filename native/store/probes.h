// The user's own probes: a question, and the memories or turns that recall should find for it. They are never indexed.
// Each verb is one transaction.
#pragma once
#include <string>
#include <vector>

#include "store/database.h"
#include "store/feed.h"

namespace selfmind::store {

// What a probe should find, as it stands now.
struct Expected {
  ItemKind kind = ItemKind::memory;
  Id id = no_id;
  std::string text;
  std::string state;  // a memory's; one that is not active is not recalled any more

  bool can_be_found() const { return kind == ItemKind::turn || state == "active"; }
};

struct Probe {
  Id id = no_id;
  std::string uuid;
  Id project = no_id;  // no_id: global
  std::string query;
  std::vector<Expected> expect;  // empty: nothing should be found
  Time created_at{};
};

struct ProbeDraft {
  std::string query;
  Id project = no_id;
  std::vector<Expected> expect;  // kind and id count
};

struct AddedProbe {
  Probe probe;
  Id replaced = no_id;  // the probe that asked the same
};

// Stores the draft, in the place of a probe of the same scope that asks the same. What it expects has to exist
// (ErrorKind::not_found) and to be found from the probe's project, now (ErrorKind::invalid); else nothing is changed.
Result<AddedProbe> add_probe(Database& database, const ProbeDraft& draft);

// Those of the project and the global ones, oldest first.
Result<std::vector<Probe>> probes(Database& database, Id project);

// Every project's, inside a transaction that the caller has open; for forget().
Result<std::vector<Probe>> every_probe(Database& database);

// Returns what it was. An unknown id is ErrorKind::not_found.
Result<Probe> remove_probe(Database& database, Id id);

}  // namespace selfmind::store

// What forgetting does to one file of the store: first a plan, which only reads, then carrying it out. The store itself
// and each copy beside it have a plan of their own (forget.cpp, copies.cpp); what is to go is named by unique ids,
// which are the same in all of them. A copy may be of an older schema.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "store/statement.h"

namespace selfmind::store {

// What is cut where. Short words would shred texts that mean something else by them, so they go only from the turns
// they are known to stand in. Turns and probes by unique id.
struct Words {
  using ById = std::map<std::string, std::vector<std::string>>;
  std::vector<std::string> everywhere;
  ById typed_in;   // by turn: short quotes and texts, in the turn they came from
  ById given_to;   // by turn: short texts, in the block it was sent with
  ById quoted_in;  // by turn: all quotes of it
  ById asked_in;   // by probe: short quotes and texts, where it should find them

  std::vector<std::string> all() const;
  void add(const Words& more);
};

// Unique ids of what is to go.
struct Target {
  std::vector<std::string> memories;
  std::vector<std::string> chats;
  std::string project;  // with its probes and keys; empty: none. Its memories and chats are named above
};

struct CutTurn {
  Id id = no_id;
  std::string uuid;
  Id session = no_id;
  Id parent = no_id;
  std::string text;
  std::string content;
  std::string memory_block;
  bool from_memory = false;  // a reply that was put together from excerpts
};

struct CutProbe {
  Id id = no_id;
  std::string uuid;
  std::string query;
  bool gone = false;  // nothing is left of its question, or of what it should find
};

// What a memory that stays quotes of a turn.
struct CutQuotation {
  Id memory = no_id;
  Id turn = no_id;
  std::string quote;
  std::string left;  // as it is to be; empty: it goes
};

// All that changes in one file.
struct Plan {
  std::int64_t schema = 0;
  std::vector<Id> memories;
  std::vector<Id> chats;
  Id project = no_id;
  int turns_gone = 0;          // in these chats
  Words words;                 // of these memories
  std::vector<CutTurn> turns;  // of other chats, as they are to be
  std::vector<CutQuotation> quotations;
  std::vector<CutProbe> probes;
  std::vector<std::string> sought;  // what then stands in none of the file's bytes, if nothing else says the same

  bool any() const;
};

// Inside a transaction that the caller has open. `known`: words to cut that another file of the store has told.
Result<Plan> plan(Database& database, const Target& target, const Words& known);
Result<void> carry_out(Database& database, Transaction& transaction, const Plan& plan);

}  // namespace selfmind::store

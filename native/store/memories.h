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
    same,      // the first of `memories` says it already: its evidence grows
    changed,   // it says what all of them said, with another value: they are superseded
    doubtful,  // it may contradict any of them: the user is asked
  };
  Meaning meaning = fresh;
  std::vector<Id> memories;
  bool better = false;      // same: and says it in better words, which it has from then on
  bool everywhere = false;  // changed: what it changes held everywhere, and so does it
};
// The existing ones are the active ones of the draft's own project and the global ones; of a draft that was learned and
// holds everywhere those of all projects. They come without the turns that established them.
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
  replace,    // as accept, and what it contradicts is superseded
};
// All of them or none: ErrorKind::not_found for an unknown id, ErrorKind::invalid where the verb does not fit.
// `old`, for replace: which of what it contradicts; empty: all of it.
Result<std::vector<Memory>> change_state(Database& database, const std::vector<Id>& ids, Verb verb,
                                         const std::vector<Id>& old = {});

struct Forgotten {
  std::vector<Memory> memories;  // that went
  std::vector<Memory> kept;      // learned only from what went, and kept all the same
  std::string name;              // the title of the chat, or the name of the project, that went
  std::vector<Id> chats;         // that went, with so many messages and replies
  int turns_gone = 0;
  int turns_cut = 0;    // other log rows from which words were cut
  int probes_gone = 0;  // probes that asked for nothing else, or said nothing else
  int probes_cut = 0;   // other probes that asked for one of them, or said their words
  int copies = 0;       // backups beside the store that had something of it
  // Why some of the words are in a file after all, and what to do; a sentence each.
  std::vector<std::string> remains;
};

// Erases for good: the memories, their sources, and the words they quote wherever the log has them verbatim (typed,
// sent, replied), through a redaction row, and in probes, with those that should find nothing else; then the freed
// bytes, and the same in the copies beside the store (copies.h). A tombstone stays (tombstones.h). An unknown id is
// ErrorKind::not_found and nothing is changed. `dry_run` only says what would go.
Result<Forgotten> forget(Database& database, const std::vector<Id>& ids, bool dry_run);

// What was learned only from what goes.
enum class WhatWasLearned { kept, forgotten };

// A chat with all that was said in it, also on days that are over, and excerpts of it that were sent elsewhere. What
// was learned from it stays without its sources, or is forgotten as forget() does. ErrorKind::not_found: there is no
// such chat.
Result<Forgotten> forget_chat(Database& database, Id chat, WhatWasLearned learned, bool dry_run);
// Every chat of a project; with WhatWasLearned::forgotten also its memories, whoever made them, and the project itself.
// ErrorKind::not_found: there is no such project.
Result<Forgotten> forget_project(Database& database, Id project, WhatWasLearned learned, bool dry_run);

}  // namespace selfmind::store

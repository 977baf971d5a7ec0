// What recall indexes, and what has changed in it since: every insert, change and removal of a memory or a turn leaves
// a number in the table `change`, whichever editor made it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "store/database.h"

namespace selfmind::store {

enum class ItemKind { memory, turn };

// One thing that can be recalled.
struct Item {
  ItemKind kind = ItemKind::memory;
  Id id = no_id;
  Id project = no_id;      // no_id is global
  Id session = no_id;      // turn
  Role role = Role::user;  // turn
  std::string speaker;     // turn: who said it, where a log names people; else empty
  std::string text;
  std::string answers;  // turn of the assistant's: the message it answers, where something may be pasted in it
  std::string memory_kind;
  std::int64_t revision = 0;
  std::vector<Id> turns;  // memory: the turns that established it
  Time at{};
};

// How far a reader has come. A new one is before everything.
struct FeedPosition {
  bool loaded = false;  // everything that was there when the load began; what has changed since comes after
  Id memory = no_id;    // the last one loaded
  Id turn = no_id;
  std::int64_t change = 0;  // the last one seen

  bool operator==(const FeedPosition&) const = default;
};

struct Feed {
  std::vector<Item> put;                      // new or changed, as they stand now
  std::vector<std::pair<ItemKind, Id>> gone;  // removed, or no longer to be recalled
  FeedPosition position;                      // give it back to get what comes next
  bool more = false;                          // `limit` cut it; ask again at once
};

// From the start: everything that can be recalled, the memories and then the log, each oldest first; after that what
// has changed. Active memories, what users typed and what assistants answered; never sent blocks, words that no model
// said, or those of an archived memory. `limit`: at most about as many items or changes at once, 0 for all.
Result<Feed> feed(Database& database, const FeedPosition& position, int limit);

// What has changed since the load began, also before its end; the position is otherwise as it was.
Result<Feed> changes(Database& database, const FeedPosition& position, int limit);

}  // namespace selfmind::store

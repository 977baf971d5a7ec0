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
  std::string memory_kind;
  std::int64_t revision = 0;
  std::vector<Id> turns;  // memory: the turns that established it
  Time at{};
};

struct Feed {
  std::vector<Item> put;                      // new or changed, as they stand now
  std::vector<std::pair<ItemKind, Id>> gone;  // removed, or no longer to be recalled
  std::int64_t position = 0;                  // give it back to get what comes next
  bool more = false;                          // `limit` cut it; ask again at once
};

// From position 0: everything that can be recalled, oldest first. Active memories and what users typed; never replies,
// sent blocks, or the words of an archived memory. `limit` (0: none) is for what comes after; the first load is whole.
Result<Feed> feed(Database& database, std::int64_t position, int limit);

}  // namespace selfmind::store

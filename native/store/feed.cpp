#include "store/feed.h"

#include <algorithm>

#include "store/cut.h"
#include "store/statement.h"

namespace selfmind::store {
namespace {

constexpr const char* turn_items =
    "SELECT turn.id, session.project, turn.session, turn.text, turn.created_at, turn.role FROM turn "
    "JOIN session ON session.id = turn.session ";

constexpr const char* memory_items =
    "SELECT id, project, text, kind, revision, created_at FROM memory WHERE state = 'active' ";

Item turn_item(const Statement& row) {
  Item item;
  item.kind = ItemKind::turn;
  item.id = row.integer(0);
  item.project = row.integer(1);
  item.session = row.integer(2);
  item.text = row.text(3);
  item.at = from_millis(row.integer(4));
  item.role = role_from(row.text(5)).value_or(Role::assistant);
  return item;
}

Item memory_item(const Statement& row) {
  Item item;
  item.kind = ItemKind::memory;
  item.id = row.integer(0);
  item.project = row.integer(1);
  item.text = row.text(2);
  item.memory_kind = row.text(3);
  item.revision = row.integer(4);
  item.at = from_millis(row.integer(5));
  return item;
}

Result<void> add_sources(Database& database, Item& memory) {
  auto turns =
      collect(query(database, "SELECT DISTINCT turn FROM memory_source WHERE memory = ? ORDER BY turn", memory.id),
              [](const Statement& row) { return row.integer(0); });
  if (!turns) return turns.error();
  memory.turns = std::move(*turns);
  return {};
}

bool can_be_recalled(const Item& item) {
  return item.kind == ItemKind::memory || (item.role == Role::user && !is_forgotten(item.text));
}

Result<Feed> everything(Database& database) {
  auto memories = collect(query(database, std::string(memory_items) + "ORDER BY id"), memory_item);
  if (!memories) return memories.error();
  auto turns =
      collect(query(database, std::string(turn_items) + "WHERE turn.role = 'user' ORDER BY turn.id"), turn_item);
  if (!turns) return turns.error();
  const auto newest = number(query(database, "SELECT coalesce(max(seq), 0) FROM change"));
  if (!newest) return newest.error();

  Feed feed;
  feed.position = *newest;
  feed.put = std::move(*memories);
  for (auto& memory : feed.put) {
    if (auto added = add_sources(database, memory); !added) return added.error();
  }
  std::copy_if(std::make_move_iterator(turns->begin()), std::make_move_iterator(turns->end()),
               std::back_inserter(feed.put), can_be_recalled);
  std::stable_sort(feed.put.begin(), feed.put.end(), [](const Item& a, const Item& b) { return a.at < b.at; });
  return feed;
}

struct Change {
  std::int64_t seq = 0;
  ItemKind kind = ItemKind::memory;
  Id item = no_id;
};

Result<std::optional<Item>> item_of(Database& database, const Change& change) {
  if (change.kind == ItemKind::turn) {
    return first(query(database, std::string(turn_items) + "WHERE turn.id = ?", change.item), turn_item);
  }
  auto memory = first(query(database, std::string(memory_items) + "AND id = ?", change.item), memory_item);
  if (!memory || !*memory) return memory;
  if (auto added = add_sources(database, **memory); !added) return added.error();
  return memory;
}

Result<Feed> since(Database& database, std::int64_t position, int limit) {
  // One more than wanted tells whether there are more; -1 is no limit.
  const int wanted = limit > 0 ? limit + 1 : -1;
  auto changes = collect(
      query(database, "SELECT seq, kind, item FROM change WHERE seq > ? ORDER BY seq LIMIT ?", position, wanted),
      [](const Statement& row) {
        return Change{row.integer(0), row.text(1) == "turn" ? ItemKind::turn : ItemKind::memory, row.integer(2)};
      });
  if (!changes) return changes.error();

  Feed feed;
  feed.position = position;
  feed.more = limit > 0 && changes->size() > static_cast<std::size_t>(limit);
  if (feed.more) changes->pop_back();
  for (const auto& change : *changes) {
    auto item = item_of(database, change);
    if (!item) return item.error();
    feed.position = change.seq;
    if (*item && can_be_recalled(**item)) {
      feed.put.push_back(std::move(**item));
    } else if (!*item || (*item)->role == Role::user) {  // a reply was never there to be taken out
      feed.gone.emplace_back(change.kind, change.item);
    }
  }
  return feed;
}

}  // namespace

Result<Feed> feed(Database& database, std::int64_t position, int limit) {
  auto transaction = Transaction::read(database);
  if (!transaction) return transaction.error();
  // The first load comes whole: an index of half a store answers wrongly.
  return position == 0 ? everything(database) : since(database, position, limit);
}

}  // namespace selfmind::store

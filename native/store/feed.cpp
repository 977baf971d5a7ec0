#include "store/feed.h"

#include <algorithm>

#include "store/cut.h"
#include "store/statement.h"

namespace selfmind::store {
namespace {

constexpr const char* turn_items =
    "SELECT turn.id, session.project, turn.session, turn.text, turn.created_at, turn.role, turn.state, "
    "iif(turn.role = 'assistant' AND (instr(asked.text, char(10)) > 0 OR instr(asked.text, '\"') > 0), asked.text, '') "
    "FROM turn "
    "JOIN session ON session.id = turn.session LEFT JOIN turn AS asked ON asked.id = turn.parent ";

constexpr const char* memory_items =
    "SELECT id, project, text, kind, revision, created_at FROM memory WHERE state = 'active' ";

// A turn as it is read, and whether it may be recalled.
struct TurnRow {
  Item item;
  bool can_be_recalled = false;
};

TurnRow turn_row(const Statement& row) {
  TurnRow turn;
  auto& item = turn.item;
  item.kind = ItemKind::turn;
  item.id = row.integer(0);
  item.project = row.integer(1);
  item.session = row.integer(2);
  item.text = row.text(3);
  item.at = from_millis(row.integer(4));
  item.role = role_from(row.text(5)).value_or(Role::assistant);
  const auto state = turn_state_from(row.text(6));
  item.answers = row.text(7);
  const bool said = item.role == Role::user || state == TurnState::done || state == TurnState::stopped ||
                    state == TurnState::interrupted;
  turn.can_be_recalled = said && !item.text.empty() && !nothing_left(item.text);
  return turn;
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

struct Source {
  Id memory;
  Id turn;
};

// Gives memories, which stand in the order of their ids, the turns that established them.
Result<void> add_sources(Database& database, std::vector<Item>& memories) {
  if (memories.empty()) return {};
  auto sources = collect(query(database,
                               "SELECT memory, turn FROM memory_source WHERE memory BETWEEN ? AND ? "
                               "GROUP BY memory, turn ORDER BY memory, turn",
                               memories.front().id, memories.back().id),
                         [](const Statement& row) {
                           return Source{row.integer(0), row.integer(1)};
                         });
  if (!sources) return sources.error();
  auto memory = memories.begin();
  for (const auto& source : *sources) {
    while (memory != memories.end() && memory->id < source.memory) ++memory;
    if (memory == memories.end()) break;
    if (memory->id == source.memory) memory->turns.push_back(source.turn);
  }
  return {};
}

// In the log as it is recalled the words of a superseded memory are no more, unless one that stands was made of them
// too.
Result<void> hide_superseded(Database& database, std::vector<TurnRow>& turns) {
  if (turns.empty()) return {};
  const auto hidden = collect(
      query(database,
            "SELECT said.id, source.quote FROM memory JOIN memory_source AS source ON source.memory = memory.id "
            "JOIN turn AS said ON said.id = source.turn OR (said.parent = source.turn AND said.role = "
            "'assistant') "  // a reply may repeat it
            "WHERE memory.state = 'superseded' AND said.id BETWEEN ? AND ? AND source.quote <> '' "
            "AND NOT EXISTS (SELECT 1 FROM memory_source AS other JOIN memory AS standing ON standing.id = "
            "other.memory "
            "WHERE other.turn = source.turn AND standing.state = 'active' AND "
            "(instr(other.quote, source.quote) > 0 OR instr(source.quote, other.quote) > 0))",
            turns.front().item.id, turns.back().item.id),
      [](const Statement& row) {
        return Evidence{row.integer(0), row.text(1)};
      });
  if (!hidden) return hidden.error();
  for (const auto& [id, quote] : *hidden) {
    const auto turn = std::find_if(turns.begin(), turns.end(), [id](const TurnRow& row) { return row.item.id == id; });
    if (turn == turns.end() || !Cutter({quote}, superseded_mark).cut(turn->item.text)) continue;
    if (is_only(superseded_mark, turn->item.text)) turn->can_be_recalled = false;
  }
  return {};
}

// The next slice of what was there when the load began.
Result<Feed> load(Database& database, FeedPosition position, int limit) {
  if (position.memory == no_id && position.turn == no_id) {
    const auto newest = number(query(database, "SELECT coalesce(max(seq), 0) FROM change"));
    if (!newest) return newest.error();
    position.change = *newest;
  }
  const int wanted = limit > 0 ? limit : -1;
  Feed feed;
  if (position.turn == no_id) {
    auto memories =
        collect(query(database, std::string(memory_items) + "AND id > ? ORDER BY id LIMIT ?", position.memory, wanted),
                memory_item);
    if (!memories) return memories.error();
    if (auto added = add_sources(database, *memories); !added) return added.error();
    feed.put = std::move(*memories);
    if (!feed.put.empty()) position.memory = feed.put.back().id;
  }
  const auto left = limit > 0 ? limit - static_cast<int>(feed.put.size()) : -1;
  if (left != 0) {
    auto turns = collect(
        query(database, std::string(turn_items) + "WHERE turn.id > ? ORDER BY turn.id LIMIT ?", position.turn, left),
        turn_row);
    if (!turns) return turns.error();
    if (auto done = hide_superseded(database, *turns); !done) return done.error();
    for (auto& turn : *turns) {
      position.turn = turn.item.id;
      if (turn.can_be_recalled) feed.put.push_back(std::move(turn.item));
    }
    position.loaded = limit <= 0 || static_cast<int>(turns->size()) < left;
  }
  feed.more = !position.loaded;
  feed.position = position;
  return feed;
}

struct Change {
  std::int64_t seq = 0;
  ItemKind kind = ItemKind::memory;
  Id item = no_id;
};

// None when it is gone, or not to be recalled.
Result<std::optional<Item>> item_of(Database& database, const Change& change) {
  if (change.kind == ItemKind::turn) {
    auto turns = collect(query(database, std::string(turn_items) + "WHERE turn.id = ?", change.item), turn_row);
    if (!turns) return turns.error();
    if (auto done = hide_superseded(database, *turns); !done) return done.error();
    if (turns->empty() || !turns->front().can_be_recalled) return std::optional<Item>();
    return std::optional(std::move(turns->front().item));
  }
  auto memories = collect(query(database, std::string(memory_items) + "AND id = ?", change.item), memory_item);
  if (!memories) return memories.error();
  if (memories->empty()) return std::optional<Item>();
  if (auto added = add_sources(database, *memories); !added) return added.error();
  return std::optional(std::move(memories->front()));
}

Result<Feed> since(Database& database, const FeedPosition& position, int limit) {
  // One more than wanted tells whether there are more; -1 is no limit.
  const int wanted = limit > 0 ? limit + 1 : -1;
  auto changes = collect(
      query(database, "SELECT seq, kind, item FROM change WHERE seq > ? ORDER BY seq LIMIT ?", position.change, wanted),
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
    feed.position.change = change.seq;
    if (*item) {
      feed.put.push_back(std::move(**item));
    } else {
      feed.gone.emplace_back(change.kind, change.item);
    }
  }
  return feed;
}

}  // namespace

Result<Feed> feed(Database& database, const FeedPosition& position, int limit) {
  auto transaction = Transaction::read(database);
  if (!transaction) return transaction.error();
  return position.loaded ? since(database, position, limit) : load(database, position, limit);
}

Result<Feed> changes(Database& database, const FeedPosition& position, int limit) {
  auto transaction = Transaction::read(database);
  if (!transaction) return transaction.error();
  return since(database, position, limit);
}

}  // namespace selfmind::store

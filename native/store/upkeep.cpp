#include "store/upkeep.h"

#include "base/limits.h"
#include "store/change.h"
#include "store/memory_rows.h"

namespace selfmind::store {

Result<std::vector<Memory>> ended(Database& database, const View& view) {
  return read_memories(
      database,
      query_memories(database,
                     "WHERE memory.state = 'active' AND memory.valid_to < ?1 AND memory.valid_to >= memory.created_at "
                     "AND (?2 OR memory.project IS NULL OR memory.project = ?3) "
                     "AND NOT EXISTS (SELECT 1 FROM memory_revision AS was JOIN memory_change AS made ON made.id = "
                     "was.change WHERE was.memory = memory.id AND made.verb = 'expire' AND was.valid_to = "
                     "memory.valid_to) ORDER BY memory.id",
                     to_millis(database.clock().now()), view.all, or_null(view.project)));
}

namespace {

Result<std::vector<Memory>> unused(Database& database, const View& view) {
  return read_memories(
      database,
      query_memories(database,
                     "WHERE memory.state = 'active' AND memory.kind IN ('context', 'task', 'plan') "
                     "AND memory.made_by IN ('learn', 'rules') AND memory.created_at < ?1 AND memory.updated_at < ?1 "
                     "AND (?2 OR memory.project IS NULL OR memory.project = ?3) "
                     "AND NOT EXISTS (SELECT 1 FROM recall JOIN turn ON turn.id = recall.turn WHERE recall.memory = "
                     "memory.id AND turn.created_at >= ?1) ORDER BY memory.id",
                     to_millis(database.clock().now() - limits::unused_for), view.all, or_null(view.project)));
}

Result<Upkeep> find(Database& database, const View& view) {
  Upkeep found;
  auto memories = ended(database, view);
  if (!memories) return memories.error();
  if (memories->empty()) {
    found.why = Upkeep::Why::unused;
    memories = unused(database, view);
    if (!memories) return memories.error();
  }
  found.archived = std::move(*memories);
  return found;
}

}  // namespace

Result<Upkeep> keep_up(Database& database, const View& view) {
  {
    auto transaction = Transaction::read(database);
    if (!transaction) return transaction.error();
    auto found = find(database, view);
    if (!found || found->archived.empty()) return found;
  }
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  auto found = find(database, view);  // another editor may have done it meanwhile
  if (!found) return found;
  const char* verb = found->why == Upkeep::Why::ended ? "expire" : "disuse";
  OpenChange change(database, *transaction, {no_id, verb, "upkeep", no_id, no_id, {}});
  for (auto& one : found->archived) {
    change.set_state(one.id, "archived");
    if (auto written = transaction->so_far(); !written) return written.error();
    auto now = memory(database, one.id);
    if (!now) return now.error();
    one = std::move(*now);
  }
  if (auto done = transaction->commit(); !done) return done.error();
  return found;
}

}  // namespace selfmind::store

#include "store/memories.h"

#include <fmt/format.h>

#include "store/memory_rows.h"

namespace selfmind::store {

Result<Added> add_memory(Database& database, const MemoryDraft& draft, const FindDuplicate& find_duplicate) {
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  OpenChange change(database, *transaction, {no_id, "add", "user", no_id, no_id, {}});
  auto added = add_in_transaction(database, *transaction, change, draft, find_duplicate);
  if (!added) return added;
  if (auto done = transaction->commit(); !done) return done.error();
  return added;
}

Result<std::vector<Memory>> memories(Database& database, const View& view) {
  auto transaction = Transaction::read(database);
  if (!transaction) return transaction.error();
  return read_memories(
      database,
      query_memories(database,
                     "WHERE (?1 OR (memory.state = 'active' AND (memory.project IS NULL OR memory.project = ?2))) "
                     "AND (?3 = '' OR memory.kind = ?3) AND (?4 = '' OR memory.scene = ?4) ORDER BY memory.id",
                     view.all, or_null(view.project), view.kind, view.scene));
}

Result<Memory> memory(Database& database, Id id) {
  auto found = read_memories(database, query_memories(database, "WHERE memory.id = ?", id));
  if (!found) return found.error();
  if (found->empty())
    return Error{ErrorKind::not_found, fmt::format("There is no memory {}; :Memories lists them.", id)};
  return std::move(found->front());
}

}  // namespace selfmind::store

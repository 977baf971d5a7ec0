#include "store/memories.h"

#include <fmt/format.h>

#include "store/door.h"
#include "store/memory_rows.h"

namespace selfmind::store {

Result<Added> add_memory(Database& database, const MemoryDraft& draft, const FindDuplicate& find_duplicate) {
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  auto added = add_in_transaction(database, *transaction, draft, find_duplicate);
  if (!added) return added;
  if (was_only_secret(added->memory.text)) {
    return Error{ErrorKind::invalid,
                 "There is nothing to remember but a secret, and secrets are not stored; say what it is for instead."};
  }
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

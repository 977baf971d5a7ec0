// Rows of memories, for the verbs of memories.h, log.h, queue.h and forget: reading them, and adding one inside a
// transaction that the caller has open.
#pragma once
#include <string_view>
#include <vector>

#include "store/change.h"
#include "store/memories.h"
#include "store/statement.h"

namespace selfmind::store {

// The columns that memory_row() reads, in its order.
inline constexpr const char* memory_columns =
    "SELECT memory.id, memory.uuid, memory.text, memory.kind, memory.scene, memory.track, memory.state, memory.origin, "
    "memory.made_by, memory.project, coalesce(project.name, ''), memory.revision, memory.created_at, "
    "memory.updated_at, "
    "(SELECT max(to_memory) FROM relation JOIN memory AS other ON other.id = to_memory "
    "WHERE from_memory = memory.id AND relation.kind = 'supersedes' AND other.state = 'superseded'), "
    "iif(memory.state = 'superseded', "
    "(SELECT max(from_memory) FROM relation WHERE to_memory = memory.id AND kind = 'supersedes'), NULL), "
    "memory.reason, memory.valid_from, memory.valid_to, utility, durability, urgency, identity, confidence, "
    "sensitivity "
    "FROM memory LEFT JOIN project ON project.id = memory.project ";

// `rest` is what follows the columns: joins, WHERE, ORDER BY.
template <class... Values>
Result<Statement> query_memories(Database& database, std::string_view rest, const Values&... values) {
  return query(database, std::string(memory_columns) + std::string(rest), values...);
}

// All rows, with the turns that established each.
Result<std::vector<Memory>> read_memories(Database& database, Result<Statement> rows);

// A row with the memory's unique id, revision and times; returns its number, where the transaction has not failed.
Id insert_memory(Database& database, Transaction& transaction, const Memory& memory);
// Once, however often it is told.
void add_source(Transaction& transaction, Id memory, const Evidence& evidence);

// As add_memory(), as a part of `change` and without a transaction of its own.
Result<Added> add_in_transaction(Database& database, Transaction& transaction, OpenChange& change,
                                 const MemoryDraft& draft, const Compare& compare);

}  // namespace selfmind::store

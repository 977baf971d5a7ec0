#include "store/memory_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/limits.h"
#include "base/utf8.h"
#include "store/door.h"
#include "store/tombstones.h"

namespace selfmind::store {
namespace {

Memory memory_row(const Statement& row) {
  Memory memory;
  memory.id = row.integer(0);
  memory.uuid = row.text(1);
  memory.text = row.text(2);
  memory.kind = row.text(3);
  memory.scene = row.text(4);
  memory.track = row.text(5);
  memory.state = row.text(6);
  memory.origin = row.text(7);
  memory.made_by = row.text(8);
  memory.project = row.integer(9);  // NULL reads as no_id
  memory.project_name = row.text(10);
  memory.revision = row.integer(11);
  memory.created_at = from_millis(row.integer(12));
  memory.updated_at = from_millis(row.integer(13));
  memory.replaces = row.integer(14);
  memory.replaced_by = row.integer(15);
  memory.reason = row.text(16);
  memory.valid_from = row.time_or_none(17);
  memory.valid_to = row.time_or_none(18);
  if (!row.null(19)) {
    memory.scores = Scores{row.real(19), row.real(20), row.real(21), row.real(22), row.real(23), row.real(24)};
  }
  return memory;
}

// Without what established them: that would be a query for each memory there is.
// What the manager proposed and the user has not looked at yet is proposed once; the user's own words stand all the
// same.
Result<std::vector<Memory>> duplicates_possible(Database& database, const MemoryDraft& draft) {
  return collect(query_memories(database,
                                "WHERE (memory.state = 'active' OR (?2 AND memory.state = 'quarantined')) "
                                "AND (memory.project IS NULL OR memory.project = ?1 OR (?2 AND ?1 IS NULL)) "
                                "ORDER BY memory.id",
                                or_null(draft.project), draft.made_by != "remember"),
                 memory_row);
}

// The draft as it is stored, or why it cannot be.
Result<MemoryDraft> checked(const MemoryDraft& draft) {
  MemoryDraft out = draft;
  out.text = utf8::trim(draft.text);
  if (out.text.empty()) return Error{ErrorKind::invalid, "There is nothing to remember; give some text."};
  if (out.text.size() > limits::memory_bytes) {
    return Error{ErrorKind::invalid, fmt::format("A memory is at most {} KB, this is {}; remember a part of it.",
                                                 limits::memory_bytes / 1024, out.text.size() / 1024 + 1)};
  }
  const auto known = [&draft](const char* kind) { return draft.kind == kind; };
  if (std::none_of(std::begin(memory_kinds), std::end(memory_kinds), known)) {
    return Error{ErrorKind::invalid, fmt::format("\"{}\" is not a kind of memory; use one of {}.", draft.kind,
                                                 fmt::join(memory_kinds, ", "))};
  }
  return out;
}

// When the newest of the words were said that establish it; the start of time where there is no turn, so that nobody
// knows.
Result<Time> time_said(Database& database, const MemoryDraft& draft) {
  Time said{};
  for (const auto& evidence : draft.evidence) {
    const auto at = number(query(database, "SELECT created_at FROM turn WHERE id = ?", evidence.turn));
    if (!at) return at.error();
    said = std::max(said, from_millis(*at));
  }
  return said;
}

// Was it forgotten after these words were said? What the user remembers by hand is never asked about.
Result<bool> learned_of_forgotten(Database& database, const MemoryDraft& draft, Time said) {
  if (draft.made_by == "remember") return false;
  auto forgotten = is_forgotten(database, draft.text, said);
  for (const auto& evidence : draft.evidence) {
    if (forgotten && !*forgotten) forgotten = is_forgotten(database, evidence.quote, said);
  }
  return forgotten;
}

Id insert(Database& database, Transaction& transaction, const MemoryDraft& draft) {
  Memory memory;
  memory.created_at = memory.updated_at = database.clock().now();
  memory.uuid = database.ids().uuid(memory.created_at);
  memory.text = draft.text;
  memory.reason = draft.reason;
  memory.kind = draft.kind;
  memory.scene = draft.scene;
  memory.track = draft.track;
  memory.state = draft.state;
  memory.origin = draft.origin;
  memory.made_by = draft.made_by;
  memory.project = draft.project;
  memory.scores = draft.scores;
  memory.valid_from = draft.valid_from;
  memory.valid_to = draft.valid_to;
  return insert_memory(database, transaction, memory);
}

// Was any of the memory's words said after that?
Result<bool> said_since(Database& database, Id memory, Time said) {
  if (said == Time{}) return false;
  const auto since = number(query(database,
                                  "SELECT count(*) FROM memory_source JOIN turn ON turn.id = memory_source.turn "
                                  "WHERE memory = ? AND turn.created_at > ?",
                                  memory, to_millis(said)));
  if (!since) return since.error();
  return *since > 0;
}

// Was any of these said again after that? What was said before does not replace what was said since.
Result<bool> any_said_since(Database& database, const std::vector<Id>& memories, Time said) {
  for (const Id memory : memories) {
    const auto since = said_since(database, memory, said);
    if (!since || *since) return since;
  }
  return false;
}

}  // namespace

Result<std::vector<Memory>> read_memories(Database& database, Result<Statement> rows) {
  auto memories = collect(std::move(rows), memory_row);
  if (!memories) return memories;
  for (auto& memory : *memories) {
    auto turns =
        collect(query(database, "SELECT DISTINCT turn FROM memory_source WHERE memory = ? ORDER BY turn", memory.id),
                [](const Statement& row) { return row.integer(0); });
    if (!turns) return turns.error();
    memory.turns = std::move(*turns);
    if (memory.state != "quarantined") continue;
    auto doubts =
        collect(query(database,
                      "SELECT other.id, other.text FROM relation JOIN memory AS other ON other.id = to_memory "
                      "WHERE from_memory = ? AND relation.kind = 'contradicts' AND other.state = 'active' "
                      "ORDER BY other.id",
                      memory.id),
                [](const Statement& row) {
                  return Doubt{row.integer(0), row.text(1)};
                });
    if (!doubts) return doubts.error();
    memory.contradicts = std::move(*doubts);
  }
  return memories;
}

Id insert_memory(Database& database, Transaction& transaction, const Memory& memory) {
  transaction.run(
      "INSERT INTO memory (uuid, text, reason, kind, scene, track, state, origin, made_by, project, valid_from, "
      "valid_to, revision, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      memory.uuid, memory.text, memory.reason, memory.kind, memory.scene, memory.track, memory.state, memory.origin,
      memory.made_by, or_null(memory.project), millis_or_null(memory.valid_from), millis_or_null(memory.valid_to),
      memory.revision, to_millis(memory.created_at), to_millis(memory.updated_at));
  const Id id = database.last_insert_id();
  if (const auto& scores = memory.scores) {
    transaction.run(
        "UPDATE memory SET utility = ?, durability = ?, urgency = ?, identity = ?, confidence = ?, sensitivity = ? "
        "WHERE id = ?",
        scores->utility, scores->durability, scores->urgency, scores->identity, scores->confidence, scores->sensitivity,
        id);
  }
  return id;
}

void add_source(Transaction& transaction, Id memory, const Evidence& evidence) {
  transaction.run(
      "INSERT INTO memory_source (memory, turn, quote) SELECT ?1, ?2, ?3 WHERE NOT EXISTS "
      "(SELECT 1 FROM memory_source WHERE memory = ?1 AND turn = ?2 AND quote = ?3)",
      memory, evidence.turn, evidence.quote);
}

Result<Added> add_in_transaction(Database& database, Transaction& transaction, OpenChange& change,
                                 const MemoryDraft& draft, const Compare& compare) {
  Door door(database);
  MemoryDraft clean = draft;
  clean.text = door.typed(draft.text);
  clean.reason = door.typed(draft.reason);
  for (auto& evidence : clean.evidence) evidence.quote = Door(database).typed(evidence.quote);
  auto wanted = checked(clean);
  if (!wanted) return wanted.error();
  const auto said = time_said(database, *wanted);
  if (!said) return said.error();
  Added added;
  const auto forgotten = learned_of_forgotten(database, *wanted, *said);
  if (!forgotten) return forgotten.error();
  added.forgotten = *forgotten;
  if (added.forgotten) return added;

  Verdict verdict;
  if (compare) {
    const auto existing = duplicates_possible(database, *wanted);
    if (!existing) return existing.error();
    verdict = compare(*wanted, *existing);
  }
  const bool is_change = verdict.meaning == Verdict::changed;
  const auto said_again = any_said_since(database, is_change ? verdict.memories : std::vector<Id>(), *said);
  if (!said_again) return said_again.error();
  added.duplicate = verdict.meaning == Verdict::same;
  // Nothing that waits for the user takes the place of what stands.
  const bool supersedes = is_change && !*said_again && wanted->state == "active";
  const bool contradicts = verdict.meaning >= Verdict::changed && !supersedes;
  if (contradicts) wanted->state = "quarantined";
  if (supersedes && verdict.everywhere) wanted->project = no_id;
  const Id id = added.duplicate ? verdict.memories.front() : insert(database, transaction, *wanted);
  if (!added.duplicate) change.added(id);
  if (added.duplicate && verdict.better) change.reword(id, wanted->text);
  if (supersedes) {
    added.replaces = verdict.memories.front();
    for (const Id memory : verdict.memories) change.supersede(memory, id);
  }
  if (contradicts) {
    added.contradicts = verdict.memories.front();
    for (const Id memory : verdict.memories) change.relate(id, "contradicts", memory);
  }
  // A duplicate's evidence counts too: forgetting the memory has to find these words.
  for (const auto& evidence : wanted->evidence) add_source(transaction, id, evidence);
  if (auto written = transaction.so_far(); !written) return written.error();
  auto stored = memory(database, id);
  if (!stored) return stored.error();
  added.memory = std::move(*stored);
  added.kept_out = door.kept_out();
  return added;
}

}  // namespace selfmind::store

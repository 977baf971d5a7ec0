#include "store/revisions.h"

#include <fmt/format.h>

#include "store/change.h"
#include "store/memory_rows.h"

namespace selfmind::store {
namespace {

// Of `change` and the columns read from position `first` on.
constexpr const char* change_columns = "made.id, made.verb, made.made_by, made.turn, made.session, made.at";

Change change_row(const Statement& row, int first) {
  Change change;
  change.id = row.integer(first);
  change.verb = row.text(first + 1);
  change.made_by = row.text(first + 2);
  change.turn = row.integer(first + 3);  // NULL reads as no_id
  change.session = row.integer(first + 4);
  change.at = from_millis(row.integer(first + 5));
  return change;
}

Revision revision_row(const Statement& row) {
  return {row.integer(0), row.text(1), row.text(2), row.text(3), change_row(row, 4)};
}

Source source_row(const Statement& row) {
  return {{row.integer(0), row.text(1)}, row.integer(2), from_millis(row.integer(3))};
}

// A memory that a change touched, and the revision it made of it first.
struct Touched {
  Id memory = no_id;
  std::int64_t revision = 0;
};

Touched touched_row(const Statement& row) { return {row.integer(0), row.integer(1)}; }

// A memory's revisions are numbered one by one, so that the one before is one less; 0: there was none.
void take_back(OpenChange& change, const std::vector<Touched>& all) {
  for (const auto& one : all) change.restore(one.memory, one.revision - 1);
}

Result<std::vector<Memory>> as_they_are(Database& database, const std::vector<Touched>& all) {
  std::vector<Memory> memories;
  for (const auto& one : all) {
    auto now = memory(database, one.memory);
    if (!now) return now.error();
    memories.push_back(std::move(*now));
  }
  return memories;
}

// What was learned there or since, not taken back yet, and whether the user has changed it afterwards.
Result<std::vector<Touched>> learned(Database& database, const View& view, const Rollback& what, bool changed_since) {
  return collect(
      query(database,
            "SELECT of.memory, min(of.revision) AS first FROM memory_revision AS of "
            "JOIN memory_change AS made ON made.id = of.change JOIN memory ON memory.id = of.memory "
            "WHERE made.made_by IN ('learn', 'rules') AND made.undone_by IS NULL "
            "AND (?1 IS NOT NULL OR ?3 OR memory.project IS NULL OR memory.project = ?4) "
            "AND (made.session = ?1 OR (?1 IS NULL AND made.at >= ?2)) "
            "GROUP BY of.memory HAVING ?5 = EXISTS (SELECT 1 FROM memory_revision AS later "
            "JOIN memory_change AS then_made ON then_made.id = later.change "
            "WHERE later.memory = of.memory AND later.revision > first AND then_made.made_by = 'user' "
            "AND then_made.verb NOT IN ('undo', 'rollback') AND then_made.undone_by IS NULL) ORDER BY of.memory",
            or_null(what.session), to_millis(what.since.value_or(Time{})), view.all, or_null(view.project),
            changed_since),
      touched_row);
}

// Nothing is learned from the chat's turns again, or from those said since; also not what still waits.
void unlearn(Database& database, Transaction& transaction, const View& view, const Rollback& what) {
  transaction.run(
      "INSERT OR IGNORE INTO unlearned (turn, at) SELECT turn.id, ?5 FROM turn JOIN session ON session.id = "
      "turn.session WHERE turn.role = 'user' AND turn.state = 'answered' AND (turn.session = ?1 OR (?1 IS NULL AND "
      "turn.created_at >= ?2 AND (?3 OR session.project IS NULL OR session.project = ?4)))",
      or_null(what.session), to_millis(what.since.value_or(Time{})), view.all, or_null(view.project),
      to_millis(database.clock().now()));
}

}  // namespace

Result<History> history(Database& database, Id id) {
  auto transaction = Transaction::read(database);
  if (!transaction) return transaction.error();
  auto now = memory(database, id);
  if (!now) return now.error();
  auto revisions = collect(query(database,
                                 std::string("SELECT of.revision, of.text, of.kind, of.state, ") + change_columns +
                                     " FROM memory_revision AS of JOIN memory_change AS made ON made.id = of.change "
                                     "WHERE of.memory = ? ORDER BY of.revision",
                                 id),
                           revision_row);
  if (!revisions) return revisions.error();
  auto sources =
      collect(query(database,
                    "SELECT source.turn, source.quote, turn.session, turn.created_at FROM memory_source AS "
                    "source JOIN turn ON turn.id = source.turn WHERE source.memory = ? ORDER BY source.rowid",
                    id),
              source_row);
  if (!sources) return sources.error();
  return History{std::move(*now), std::move(*revisions), std::move(*sources)};
}

Result<std::vector<Memory>> memories_as_of(Database& database, const View& view, Time time) {
  auto transaction = Transaction::read(database);
  if (!transaction) return transaction.error();
  return read_memories(
      database,
      query(database,
            "SELECT memory.id, memory.uuid, of.text, of.kind, of.scene, of.track, of.state, memory.origin, "
            "memory.made_by, of.project, coalesce(project.name, ''), of.revision, memory.created_at, made.at, 0, 0, "
            "of.reason, of.valid_from, of.valid_to, utility, durability, urgency, identity, confidence, sensitivity "
            "FROM memory JOIN memory_revision AS of ON of.memory = memory.id AND of.revision = "
            "(SELECT max(then_was.revision) FROM memory_revision AS then_was JOIN memory_change AS then_made "
            "ON then_made.id = then_was.change WHERE then_was.memory = memory.id AND then_made.at <= ?1) "
            "JOIN memory_change AS made ON made.id = of.change LEFT JOIN project ON project.id = of.project "
            "WHERE (?2 OR (of.state = 'active' AND (of.project IS NULL OR of.project = ?3))) "
            "AND (?4 = '' OR of.kind = ?4) AND (?5 = '' OR of.scene = ?5) ORDER BY memory.id",
            to_millis(time), view.all, or_null(view.project), view.kind, view.scene));
}

Result<Undone> undo(Database& database, const View& view) {
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  const auto newest =
      first(query(database,
                  std::string("SELECT ") + change_columns +
                      " FROM memory_change AS made WHERE made.undone_by IS NULL AND made.verb <> 'undo' "
                      "AND EXISTS (SELECT 1 FROM memory_revision AS of JOIN memory ON memory.id = of.memory "
                      "WHERE of.change = made.id AND (?1 OR memory.project IS NULL OR memory.project = ?2)) "
                      "ORDER BY made.id DESC LIMIT 1",
                  view.all, or_null(view.project)),
            [](const Statement& row) { return change_row(row, 0); });
  if (!newest) return newest.error();
  if (!*newest) return Error{ErrorKind::not_found, "There is nothing to take back here."};
  const auto touched =
      collect(query(database,
                    // An import brings a memory with its history, which was never here: there is nothing to go back to.
                    "SELECT memory, iif(?2 = 'import', 1, min(revision)) FROM memory_revision WHERE change = ?1 "
                    "GROUP BY memory",
                    (*newest)->id, (*newest)->verb),
              touched_row);
  if (!touched) return touched.error();
  OpenChange change(database, *transaction, {no_id, "undo", "user", no_id, no_id, {}});
  take_back(change, *touched);
  transaction->run("UPDATE memory_change SET undone_by = ? WHERE id = ?", change.id(), (*newest)->id);
  // What a rollback had taken back stands again, and can be taken back again.
  transaction->run("UPDATE memory_change SET undone_by = NULL WHERE undone_by = ?", (*newest)->id);
  if (auto written = transaction->so_far(); !written) return written.error();
  auto memories = as_they_are(database, *touched);
  if (!memories) return memories.error();
  if (auto done = transaction->commit(); !done) return done.error();
  return Undone{std::move(**newest), std::move(*memories)};
}

Result<RolledBack> roll_back(Database& database, const View& view, const Rollback& what) {
  auto transaction = what.dry_run ? Transaction::read(database) : Transaction::write(database);
  if (!transaction) return transaction.error();
  if (what.session != no_id) {
    const auto there = number(query(database, "SELECT count(*) FROM session WHERE id = ?", what.session));
    if (!there) return there.error();
    if (*there == 0) return Error{ErrorKind::not_found, fmt::format("There is no chat {}.", what.session)};
  }
  const auto touched = learned(database, view, what, /*changed_since=*/false);
  if (!touched) return touched.error();
  const auto changed = learned(database, view, what, /*changed_since=*/true);
  if (!changed) return changed.error();
  RolledBack result;
  if (!what.dry_run) {
    OpenChange change(database, *transaction, {no_id, "rollback", "user", no_id, what.session, {}});
    take_back(change, *touched);
    if (change.any()) {
      for (const auto& one : *touched) {
        transaction->run(
            "UPDATE memory_change SET undone_by = ?1 WHERE undone_by IS NULL AND made_by IN ('learn', 'rules') "
            "AND id IN (SELECT change FROM memory_revision WHERE memory = ?2 AND revision >= ?3)",
            change.id(), one.memory, one.revision);
      }
    }
    unlearn(database, *transaction, view, what);
    result.turns = database.changes();
    transaction->run("DELETE FROM learn_queue WHERE turn IN (SELECT turn FROM unlearned)");
    if (auto written = transaction->so_far(); !written) return written.error();
  }
  auto memories = as_they_are(database, *touched);
  if (!memories) return memories.error();
  auto kept = as_they_are(database, *changed);
  if (!kept) return kept.error();
  result.memories = std::move(*memories);
  result.kept = std::move(*kept);
  if (!what.dry_run) {
    if (auto done = transaction->commit(); !done) return done.error();
  }
  return result;
}

}  // namespace selfmind::store

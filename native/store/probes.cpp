#include "store/probes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "base/utf8.h"
#include "store/cut.h"
#include "store/door.h"
#include "store/memories.h"
#include "store/statement.h"

namespace selfmind::store {
namespace {

constexpr const char* probe_columns = "SELECT id, uuid, project, query, created_at FROM probe ";

Probe probe_row(const Statement& row) {
  Probe probe;
  probe.id = row.integer(0);
  probe.uuid = row.text(1);
  probe.project = row.integer(2);  // NULL reads as no_id
  probe.query = row.text(3);
  probe.created_at = from_millis(row.integer(4));
  return probe;
}

Expected expected_row(const Statement& row) {
  const bool memory = !row.null(0);
  return {memory ? ItemKind::memory : ItemKind::turn, row.integer(memory ? 0 : 1), row.text(2), row.text(3)};
}

Result<std::vector<Probe>> read_probes(Database& database, Result<Statement> rows) {
  auto probes = collect(std::move(rows), probe_row);
  if (!probes) return probes;
  for (auto& probe : *probes) {
    auto expect = collect(query(database,
                                "SELECT probe_expect.memory, probe_expect.turn, coalesce(memory.text, turn.text), "
                                "coalesce(memory.state, '') FROM probe_expect "
                                "LEFT JOIN memory ON memory.id = probe_expect.memory "
                                "LEFT JOIN turn ON turn.id = probe_expect.turn "
                                "WHERE probe_expect.probe = ? ORDER BY probe_expect.rowid",
                                probe.id),
                          expected_row);
    if (!expect) return expect.error();
    probe.expect = std::move(*expect);
  }
  return probes;
}

Result<Probe> read_probe(Database& database, Id id) {
  auto found = read_probes(database, query(database, std::string(probe_columns) + "WHERE id = ?", id));
  if (!found) return found.error();
  if (found->empty()) {
    return Error{ErrorKind::not_found, fmt::format("There is no probe {}; `probe run` shows their numbers.", id)};
  }
  return std::move(found->front());
}

// Why the project that probes cannot find this.
Error elsewhere(std::string_view what, Id id, const std::string& project) {
  return Error{ErrorKind::invalid, fmt::format("{} {} belongs to the project {} alone; add the probe there.", what, id,
                                               project.empty() ? "that it was said in" : project)};
}

Result<void> check_memory(Database& database, Id id, Id project) {
  const auto found = memory(database, id);
  if (!found) return found.error();
  if (found->project != no_id && found->project != project) return elsewhere("Memory", id, found->project_name);
  if (found->state != "active") {
    return Error{
        ErrorKind::invalid,
        fmt::format("Memory {} is {}, so it is not recalled; name the one that stands now.", id, found->state)};
  }
  return {};
}

Result<void> check_turn(Database& database, Id id, Id project) {
  struct Said {
    Id project;
    std::string name, text;
  };
  const auto said = first(query(database,
                                "SELECT session.project, coalesce(project.name, ''), turn.text FROM turn "
                                "JOIN session ON session.id = turn.session "
                                "LEFT JOIN project ON project.id = session.project WHERE turn.id = ?",
                                id),
                          [](const Statement& row) {
                            return Said{row.integer(0), row.text(1), row.text(2)};
                          });
  if (!said) return said.error();
  if (!*said || nothing_left((*said)->text)) {
    return Error{ErrorKind::not_found, fmt::format("There is no turn {}; `recall` prints their ids.", id)};
  }
  if ((*said)->project != no_id && (*said)->project != project) return elsewhere("Turn", id, (*said)->name);
  return {};
}

bool same(const Expected& a, const Expected& b) { return a.kind == b.kind && a.id == b.id; }

// The draft as it is stored, or why it cannot be.
Result<ProbeDraft> checked(Database& database, const ProbeDraft& draft) {
  ProbeDraft out;
  out.project = draft.project;
  out.query = utf8::trim(Door(database).typed(draft.query));
  if (out.query.empty()) return Error{ErrorKind::invalid, "There is nothing to ask; give the probe a question."};
  if (out.query.size() > limits::probe_bytes) {
    return Error{ErrorKind::invalid, fmt::format("A probe's question is at most {} KB, this is {}; ask a part of it.",
                                                 limits::probe_bytes / 1024, out.query.size() / 1024 + 1)};
  }
  for (const auto& expected : draft.expect) {
    const auto known = [&expected](const Expected& other) { return same(expected, other); };
    if (std::any_of(out.expect.begin(), out.expect.end(), known)) continue;
    auto there = expected.kind == ItemKind::memory ? check_memory(database, expected.id, draft.project)
                                                   : check_turn(database, expected.id, draft.project);
    if (!there) return there.error();
    out.expect.push_back(expected);
  }
  return out;
}

Id insert(Database& database, Transaction& transaction, const ProbeDraft& draft) {
  const Time now = database.clock().now();
  transaction.run("INSERT INTO probe (uuid, project, query, created_at) VALUES (?, ?, ?, ?)", database.ids().uuid(now),
                  or_null(draft.project), draft.query, to_millis(now));
  const Id id = database.last_insert_id();
  for (const auto& expected : draft.expect) {
    const bool memory = expected.kind == ItemKind::memory;
    transaction.run("INSERT INTO probe_expect (probe, memory, turn) VALUES (?, ?, ?)", id,
                    or_null(memory ? expected.id : no_id), or_null(memory ? no_id : expected.id));
  }
  return id;
}

}  // namespace

Result<AddedProbe> add_probe(Database& database, const ProbeDraft& draft) {
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  const auto wanted = checked(database, draft);
  if (!wanted) return wanted.error();
  const auto before = first(
      query(database, "SELECT id FROM probe WHERE query = ? AND project IS ?", wanted->query, or_null(wanted->project)),
      [](const Statement& row) { return row.integer(0); });
  if (!before) return before.error();
  const Id replaced = before->value_or(no_id);
  if (replaced != no_id) transaction->run("DELETE FROM probe WHERE id = ?", replaced);
  const Id id = insert(database, *transaction, *wanted);
  if (auto written = transaction->so_far(); !written) return written.error();
  auto stored = read_probe(database, id);
  if (!stored) return stored.error();
  if (auto done = transaction->commit(); !done) return done.error();
  return AddedProbe{std::move(*stored), replaced};
}

Result<std::vector<Probe>> probes(Database& database, Id project) {
  auto transaction = Transaction::read(database);
  if (!transaction) return transaction.error();
  return read_probes(database,
                     query(database, std::string(probe_columns) + "WHERE project IS NULL OR project = ? ORDER BY id",
                           or_null(project)));
}

Result<std::vector<Probe>> every_probe(Database& database) {
  return read_probes(database, query(database, std::string(probe_columns) + "ORDER BY id"));
}

Result<Probe> remove_probe(Database& database, Id id) {
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  auto probe = read_probe(database, id);
  if (!probe) return probe;
  transaction->run("DELETE FROM probe WHERE id = ?", id);
  if (auto done = transaction->commit(); !done) return done.error();
  return probe;
}

}  // namespace selfmind::store

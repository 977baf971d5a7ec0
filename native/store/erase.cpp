#include "store/erase.h"

#include <algorithm>
#include <optional>
#include <set>

#include "store/cut.h"
#include "store/cut_rows.h"
#include "store/probes.h"
#include "text/words.h"

namespace selfmind::store {
namespace {

// The schema that has brought these.
constexpr int probes_since = 3, revisions_since = 4, reasons_since = 5;

// Of the texts of a chat that goes only these are looked for in the bytes afterwards; "yes please" stands anywhere.
constexpr std::size_t sought_bytes = 40;

struct CutSession {
  Id id = no_id;
  std::string title;
  std::string draft;
};

Result<std::optional<Id>> row_of(Database& database, const char* sql, const std::string& uuid) {
  return first(query(database, sql, uuid), [](const Statement& row) { return row.integer(0); });
}

// Rows that a copy does not have are no error.
Result<std::vector<Id>> rows_of(Database& database, const char* sql, const std::vector<std::string>& uuids) {
  std::vector<Id> ids;
  for (const auto& uuid : std::set<std::string>(uuids.begin(), uuids.end())) {
    const auto id = row_of(database, sql, uuid);
    if (!id) return id.error();
    if (*id) ids.push_back(**id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

Result<std::vector<std::string>> texts(Result<Statement> rows) {
  return collect(std::move(rows), [](const Statement& row) { return row.text(0); });
}

// All that a memory said: its text and its reason, as they are and as they were.
Result<std::vector<std::string>> said_by(Database& database, Id memory, std::int64_t schema) {
  if (schema < revisions_since) return texts(query(database, "SELECT text FROM memory WHERE id = ?", memory));
  if (schema < reasons_since) {
    return texts(query(database,
                       "SELECT text FROM memory WHERE id = ?1 UNION SELECT text FROM memory_revision WHERE memory = ?1",
                       memory));
  }
  return texts(query(database,
                     "SELECT text FROM memory WHERE id = ?1 UNION SELECT text FROM memory_revision WHERE memory = ?1 "
                     "UNION SELECT reason FROM memory WHERE id = ?1 AND reason <> '' "
                     "UNION SELECT reason FROM memory_revision WHERE memory = ?1 AND reason <> ''",
                     memory));
}

struct Quoted {
  std::string turn;
  std::string quote;
};

Result<void> add_words(Database& database, Id memory, std::int64_t schema, Words& words) {
  const auto sources = collect(query(database,
                                     "SELECT turn.uuid, quote FROM memory_source JOIN turn ON turn.id = "
                                     "memory_source.turn WHERE memory = ?",
                                     memory),
                               [](const Statement& row) {
                                 return Quoted{row.text(0), row.text(1)};
                               });
  if (!sources) return sources.error();
  const auto given = texts(
      query(database, "SELECT turn.uuid FROM recall JOIN turn ON turn.id = recall.turn WHERE memory = ?", memory));
  if (!given) return given.error();
  std::vector<std::string> asked;
  if (schema >= probes_since) {
    auto probes = texts(query(
        database, "SELECT probe.uuid FROM probe_expect JOIN probe ON probe.id = probe_expect.probe WHERE memory = ?",
        memory));
    if (!probes) return probes.error();
    asked = std::move(*probes);
  }
  const auto said = said_by(database, memory, schema);
  if (!said) return said.error();

  for (const auto& text : *said) {
    if (!is_short(text)) {
      words.everywhere.push_back(text);
      continue;
    }
    for (const auto& source : *sources) words.typed_in[source.turn].push_back(text);
    for (const auto& turn : *given) words.given_to[turn].push_back(text);
    for (const auto& probe : asked) words.asked_in[probe].push_back(text);
  }
  for (const auto& [turn, quote] : *sources) {
    if (quote.empty()) continue;
    words.quoted_in[turn].push_back(quote);
    if (!is_short(quote)) {
      words.everywhere.push_back(quote);
      continue;
    }
    words.typed_in[turn].push_back(quote);
    for (const auto& probe : asked) words.asked_in[probe].push_back(quote);
  }
  return {};
}

bool cut_some(const Words::ById& by_id, const std::string& id, std::string& text) {
  const auto some = by_id.find(id);
  return some != by_id.end() && Cutter(some->second).cut(text);
}

bool cut_turn(const Words& words, const Cutter& everywhere, const Excerpts& of_chats, CutTurn& turn) {
  bool found = turn.from_memory ? everywhere.cut_block(turn.text) : everywhere.cut(turn.text);
  if (turn.from_memory) found = of_chats.cut(turn.text) || found;
  if (!turn.content.empty()) found = everywhere.cut_json(turn.content) || found;
  found = everywhere.cut_block(turn.memory_block) || found;
  found = of_chats.cut(turn.memory_block) || found;
  found = cut_some(words.typed_in, turn.uuid, turn.text) || found;
  if (const auto some = words.given_to.find(turn.uuid); some != words.given_to.end()) {
    found = Cutter(some->second).cut_block(turn.memory_block) || found;
  }
  return found;
}

bool holds(const std::vector<Id>& sorted, Id id) { return std::binary_search(sorted.begin(), sorted.end(), id); }

Result<void> plan_turns(Database& database, const Words& words, const Excerpts& of_chats, Plan& plan) {
  const Cutter everywhere(words.everywhere);
  auto rows =
      query(database,
            "SELECT id, uuid, session, parent, text, content, memory_block, state = 'offline' FROM turn ORDER BY id");
  if (!rows) return rows.error();
  while (true) {
    const auto row = rows->step();
    if (!row) return row.error();
    if (!*row) return {};
    CutTurn turn{rows->integer(0), rows->text(1), rows->integer(2), rows->integer(3),
                 rows->text(4),    rows->text(5), rows->text(6),    rows->integer(7) != 0};
    if (holds(plan.chats, turn.session)) continue;
    if (cut_turn(words, everywhere, of_chats, turn)) plan.turns.push_back(std::move(turn));
  }
}

// A full stop that is left quotes nothing.
bool quotes_nothing(std::string_view left) { return text::words(without(forgotten_mark, left)).empty(); }

// Where other memories quote the words that a forgotten one quotes of the same turn, they are cut, too: they are the
// same words of the user's, and stand there no more.
Result<void> plan_quotations(Database& database, const Words& words, Plan& plan) {
  for (const auto& turn : plan.turns) {
    const auto quoted = words.quoted_in.find(turn.uuid);
    if (quoted == words.quoted_in.end()) continue;
    auto all = collect(query(database, "SELECT memory, quote FROM memory_source WHERE turn = ?", turn.id),
                       [&turn](const Statement& row) {
                         return CutQuotation{row.integer(0), turn.id, row.text(1), row.text(1)};
                       });
    if (!all) return all.error();
    const Cutter cutter(quoted->second);
    for (auto& quotation : *all) {
      if (holds(plan.memories, quotation.memory) || !cutter.cut(quotation.left)) continue;
      if (quotes_nothing(quotation.left)) quotation.left.clear();
      plan.quotations.push_back(std::move(quotation));
    }
  }
  return {};
}

// How much of what a probe should find goes: memories, and turns that go or of which nothing is left.
struct Loss {
  std::set<Id> memories, turns;

  std::size_t of(const Probe& probe) const {
    return static_cast<std::size_t>(
        std::count_if(probe.expect.begin(), probe.expect.end(), [this](const Expected& expected) {
          return (expected.kind == ItemKind::memory ? memories : turns).count(expected.id) > 0;
        }));
  }
};

Result<void> plan_probes(Database& database, const Words& words, const Loss& loss, Plan& plan) {
  if (plan.schema < probes_since) return {};
  auto all = every_probe(database);
  if (!all) return all.error();
  const Cutter everywhere(words.everywhere);
  for (auto& probe : *all) {
    const auto lost = loss.of(probe);
    bool found = everywhere.cut(probe.query);
    found = cut_some(words.asked_in, probe.uuid, probe.query) || found;
    const bool homeless = plan.project != no_id && probe.project == plan.project;
    if (!found && lost == 0 && !homeless) continue;
    const bool gone = homeless || (lost > 0 && lost == probe.expect.size()) || nothing_left(probe.query);
    plan.probes.push_back({probe.id, probe.uuid, std::move(probe.query), gone});
  }
  return {};
}

// The texts of the chats that go, by turn.
Result<std::map<Id, std::string>> texts_of(Database& database, const std::vector<Id>& chats) {
  std::map<Id, std::string> all;
  for (const Id chat : chats) {
    auto rows = query(database, "SELECT id, text FROM turn WHERE session = ?", chat);
    if (!rows) return rows.error();
    while (true) {
      const auto row = rows->step();
      if (!row) return row.error();
      if (!*row) break;
      all.emplace(rows->integer(0), rows->text(1));
    }
  }
  return all;
}

void write_probe(Transaction& transaction, const CutProbe& probe) {
  if (probe.gone) {
    transaction.run("DELETE FROM probe WHERE id = ?", probe.id);
  } else {
    transaction.run("UPDATE probe SET query = ? WHERE id = ?", probe.query, probe.id);
  }
}

void write_quotation(Transaction& transaction, const CutQuotation& cut) {
  if (cut.left.empty()) {
    transaction.run("DELETE FROM memory_source WHERE memory = ? AND turn = ? AND quote = ?", cut.memory, cut.turn,
                    cut.quote);
  } else {
    transaction.run("UPDATE memory_source SET quote = ? WHERE memory = ? AND turn = ? AND quote = ?", cut.left,
                    cut.memory, cut.turn, cut.quote);
  }
  transaction.run("INSERT INTO change (kind, item) VALUES ('memory', ?)", cut.memory);
}

void write_turn(Database& database, Transaction& transaction, const CutTurn& turn) {
  open_redaction(database, transaction, turn.id, "forget");
  transaction.run("UPDATE turn SET text = ?, content = ?, memory_block = ? WHERE id = ?", turn.text, turn.content,
                  turn.memory_block, turn.id);
  close_redaction(transaction, turn.id);
}

// A message of which nothing is left teaches nothing. Whoever is learning from another cut one right now loses the
// lease, so that what was forgotten does not come back with its answer; it is learned from again, as it stands now.
void settle_queue(Transaction& transaction, const CutTurn& turn) {
  if (nothing_left(turn.text)) transaction.run("DELETE FROM learn_queue WHERE turn = ?", turn.id);
  transaction.run("UPDATE learn_queue SET lease = '', lease_until = 0 WHERE turn IN (?, ?)", turn.id, turn.parent);
}

Result<void> cut_sessions(Database& database, Transaction& transaction, const Words& words) {
  auto sessions = collect(query(database, "SELECT id, title, draft FROM session"), [](const Statement& row) {
    return CutSession{row.integer(0), row.text(1), row.text(2)};
  });
  if (!sessions) return sessions.error();
  const Cutter cutter(words.everywhere);
  for (auto& session : *sessions) {
    const bool title = cutter.cut(session.title);
    const bool draft = cutter.cut(session.draft);
    if (!title && !draft) continue;
    transaction.run("UPDATE session SET title = ?, draft = ? WHERE id = ?", session.title, session.draft, session.id);
  }
  return {};
}

void delete_chat(Database& database, Transaction& transaction, Id chat) {
  // A memory that stays and came from here comes from nowhere now, which those who list and recall it have to hear.
  transaction.run(
      "DELETE FROM change WHERE kind = 'memory' AND item IN (SELECT memory FROM memory_source JOIN turn ON turn.id = "
      "memory_source.turn WHERE turn.session = ?)",
      chat);
  transaction.run(
      "INSERT INTO change (kind, item) SELECT DISTINCT 'memory', memory FROM memory_source JOIN turn ON turn.id = "
      "memory_source.turn WHERE turn.session = ?",
      chat);
  // Also of days that are over; the redactions go with their turns.
  transaction.run(
      "INSERT INTO redaction (turn, reason, at, open) SELECT id, 'forget', ?, 1 FROM turn WHERE session = ?",
      to_millis(database.clock().now()), chat);
  transaction.run("DELETE FROM session WHERE id = ?", chat);
}

void delete_project(Transaction& transaction, Id project, std::int64_t schema) {
  // What a memory of another scope was before it was moved.
  if (schema >= revisions_since) {
    transaction.run("UPDATE memory_revision SET project = NULL WHERE project = ?", project);
  }
  transaction.run("DELETE FROM project WHERE id = ?", project);
}

}  // namespace

std::vector<std::string> Words::all() const {
  std::vector<std::string> words = everywhere;
  for (const auto* by_id : {&typed_in, &given_to}) {
    for (const auto& [id, some] : *by_id) words.insert(words.end(), some.begin(), some.end());
  }
  return words;
}

void Words::add(const Words& more) {
  everywhere.insert(everywhere.end(), more.everywhere.begin(), more.everywhere.end());
  const auto merge = [](ById& into, const ById& from) {
    for (const auto& [id, some] : from) into[id].insert(into[id].end(), some.begin(), some.end());
  };
  merge(typed_in, more.typed_in);
  merge(given_to, more.given_to);
  merge(asked_in, more.asked_in);
  merge(quoted_in, more.quoted_in);
}

bool Plan::any() const {
  return !memories.empty() || !chats.empty() || project != no_id || !turns.empty() || !probes.empty();
}

Result<Plan> plan(Database& database, const Target& target, const Words& known) {
  Plan plan;
  const auto schema = number(query(database, "PRAGMA user_version"));
  if (!schema) return schema.error();
  plan.schema = *schema;
  auto memories = rows_of(database, "SELECT id FROM memory WHERE uuid = ?", target.memories);
  if (!memories) return memories.error();
  plan.memories = std::move(*memories);
  auto chats = rows_of(database, "SELECT id FROM session WHERE uuid = ?", target.chats);
  if (!chats) return chats.error();
  plan.chats = std::move(*chats);
  const auto project = row_of(database, "SELECT id FROM project WHERE uuid = ?", target.project);
  if (!project) return project.error();
  plan.project = project->value_or(no_id);

  for (const Id memory : plan.memories) {
    if (auto added = add_words(database, memory, plan.schema, plan.words); !added) return added.error();
    auto said = said_by(database, memory, plan.schema);
    if (!said) return said.error();
    // A memory that is short and came from no turn is cut nowhere, but its row leaves bytes behind.
    plan.sought.insert(plan.sought.end(), said->begin(), said->end());
  }
  plan.words.add(known);
  const auto gone = texts_of(database, plan.chats);
  if (!gone) return gone.error();
  plan.turns_gone = static_cast<int>(gone->size());

  std::vector<std::string> said_there;
  for (const auto& [turn, text] : *gone) said_there.push_back(text);
  if (auto done = plan_turns(database, plan.words, Excerpts(said_there), plan); !done) return done.error();
  if (auto done = plan_quotations(database, plan.words, plan); !done) return done.error();
  Loss loss;
  loss.memories.insert(plan.memories.begin(), plan.memories.end());
  for (const auto& [turn, text] : *gone) loss.turns.insert(turn);
  for (const auto& turn : plan.turns) {
    if (nothing_left(turn.text)) loss.turns.insert(turn.id);
  }
  if (auto done = plan_probes(database, plan.words, loss, plan); !done) return done.error();

  const auto words = plan.words.all();
  plan.sought.insert(plan.sought.end(), words.begin(), words.end());
  std::copy_if(said_there.begin(), said_there.end(), std::back_inserter(plan.sought),
               [](const std::string& text) { return text.size() >= sought_bytes; });
  return plan;
}

Result<void> carry_out(Database& database, Transaction& transaction, const Plan& plan) {
  for (const auto& probe : plan.probes) write_probe(transaction, probe);
  for (const auto& quotation : plan.quotations) write_quotation(transaction, quotation);
  std::set<Id> sessions;
  for (const auto& turn : plan.turns) {
    write_turn(database, transaction, turn);
    settle_queue(transaction, turn);
    if (plan.schema >= probes_since && nothing_left(turn.text)) {
      transaction.run("DELETE FROM probe_expect WHERE turn = ?", turn.id);
    }
    sessions.insert(turn.session);
  }
  for (const Id session : sessions) {
    if (auto done = retitle(database, transaction, session); !done) return done;
    leave_thinking_out(transaction, session);
  }
  if (auto cut = cut_sessions(database, transaction, plan.words); !cut) return cut;
  for (const Id memory : plan.memories) transaction.run("DELETE FROM memory WHERE id = ?", memory);
  for (const Id chat : plan.chats) delete_chat(database, transaction, chat);
  if (plan.project != no_id) delete_project(transaction, plan.project, plan.schema);
  return transaction.so_far();
}

}  // namespace selfmind::store

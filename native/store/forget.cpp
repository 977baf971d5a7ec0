// forget() of memories.h.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "store/bytes.h"
#include "store/cut.h"
#include "store/memory_rows.h"
#include "store/probes.h"
#include "store/title.h"
#include "store/tombstones.h"

namespace selfmind::store {
namespace {

// What is cut where. Short words would shred texts that mean something else by them, so they go only from the turns
// they are known to stand in.
struct Words {
  std::vector<std::string> everywhere;
  std::map<Id, std::vector<std::string>> typed_in;  // by turn: short quotes and texts, in the turn they came from
  std::map<Id, std::vector<std::string>> given_to;  // by turn: short texts, in the block it was sent with
  std::map<Id, std::vector<std::string>> asked_in;  // by probe: short quotes and texts, where it should find them

  std::vector<std::string> all() const {
    std::vector<std::string> words = everywhere;
    for (const auto& [turn, some] : typed_in) words.insert(words.end(), some.begin(), some.end());
    for (const auto& [turn, some] : given_to) words.insert(words.end(), some.begin(), some.end());
    return words;
  }
};

struct CutTurn {
  Id id = no_id;
  Id session = no_id;
  Id parent = no_id;
  std::string text;
  std::string content;
  std::string memory_block;
  bool from_memory = false;  // a reply that was put together from excerpts
};

struct CutProbe {
  Id id = no_id;
  std::string query;
  bool gone = false;  // nothing is left of its question, or of what it should find
};

struct CutSession {
  Id id = no_id;
  std::string title;
  std::string draft;
};

Result<std::vector<Memory>> chosen(Database& database, const std::vector<Id>& ids) {
  std::vector<Memory> found;
  for (const Id id : std::set<Id>(ids.begin(), ids.end())) {
    auto one = memory(database, id);
    if (!one) return one.error();
    found.push_back(std::move(*one));
  }
  return found;
}

Result<void> add_words(Database& database, const Memory& memory, Words& words) {
  const auto sources = collect(query(database, "SELECT turn, quote FROM memory_source WHERE memory = ?", memory.id),
                               [](const Statement& row) {
                                 return Evidence{row.integer(0), row.text(1)};
                               });
  if (!sources) return sources.error();
  const auto given = collect(query(database, "SELECT turn FROM recall WHERE memory = ?", memory.id),
                             [](const Statement& row) { return row.integer(0); });
  if (!given) return given.error();
  const auto asked = collect(query(database, "SELECT probe FROM probe_expect WHERE memory = ?", memory.id),
                             [](const Statement& row) { return row.integer(0); });
  if (!asked) return asked.error();

  const auto texts = collect(  // as it was before, too
      query(database, "SELECT DISTINCT text FROM memory_revision WHERE memory = ?", memory.id),
      [](const Statement& row) { return row.text(0); });
  if (!texts) return texts.error();

  for (const auto& text : *texts) {
    if (!is_short(text)) {
      words.everywhere.push_back(text);
      continue;
    }
    for (const auto& source : *sources) words.typed_in[source.turn].push_back(text);
    for (const Id turn : *given) words.given_to[turn].push_back(text);
    for (const Id probe : *asked) words.asked_in[probe].push_back(text);
  }
  for (const auto& [turn, quote] : *sources) {
    if (quote.empty()) continue;
    if (!is_short(quote)) {
      words.everywhere.push_back(quote);
      continue;
    }
    words.typed_in[turn].push_back(quote);
    for (const Id probe : *asked) words.asked_in[probe].push_back(quote);
  }
  return {};
}

Result<Words> words_of(Database& database, const std::vector<Memory>& memories) {
  Words words;
  for (const auto& memory : memories) {
    if (auto added = add_words(database, memory, words); !added) return added.error();
  }
  return words;
}

bool cut_turn(const Words& words, const Cutter& everywhere, CutTurn& turn) {
  bool found = turn.from_memory ? everywhere.cut_block(turn.text) : everywhere.cut(turn.text);
  if (!turn.content.empty()) found = everywhere.cut_json(turn.content) || found;
  found = everywhere.cut_block(turn.memory_block) || found;
  if (const auto some = words.typed_in.find(turn.id); some != words.typed_in.end()) {
    found = Cutter(some->second).cut(turn.text) || found;
  }
  if (const auto some = words.given_to.find(turn.id); some != words.given_to.end()) {
    found = Cutter(some->second).cut_block(turn.memory_block) || found;
  }
  return found;
}

// The turns that change, as they are to be.
Result<std::vector<CutTurn>> cut_turns(Database& database, const Words& words) {
  const Cutter everywhere(words.everywhere);
  auto rows = query(database,
                    "SELECT id, session, parent, text, content, memory_block, state = 'offline' FROM turn ORDER BY id");
  if (!rows) return rows.error();
  std::vector<CutTurn> changed;
  while (true) {
    const auto row = rows->step();
    if (!row) return row.error();
    if (!*row) return changed;
    CutTurn turn{rows->integer(0), rows->integer(1), rows->integer(2),     rows->text(3),
                 rows->text(4),    rows->text(5),    rows->integer(6) != 0};
    if (cut_turn(words, everywhere, turn)) changed.push_back(std::move(turn));
  }
}

// How much of what a probe should find goes: memories, and turns of which nothing is left.
struct Loss {
  std::set<Id> memories, turns;

  std::size_t of(const Probe& probe) const {
    return static_cast<std::size_t>(
        std::count_if(probe.expect.begin(), probe.expect.end(), [this](const Expected& expected) {
          return (expected.kind == ItemKind::memory ? memories : turns).count(expected.id) > 0;
        }));
  }
};

Loss loss_of(const std::vector<Memory>& memories, const std::vector<CutTurn>& turns) {
  Loss loss;
  for (const auto& memory : memories) loss.memories.insert(memory.id);
  for (const auto& turn : turns) {
    if (nothing_left(turn.text)) loss.turns.insert(turn.id);
  }
  return loss;
}

// The probes that change, as they are to be.
Result<std::vector<CutProbe>> cut_probes(Database& database, const Words& words, const Loss& loss) {
  auto all = every_probe(database);
  if (!all) return all.error();
  const Cutter everywhere(words.everywhere);
  std::vector<CutProbe> changed;
  for (auto& probe : *all) {
    const auto lost = loss.of(probe);
    bool found = everywhere.cut(probe.query);
    if (const auto some = words.asked_in.find(probe.id); some != words.asked_in.end()) {
      found = Cutter(some->second).cut(probe.query) || found;
    }
    if (!found && lost == 0) continue;
    const bool gone = (lost > 0 && lost == probe.expect.size()) || nothing_left(probe.query);
    changed.push_back({probe.id, std::move(probe.query), gone});
  }
  return changed;
}

void write_probe(Transaction& transaction, const CutProbe& probe) {
  if (probe.gone) {
    transaction.run("DELETE FROM probe WHERE id = ?", probe.id);
  } else {
    transaction.run("UPDATE probe SET query = ? WHERE id = ?", probe.query, probe.id);
  }
}

void write_turn(Database& database, Transaction& transaction, const CutTurn& turn) {
  transaction.run("INSERT INTO redaction (turn, reason, at, open) VALUES (?, 'forget', ?, 1)", turn.id,
                  to_millis(database.clock().now()));
  transaction.run("UPDATE turn SET text = ?, content = ?, memory_block = ? WHERE id = ?", turn.text, turn.content,
                  turn.memory_block, turn.id);
  transaction.run("UPDATE redaction SET open = 0 WHERE turn = ? AND open = 1", turn.id);
}

// A message of which nothing is left teaches nothing. Whoever is learning from another cut one right now loses the
// lease, so that what was forgotten does not come back with its answer; it is learned from again, as it stands now.
void settle_queue(Transaction& transaction, const CutTurn& turn) {
  if (nothing_left(turn.text)) transaction.run("DELETE FROM learn_queue WHERE turn = ?", turn.id);
  transaction.run("UPDATE learn_queue SET lease = '', lease_until = 0 WHERE turn IN (?, ?)", turn.id, turn.parent);
}

Result<void> settle_session(Database& database, Transaction& transaction, Id session) {
  const auto opening =
      first(query(database, "SELECT text FROM turn WHERE session = ? AND role = 'user' ORDER BY id LIMIT 1", session),
            [](const Statement& row) { return row.text(0); });
  if (!opening) return opening.error();
  // A title is cut off somewhere, perhaps in the middle of what is forgotten; made anew it cannot hold any of it.
  if (*opening) transaction.run("UPDATE session SET title = ? WHERE id = ?", title_of(**opening), session);
  transaction.run(
      "UPDATE session SET thinking_from = (SELECT max(turn.id) + 1 FROM turn WHERE turn.session = ?1) WHERE id = ?1",
      session);
  return {};
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

// All that a memory ever said, and the words that established it.
Result<std::vector<std::string>> said_by(Database& database, Id memory) {
  return collect(query(database,
                       "SELECT text FROM memory WHERE id = ?1 UNION SELECT text FROM memory_revision WHERE memory = ?1 "
                       "UNION SELECT quote FROM memory_source WHERE memory = ?1",
                       memory),
                 [](const Statement& row) { return row.text(0); });
}

Result<void> erase(Database& database, Transaction& transaction, const std::vector<Memory>& memories,
                   const Words& words, const std::vector<CutTurn>& turns, const std::vector<CutProbe>& probes) {
  for (const auto& probe : probes) write_probe(transaction, probe);
  std::set<Id> sessions;
  for (const auto& turn : turns) {
    write_turn(database, transaction, turn);
    settle_queue(transaction, turn);
    if (nothing_left(turn.text)) transaction.run("DELETE FROM probe_expect WHERE turn = ?", turn.id);
    sessions.insert(turn.session);
  }
  for (const Id session : sessions) {
    if (auto settled = settle_session(database, transaction, session); !settled) return settled;
  }
  if (auto cut = cut_sessions(database, transaction, words); !cut) return cut;
  for (const auto& memory : memories) {
    const auto texts = said_by(database, memory.id);
    if (!texts) return texts.error();
    const Tombstone tombstone{memory.uuid, database.clock().now()};
    if (auto buried = bury(database, transaction, tombstone, *texts); !buried) return buried;
    transaction.run("DELETE FROM memory WHERE id = ?", memory.id);
  }
  return transaction.commit();
}

}  // namespace

Result<Forgotten> forget(Database& database, const std::vector<Id>& ids, bool dry_run) {
  Forgotten forgotten;
  Words words;
  {
    auto transaction = dry_run ? Transaction::read(database) : Transaction::write(database);
    if (!transaction) return transaction.error();
    auto memories = chosen(database, ids);
    if (!memories) return memories.error();
    auto their_words = words_of(database, *memories);
    if (!their_words) return their_words.error();
    const auto turns = cut_turns(database, *their_words);
    if (!turns) return turns.error();
    const auto probes = cut_probes(database, *their_words, loss_of(*memories, *turns));
    if (!probes) return probes.error();
    if (!dry_run) {
      auto erased = erase(database, *transaction, *memories, *their_words, *turns, *probes);
      if (!erased) return erased.error();
    }
    forgotten.memories = std::move(*memories);
    forgotten.turns_cut = static_cast<int>(turns->size());
    for (const auto& probe : *probes) ++(probe.gone ? forgotten.probes_gone : forgotten.probes_cut);
    words = std::move(*their_words);
  }
  // A memory that is short and came from no turn is in no list above, but its row has just left bytes behind.
  auto sought = words.all();
  for (const auto& memory : forgotten.memories) sought.push_back(memory.text);
  if (!dry_run && !sought.empty()) forgotten.remains = scrub(database, sought);
  return forgotten;
}

}  // namespace selfmind::store

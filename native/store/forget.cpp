// forget(), forget_chat() and forget_project() of memories.h.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "base/limits.h"
#include "base/utf8.h"
#include "store/bytes.h"
#include "store/copies.h"
#include "store/cut.h"
#include "store/erase.h"
#include "store/memory_rows.h"
#include "store/tombstones.h"

namespace selfmind::store {
namespace {

// What a verb of forgetting has chosen to go.
struct Chosen {
  Target target;
  std::vector<Memory> memories;
  std::vector<Memory> kept;
  std::string name;
};

struct Named {
  std::string uuid, name;
};
Named named_row(const Statement& row) { return {row.text(0), row.text(1)}; }

void take(Chosen& chosen, std::vector<Memory> memories, WhatWasLearned learned) {
  if (learned == WhatWasLearned::kept) {
    chosen.kept = std::move(memories);
    return;
  }
  for (const auto& memory : memories) chosen.target.memories.push_back(memory.uuid);
  chosen.memories = std::move(memories);
}

Result<std::vector<Memory>> named(Database& database, const std::vector<Id>& ids) {
  std::vector<Memory> found;
  for (const Id id : std::set<Id>(ids.begin(), ids.end())) {
    auto one = memory(database, id);
    if (!one) return one.error();
    found.push_back(std::move(*one));
  }
  return found;
}

// All that a memory ever said, and the words that established it.
Result<std::vector<std::string>> said_by(Database& database, Id memory) {
  return collect(query(database,
                       "SELECT text FROM memory WHERE id = ?1 UNION SELECT text FROM memory_revision WHERE memory = ?1 "
                       "UNION SELECT quote FROM memory_source WHERE memory = ?1",
                       memory),
                 [](const Statement& row) { return row.text(0); });
}

Result<void> bury_all(Database& database, Transaction& transaction, const Chosen& chosen) {
  const Time now = database.clock().now();
  for (const auto& memory : chosen.memories) {
    const auto texts = said_by(database, memory.id);
    if (!texts) return texts.error();
    if (auto buried = bury(database, transaction, {memory.uuid, now}, *texts); !buried) return buried;
  }
  for (const auto& chat : chosen.target.chats) bury_id(transaction, {chat, now});
  return transaction.so_far();
}

// Who else says it, when the bytes are still there.
std::string who_says(Database& database, const std::vector<std::string>& sought) {
  constexpr std::size_t named_at_most = 3, asked_at_most = 500;
  std::set<Id> ids;
  for (std::size_t i = 0; i < std::min(sought.size(), asked_at_most); ++i) {
    const auto& words = sought[i];
    for (const auto& spelling : spellings(words)) {
      const auto found = collect(query(database,
                                       "SELECT id FROM memory WHERE instr(text, ?1) OR instr(reason, ?1) UNION "
                                       "SELECT memory FROM memory_revision WHERE instr(text, ?1) OR instr(reason, ?1)",
                                       spelling),
                                 [](const Statement& row) { return row.integer(0); });
      if (found) ids.insert(found->begin(), found->end());
    }
  }
  if (ids.empty()) return "The same words stand in something else in the store, and stay there.";
  const std::vector<Id> some(ids.begin(),
                             std::next(ids.begin(), static_cast<std::ptrdiff_t>(std::min(ids.size(), named_at_most))));
  return fmt::format("The same words stand in {} {}{}, and stay there; forget that as well if it should go.",
                     ids.size() == 1 ? "memory" : "memories", fmt::join(some, ", "),
                     ids.size() > named_at_most ? " and others" : "");
}

// Memories that stay and were established by nothing but the words that go.
Result<void> name_the_orphans(Database& database, const Plan& planned, Forgotten& forgotten) {
  std::map<Id, std::int64_t> lost;
  for (const auto& quotation : planned.quotations) lost[quotation.memory] += quotation.left.empty() ? 1 : 0;
  for (const auto& [id, quotations] : lost) {
    const auto all = number(query(database, "SELECT count(*) FROM memory_source WHERE memory = ?", id));
    if (!all) return all.error();
    if (*all != quotations) continue;
    auto orphan = memory(database, id);
    if (!orphan) return orphan.error();
    forgotten.remains.push_back(
        fmt::format("Memory {} came from the same words alone and stays, without a quotation: “{}” Forget it as well "
                    "if it should go.",
                    id, utf8::excerpt(orphan->text, limits::excerpt_bytes)));
  }
  return {};
}

void scrub(Database& database, const std::vector<std::string>& sought, Forgotten& forgotten) {
  if (auto rebuilt = rebuild(database); !rebuilt) {
    forgotten.remains.push_back(
        "The words are in no row any more, but freed parts of the store's file still have them: another program was "
        "using it. The next forget overwrites them.");
  } else if (stand_in_store(database, sought)) {
    forgotten.remains.push_back(who_says(database, sought));
  }
}

Result<Forgotten> forget_what(Database& database, const std::function<Result<Chosen>()>& choose, bool dry_run) {
  Forgotten forgotten;
  Chosen chosen;
  Plan planned;
  {
    auto transaction = dry_run ? Transaction::read(database) : Transaction::write(database);
    if (!transaction) return transaction.error();
    auto choice = choose();
    if (!choice) return choice.error();
    chosen = std::move(*choice);
    auto there = plan(database, chosen.target, {});
    if (!there) return there.error();
    planned = std::move(*there);
    if (auto done = name_the_orphans(database, planned, forgotten); !done) return done.error();
    if (!dry_run) {
      if (auto buried = bury_all(database, *transaction, chosen); !buried) return buried.error();
      if (auto done = carry_out(database, *transaction, planned); !done) return done.error();
      if (auto done = transaction->commit(); !done) return done.error();
    }
  }
  if (!dry_run && planned.any()) scrub(database, planned.sought, forgotten);
  auto copies = forget_in_copies(database, chosen.target, planned.words, planned.sought, dry_run);
  forgotten.copies = copies.changed;
  std::move(copies.left.begin(), copies.left.end(), std::back_inserter(forgotten.remains));
  forgotten.memories = std::move(chosen.memories);
  forgotten.kept = std::move(chosen.kept);
  forgotten.name = std::move(chosen.name);
  forgotten.chats = std::move(planned.chats);
  forgotten.turns_gone = planned.turns_gone;
  forgotten.turns_cut = static_cast<int>(planned.turns.size());
  for (const auto& probe : planned.probes) ++(probe.gone ? forgotten.probes_gone : forgotten.probes_cut);
  return forgotten;
}

}  // namespace

Result<Forgotten> forget(Database& database, const std::vector<Id>& ids, bool dry_run) {
  const auto choose = [&]() -> Result<Chosen> {
    auto memories = named(database, ids);
    if (!memories) return memories.error();
    Chosen chosen;
    take(chosen, std::move(*memories), WhatWasLearned::forgotten);
    return chosen;
  };
  return forget_what(database, choose, dry_run);
}

Result<Forgotten> forget_chat(Database& database, Id chat, WhatWasLearned learned, bool dry_run) {
  const auto choose = [&]() -> Result<Chosen> {
    const auto there = first(query(database, "SELECT uuid, title FROM session WHERE id = ?", chat), named_row);
    if (!there) return there.error();
    if (!*there) return Error{ErrorKind::not_found, fmt::format("There is no chat {}; `log` shows their ids.", chat)};
    auto memories = read_memories(
        database, query_memories(database,
                                 "WHERE EXISTS (SELECT 1 FROM memory_source JOIN turn ON turn.id = memory_source.turn "
                                 "WHERE memory = memory.id AND turn.session = ?1) AND NOT EXISTS (SELECT 1 FROM "
                                 "memory_source JOIN turn ON turn.id = memory_source.turn WHERE memory = memory.id AND "
                                 "turn.session <> ?1) ORDER BY memory.id",
                                 chat));
    if (!memories) return memories.error();
    Chosen chosen;
    chosen.target.chats = {(*there)->uuid};
    chosen.name = (*there)->name;
    take(chosen, std::move(*memories), learned);
    return chosen;
  };
  return forget_what(database, choose, dry_run);
}

Result<Forgotten> forget_project(Database& database, Id project, WhatWasLearned learned, bool dry_run) {
  const auto choose = [&]() -> Result<Chosen> {
    const auto there = first(query(database, "SELECT uuid, name FROM project WHERE id = ?", project), named_row);
    if (!there) return there.error();
    if (!*there) return Error{ErrorKind::not_found, "The store knows no project of this folder; nothing was changed."};
    Chosen chosen;
    auto chats = collect(query(database, "SELECT uuid FROM session WHERE project = ? ORDER BY id", project),
                         [](const Statement& row) { return row.text(0); });
    if (!chats) return chats.error();
    auto memories = read_memories(
        database,
        query_memories(database,
                       "WHERE memory.project = ?1 OR (EXISTS (SELECT 1 FROM memory_source JOIN turn ON turn.id = "
                       "memory_source.turn JOIN session ON session.id = turn.session WHERE memory = memory.id AND "
                       "session.project = ?1) AND NOT EXISTS (SELECT 1 FROM memory_source JOIN turn ON turn.id = "
                       "memory_source.turn JOIN session ON session.id = turn.session WHERE memory = memory.id AND "
                       "session.project IS NOT ?1)) ORDER BY memory.id",
                       project));
    if (!memories) return memories.error();
    chosen.target.chats = std::move(*chats);
    if (learned == WhatWasLearned::forgotten) chosen.target.project = (*there)->uuid;
    chosen.name = (*there)->name;
    take(chosen, std::move(*memories), learned);
    return chosen;
  };
  return forget_what(database, choose, dry_run);
}

}  // namespace selfmind::store

// restore() of backup.h.
#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>
#include <tuple>

#include "store/backup.h"
#include "store/cut.h"
#include "store/cut_rows.h"
#include "store/key.h"
#include "store/memories.h"
#include "store/references.h"
#include "store/statement.h"
#include "store/stray_secrets.h"
#include "store/tombstones.h"

namespace selfmind::store {
namespace {

// The whole content changes: what the triggers would say of each row is said of the result, and the days of the log
// that are over become those of the backup.
class TriggersOff {
 public:
  explicit TriggersOff(Database& database) : database_(database) { set(0); }
  TriggersOff(const TriggersOff&) = delete;
  TriggersOff& operator=(const TriggersOff&) = delete;
  ~TriggersOff() { set(1); }

 private:
  void set(int on) { sqlite3_db_config(database_.handle(), SQLITE_DBCONFIG_ENABLE_TRIGGER, on, nullptr); }
  Database& database_;
};

Error damaged(const std::string& file, std::string_view how) {
  return {ErrorKind::corrupt, fmt::format("{} is damaged ({}); nothing was changed. Try another backup.", file, how)};
}

Result<void> check_whole(Database& copy, const std::string& file) {
  const auto said = first(query(copy, "PRAGMA integrity_check(1)"), [](const Statement& row) { return row.text(0); });
  if (!said) return damaged(file, said.error().message);
  if (said->value_or("") != "ok") return damaged(file, said->value_or("it says nothing"));
  const auto broken = broken_references(copy);
  if (!broken) return damaged(file, broken.error().message);
  if (*broken > 0) return damaged(file, fmt::format("{} rows refer to others that are gone", *broken));
  return {};
}

// Memories of the copy that were forgotten here: by their ids, or, where the store does not have them, by what they
// say.
Result<std::vector<Id>> forgotten_here(Database& database, Database& copy) {
  struct Candidate {
    Id id;
    std::string uuid, text;
    Time said_at;
  };
  const auto all = collect(query(copy,
                                 "SELECT id, uuid, text, max(created_at, coalesce((SELECT max(turn.created_at) FROM "
                                 "memory_source JOIN turn ON turn.id = memory_source.turn WHERE memory_source.memory "
                                 "= memory.id), 0)) FROM memory"),
                           [](const Statement& row) {
                             return Candidate{row.integer(0), row.text(1), row.text(2), from_millis(row.integer(3))};
                           });
  if (!all) return all.error();
  std::vector<Id> forgotten;
  for (const auto& memory : *all) {
    auto gone = is_forgotten_id(database, memory.uuid);
    if (!gone) return gone.error();
    if (!*gone) {
      const auto stands = number(query(database, "SELECT count(*) FROM memory WHERE uuid = ?", memory.uuid));
      if (!stands) return stands.error();
      if (*stands == 0) gone = is_forgotten(database, memory.text, memory.said_at);
      if (!gone) return gone.error();
    }
    if (*gone) forgotten.push_back(memory.id);
  }
  return forgotten;
}

// Messages of the copy that the store does not have, and that say what was forgotten.
Result<void> cut_unknown_turns(Database& database, Database& copy) {
  const auto all =
      collect(query(copy, "SELECT id, uuid, text, created_at FROM turn WHERE role = 'user'"), [](const Statement& row) {
        return std::tuple(row.integer(0), row.text(1), row.text(2), from_millis(row.integer(3)));
      });
  if (!all) return all.error();
  std::vector<Id> forgotten;
  for (const auto& [id, uuid, text, said_at] : *all) {
    const auto stands = number(query(database, "SELECT count(*) FROM turn WHERE uuid = ?", uuid));
    if (!stands) return stands.error();
    if (*stands > 0) continue;
    const auto gone = is_forgotten(database, text, said_at);
    if (!gone) return gone.error();
    if (*gone) forgotten.push_back(id);
  }
  auto transaction = Transaction::write(copy);
  if (!transaction) return transaction.error();
  for (const Id id : forgotten) {
    const auto session = number(query(copy, "SELECT session FROM turn WHERE id = ?", id));
    if (!session) return session.error();
    open_redaction(copy, *transaction, id, "forget");
    transaction->run("UPDATE turn SET text = ?, memory_block = '' WHERE id = ?", forgotten_mark, id);
    close_redaction(*transaction, id);
    if (auto done = transaction->so_far(); !done) return done;
    if (auto done = retitle(copy, *transaction, *session); !done) return done;
    leave_thinking_out(*transaction, *session);
  }
  return transaction->commit();
}

// Whole chats that were forgotten here; what was learned there has tombstones of its own where it went as well.
Result<void> forget_chats(Database& database, Database& copy) {
  const auto chats = collect(query(copy, "SELECT id, uuid FROM session"),
                             [](const Statement& row) { return std::pair(row.integer(0), row.text(1)); });
  if (!chats) return chats.error();
  for (const auto& [id, uuid] : *chats) {
    const auto gone = is_forgotten_id(database, uuid);
    if (!gone) return gone.error();
    if (!*gone) continue;
    auto forgotten = forget_chat(copy, id, WhatWasLearned::kept, /*dry_run=*/false);
    if (!forgotten) return forgotten.error();
  }
  return {};
}

// Forgets in the copy what was forgotten in the store; returns how many memories that were.
Result<int> forget_the_same(Database& database, Database& copy) {
  // The tombstones that this leaves in the copy come into the store.
  const auto key = words_key_if_any(database);
  if (!key) return key.error();
  if (*key) copy.known_key() = **key;
  const auto forgotten = forgotten_here(database, copy);
  if (!forgotten) return forgotten.error();
  if (!forgotten->empty()) {
    if (auto done = forget(copy, *forgotten, /*dry_run=*/false); !done) return done.error();
  }
  if (auto done = forget_chats(database, copy); !done) return done.error();
  if (auto done = cut_unknown_turns(database, copy); !done) return done.error();
  return static_cast<int>(forgotten->size());
}

// What a backup brings passes the door like everything else; returns in words what was kept out.
Result<std::string> without_secrets(Database& copy) {
  auto transaction = Transaction::write(copy);
  if (!transaction) return transaction.error();
  const auto strays = redact_stray_secrets(copy, *transaction);
  if (!strays) return strays.error();
  if (auto done = transaction->commit(); !done) return done.error();
  return text::in_words(strays->found);
}

// The copy as the schema "restored" beside "main", so that one statement can see both.
Result<void> attach(Database& database, Database& copy) {
  if (auto attached = database.execute("ATTACH ':memory:' AS restored"); !attached) return attached;
  sqlite3_backup* pages = sqlite3_backup_init(database.handle(), "restored", copy.handle(), "main");
  if (pages != nullptr) sqlite3_backup_step(pages, -1);
  if (pages == nullptr || sqlite3_backup_finish(pages) != SQLITE_OK) {
    return Error{ErrorKind::io, fmt::format("The backup could not be read: {}; nothing was changed.",
                                            sqlite3_errmsg(database.handle()))};
  }
  return {};
}

// Messages of the backup from which words were cut here since then: whatever was forgotten, or was a secret.
constexpr const char* cut_since =
    "SELECT was.id FROM main.redaction AS cut JOIN main.turn AS now ON now.id = cut.turn "
    "JOIN restored.turn AS was ON was.uuid = now.uuid WHERE NOT EXISTS (SELECT 1 FROM restored.redaction AS known "
    "WHERE known.turn = was.id AND known.reason = cut.reason AND known.at = cut.at)";

// Gives the log of the backup the cuts that were made here since. Returns of how many messages.
Result<int> cut_the_same(Database& database, Transaction& transaction) {
  const std::string cut = cut_since;
  transaction.run("CREATE TEMP TABLE cut AS SELECT DISTINCT * FROM (" + cut + ")");
  const auto count = number(query(database, "SELECT count(*) FROM temp.cut"));
  if (!count) return count.error();
  transaction.run(
      "UPDATE restored.turn SET (text, content, memory_block) = (SELECT now.text, now.content, now.memory_block "
      "FROM main.turn AS now WHERE now.uuid = restored.turn.uuid) WHERE id IN (SELECT id FROM temp.cut)");
  transaction.run(
      "UPDATE restored.session SET thinking_from = (SELECT max(said.id) + 1 FROM restored.turn AS said "
      "WHERE said.session = restored.session.id), title = coalesce((SELECT now.title FROM main.session AS now "
      "WHERE now.uuid = restored.session.uuid), title) "
      "WHERE id IN (SELECT session FROM restored.turn WHERE id IN (SELECT id FROM temp.cut))");
  transaction.run(
      "INSERT INTO restored.redaction (turn, reason, at, open) SELECT was.id, cut.reason, cut.at, 0 "
      "FROM main.redaction AS cut JOIN main.turn AS now ON now.id = cut.turn "
      "JOIN restored.turn AS was ON was.uuid = now.uuid WHERE was.id IN (SELECT id FROM temp.cut) "
      "AND NOT EXISTS (SELECT 1 FROM restored.redaction AS known WHERE known.turn = was.id "
      "AND known.reason = cut.reason AND known.at = cut.at)");
  // What was taken back since is not learned again.
  transaction.run(
      "INSERT OR IGNORE INTO restored.unlearned (turn, at) SELECT was.id, main.unlearned.at FROM main.unlearned "
      "JOIN main.turn AS now ON now.id = main.unlearned.turn JOIN restored.turn AS was ON was.uuid = now.uuid");
  transaction.run("DELETE FROM restored.learn_queue WHERE turn IN (SELECT turn FROM restored.unlearned)");
  // What is being typed is newer than any backup, and has been cut as well.
  transaction.run(
      "UPDATE restored.session SET draft = (SELECT now.draft FROM main.session AS now WHERE now.uuid = "
      "restored.session.uuid) WHERE uuid IN (SELECT uuid FROM main.session)");
  transaction.run(
      "UPDATE restored.probe SET query = (SELECT now.query FROM main.probe AS now WHERE now.uuid = "
      "restored.probe.uuid) WHERE uuid IN (SELECT uuid FROM main.probe)");
  if (auto done = transaction.so_far(); !done) return done.error();
  return static_cast<int>(*count);
}

struct Table {
  std::string name;
  std::vector<std::string> columns, key;
};

std::string quoted(const std::string& name) { return "\"" + name + "\""; }

std::string joined(const std::vector<std::string>& names, std::string_view before, std::string_view between) {
  std::string text;
  for (const auto& name : names)
    text += (text.empty() ? "" : std::string(between)) + std::string(before) + quoted(name);
  return text;
}

// What a restore brings back; the rest is what the store knows of itself.
Result<std::vector<Table>> tables_of(Database& database) {
  const auto names =
      collect(query(database,
                    "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE "
                    "'sqlite\\_%' ESCAPE '\\' AND name NOT IN ('change', 'tombstone', 'learning_usage')"),
              [](const Statement& row) { return row.text(0); });
  if (!names) return names.error();
  std::vector<Table> tables;
  for (const auto& name : *names) {
    Table table{name, {}, {}};
    const auto columns = collect(query(database, "SELECT name, pk FROM pragma_table_info(?, 'main')", name),
                                 [](const Statement& row) { return std::pair(row.text(0), row.integer(1)); });
    if (!columns) return columns.error();
    for (const auto& [column, in_key] : *columns) {
      table.columns.push_back(column);
      if (in_key > 0) table.key.push_back(column);
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

// Rows of the backup that are not the same in the store; `what` of "was".
std::string different(const Table& table, const std::string& what) {
  std::string same_key, differs;
  for (const auto& column : table.key) {
    same_key += fmt::format("{}now.{} = was.{}", same_key.empty() ? "" : " AND ", quoted(column), quoted(column));
  }
  for (const auto& column : table.columns) {
    differs += fmt::format(" OR now.{} IS NOT was.{}", quoted(column), quoted(column));
  }
  return fmt::format("SELECT {} FROM restored.{} AS was LEFT JOIN main.{} AS now ON {} WHERE now.{} IS NULL{}", what,
                     quoted(table.name), quoted(table.name), same_key, quoted(table.key.front()), differs);
}

// Makes the table what it is in the backup, and touches no row that is the same.
Result<void> take_over(Database& database, const Table& table) {
  const std::string name = quoted(table.name);
  if (table.key.empty()) {
    return database.execute(
        fmt::format("DELETE FROM main.{0}; INSERT INTO main.{0} SELECT * FROM restored.{0} ORDER BY rowid", name));
  }
  const std::string key = joined(table.key, "", ", ");
  auto gone = database.execute(
      fmt::format("DELETE FROM main.{0} WHERE ({1}) NOT IN (SELECT {1} FROM restored.{0})", name, key));
  if (!gone) return gone;
  return database.execute(
      fmt::format("INSERT OR REPLACE INTO main.{} {}", name, different(table, joined(table.columns, "was.", ", "))));
}

// What the indices of all hosts have to look at again.
Result<void> note_touched(Database& database, const std::vector<Table>& tables) {
  std::string sql = "CREATE TEMP TABLE touched (kind TEXT, item INTEGER, PRIMARY KEY (kind, item)) WITHOUT ROWID;";
  const auto add = [&sql](const std::string& select) { sql += "INSERT OR IGNORE INTO temp.touched " + select + ";"; };
  for (const auto& table : tables) {
    if (table.name != "memory" && table.name != "turn") continue;
    add(different(table, fmt::format("'{}', was.id", table.name)));
    add(fmt::format("SELECT '{0}', id FROM main.{0} WHERE id NOT IN (SELECT id FROM restored.{0})", table.name));
  }
  constexpr const char* sources = "SELECT memory, turn, quote FROM {}.memory_source";
  for (const auto& [one, other] : {std::pair("main", "restored"), std::pair("restored", "main")}) {
    add(fmt::format("SELECT 'memory', memory FROM ({} EXCEPT {})", fmt::format(sources, one),
                    fmt::format(sources, other)));
  }
  for (const auto* schema : {"main", "restored"}) {
    // A chat that went to another project; and what the log says of a memory depends on the memory's state, in a
    // message and in the reply to it.
    add(fmt::format(
        "SELECT 'turn', said.id FROM {}.turn AS said WHERE said.session IN (SELECT now.id FROM main.session AS now "
        "JOIN restored.session AS was ON was.id = now.id WHERE was.project IS NOT now.project)",
        schema));
    add(fmt::format(
        "SELECT 'turn', said.id FROM {0}.turn AS said WHERE said.id IN (SELECT turn FROM {0}.memory_source WHERE "
        "memory IN (SELECT item FROM temp.touched WHERE kind = 'memory')) OR said.parent IN (SELECT turn FROM "
        "{0}.memory_source WHERE memory IN (SELECT item FROM temp.touched WHERE kind = 'memory'))",
        schema));
  }
  return database.execute(sql);
}

// Numbers that people and other hosts have seen are not given out again.
constexpr const char* keep_what_grows = R"sql(
DELETE FROM main.change WHERE EXISTS
  (SELECT 1 FROM temp.touched WHERE touched.kind = change.kind AND touched.item = change.item);
INSERT INTO main.change (kind, item) SELECT kind, item FROM temp.touched;
INSERT INTO main.sqlite_sequence (name, seq) SELECT name, seq FROM restored.sqlite_sequence
  WHERE name NOT IN (SELECT name FROM main.sqlite_sequence);
UPDATE main.sqlite_sequence SET seq = max(seq, coalesce(
  (SELECT was.seq FROM restored.sqlite_sequence AS was WHERE was.name = main.sqlite_sequence.name), 0))
  WHERE name <> 'change';
INSERT OR IGNORE INTO main.tombstone SELECT * FROM restored.tombstone;
INSERT OR IGNORE INTO main.learning_usage SELECT * FROM restored.learning_usage;
)sql";

Result<void> take_over_all(Database& database) {
  const auto tables = tables_of(database);
  if (!tables) return tables.error();
  if (auto noted = note_touched(database, *tables); !noted) return noted;
  for (const auto& table : *tables) {
    if (auto taken = take_over(database, table); !taken) return taken;
  }
  if (auto kept = database.execute(keep_what_grows); !kept) return kept;
  const auto broken = broken_references(database);
  if (!broken) return broken.error();
  if (*broken > 0) return Error{ErrorKind::corrupt, "The backup does not fit together; nothing was changed."};
  return {};
}

Result<Restored> bring_back(Database& database, Database& copy, Transaction& transaction) {
  Restored result;
  const auto forgotten = forget_the_same(database, copy);
  if (!forgotten) return forgotten.error();
  result.forgotten = *forgotten;
  if (auto attached = attach(database, copy); !attached) return attached.error();
  const auto elsewhere = number(
      query(database,
            "SELECT count(*) FROM main.session AS now JOIN restored.session AS was ON was.id = now.id AND was.uuid <> "
            "now.uuid"));
  if (!elsewhere) return elsewhere.error();
  result.elsewhere = *elsewhere > 0;
  const auto cut = cut_the_same(database, transaction);
  if (!cut) return cut.error();
  result.cut = *cut;
  if (auto taken = take_over_all(database); !taken) return taken.error();
  const auto memories = number(query(database, "SELECT count(*) FROM main.memory"));
  if (!memories) return memories.error();
  const auto turns = number(query(database, "SELECT count(*) FROM main.turn"));
  if (!turns) return turns.error();
  result.memories = static_cast<int>(*memories);
  result.turns = static_cast<int>(*turns);
  if (auto done = transaction.commit(); !done) return done.error();
  return result;
}

// After the transaction, however it ended.
void clean_up(Database& database) {
  static_cast<void>(database.execute("DROP TABLE IF EXISTS temp.cut; DROP TABLE IF EXISTS temp.touched"));
  static_cast<void>(database.execute("DETACH restored"));
}

}  // namespace

Result<Restored> restore(Database& database, const std::string& from) {
  if (auto allowed = database.writable(); !allowed) return allowed.error();
  std::error_code ignored;
  if (std::filesystem::equivalent(from, database.path(), ignored)) {
    return Error{ErrorKind::invalid, fmt::format("{} is the store itself; name a backup of it.", from)};
  }
  if (!std::filesystem::is_regular_file(from, ignored)) {
    return Error{ErrorKind::not_found, fmt::format("There is no file {}; name a backup.", from)};
  }
  auto copy = Database::copy_of(std::filesystem::absolute(from, ignored).string(), database.clock(), database.ids());
  if (!copy) return copy.error();
  if (auto whole = check_whole(*copy, from); !whole) return whole.error();

  // What takes long and needs nothing of the store is done before anybody has to wait.
  auto kept_out = without_secrets(*copy);
  if (!kept_out) return kept_out.error();

  const ForeignKeysOff keys_off(database);
  if (!keys_off.switched()) return keys_off.switched().error();
  const TriggersOff triggers_off(database);
  std::string kept;
  auto result = [&]() -> Result<Restored> {
    auto transaction = Transaction::write(database);
    if (!transaction) return transaction.error();
    auto written = write_backup(database);
    if (!written) return written.error();
    kept = std::move(*written);
    return bring_back(database, *copy, *transaction);
  }();
  clean_up(database);
  if (result) {
    result->kept = kept;
    result->kept_out = std::move(*kept_out);
  } else if (!kept.empty()) {
    std::filesystem::remove(kept, ignored);
  }
  return result;
}

}  // namespace selfmind::store

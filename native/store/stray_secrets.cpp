#include "store/stray_secrets.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "store/cut_rows.h"
#include "store/door.h"

namespace selfmind::store {
namespace {

// Who said it decides what the door does with it.
enum class By { user, drafting, machine };

// A column of somebody's words outside the log's own table.
struct Field {
  const char* what;  // for people
  const char* table;
  const char* column;
  By by;
  const char* keys;   // two columns that name a row; the first is shown
  const char* where;  // ?2 and ?3 are the keys
  const char* chat;   // in which what was said as a password is known; 0: none
};

constexpr const char* chat_of_memory =
    "coalesce((SELECT turn.session FROM memory_source JOIN turn ON turn.id = memory_source.turn WHERE "
    "memory_source.memory = row.id ORDER BY memory_source.rowid LIMIT 1), 0)";
constexpr const char* chat_of_revision =
    "coalesce((SELECT turn.session FROM memory_source JOIN turn ON turn.id = memory_source.turn WHERE "
    "memory_source.memory = row.memory ORDER BY memory_source.rowid LIMIT 1), 0)";
constexpr const char* chat_of_turn = "(SELECT session FROM turn WHERE turn.id = row.turn)";
constexpr const char* by_id = "id = ?2 AND 0 = ?3";

constexpr Field fields[] = {
    {"chat", "session", "title", By::machine, "id, 0", by_id, "row.id"},
    {"chat", "session", "draft", By::drafting, "id, 0", by_id, "row.id"},
    {"memory", "memory", "text", By::user, "id, 0", by_id, chat_of_memory},
    {"memory", "memory", "reason", By::user, "id, 0", by_id, chat_of_memory},
    {"memory", "memory", "scene", By::user, "id, 0", by_id, chat_of_memory},
    {"memory", "memory_revision", "text", By::user, "memory, revision", "memory = ?2 AND revision = ?3",
     chat_of_revision},
    {"memory", "memory_revision", "reason", By::user, "memory, revision", "memory = ?2 AND revision = ?3",
     chat_of_revision},
    {"memory", "memory_revision", "scene", By::user, "memory, revision", "memory = ?2 AND revision = ?3",
     chat_of_revision},
    {"memory", "memory_source", "quote", By::user, "memory, rowid", "memory = ?2 AND rowid = ?3", chat_of_turn},
    {"queue entry", "learn_queue", "failure", By::machine, "id, 0", by_id, chat_of_turn},
    {"probe", "probe", "query", By::user, "id, 0", by_id, "0"},
};
constexpr const char* log_columns[] = {"text", "content", "memory_block", "failure"};

struct Said {
  Id id = no_id;
  Id session = no_id;
  bool by_user = false;
  std::string text, content, memory_block, failure;
};

// A row as it is to be.
struct Cleaned {
  const Field* field = nullptr;
  std::int64_t key = 0, second_key = 0;
  std::string words;
};

class Search {
 public:
  explicit Search(Database& database) : database_(database) {}

  Result<void> run() {
    if (auto done = look_at_log(); !done) return done;
    // What was said as a password in a chat is known by now, and is found where it stands alone.
    for (const auto& field : fields) {
      if (auto done = look_at(field); !done) return done;
    }
    return {};
  }

  Result<void> write(Transaction& transaction) {
    std::set<Id> chats;
    for (const auto& turn : turns_) {
      open_redaction(database_, transaction, turn.id, "secret");
      transaction.run("UPDATE turn SET text = ?, content = ?, memory_block = ?, failure = ? WHERE id = ?", turn.text,
                      turn.content, turn.memory_block, turn.failure, turn.id);
      close_redaction(transaction, turn.id);
      chats.insert(turn.session);
    }
    for (const Id chat : chats) leave_thinking_out(transaction, chat);
    for (const auto& row : cleaned_) {
      transaction.run(
          fmt::format("UPDATE {} SET {} = ?1 WHERE {}", row.field->table, row.field->column, row.field->where),
          row.words, row.key, row.second_key);
    }
    return transaction.so_far();
  }

  StraySecrets take() { return std::move(strays_); }

 private:
  // In slices, each read at once and looked at afterwards: who only looks keeps no writer waiting.
  Result<void> look_at_log() {
    const auto chats = collect(query(database_, "SELECT id FROM session ORDER BY id"),
                               [](const Statement& row) { return row.integer(0); });
    if (!chats) return chats.error();
    constexpr std::size_t slice = 500;
    for (const Id chat : *chats) {
      for (Id from = no_id; true;) {
        auto turns = collect(query(database_,
                                   "SELECT id, session, role = 'user', text, content, memory_block, failure FROM turn "
                                   "WHERE session = ? AND id > ? ORDER BY id LIMIT ?",
                                   chat, from, slice),
                             [](const Statement& row) {
                               return Said{row.integer(0), row.integer(1), row.integer(2) != 0, row.text(3),
                                           row.text(4),    row.text(5),    row.text(6)};
                             });
        if (!turns) return turns.error();
        for (auto& turn : *turns) look_at(turn);
        if (turns->size() < slice) break;
        from = turns->back().id;
      }
    }
    return {};
  }

  void look_at(Said& turn) {
    Door door(database_, turn.session);
    const Said was = turn;
    turn.text = turn.by_user ? door.typed(was.text) : door.said(was.text);
    turn.failure = door.said(was.failure);
    turn.memory_block = door.said(was.memory_block);
    turn.content = door.said_blocks(was.content);
    if (!door.found_any()) return;
    note("turn", turn.id, door, {&was.text, &was.failure, &was.memory_block, &was.content});
    turns_.push_back(std::move(turn));
  }

  Result<void> look_at(const Field& field) {
    const auto there =
        number(query(database_, "SELECT count(*) FROM pragma_table_info(?) WHERE name = ?", field.table, field.column));
    if (!there) return there.error();
    if (*there == 0) return {};  // an older schema
    struct Row {
      std::int64_t key, second_key;
      Id chat;
      std::string words;
    };
    auto rows = collect(query(database_, fmt::format("SELECT {}, {}, {} FROM {} AS row WHERE {} <> ''", field.keys,
                                                     field.chat, field.column, field.table, field.column)),
                        [](const Statement& row) {
                          return Row{row.integer(0), row.integer(1), row.integer(2), row.text(3)};
                        });
    if (!rows) return rows.error();
    for (const auto& row : *rows) {
      Door door(database_, row.chat);
      auto words = field.by == By::user       ? door.typed(row.words)
                   : field.by == By::drafting ? door.draft(row.words)
                                              : door.said(row.words);
      if (!door.found_any()) continue;
      note(field.what, row.key, door, {&row.words});
      cleaned_.push_back({&field, row.key, row.second_key, std::move(words)});
    }
    return {};
  }

  void note(const char* what, Id row, const Door& door, std::initializer_list<const std::string*> texts) {
    auto& rows = strays_.rows[what];
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
    for (const auto& [kind, count] : door.found()) text::add(strays_.found, kind, count);
    for (const auto* text : texts) {
      for (const auto& secret : text::find_secrets(*text, database_.secret_patterns())) {
        strays_.values.push_back(text->substr(secret.from, secret.to - secret.from));
      }
    }
  }

  Database& database_;
  StraySecrets strays_;
  std::vector<Said> turns_;
  std::vector<Cleaned> cleaned_;
};

}  // namespace

Result<StraySecrets> find_stray_secrets(Database& database) {
  Search search(database);
  if (auto done = search.run(); !done) return done.error();
  return search.take();
}

Result<StraySecrets> redact_stray_secrets(Database& database, Transaction& transaction) {
  Search search(database);
  if (auto done = search.run(); !done) return done.error();
  if (auto done = search.write(transaction); !done) return done.error();
  return search.take();
}

std::vector<std::pair<std::string, std::string>> columns_with_words() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto* column : log_columns) all.emplace_back("turn", column);
  for (const auto& field : fields) all.emplace_back(field.table, field.column);
  return all;
}

}  // namespace selfmind::store

// Database: the one connection to the store. It owns the sqlite3 handle, opens the file with the right permissions,
// journal and schema, and lends statements and transactions. One thread at a time: the store worker's, or the command
// line's. SQLite's own errors become Error values with a sentence; nothing here throws.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/result.h"
#include "store/records.h"
#include "store/ticket.h"
#include "text/secrets.h"

struct sqlite3;
struct sqlite3_stmt;

namespace selfmind::store {

inline constexpr int schema_version = 5;  // migrations.cpp has one step per version

// Whether the SQLite library in use is without the bug that can damage a store in WAL mode.
bool wal_is_safe();

class Statement;
struct Migration;

class Database {
 public:
  // Opens or creates the store: folder 0700, file 0600, migrated to schema_version after a backup copy. A file of a
  // newer schema is opened for reading only. `clock` and `ids` outlive the database.
  static Result<Database> open(const std::string& path, Clock& clock, Ids& ids);
  // The same with another list of migrations; for tests of migrating itself.
  static Result<Database> open(const std::string& path, Clock& clock, Ids& ids, std::span<const Migration> steps);
  // A copy of a store (copies.h) as it is, of this schema or an older one: it is not migrated, and its writers do not
  // queue. Of a newer one: ErrorKind::too_new.
  static Result<Database> open_copy(const std::string& path, Clock& clock, Ids& ids);
  static Result<Database> in_memory(Clock& clock, Ids& ids);
  // A store in memory with what the file of one has, brought to schema_version; the file is only read.
  // ErrorKind::corrupt when it is no store or damaged, ErrorKind::too_new when it is of a newer schema.
  static Result<Database> copy_of(const std::string& path, Clock& clock, Ids& ids);
  // For looking at a store in whatever state it is: nothing is made, migrated or configured, and nothing can be
  // written.
  static Result<Database> open_to_look(const std::string& path, Clock& clock, Ids& ids);

  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  // Prepared once per text and kept; the statement is reset when `Statement` goes.
  Result<Statement> prepare(std::string_view sql);
  // One or more statements without parameters or rows.
  Result<void> execute(const std::string& sql);
  // Begins a statement or transaction that writes when its turn has come; others write when the ticket goes. Only
  // Transaction and what runs outside of one (VACUUM) need this.
  Result<Ticket> execute_in_turn(const std::string& sql);
  // How long a writer waits for its turn, and a statement for SQLite's lock; limits::busy_timeout until this is called.
  void wait_at_most(std::chrono::milliseconds patience);

  // An ErrorKind::too_new when the file may only be read.
  Result<void> writable() const;
  Id last_insert_id() const;
  int changes() const;
  const std::string& path() const;
  bool in_memory() const;
  std::string journal_mode();
  Clock& clock() const;
  Ids& ids() const;
  // What the user never wants to be stored, beside what looks like a secret; door.h uses these two.
  void keep_out(text::SecretPatterns patterns);
  const text::SecretPatterns& secret_patterns() const;
  // Passwords and the like that were said in a chat since the store was opened. They are in no file.
  std::vector<text::Known>& secrets_said(Id chat);
  // Of the tombstones' hashes; empty until it was needed. key.h is its door.
  std::string& known_key();
  // For what only the C interface can do: looking at the file's bytes (bytes.cpp). Statements go through prepare().
  sqlite3* handle() const;

 private:
  struct State;
  explicit Database(std::unique_ptr<State> state);
  static Result<Database> connect(const std::string& path, Clock& clock, Ids& ids, bool writes = true);
  Result<std::int64_t> known_version();
  Result<void> prepare_schema(std::span<const Migration> steps);
  Result<void> configure();
  std::unique_ptr<State> state_;
  friend class Statement;
};

}  // namespace selfmind::store

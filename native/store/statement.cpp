#include "store/statement.h"

#include <sqlite3.h>

#include "store/state.h"

namespace selfmind::store {

Statement::Statement(Statement&& other) noexcept
    : state_(other.state_), statement_(std::exchange(other.statement_, nullptr)), failed_(other.failed_) {}

Statement::~Statement() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
  state_->idle[sqlite3_sql(statement_)].push_back(statement_);
}

Result<bool> Statement::step() {
  if (failed_ != SQLITE_OK) return state_->error("given a value");
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  Error error = state_->error(sqlite3_stmt_readonly(statement_) != 0 ? "read" : "written");
  sqlite3_reset(statement_);
  return error;
}

Result<void> Statement::finish() {
  while (true) {
    const auto row = step();
    if (!row) return row.error();
    if (!*row) return {};
  }
}

bool Statement::null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }

double Statement::real(int column) const { return sqlite3_column_double(statement_, column); }

std::string Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

void Statement::bind_integer(int position, std::int64_t value) {
  note(sqlite3_bind_int64(statement_, position, value));
}

void Statement::bind_real(int position, double value) { note(sqlite3_bind_double(statement_, position, value)); }

void Statement::bind_text(int position, std::string_view value) {
  // An empty view may have no address, which SQLite would take for NULL.
  const char* bytes = value.data() == nullptr ? "" : value.data();
  note(sqlite3_bind_text64(statement_, position, bytes, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bind_blob(int position, Blob value) {
  const char* bytes = value.bytes.data() == nullptr ? "" : value.bytes.data();
  note(sqlite3_bind_blob64(statement_, position, bytes, value.bytes.size(), SQLITE_TRANSIENT));
}

void Statement::bind_null(int position) { note(sqlite3_bind_null(statement_, position)); }

void Statement::note(int code) {
  if (failed_ == SQLITE_OK) failed_ = code;
}

Result<std::int64_t> number(Result<Statement> statement) {
  const auto found = first(std::move(statement), [](const Statement& row) { return row.integer(0); });
  if (!found) return found.error();
  return found->value_or(0);
}

Result<Transaction> Transaction::write(Database& database) {
  if (auto allowed = database.writable(); !allowed) return allowed.error();
  auto turn = database.execute_in_turn("BEGIN IMMEDIATE");
  if (!turn) return turn.error();
  return Transaction(database, std::move(*turn));
}

Result<Transaction> Transaction::read(Database& database) {
  if (auto begun = database.execute("BEGIN"); !begun) return begun.error();
  return Transaction(database, Ticket());
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)),
      turn_(std::move(other.turn_)),
      done_(std::move(other.done_)) {}

Transaction::~Transaction() {
  // Some failures (a full disk) have made SQLite roll back already.
  if (database_ == nullptr || sqlite3_get_autocommit(database_->handle()) != 0) return;
  static_cast<void>(database_->execute("ROLLBACK"));
}

Result<void> Transaction::commit() {
  if (!done_) return done_;
  if (auto committed = database_->execute("COMMIT"); !committed) return committed;
  database_ = nullptr;
  turn_ = Ticket();
  return {};
}

}  // namespace selfmind::store

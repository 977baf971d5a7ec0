// Statement and Transaction: how the store's own files talk to SQLite. Whoever holds the Database may use them, on its
// thread; neither outlives it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "store/database.h"

namespace selfmind::store {

// Bytes that are no text.
struct Blob {
  std::string_view bytes;
};

// A prepared statement on loan. Its texts are constants: each is prepared once and kept until the database closes.
class Statement {
 public:
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  // Binds positions 1, 2, …: integers, floating point, text, blobs, or an optional of these. A failure shows at step().
  template <class... Values>
  void bind(const Values&... values) {
    int position = 0;
    (bind_value(++position, values), ...);
  }

  Result<bool> step();    // true: there is a row
  Result<void> finish();  // steps to the end

  bool null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;  // or the bytes of a blob
  std::optional<Time> time_or_none(int column) const {
    return null(column) ? std::nullopt : std::optional(from_millis(integer(column)));
  }

 private:
  friend class Database;
  Statement(Database::State* state, sqlite3_stmt* statement) : state_(state), statement_(statement) {}

  template <class Value>
  void bind_value(int position, const Value& value) {
    if constexpr (std::is_integral_v<Value>) {
      bind_integer(position, static_cast<std::int64_t>(value));
    } else if constexpr (std::is_floating_point_v<Value>) {
      bind_real(position, value);
    } else if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
      bind_text(position, value);
    } else if constexpr (std::is_same_v<Value, Blob>) {
      bind_blob(position, value);
    } else if (value) {
      bind_value(position, *value);
    } else {
      bind_null(position);
    }
  }
  void bind_integer(int position, std::int64_t value);
  void bind_real(int position, double value);
  void bind_text(int position, std::string_view value);
  void bind_blob(int position, Blob value);
  void bind_null(int position);
  void note(int code);

  Database::State* state_;
  sqlite3_stmt* statement_;
  int failed_ = 0;  // the first code of a bind that was refused
};

// A row that may be missing is NULL in the file and no_id in the program.
inline std::optional<Id> or_null(Id id) { return id == no_id ? std::nullopt : std::optional<Id>(id); }

inline std::optional<std::int64_t> millis_or_null(const std::optional<Time>& time) {
  return time ? std::optional(to_millis(*time)) : std::nullopt;
}

template <class... Values>
Result<Statement> query(Database& database, std::string_view sql, const Values&... values) {
  auto statement = database.prepare(sql);
  if (statement) statement->bind(values...);
  return statement;
}

template <class... Values>
Result<void> run(Database& database, std::string_view sql, const Values&... values) {
  auto statement = query(database, sql, values...);
  if (!statement) return statement.error();
  return statement->finish();
}

// `read` on every row.
template <class Read>
auto collect(Result<Statement> statement, Read read) -> Result<std::vector<decltype(read(*statement))>> {
  if (!statement) return statement.error();
  std::vector<decltype(read(*statement))> rows;
  while (true) {
    const auto row = statement->step();
    if (!row) return row.error();
    if (!*row) return rows;
    rows.push_back(read(*statement));
  }
}

// `read` on the first row, when there is one.
template <class Read>
auto first(Result<Statement> statement, Read read) -> Result<std::optional<decltype(read(*statement))>> {
  using Found = std::optional<decltype(read(*statement))>;
  if (!statement) return statement.error();
  const auto row = statement->step();
  if (!row) return row.error();
  return *row ? Found(read(*statement)) : Found();
}

// The first column of the only row.
Result<std::int64_t> number(Result<Statement> statement);

// Rolls back when it goes, unless commit() succeeded.
class Transaction {
 public:
  static Result<Transaction> write(Database& database);  // immediate: waits here for its turn, not in the middle
  static Result<Transaction> read(Database& database);   // one unchanging view of the store; stands in no queue

  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  // A statement without rows. The first failure is kept: after it nothing more is run, and commit() returns it.
  template <class... Values>
  void run(std::string_view sql, const Values&... values) {
    if (done_) done_ = store::run(*database_, sql, values...);
  }
  const Result<void>& so_far() const { return done_; }
  Result<void> commit();

 private:
  Transaction(Database& database, Ticket turn) : database_(&database), turn_(std::move(turn)) {}

  Database* database_;  // nullptr: over
  Ticket turn_;         // a writer's; given back when all is over
  Result<void> done_;
};

}  // namespace selfmind::store

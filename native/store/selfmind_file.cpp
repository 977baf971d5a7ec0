// read_selfmind_file() of package.h: SelfMind's own store, a table memories(id, text, kind, source, created_at).
#include <fmt/format.h>
#include <sqlite3.h>

#include <cmath>
#include <memory>

#include "base/limits.h"
#include "base/utf8.h"
#include "store/migrations.h"
#include "store/package.h"

namespace selfmind::store {
namespace {

using Connection = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;
using Rows = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

Rows ask(sqlite3* database, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr);
  return {statement, sqlite3_finalize};
}

std::string text_at(sqlite3_stmt* row, int column) {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
  return bytes == nullptr ? std::string()
                          : std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(row, column)));
}

std::int64_t number_in(sqlite3* database, const std::string& sql) {
  const auto rows = ask(database, sql);
  return rows && sqlite3_step(rows.get()) == SQLITE_ROW ? sqlite3_column_int64(rows.get(), 0) : 0;
}

bool has_column(sqlite3* database, const char* name) {
  return number_in(database,
                   fmt::format("SELECT count(*) FROM pragma_table_info('memories') WHERE name = '{}'", name)) > 0;
}

// Seconds or milliseconds since 1970: as seconds the latter would be long after anybody's time.
Time from_number(double number) {
  constexpr double latest_seconds = 1e11;
  const double millis = std::abs(number) < latest_seconds ? number * 1000 : number;
  if (!(std::abs(millis) < 1e15)) return Time{};
  return from_millis(std::llround(millis));
}

// "2025-03-01 10:20:30.123456+00:00", with T or a blank, with more digits than we keep. What is no time is 1970.
Time from_text(std::string text) {
  text = std::string(utf8::trim(text));
  if (text.size() > 10 && text[10] == ' ') text[10] = 'T';
  if (const auto dot = text.find('.'); dot != std::string::npos) {
    const auto end = std::min(text.find_first_not_of("0123456789", dot + 1), text.size());
    auto digits = text.substr(dot + 1, end - dot - 1);
    digits.resize(3, '0');
    text.replace(dot + 1, end - dot - 1, digits);
  }
  if (const auto time = parse_iso8601(text)) return *time;
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' ? from_number(number) : Time{};
}

Time time_at(sqlite3_stmt* row, int column) {
  switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER:
    case SQLITE_FLOAT:
      return from_number(sqlite3_column_double(row, column));
    case SQLITE_TEXT:
      return from_text(text_at(row, column));
    default:
      return Time{};
  }
}

bool is_kind(const std::string& kind) {
  for (const char* name : memory_kinds) {
    if (kind == name) return true;
  }
  return false;
}

}  // namespace

Result<Package> read_selfmind_file(const std::string& path) {
  sqlite3* handle = nullptr;
  const int opened = sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr);
  const Connection database(handle, sqlite3_close);
  const auto unreadable = [&] {
    return Error{ErrorKind::corrupt,
                 fmt::format("{} could not be read: {}. Nothing was imported.", path, sqlite3_errmsg(handle))};
  };
  if (opened != SQLITE_OK) return unreadable();
  sqlite3_busy_timeout(handle, static_cast<int>(std::chrono::milliseconds(limits::busy_timeout).count()));
  if (number_in(handle, "PRAGMA application_id") == application_id) {
    return Error{ErrorKind::invalid,
                 fmt::format("{} is a selfmind store: `restore` brings it back, or `export --db {}` makes a file that "
                             "can be imported.",
                             path, path)};
  }
  if (!has_column(handle, "text")) {
    return Error{ErrorKind::invalid,
                 fmt::format("{} is a database, and not SelfMind's: it has no table of memories with a text.", path)};
  }
  const auto column = [handle](const char* name) { return has_column(handle, name) ? name : "NULL"; };
  const auto rows = ask(
      handle, fmt::format("SELECT text, {}, {} FROM memories ORDER BY rowid", column("kind"), column("created_at")));
  if (!rows) return unreadable();
  Package package;
  int code = sqlite3_step(rows.get());
  for (std::int64_t number = 1; code == SQLITE_ROW; ++number, code = sqlite3_step(rows.get())) {
    PackedMemory packed;
    packed.line = number;
    auto& memory = packed.memory;
    memory.text = std::string(utf8::trim(utf8::clean(text_at(rows.get(), 0))));
    if (memory.text.empty()) continue;
    if (memory.text.size() > limits::memory_bytes) {
      return Error{ErrorKind::invalid,
                   fmt::format("{}, row {}: a memory is at most {} KB, this is {}. Nothing was "
                               "imported.",
                               path, number, limits::memory_bytes / 1024, memory.text.size() / 1024 + 1)};
    }
    const auto kind = text_at(rows.get(), 1);
    memory.kind = is_kind(kind) ? kind : "fact";
    memory.created_at = memory.updated_at = time_at(rows.get(), 2);
    memory.uuid = derived_uuid(memory.created_at, memory.text);
    package.memories.push_back(std::move(packed));
  }
  if (code != SQLITE_DONE) return unreadable();
  return package;
}

}  // namespace selfmind::store

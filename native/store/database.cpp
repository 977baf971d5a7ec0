#include "store/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "base/limits.h"
#include "store/files.h"
#include "store/migrations.h"
#include "store/state.h"
#include "store/statement.h"

namespace selfmind::store {
namespace {

// Below this, two checkpoints in a row beside a committing connection can corrupt a store in WAL mode.
constexpr int safe_wal_version = 3'051'003;

// SQLite's own wait grows to 100 ms, and a reader that looks so rarely beside busy writers finds the store locked for
// seconds. This one looks at least every 10 ms.
constexpr int longest_pause_ms = 10;

// temp_store: what VACUUM copies must not pass through a file elsewhere.
constexpr const char* careful_settings =
    "PRAGMA foreign_keys = ON;"
    "PRAGMA secure_delete = ON;"
    "PRAGMA synchronous = FULL;"
    "PRAGMA trusted_schema = OFF;"
    "PRAGMA mmap_size = 0;"
    "PRAGMA temp_store = MEMORY;";

}  // namespace

bool wal_is_safe() { return sqlite3_libversion_number() >= safe_wal_version; }

Database::State::~State() {
  for (const auto& [text, statements] : idle) {
    for (auto* statement : statements) sqlite3_finalize(statement);
  }
  sqlite3_close(handle);
}

int Database::State::wait_for_lock(void* state, int tries) {
  auto& self = *static_cast<State*>(state);
  const auto now = std::chrono::steady_clock::now();
  if (tries == 0) self.waiting_since = now;
  if (now - self.waiting_since >= self.patience) return 0;
  std::this_thread::sleep_for(std::chrono::milliseconds(std::min(tries + 1, longest_pause_ms)));
  return 1;
}

Error Database::State::error(std::string_view doing) const {
  const int code = sqlite3_extended_errcode(handle);
  const std::string reason = sqlite3_errmsg(handle);
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorKind::busy, "The memory store is busy: another program is using it; try again in a moment."};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {
          ErrorKind::corrupt,
          fmt::format("{} is not a selfmind store or is damaged: {}; restore a backup or move it away.", path, reason)};
    case SQLITE_CONSTRAINT:
      // A trigger's message is a sentence of ours.
      if (code == SQLITE_CONSTRAINT_TRIGGER) return {ErrorKind::invalid, reason};
      return {ErrorKind::invalid, fmt::format("The memory store refuses this: {}.", reason)};
    case SQLITE_FULL:
      return {ErrorKind::io, fmt::format("The disk of the memory store {} is full; make room and try again.", path)};
    default:
      return {ErrorKind::io, fmt::format("The memory store {} could not be {}: {}.", path, doing, reason)};
  }
}

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open(const std::string& path, Clock& clock, Ids& ids) {
  return open(path, clock, ids, migrations());
}

Result<Database> Database::open(const std::string& path, Clock& clock, Ids& ids, std::span<const Migration> steps) {
  std::error_code failed;
  // Absolute, so that no name is special to SQLite and a later change of the working folder does no harm.
  const auto absolute = std::filesystem::absolute(path, failed);
  if (path.empty() || failed) return Error{ErrorKind::invalid, "The store has no place; set SELFMIND_DB to a file."};
  if (auto made = make_private_file(absolute.string()); !made) return made.error();
  auto database = connect(absolute.string(), clock, ids);
  if (!database) return database;
  if (auto ready = database->prepare_schema(steps); !ready) return ready.error();
  return database;
}

Result<Database> Database::open_copy(const std::string& path, Clock& clock, Ids& ids) {
  auto database = connect(path, clock, ids);
  if (!database) return database;
  database->state_->queue.clear();
  const auto version = database->known_version();
  if (!version) return version.error();
  database->state_->newer_schema = *version > schema_version ? static_cast<int>(*version) : 0;
  if (auto allowed = database->writable(); !allowed) return allowed.error();
  if (auto safe = database->execute(careful_settings); !safe) return safe.error();
  if (auto journal = database->execute("PRAGMA journal_mode = DELETE"); !journal) return journal.error();
  return database;
}

Result<Database> Database::in_memory(Clock& clock, Ids& ids) {
  auto database = connect(":memory:", clock, ids);
  if (!database) return database;
  if (auto ready = database->prepare_schema(migrations()); !ready) return ready.error();
  return database;
}

Result<Database> Database::open_to_look(const std::string& path, Clock& clock, Ids& ids) {
  auto database = connect(path, clock, ids, /*writes=*/false);
  if (!database) return database;
  const auto version = database->known_version();
  if (!version) return version.error();
  if (*version > schema_version) database->state_->newer_schema = static_cast<int>(*version);
  return database;
}

Result<Database> Database::copy_of(const std::string& path, Clock& clock, Ids& ids) {
  // Not what is another program's, and not an empty file, which open() would take for a store to be.
  auto from = open_to_look(path, clock, ids);
  if (!from) return from;
  if (auto known = from->writable(); !known) return Error{known.error().kind, path + ": " + known.error().message};
  const auto owner = number(query(*from, "PRAGMA application_id"));
  if (!owner) return owner.error();
  if (*owner != application_id) {
    return Error{ErrorKind::corrupt, fmt::format("{} is no selfmind store; name another file.", path)};
  }
  auto copy = connect(":memory:", clock, ids);
  if (!copy) return copy;
  sqlite3_backup* pages = sqlite3_backup_init(copy->handle(), "main", from->handle(), "main");
  if (pages == nullptr) return copy->state_->error("copied");
  sqlite3_backup_step(pages, -1);
  if (sqlite3_backup_finish(pages) != SQLITE_OK) {
    return Error{ErrorKind::corrupt,
                 fmt::format("{} could not be read: {}; it may be damaged.", path, sqlite3_errmsg(copy->handle()))};
  }
  if (auto ready = copy->prepare_schema(migrations()); !ready) {
    return Error{ready.error().kind, fmt::format("{}: {}", path, ready.error().message)};
  }
  return copy;
}

Result<Database> Database::connect(const std::string& path, Clock& clock, Ids& ids, bool writes) {
  auto state = std::make_unique<State>(clock, ids);
  state->path = path;
  // SQLite's own mutex is not needed: one thread at a time, by contract.
  const int flags =
      (writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  if (sqlite3_open_v2(path.c_str(), &state->handle, flags, nullptr) != SQLITE_OK) return state->error("opened");
  // SQLite's name of the file, which like the journals' follows symbolic links.
  const std::string file = sqlite3_db_filename(state->handle, "main");
  if (!file.empty()) state->queue = file + ".queue";
  sqlite3_busy_handler(state->handle, State::wait_for_lock, state.get());
  Database database(std::move(state));
  database.wait_at_most(limits::busy_timeout);
  return database;
}

Result<void> Database::prepare_schema(std::span<const Migration> steps) {
  const auto version = known_version();
  if (!version) return version.error();
  if (!in_memory()) {
    if (auto closed = close_to_others(path()); !closed) return closed;
  }
  if (*version > static_cast<std::int64_t>(steps.size())) {
    state_->newer_schema = static_cast<int>(*version);
    return execute("PRAGMA query_only = ON");
  }
  if (auto configured = configure(); !configured) return configured;
  return migrate(*this, steps);
}

// In one view of the file: another editor may be making it at this moment.
Result<std::int64_t> Database::known_version() {
  const auto view = Transaction::read(*this);
  if (!view) return view.error();
  const auto owner = number(query(*this, "PRAGMA application_id"));
  if (!owner) return owner;
  const auto version = number(query(*this, "PRAGMA user_version"));
  if (!version) return version;
  const auto tables = number(query(*this, "SELECT count(*) FROM sqlite_schema"));
  if (!tables) return tables;
  if (*owner == application_id || (*owner == 0 && *version == 0 && *tables == 0)) return version;
  return Error{ErrorKind::corrupt,
               fmt::format("{} is another program's database, not a selfmind store; move it away or name another file.",
                           path())};
}

Result<void> Database::configure() {
  if (auto done = execute(careful_settings); !done) return done;
  // While another editor has the store open the mode may not change; then it is left to a later one.
  const auto chosen = execute(wal_is_safe() ? "PRAGMA journal_mode = WAL" : "PRAGMA journal_mode = DELETE");
  if (!chosen && chosen.error().kind != ErrorKind::busy) return chosen;
  // Left in WAL mode by a newer library: then this connection must not checkpoint beside another.
  if (!wal_is_safe() && journal_mode() == "wal") return execute("PRAGMA wal_autocheckpoint = 0");
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) {
  const std::string text(sql);
  if (const auto found = state_->idle.find(text); found != state_->idle.end() && !found->second.empty()) {
    sqlite3_stmt* statement = found->second.back();
    found->second.pop_back();
    return Statement(state_.get(), statement);
  }
  sqlite3_stmt* statement = nullptr;
  const int length = static_cast<int>(text.size()) + 1;
  if (sqlite3_prepare_v3(handle(), text.c_str(), length, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) != SQLITE_OK) {
    return state_->error("asked");
  }
  return Statement(state_.get(), statement);
}

Result<void> Database::execute(const std::string& sql) {
  if (sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return state_->error("changed");
  return {};
}

Result<Ticket> Database::execute_in_turn(const std::string& sql) {
  Ticket ticket = Ticket::draw(state_->queue, state_->patience);
  // Somebody who is stopped in the queue, and not in the store, keeps nobody from one try.
  const auto patience = state_->patience;
  if (!ticket.has_turn()) wait_at_most(std::chrono::milliseconds(0));
  auto done = execute(sql);
  wait_at_most(patience);
  if (!done) return done.error();
  return ticket;
}

void Database::wait_at_most(std::chrono::milliseconds patience) { state_->patience = patience; }

Result<void> Database::writable() const {
  if (state_->newer_schema == 0) return {};
  return Error{
      ErrorKind::too_new,
      fmt::format("The memory store was written by a newer selfmind (schema {}, this one knows {}) and can only be "
                  "read; update the plugin.",
                  state_->newer_schema, schema_version)};
}

Id Database::last_insert_id() const { return sqlite3_last_insert_rowid(handle()); }
int Database::changes() const { return sqlite3_changes(handle()); }
const std::string& Database::path() const { return state_->path; }
bool Database::in_memory() const { return std::string_view(sqlite3_db_filename(handle(), "main")).empty(); }
Clock& Database::clock() const { return *state_->clock; }
Ids& Database::ids() const { return *state_->ids; }
void Database::keep_out(text::SecretPatterns patterns) { state_->patterns = std::move(patterns); }
const text::SecretPatterns& Database::secret_patterns() const { return state_->patterns; }
std::vector<text::Known>& Database::secrets_said(Id chat) { return state_->secrets_said[chat]; }
std::string& Database::known_key() { return state_->key; }
sqlite3* Database::handle() const { return state_->handle; }

std::string Database::journal_mode() {
  const auto mode = first(query(*this, "PRAGMA journal_mode"), [](const Statement& row) { return row.text(0); });
  return mode && *mode ? **mode : std::string();
}

}  // namespace selfmind::store

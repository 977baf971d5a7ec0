// Forgetting in the copies that lie beside a store.
#include "store/copies.h"

#include <sqlite3.h>

#include <filesystem>

#include "store/migrations.h"
#include "store/tombstones.h"
#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;
using selfmind::test::TemporaryFolder;

namespace {

constexpr const char* secret = "The spare key is under the third flower pot";
constexpr const char* quote = "spare key? third flower pot";

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool stands_in(const std::string& path, std::string_view words) {
  return bytes_of(path).find(words) != std::string::npos;
}

void copy_to(TestStore& store, const std::string& path) { must(store.database.execute("VACUUM INTO '" + path + "'")); }

// A store in which `secret` was learned, and a memory that has nothing to do with it.
struct Told : TestStore {
  explicit Told(const std::string& path) : TestStore(path) {
    // Long ago: the log of that day is frozen, also in the copy.
    clock.time = from_millis(1'577'836'800'000);
    chat = must(new_session(database, no_id)).id;
    said = say(chat, std::string("By the way: ") + quote + "!").id;
    answer(said, std::string("Noted: ") + secret);
    kept = remember(secret, no_id, {{said, quote}});
    other = remember("The gate is locked at ten");
  }
  Id chat = no_id, said = no_id;
  Memory kept, other;
};

// The store as an older version of the program would have made it, with the same words in it.
void make_old_store(const std::string& path, std::size_t schema) {
  test::FakeClock clock;
  test::CountingIds ids(1'000);
  auto old = must(Database::open(path, clock, ids, migrations().first(schema)));
  must(old.execute(
      "INSERT INTO session (id, uuid, title, draft, created_at, updated_at) VALUES (1, 's', 'spare key? third flower "
      "pot', 'again: spare key? third flower pot', 1, 1);"
      "INSERT INTO turn (id, uuid, session, role, state, text, created_at) VALUES (1, 't', 1, 'user', 'answered', "
      "'By the way: spare key? third flower pot!', 1);"
      "INSERT INTO turn (id, uuid, session, parent, role, state, text, created_at) VALUES (2, 'r', 1, 1, 'assistant', "
      "'done', 'Noted.', 1);"
      "INSERT INTO memory (id, uuid, text, kind, origin, made_by, created_at, updated_at) VALUES (7, 'm', 'The spare "
      "key is under the third flower pot', 'fact', 'user', 'remember', 1, 1);"
      "INSERT INTO memory (id, uuid, text, kind, origin, made_by, created_at, updated_at) VALUES (8, 'o', 'The gate is "
      "locked at ten', 'fact', 'user', 'remember', 1, 1);"
      "INSERT INTO memory_source (memory, turn, quote) VALUES (7, 1, 'spare key? third flower pot');"));
}

std::int64_t number_in(const std::string& path, const char* sql) {
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  REQUIRE(sqlite3_prepare_v2(handle, sql, -1, &statement, nullptr) == SQLITE_OK);
  REQUIRE(sqlite3_step(statement) == SQLITE_ROW);
  const auto value = sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(handle);
  return value;
}

}  // namespace

TEST_CASE("what is forgotten goes from a backup beside the store, and the rest of the backup stays") {
  const TemporaryFolder folder;
  Told store(folder / "memory.db");
  const auto backup = folder / "memory.db.backup-2026-11-30";
  copy_to(store, backup);
  REQUIRE(stands_in(backup, secret));
  const auto forgotten = must(forget(store.database, {store.kept.id}, /*dry_run=*/false));
  CHECK(forgotten.copies == 1);
  CHECK(forgotten.remains.empty());
  CHECK_FALSE(stands_in(backup, secret));
  CHECK_FALSE(stands_in(backup, quote));
  CHECK(stands_in(backup, "The gate is locked at ten"));
  CHECK(stands_in(backup, "By the way: [forgotten]!"));

  TestStore restored(backup);
  CHECK(kind_of(memory(restored.database, store.kept.id)) == ErrorKind::not_found);
  CHECK(must(is_forgotten_id(restored.database, store.kept.uuid)));
}

TEST_CASE("what is forgotten goes from the copies that older versions left before they were updated") {
  const auto every = migrations().size();
  for (std::size_t schema = 1; schema < every; ++schema) {
    INFO("schema " << schema);
    const TemporaryFolder folder;
    make_old_store(folder / "memory.db", schema);
    TestStore store(folder / "memory.db");
    const auto backup = folder / ("memory.db.backup-v" + std::to_string(schema));
    REQUIRE(stands_in(backup, secret));
    const auto forgotten = must(forget(store.database, {7}, /*dry_run=*/false));
    CHECK(forgotten.copies == 1);
    CHECK(forgotten.remains.empty());
    CHECK_FALSE(stands_in(backup, "spare key"));
    CHECK(stands_in(backup, "The gate is locked at ten"));
    CHECK(number_in(backup, "PRAGMA user_version") == static_cast<std::int64_t>(schema));
    CHECK(number_in(backup, "SELECT count(*) FROM memory") == 1);
    CHECK(number_in(backup, "SELECT count(*) FROM redaction WHERE reason = 'forget' AND open = 0") == 1);
    CHECK_FALSE(std::filesystem::exists(backup + ".queue"));
  }
}

TEST_CASE("a copy from before the memory was made loses the words that it has in its log") {
  const TemporaryFolder folder;
  TestStore store(folder / "memory.db");
  const auto chat = must(new_session(store.database, no_id)).id;
  const auto said = store.say(chat, std::string("Please keep: ") + secret);
  const auto brief = store.say(chat, "I use zsh");
  const auto backup = folder / "memory.db.backup-1";
  copy_to(store, backup);
  const auto kept = store.remember(secret, no_id, {{said.id, secret}});
  const auto shell = store.remember("zsh", no_id, {{brief.id, "zsh"}});
  CHECK(must(forget(store.database, {kept.id, shell.id}, /*dry_run=*/false)).copies == 1);
  CHECK_FALSE(stands_in(backup, "flower pot"));
  CHECK(stands_in(backup, "I use [forgotten]"));
}

TEST_CASE("a dry run says how many backups have it and leaves them as they are") {
  const TemporaryFolder folder;
  Told store(folder / "memory.db");
  const auto backup = folder / "memory.db.backup-1";
  copy_to(store, backup);
  const auto before = bytes_of(backup);
  CHECK(must(forget(store.database, {store.kept.id}, /*dry_run=*/true)).copies == 1);
  CHECK(must(forget(store.database, {store.other.id}, /*dry_run=*/true)).copies == 1);
  CHECK(bytes_of(backup) == before);
}

TEST_CASE("a backup that has nothing of it stays as it is, to the byte") {
  const TemporaryFolder folder;
  Told store(folder / "memory.db");
  const auto backup = folder / "memory.db.backup-1";
  copy_to(store, backup);
  const auto before = bytes_of(backup);
  const auto late = store.remember("The user's locker is number 17");
  CHECK(must(forget(store.database, {late.id}, /*dry_run=*/false)).copies == 0);
  CHECK(bytes_of(backup) == before);
}

TEST_CASE("a backup that cannot be opened and has the words is named, and not removed") {
  const TemporaryFolder folder;
  Told store(folder / "memory.db");
  folder.write("memory.db.backup-broken", std::string("bytes ") + secret);
  folder.write("memory.db.backup-other", "other bytes");
  const auto forgotten = must(forget(store.database, {store.kept.id}, /*dry_run=*/false));
  REQUIRE(forgotten.remains.size() == 1);
  CHECK(forgotten.remains[0].find(folder / "memory.db.backup-broken") != std::string::npos);
  CHECK(stands_in(folder / "memory.db.backup-broken", secret));
}

TEST_CASE("a backup of a newer version is not touched, and is named when it has the words") {
  const TemporaryFolder folder;
  Told store(folder / "memory.db");
  const auto backup = folder / "memory.db.backup-1";
  copy_to(store, backup);
  {
    auto newer = must(Database::open_copy(backup, store.clock, store.ids));
    must(newer.execute("PRAGMA user_version = 999"));
  }
  const auto before = bytes_of(backup);
  const auto forgotten = must(forget(store.database, {store.kept.id}, /*dry_run=*/false));
  REQUIRE(forgotten.remains.size() == 1);
  CHECK(forgotten.remains[0].find("newer selfmind") != std::string::npos);
  CHECK(bytes_of(backup) == before);
}

TEST_CASE("a backup in which another memory says the same is said to have the words") {
  const TemporaryFolder folder;
  Told store(folder / "memory.db");
  store.remember(std::string(secret) + ", on the left");
  copy_to(store, folder / "memory.db.backup-1");
  must(store.database.execute("DELETE FROM memory WHERE id = 3"));
  const auto forgotten = must(forget(store.database, {store.kept.id}, /*dry_run=*/false));
  CHECK(forgotten.copies == 1);
  REQUIRE(forgotten.remains.size() == 1);
  CHECK(forgotten.remains[0].find("something else in it says the same") != std::string::npos);
}

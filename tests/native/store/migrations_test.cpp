#include "store/migrations.h"

#include <sys/stat.h>

#include <filesystem>
#include <vector>

#include "store/log.h"
#include "store/probes.h"
#include "store/revisions.h"
#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;
using selfmind::test::CountingIds;
using selfmind::test::FakeClock;
using selfmind::test::TemporaryFolder;

namespace {

constexpr Migration second = {"CREATE TABLE later (id INTEGER PRIMARY KEY)"};
constexpr Migration third = {"CREATE TABLE later_still (id INTEGER PRIMARY KEY)"};

std::string backup_of(int version) { return ".backup-v" + std::to_string(version); }
const std::string backup = backup_of(schema_version);

std::vector<Migration> steps(std::initializer_list<Migration> more) {
  std::vector<Migration> all(migrations().begin(), migrations().end());
  all.insert(all.end(), more);
  return all;
}

struct OldStore {
  OldStore() {
    TestStore store(path);
    store.remember("The user likes tea");
  }
  Result<Database> open(const std::vector<Migration>& with) { return Database::open(path, clock, ids, with); }
  bool exists(const std::string& suffix) const { return std::filesystem::exists(path + suffix); }

  TemporaryFolder folder;
  std::string path = folder / "memory.db";
  FakeClock clock;
  CountingIds ids;
};

}  // namespace

TEST_CASE("the program's migrations end at its schema version") {
  CHECK(migrations().size() == static_cast<std::size_t>(schema_version));
}

TEST_CASE("an older store is brought up to date and a copy of it is kept") {
  OldStore old;
  {
    auto database = must(old.open(steps({second})));
    CHECK(must(number(query(database, "PRAGMA user_version"))) == schema_version + 1);
    CHECK(must(number(query(database, "SELECT count(*) FROM later"))) == 0);
    CHECK(must(memories(database, {})).size() == 1);
  }
  REQUIRE(old.exists(backup));
  struct stat status {};
  REQUIRE(::stat((old.path + backup).c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);

  TestStore copy(old.path + backup);
  CHECK(copy.count("PRAGMA user_version") == schema_version);
  REQUIRE(must(memories(copy.database, {})).size() == 1);
  CHECK(must(memories(copy.database, {}))[0].text == "The user likes tea");
}

TEST_CASE("a store of each earlier version of this program becomes one of today") {
  for (int version = 1; version < schema_version; ++version) {
    INFO(version);
    const TemporaryFolder folder;
    const std::string path = folder / "memory.db";
    FakeClock clock;
    CountingIds ids;
    { must(Database::open(path, clock, ids, migrations().first(static_cast<std::size_t>(version)))); }
    TestStore store(path);
    CHECK(store.count("PRAGMA user_version") == schema_version);
    const auto chat = must(new_session(store.database, no_id));
    Turn reply;
    reply.parent = store.say(chat.id, "Hello").id;
    reply.text = "Hello";
    CHECK(keep_partial(store.database, reply, "owner").ok());
    const auto kept = store.remember("The user likes tea");
    CHECK(add_probe(store.database, {"which drink?", no_id, {{ItemKind::memory, kept.id, {}, {}}}}).ok());
  }
}

TEST_CASE("what a store of the third version holds is there afterwards, with its history") {
  const TemporaryFolder folder;
  const std::string path = folder / "memory.db";
  FakeClock clock;
  CountingIds ids;
  {
    auto database = must(Database::open(path, clock, ids, migrations().first(3)));
    must(database.execute(
        "INSERT INTO session (id, uuid, created_at, updated_at) VALUES (1, 's', 1000, 1000);"
        "INSERT INTO turn (id, uuid, session, role, state, text, created_at) VALUES (1, 't', 1, 'user', 'answered', "
        "'I prefer tabs', 1000);"
        "INSERT INTO memory (id, uuid, text, kind, origin, made_by, created_at, updated_at) VALUES "
        "(1, 'a', 'The user prefers tabs', 'preference', 'user', 'learn', 2000, 2000),"
        "(2, 'b', 'The user likes tea', 'fact', 'user', 'remember', 3000, 3000),"
        "(7, 'c', 'gone', 'fact', 'user', 'remember', 3000, 3000);"
        "INSERT INTO memory_source (memory, turn, quote) VALUES (1, 1, 'I prefer tabs');"
        "INSERT INTO recall (turn, memory, revision, rank, score) VALUES (1, 2, 1, 1, 0.5);"
        "DELETE FROM memory WHERE id = 7;"));
  }
  TestStore store(path);
  REQUIRE(must(memories(store.database, {})).size() == 2);
  CHECK(must(memories(store.database, {}))[0].turns == std::vector<Id>{1});
  CHECK(store.count("SELECT count(*) FROM recall") == 1);
  const auto told = must(history(store.database, 1));
  REQUIRE(told.revisions.size() == 1);
  CHECK(told.revisions[0].change.made_by == "learn");
  CHECK(told.revisions[0].change.turn == 1);
  CHECK(told.revisions[0].change.session == 1);
  CHECK(told.revisions[0].change.at == from_millis(2000));
  CHECK(must(history(store.database, 2)).revisions[0].change.made_by == "user");
  // A number that people have seen is not given again.
  CHECK(store.remember("The user likes coffee").id == 8);
  // Rows that hang on a memory still go with it.
  must(forget(store.database, {1}, /*dry_run=*/false));
  CHECK(store.count("SELECT count(*) FROM memory_source") == 0);
}

TEST_CASE("of the copies the newest is kept") {
  OldStore old;
  must(old.open(steps({second})));
  must(old.open(steps({second, third})));
  CHECK(old.exists(backup_of(schema_version + 1)));
  CHECK_FALSE(old.exists(backup));
  CHECK_FALSE(old.exists(backup + ".unfinished"));
}

TEST_CASE("a new store and one that is up to date leave no copy") {
  OldStore old;
  must(old.open(steps({})));
  for (const auto& file : std::filesystem::directory_iterator(old.folder.path())) {
    CHECK(file.path().filename().string().find(".backup") == std::string::npos);
  }
}

TEST_CASE("a migration that fails half way leaves the store as it was") {
  OldStore old;
  CHECK_FALSE(old.open(steps({second, {"CREATE TABLE broken ("}})).ok());
  auto database = must(old.open(steps({})));
  CHECK(database.writable().ok());
  CHECK(must(number(query(database, "SELECT count(*) FROM sqlite_schema WHERE name = 'later'"))) == 0);
}

TEST_CASE("without a copy there is no migration") {
  OldStore old;
  // A folder in the copy's place cannot be replaced by it.
  std::filesystem::create_directories(old.path + backup + "/full");
  CHECK(kind_of(old.open(steps({second}))) == ErrorKind::io);
  CHECK(must(old.open(steps({}))).writable().ok());
}

TEST_CASE("a newer store is read and never written") {
  OldStore old;
  must(old.open(steps({second})));
  const auto before = old.folder.read("memory.db");
  {
    auto database = must(old.open(steps({})));
    CHECK(must(memories(database, {})).size() == 1);
    REQUIRE(kind_of(database.writable()) == ErrorKind::too_new);
    CHECK(database.writable().error().message.find("update the plugin") != std::string::npos);
    MemoryDraft draft;
    draft.text = "The user likes coffee";
    CHECK(kind_of(add_memory(database, draft, nullptr)) == ErrorKind::too_new);
    CHECK(kind_of(forget(database, {1}, /*dry_run=*/false)) == ErrorKind::too_new);
    CHECK(forget(database, {1}, /*dry_run=*/true).ok());
    CHECK_FALSE(database.execute("DELETE FROM memory").ok());
  }
  CHECK(old.folder.read("memory.db") == before);
}

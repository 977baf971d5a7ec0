#include "store/database.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;
using selfmind::test::CountingIds;
using selfmind::test::FakeClock;
using selfmind::test::TemporaryFolder;

namespace {

unsigned mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 0777;
}

}  // namespace

TEST_CASE("a new store and its folders are for their owner alone") {
  const TemporaryFolder folder;
  const mode_t before = ::umask(0);
  const TestStore store(folder / "a/b/memory.db");
  ::umask(before);
  CHECK(mode_of(folder / "a") == 0700);
  CHECK(mode_of(folder / "a/b") == 0700);
  CHECK(mode_of(folder / "a/b/memory.db") == 0600);
}

TEST_CASE("a store that others could read is closed to them; its folder is left as it is") {
  const TemporaryFolder folder;
  const auto path = folder / "shared/memory.db";
  { const TestStore store(path); }
  REQUIRE(::chmod(path.c_str(), 0664) == 0);
  REQUIRE(::chmod((folder / "shared").c_str(), 0755) == 0);
  const TestStore store(path);
  CHECK(mode_of(path) == 0600);
  CHECK(mode_of(folder / "shared") == 0755);
}

TEST_CASE("the connection is set up as the store needs it") {
  const TemporaryFolder folder;
  TestStore store(folder / "memory.db");
  const auto setting = [&store](const char* name) { return store.count(std::string("PRAGMA ") + name); };
  CHECK(setting("foreign_keys") == 1);
  CHECK(setting("secure_delete") == 1);
  CHECK(setting("synchronous") == 2);
  CHECK(setting("trusted_schema") == 0);
  const bool wal_is_safe = store.count("SELECT sqlite_version() >= '3.51.3' AND length(sqlite_version()) >= 6") == 1;
  CHECK(store.database.journal_mode() == (wal_is_safe ? "wal" : "delete"));
}

TEST_CASE("a file that is no database is reported, not touched") {
  const TemporaryFolder folder;
  const std::string text(5000, 'x');
  const auto path = folder.write("memory.db", text);
  REQUIRE(::chmod(path.c_str(), 0644) == 0);
  FakeClock clock;
  CountingIds ids;
  const auto opened = Database::open(path, clock, ids);
  REQUIRE(kind_of(opened) == ErrorKind::corrupt);
  CHECK(opened.error().message.find(path) != std::string::npos);
  CHECK(opened.error().message.find("restore a backup or move it away") != std::string::npos);
  CHECK(folder.read("memory.db") == text);
  CHECK(mode_of(path) == 0644);
}

TEST_CASE("another program's database is reported, not touched") {
  const TemporaryFolder folder;
  const auto path = folder / "memory.db";
  {
    TestStore store(path);
    must(store.database.execute("PRAGMA application_id = 0; PRAGMA user_version = 0"));
  }
  const auto before = folder.read("memory.db");
  FakeClock clock;
  CountingIds ids;
  CHECK(kind_of(Database::open(path, clock, ids)) == ErrorKind::corrupt);
  CHECK(folder.read("memory.db") == before);
}

TEST_CASE("a damaged page is a corrupt store, in a sentence") {
  const TemporaryFolder folder;
  const auto path = folder / "memory.db";
  {
    TestStore store(path);
    for (int i = 0; i < 200; ++i) store.remember("Something worth keeping, number " + std::to_string(i));
  }
  auto bytes = folder.read("memory.db");
  for (std::size_t at = 4096; at < bytes.size(); ++at) bytes[at] = '\x55';
  folder.write("memory.db", bytes);
  FakeClock clock;
  CountingIds ids;
  auto opened = Database::open(path, clock, ids);
  if (opened) {
    CHECK(kind_of(memories(*opened, View{no_id, true, {}, {}})) == ErrorKind::corrupt);
  } else {
    CHECK(opened.error().kind == ErrorKind::corrupt);
  }
}

TEST_CASE("a folder in the store's place is an error, and so is no name at all") {
  const TemporaryFolder folder;
  FakeClock clock;
  CountingIds ids;
  CHECK(kind_of(Database::open(folder.path().string(), clock, ids)) == ErrorKind::io);
  CHECK(kind_of(Database::open("", clock, ids)) == ErrorKind::invalid);
  folder.write("file", "");
  CHECK(kind_of(Database::open(folder / "file/memory.db", clock, ids)) == ErrorKind::io);
}

TEST_CASE("two editors that make the same store at once both get it") {
  const TemporaryFolder folder;
  const auto path = folder / "memory.db";
  bool opened[2] = {false, false};
  const auto open = [&path](bool& ok) {
    FakeClock clock;
    CountingIds ids;
    ok = Database::open(path, clock, ids).ok();
  };
  std::thread one([&] { open(opened[0]); });
  std::thread other([&] { open(opened[1]); });
  one.join();
  other.join();
  CHECK(opened[0]);
  CHECK(opened[1]);
  TestStore store(path);
  CHECK(store.count("PRAGMA user_version") == schema_version);
}

TEST_CASE("a store that another connection writes to is busy after the timeout, in a sentence") {
  const TemporaryFolder folder;
  const auto path = folder / "memory.db";
  TestStore writer(path);
  TestStore waiting(path);
  waiting.database.wait_at_most(std::chrono::milliseconds(20));
  auto transaction = must(Transaction::write(writer.database));
  MemoryDraft draft;
  draft.text = "The user likes tea";
  const auto refused = add_memory(waiting.database, draft, nullptr);
  REQUIRE(kind_of(refused) == ErrorKind::busy);
  CHECK(refused.error().message.find("try again") != std::string::npos);
  must(transaction.commit());
  CHECK(add_memory(waiting.database, draft, nullptr).ok());
}

TEST_CASE("what a killed editor had not committed is gone, what it had committed is there") {
  const TemporaryFolder folder;
  const auto path = folder / "memory.db";
  { const TestStore store(path); }
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    TestStore store(path);
    store.remember("committed before the end");
    auto transaction = must(Transaction::write(store.database));
    transaction.run(
        "INSERT INTO memory (uuid, text, kind, origin, made_by, created_at, updated_at) "
        "VALUES ('u', 'in the middle', 'fact', 'user', 'remember', 1, 1)");
    // Enough to push pages into the file before the commit, so that the journal has work to do.
    must(store.database.execute("PRAGMA cache_size = 1"));
    for (int i = 0; i < 500; ++i) {
      transaction.run("INSERT INTO project (uuid, name, created_at) VALUES (?, ?, 1)", i, std::string(500, 'n'));
    }
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
  TestStore store(path);
  const auto left = must(memories(store.database, View{no_id, true, {}, {}}));
  REQUIRE(left.size() == 1);
  CHECK(left[0].text == "committed before the end");
  CHECK(store.count("SELECT count(*) FROM project") == 0);
}

TEST_CASE("a transaction that is left without a commit changes nothing") {
  TestStore store;
  {
    auto transaction = must(Transaction::write(store.database));
    transaction.run("INSERT INTO project (uuid, name, created_at) VALUES ('u', 'n', 1)");
  }
  CHECK(store.count("SELECT count(*) FROM project") == 0);
}

TEST_CASE("after a failure in a transaction nothing more is run and the commit says why") {
  TestStore store;
  {
    auto transaction = must(Transaction::write(store.database));
    transaction.run("INSERT INTO project (uuid, name, created_at) VALUES ('u', 'n', 1)");
    transaction.run("INSERT INTO project (uuid, name, created_at) VALUES ('u', 'n', 1)");
    transaction.run("INSERT INTO project (uuid, name, created_at) VALUES ('v', 'n', 1)");
    CHECK(kind_of(transaction.commit()) == ErrorKind::invalid);
  }
  CHECK(store.count("SELECT count(*) FROM project") == 0);
}

TEST_CASE("a statement text can be in use twice at once") {
  TestStore store;
  auto outer = must(query(store.database, "SELECT ?", 1));
  auto inner = must(query(store.database, "SELECT ?", 2));
  REQUIRE(must(outer.step()));
  REQUIRE(must(inner.step()));
  CHECK(outer.integer(0) == 1);
  CHECK(inner.integer(0) == 2);
}

TEST_CASE("values come back as they went in") {
  TestStore store;
  const std::string nul("a\0b", 3);
  auto row = must(query(store.database, "SELECT ?, ?, ?, ?, ?", std::string_view(), nul, std::int64_t{1} << 60, 0.5,
                        or_null(no_id)));
  REQUIRE(must(row.step()));
  CHECK_FALSE(row.null(0));
  CHECK(row.text(0).empty());
  CHECK(row.text(1) == nul);
  CHECK(row.integer(2) == std::int64_t{1} << 60);
  CHECK(row.real(3) == 0.5);
  CHECK(row.null(4));
}

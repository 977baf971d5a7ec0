#include "store/bytes.h"

#include <sys/wait.h>
#include <unistd.h>

#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;
using selfmind::test::TemporaryFolder;

namespace {

// Whether another process may write to the store now.
bool others_may_write(const std::string& path) {
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    TestStore store(path);
    store.database.wait_at_most(std::chrono::milliseconds(0));
    ::_exit(store.database.execute("BEGIN EXCLUSIVE").ok() ? 1 : 0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return status != 0;
}

}  // namespace

TEST_CASE("looking for bytes does not drop the locks of this process") {
  const TemporaryFolder folder;
  const auto path = folder / "memory.db";
  TestStore store(path);
  if (store.database.journal_mode() == "wal") return;  // there, other locks of SQLite's keep a reader safe
  TestStore reader(path);
  {
    const auto reading = must(Transaction::read(reader.database));
    REQUIRE(reader.count("SELECT count(*) FROM turn") == 0);
    CHECK_FALSE(others_may_write(path));
    CHECK_FALSE(stand_in_store(store.database, {"words that never were there"}));
    CHECK_FALSE(others_may_write(path));
  }
  CHECK(others_may_write(path));
}

TEST_CASE("bytes that a rebuild could not remove are said to remain") {
  const TemporaryFolder folder;
  TestStore store(folder / "memory.db");
  store.remember("The user likes tea with milk");
  must(rebuild(store.database));
  CHECK(stand_in_store(store.database, {"The user likes tea with milk"}));
  CHECK(stand_in_store(store.database, {"milk"}));
  CHECK_FALSE(stand_in_store(store.database, {"milk and honey"}));
}

TEST_CASE("words are found wherever they lie in a file, also at its end, across its parts, and short ones") {
  const TemporaryFolder folder;
  constexpr std::size_t chunk = 1u << 20;
  const std::string words = "the spare key is under the third flower pot, on the left";
  for (const std::size_t at : {std::size_t{0}, std::size_t{1}, chunk - words.size(), chunk - 20, chunk - 1, chunk,
                               2 * chunk - 100, 3 * chunk - words.size()}) {
    INFO("at " << at);
    std::string bytes(3 * chunk, 'x');
    bytes.replace(at, words.size(), words);
    folder.write("file", bytes);
    CHECK(stand_in_file(folder / "file", {"something else", words}));
    CHECK(stand_in_file(folder / "file", {"flower"}));
    CHECK_FALSE(stand_in_file(folder / "file", {words + "!", "flowers"}));
  }
  CHECK_FALSE(stand_in_file(folder / "missing", {words}));
}

TEST_CASE("a store that somebody reads cannot be rebuilt, and what it held is said to remain") {
  const TemporaryFolder folder;
  const auto path = folder / "memory.db";
  TestStore store(path);
  store.remember("The user likes tea with milk");
  TestStore reader(path);
  const auto reading = must(Transaction::read(reader.database));
  REQUIRE(reader.count("SELECT count(*) FROM memory") == 1);
  store.database.wait_at_most(std::chrono::milliseconds(20));
  CHECK(kind_of(rebuild(store.database)) == ErrorKind::busy);
  CHECK(stand_in_store(store.database, {"likes tea"}));
}

#include "store/ticket.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <future>
#include <mutex>
#include <thread>

#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;
using selfmind::test::TemporaryFolder;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds long_enough{20'000};
constexpr milliseconds at_once{0};

// How many numbers were drawn in the queue.
std::int64_t drawn(const TemporaryFolder& folder, const char* name = "queue") {
  const auto bytes = folder.read(name);
  std::int64_t next = 0;
  if (bytes.size() == sizeof next) std::memcpy(&next, bytes.data(), sizeof next);
  return next;
}

// Waits until `holds`; whether it came to that.
template <class Condition>
bool wait_until(Condition holds) {
  const auto limit = std::chrono::steady_clock::now() + long_enough;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

// Another process that stands in the queue until it is killed.
class Standing {
 public:
  explicit Standing(const std::string& queue) : pid_(::fork()) {
    REQUIRE(pid_ >= 0);
    if (pid_ != 0) return;
    const auto ticket = Ticket::draw(queue, long_enough);
    while (true) ::pause();
  }
  ~Standing() { kill(); }
  void kill() {
    if (std::exchange(killed_, true)) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

 private:
  pid_t pid_;
  bool killed_ = false;
};

}  // namespace

TEST_CASE("writers are served in the order in which they drew") {
  const TemporaryFolder folder;
  const auto queue = folder / "queue";
  std::mutex mutex;
  std::vector<int> order;
  std::vector<std::thread> waiting;
  {
    const auto first = Ticket::draw(queue, at_once);
    REQUIRE(first.has_turn());
    for (int i = 0; i < 5; ++i) {
      waiting.emplace_back([&, i] {
        const auto ticket = Ticket::draw(queue, long_enough);
        const std::lock_guard lock(mutex);
        order.push_back(ticket.has_turn() ? i : -1);
      });
      REQUIRE(wait_until([&] { return drawn(folder) == i + 2; }));
    }
    const std::lock_guard lock(mutex);
    CHECK(order.empty());
  }
  for (auto& thread : waiting) thread.join();
  CHECK(order == std::vector<int>{0, 1, 2, 3, 4});
}

TEST_CASE("a writer that was killed at its turn is not waited for") {
  const TemporaryFolder folder;
  Standing holder(folder / "queue");
  REQUIRE(wait_until([&] { return drawn(folder) == 1; }));
  CHECK_FALSE(Ticket::draw(folder / "queue", milliseconds(20)).has_turn());
  holder.kill();
  CHECK(Ticket::draw(folder / "queue", at_once).has_turn());
}

TEST_CASE("a writer that was killed while it waited lets those behind it move up, and none of them overtakes") {
  const TemporaryFolder folder;
  Standing holder(folder / "queue");
  REQUIRE(wait_until([&] { return drawn(folder) == 1; }));
  Standing waiter(folder / "queue");
  REQUIRE(wait_until([&] { return drawn(folder) == 2; }));
  auto last = std::async(std::launch::async, [&] { return Ticket::draw(folder / "queue", long_enough); });
  REQUIRE(wait_until([&] { return drawn(folder) == 3; }));
  waiter.kill();
  CHECK(last.wait_for(milliseconds(50)) == std::future_status::timeout);
  holder.kill();
  CHECK(last.get().has_turn());
}

TEST_CASE("who gives up waiting leaves the queue, and takes nobody's place with it") {
  const TemporaryFolder folder;
  const auto queue = folder / "queue";
  auto holder = Ticket::draw(queue, at_once);
  // Each opens and closes the file in this process, which would drop POSIX locks.
  CHECK_FALSE(Ticket::draw(queue, milliseconds(5)).has_turn());
  CHECK_FALSE(Ticket::draw(queue, milliseconds(5)).has_turn());
  holder = Ticket();
  CHECK(Ticket::draw(queue, at_once).has_turn());
}

TEST_CASE("where no queue can be made it is always one's turn") {
  const TemporaryFolder folder;
  const auto none = Ticket::draw("", at_once);
  CHECK(none.has_turn());
  const auto in_no_folder = Ticket::draw(folder / "missing/queue", at_once);
  CHECK(in_no_folder.has_turn());
  std::filesystem::create_directory(folder / "queue");
  const auto in_a_folders_place = Ticket::draw(folder / "queue", at_once);
  CHECK(in_a_folders_place.has_turn());
  std::filesystem::create_symlink(folder / "elsewhere", folder / "link");
  const auto through_a_link = Ticket::draw(folder / "link", at_once);
  CHECK(through_a_link.has_turn());
  CHECK_FALSE(std::filesystem::exists(folder / "elsewhere"));
}

TEST_CASE("a queue file that was emptied or overwritten is used on") {
  const TemporaryFolder folder;
  const auto queue = folder / "queue";
  const auto holder = Ticket::draw(queue, at_once);
  std::filesystem::resize_file(queue, 0);
  CHECK_FALSE(Ticket::draw(queue, milliseconds(5)).has_turn());  // the number 0 is the holder's still
  folder.write("queue", "\xff\xff\xff\xff\xff\xff\xff\xff");
  CHECK_FALSE(Ticket::draw(queue, milliseconds(5)).has_turn());
  CHECK(drawn(folder) == 2);
}

TEST_CASE("what writes draws a number in a private file beside the store, what reads draws none") {
  const TemporaryFolder folder;
  TestStore store(folder / "memory.db");
  store.remember("The user likes tea");
  struct stat status {};
  REQUIRE(::stat((folder / "memory.db.queue").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  const auto before = drawn(folder, "memory.db.queue");
  CHECK(before > 0);
  must(memories(store.database, View{no_id, true, {}, {}}));
  must(resolve(store.database, ProjectFacts{"/somewhere", {}}, /*create=*/false));
  CHECK(drawn(folder, "memory.db.queue") == before);
}

TEST_CASE("a store reached through a symbolic link has the same queue") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "real");
  { const TestStore store(folder / "real/memory.db"); }
  std::filesystem::create_symlink(folder / "real/memory.db", folder / "memory.db");
  TestStore store(folder / "memory.db");
  const auto before = drawn(folder, "real/memory.db.queue");
  store.remember("The user likes tea");
  CHECK(drawn(folder, "real/memory.db.queue") == before + 1);
}

TEST_CASE("a transaction that is over has left the queue, committed or not") {
  const TemporaryFolder folder;
  TestStore store(folder / "memory.db");
  const auto free = [&] { return Ticket::draw(folder / "memory.db.queue", at_once).has_turn(); };
  {
    auto transaction = must(Transaction::write(store.database));
    CHECK_FALSE(free());
    must(transaction.commit());
    CHECK(free());
  }
  {
    const auto transaction = must(Transaction::write(store.database));
    CHECK_FALSE(free());
  }
  CHECK(free());
}

TEST_CASE("somebody who stands in the queue without end delays a writer and does not keep it from writing") {
  const TemporaryFolder folder;
  TestStore store(folder / "memory.db");
  Standing stopped(folder / "memory.db.queue");
  REQUIRE(wait_until([&] { return !Ticket::draw(folder / "memory.db.queue", at_once).has_turn(); }));
  store.database.wait_at_most(milliseconds(20));
  CHECK(store.remember("The user likes tea").id == 1);
}

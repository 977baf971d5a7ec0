#include "store/upkeep.h"

#include "base/limits.h"
#include "store/revisions.h"
#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;
using namespace std::chrono_literals;

namespace {

struct Kept : TestStore {
  Memory keep(std::string_view text, std::string_view kind, std::string_view made_by, std::optional<Time> until = {},
              Id project = no_id) {
    MemoryDraft draft;
    draft.text = text;
    draft.kind = kind;
    draft.made_by = made_by;
    draft.valid_to = until;
    draft.project = project;
    return must(add_memory(database, draft, nullptr)).memory;
  }
  Memory until(std::string_view text, std::chrono::milliseconds from_now, Id project = no_id) {
    return keep(text, "fact", "remember", clock.now() + from_now, project);
  }
  std::string state(Id id) { return must(memory(database, id)).state; }
  std::vector<Id> run(const View& view = {}) {
    std::vector<Id> archived;
    for (const auto& memory : must(keep_up(database, view)).archived) archived.push_back(memory.id);
    return archived;
  }
  void give(Id memory) {
    const auto chat = must(new_session(database, no_id)).id;
    must(keep_recall(database, say(chat, "What now?").id, "- block", {{memory, 1, 1, 1.0}}));
  }
};

constexpr auto half_a_year = limits::unused_for + 1h;

}  // namespace

TEST_CASE("memories that have ended are archived in one change, which one undo takes back for good") {
  Kept store;
  const auto friday = store.until("The user is in Lyon until Friday", 72h);
  const auto sunday = store.until("The server is read-only until Sunday", 120h);
  const auto later = store.until("The badge is valid until spring", 2000h);
  const auto stays = store.remember("The user likes tea");
  CHECK(store.run().empty());
  store.clock.advance(72h);
  CHECK(store.run().empty());  // its last moment
  store.clock.advance(72h);
  const auto done = must(keep_up(store.database, {}));
  CHECK(done.why == Upkeep::Why::ended);
  REQUIRE(done.archived.size() == 2);
  CHECK(done.archived[0].state == "archived");
  CHECK(store.state(friday.id) == "archived");
  CHECK(store.state(sunday.id) == "archived");
  CHECK(store.state(later.id) == "active");
  CHECK(store.state(stays.id) == "active");
  const auto made = must(history(store.database, friday.id)).revisions.back().change;
  CHECK(made.verb == "expire");
  CHECK(made.made_by == "upkeep");

  const auto undone = must(undo(store.database, {}));
  CHECK(undone.memories.size() == 2);
  CHECK(store.state(friday.id) == "active");
  store.clock.advance(48h);
  CHECK(store.run().empty());
  CHECK(store.state(sunday.id) == "active");
}

TEST_CASE("a memory that the user has brought back after its end stays, and ends again only with another end") {
  Kept store;
  const auto friday = store.until("The user is in Lyon until Friday", 72h);
  store.clock.advance(96h);
  CHECK(store.run().size() == 1);
  must(change_state(store.database, {friday.id}, Verb::unarchive));
  CHECK(store.run().empty());
  must(store.database.execute("UPDATE memory SET valid_to = valid_to + 172800000"));
  CHECK(store.run().empty());
  store.clock.advance(48h);
  CHECK(store.run() == std::vector<Id>{friday.id});
}

TEST_CASE("what was over already when it was told is history and stays") {
  Kept store;
  const auto past = store.until("The user worked in Lyon until 2020", -24h * 2000);
  CHECK(store.run().empty());
  CHECK(store.state(past.id) == "active");
}

TEST_CASE("only the memories in view are looked after, and with all every project's") {
  Kept store;
  const auto here = store.project("/here"), there = store.project("/there");
  const auto mine = store.until("Here the port is closed until Friday", 72h, here);
  const auto theirs = store.until("There the port is closed until Friday", 72h, there);
  const auto global = store.until("The user is in Lyon until Friday", 72h);
  store.clock.advance(96h);
  CHECK(store.run({here, false, {}, {}, false}) == std::vector<Id>{mine.id, global.id});
  CHECK(store.state(theirs.id) == "active");
  CHECK(store.run({no_id, true, {}, {}, false}) == std::vector<Id>{theirs.id});
}

TEST_CASE("a passing memory that was learned and not needed for half a year is archived") {
  Kept store;
  const auto context = store.keep("The user is reading about fonts", "context", "learn");
  const auto task = store.keep("The user wants to sort the cellar", "task", "rules");
  const auto plan = store.keep("The user plans to paint the wall", "plan", "learn");
  const auto fact = store.keep("The user has a cellar", "fact", "learn");
  const auto by_hand = store.keep("Sort the cellar one day", "task", "remember");
  store.clock.advance(limits::unused_for - 1h);
  CHECK(store.run().empty());
  store.clock.advance(2h);
  const auto done = must(keep_up(store.database, {}));
  CHECK(done.why == Upkeep::Why::unused);
  CHECK(done.archived.size() == 3);
  for (const auto id : {context.id, task.id, plan.id}) CHECK(store.state(id) == "archived");
  for (const auto id : {fact.id, by_hand.id}) CHECK(store.state(id) == "active");
  CHECK(must(history(store.database, task.id)).revisions.back().change.verb == "disuse");

  must(undo(store.database, {}));
  store.clock.advance(limits::unused_for - 1h);
  CHECK(store.run().empty());  // taking it back was a use
  store.clock.advance(2h);
  CHECK(store.run().size() == 3);
}

TEST_CASE("a passing memory that was recalled or changed within half a year stays") {
  Kept store;
  const auto recalled = store.keep("The user is reading about fonts", "context", "learn");
  const auto changed = store.keep("The user wants to sort the cellar", "task", "learn");
  const auto old = store.keep("The user plans to paint the wall", "plan", "learn");
  store.give(old.id);
  store.clock.advance(half_a_year - 24h);
  store.give(recalled.id);
  must(change_state(store.database, {changed.id}, Verb::archive));
  must(change_state(store.database, {changed.id}, Verb::unarchive));
  store.clock.advance(48h);
  CHECK(store.run() == std::vector<Id>{old.id});
}

TEST_CASE("one run makes one change: what has ended goes first, what is unused with the next run") {
  Kept store;
  const auto task = store.keep("The user wants to sort the cellar", "task", "learn");
  const auto friday = store.until("The user is in Lyon until Friday", 72h);
  store.clock.advance(half_a_year);
  CHECK(store.run() == std::vector<Id>{friday.id});
  CHECK(store.run() == std::vector<Id>{task.id});
  CHECK(store.run().empty());
  CHECK(store.count("SELECT count(*) FROM memory_change WHERE made_by = 'upkeep'") == 2);
}

TEST_CASE("upkeep with nothing to do does not write") {
  const test::TemporaryFolder folder;
  TestStore store(folder / "memory.db");
  store.remember("The user likes tea");
  TestStore other(folder / "memory.db");
  const auto writing = must(Transaction::write(other.database));
  store.database.wait_at_most(std::chrono::milliseconds(0));
  CHECK(must(keep_up(store.database, {})).archived.empty());
}

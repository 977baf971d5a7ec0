#include "store/probes.h"

#include "base/limits.h"
#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;

namespace {

Expected memory_id(Id id) { return {ItemKind::memory, id, {}, {}}; }
Expected turn_id(Id id) { return {ItemKind::turn, id, {}, {}}; }

}  // namespace

TEST_CASE("a probe is listed with what it expects, as that stands now") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id));
  const auto said = store.say(chat.id, "The port is 5433");
  const auto kept = store.remember("Staging listens on 5433");
  const auto added =
      must(add_probe(store.database, {" which port? \n", no_id, {memory_id(kept.id), turn_id(said.id)}}));
  CHECK(added.replaced == no_id);

  const auto list = must(probes(store.database, no_id));
  REQUIRE(list.size() == 1);
  CHECK(list[0].id == added.probe.id);
  CHECK(list[0].uuid == added.probe.uuid);
  CHECK(list[0].query == "which port?");
  CHECK(list[0].created_at == store.clock.now());
  REQUIRE(list[0].expect.size() == 2);
  CHECK(list[0].expect[0].text == "Staging listens on 5433");
  CHECK(list[0].expect[0].state == "active");
  CHECK(list[0].expect[1].kind == ItemKind::turn);
  CHECK(list[0].expect[1].text == "The port is 5433");
  CHECK(list[0].expect[1].can_be_found());

  must(store.database.execute("UPDATE memory SET state = 'superseded'"));
  const auto later = must(probes(store.database, no_id));
  CHECK(later[0].expect[0].state == "superseded");
  CHECK_FALSE(later[0].expect[0].can_be_found());
}

TEST_CASE("an id that is named twice is expected once") {
  TestStore store;
  const auto kept = store.remember("Staging listens on 5433");
  const auto added = must(add_probe(store.database, {"which port?", no_id, {memory_id(kept.id), memory_id(kept.id)}}));
  CHECK(added.probe.expect.size() == 1);
}

TEST_CASE("a probe may expect nothing") {
  TestStore store;
  CHECK(must(add_probe(store.database, {"best pizza in town?", no_id, {}})).probe.expect.empty());
  CHECK(must(probes(store.database, no_id)).size() == 1);
}

TEST_CASE("the same question again replaces what it expected, in its own scope alone") {
  TestStore store;
  const auto here = store.project("/here");
  const auto old = store.remember("Staging listens on 5433");
  const auto now = store.remember("Staging listens on 5434");
  const auto first = must(add_probe(store.database, {"which port?", no_id, {memory_id(old.id)}}));
  must(add_probe(store.database, {"which port?", here, {memory_id(old.id)}}));
  const auto again = must(add_probe(store.database, {"which port?", no_id, {memory_id(now.id)}}));
  CHECK(again.replaced == first.probe.id);
  CHECK(must(probes(store.database, here)).size() == 2);
  const auto list = must(probes(store.database, no_id));
  REQUIRE(list.size() == 1);
  REQUIRE(list[0].expect.size() == 1);
  CHECK(list[0].expect[0].id == now.id);
}

TEST_CASE("what recall could not find from the probe's project is refused, and nothing is changed") {
  TestStore store;
  const auto here = store.project("/here");
  const auto there = store.project("/there");
  const auto mine = store.remember("Mine", here);
  const auto theirs = store.remember("Theirs", there);
  const auto old = store.remember("Old", here);
  must(run(store.database, "UPDATE memory SET state = 'archived' WHERE id = ?", old.id));
  const auto chat = must(new_session(store.database, there));
  const auto said = store.say(chat.id, "Said there");

  const auto refused = [&](Id project, const Expected& expected) {
    const auto added = add_probe(store.database, {"which one?", project, {memory_id(mine.id), expected}});
    REQUIRE_FALSE(added.ok());
    CHECK(must(probes(store.database, here)).empty());
    return added.error();
  };
  CHECK(refused(here, memory_id(99)).kind == ErrorKind::not_found);
  CHECK(refused(here, turn_id(99)).kind == ErrorKind::not_found);
  CHECK(refused(here, memory_id(theirs.id)).message.find("there") != std::string::npos);
  CHECK(refused(here, turn_id(said.id)).kind == ErrorKind::invalid);
  CHECK(refused(here, memory_id(old.id)).message.find("archived") != std::string::npos);
  CHECK(refused(no_id, memory_id(mine.id)).kind == ErrorKind::invalid);
  CHECK(add_probe(store.database, {"which one?", here, {memory_id(mine.id)}}).ok());
}

TEST_CASE("a question is text, and not more of it than one would ask") {
  TestStore store;
  CHECK(kind_of(add_probe(store.database, {" \n", no_id, {}})) == ErrorKind::invalid);
  CHECK(kind_of(add_probe(store.database, {std::string(limits::probe_bytes + 1, 'x'), no_id, {}})) ==
        ErrorKind::invalid);
  CHECK(must(add_probe(store.database, {std::string("a\0b\xff", 4), no_id, {}})).probe.query == "a\uFFFDb\uFFFD");
}

TEST_CASE("a project sees its own probes and the global ones") {
  TestStore store;
  const auto here = store.project("/here");
  const auto there = store.project("/there");
  must(add_probe(store.database, {"everywhere", no_id, {}}));
  must(add_probe(store.database, {"here", here, {}}));
  must(add_probe(store.database, {"there", there, {}}));
  const auto list = must(probes(store.database, here));
  REQUIRE(list.size() == 2);
  CHECK(list[0].query == "everywhere");
  CHECK(list[1].query == "here");
  CHECK(must(probes(store.database, no_id)).size() == 1);
}

TEST_CASE("a removed probe is gone, and an unknown one is said to be") {
  TestStore store;
  const auto kept = store.remember("Staging listens on 5433");
  const auto added = must(add_probe(store.database, {"which port?", no_id, {memory_id(kept.id)}}));
  CHECK(kind_of(remove_probe(store.database, 99)) == ErrorKind::not_found);
  CHECK(must(remove_probe(store.database, added.probe.id)).query == "which port?");
  CHECK(must(probes(store.database, no_id)).empty());
  CHECK(store.count("SELECT count(*) FROM probe_expect") == 0);
}

TEST_CASE("a probe is no part of what is searched") {
  TestStore store;
  const auto kept = store.remember("Staging listens on 5433");
  const auto before = must(feed(store.database, {}, 0));
  must(add_probe(store.database, {"which port?", no_id, {memory_id(kept.id)}}));
  CHECK(must(feed(store.database, {}, 0)).put.size() == 1);
  const auto since = must(feed(store.database, before.position, 0));
  CHECK(since.put.empty());
  CHECK(since.gone.empty());
}

TEST_CASE("a probe goes with the last of what it expects, whoever deletes that") {
  TestStore store;
  const auto one = store.remember("One");
  const auto two = store.remember("Two");
  must(add_probe(store.database, {"both?", no_id, {memory_id(one.id), memory_id(two.id)}}));
  must(add_probe(store.database, {"neither?", no_id, {}}));
  must(run(store.database, "DELETE FROM memory WHERE id = ?", one.id));
  CHECK(must(probes(store.database, no_id)).size() == 2);
  must(run(store.database, "DELETE FROM memory WHERE id = ?", two.id));
  const auto left = must(probes(store.database, no_id));
  REQUIRE(left.size() == 1);
  CHECK(left[0].query == "neither?");
}

#include "store/memories.h"

#include <thread>

#include "base/limits.h"
#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;
using selfmind::test::CountingIds;
using selfmind::test::FakeClock;
using selfmind::test::TemporaryFolder;

namespace {

Verdict same_text(const MemoryDraft& draft, std::span<const Memory> existing) {
  for (const auto& memory : existing) {
    if (memory.text == draft.text) return {Verdict::same, {memory.id}};
  }
  return {};
}

std::vector<std::string> texts(const std::vector<Memory>& memories) {
  std::vector<std::string> all;
  for (const auto& memory : memories) all.push_back(memory.text);
  return all;
}

MemoryDraft draft_of(std::string_view text, Id project = no_id) {
  MemoryDraft draft;
  draft.text = text;
  draft.project = project;
  return draft;
}

}  // namespace

TEST_CASE("a memory is stored with where it came from") {
  TestStore store;
  const Id project = store.project("/home/somebody/kiln");
  const auto chat = must(new_session(store.database, project));
  const auto turn = store.say(chat.id, "I like tea");
  auto draft = draft_of(" The user likes tea\n", project);
  draft.kind = "preference";
  draft.made_by = "learn";
  draft.evidence = {{turn.id, "I like tea"}};
  const auto added = must(add_memory(store.database, draft, nullptr));
  CHECK_FALSE(added.duplicate);
  CHECK(added.memory.text == "The user likes tea");
  CHECK(added.memory.kind == "preference");
  CHECK(added.memory.state == "active");
  CHECK(added.memory.origin == "user");
  CHECK(added.memory.made_by == "learn");
  CHECK(added.memory.project == project);
  CHECK(added.memory.project_name == "kiln");
  CHECK(added.memory.revision == 1);
  CHECK(added.memory.turns == std::vector<Id>{turn.id});
  CHECK(added.memory.created_at == store.clock.now());
  CHECK(added.memory.uuid.size() == 36);
  CHECK(must(memory(store.database, added.memory.id)).text == added.memory.text);
}

TEST_CASE("a memory is refused when it is blank, too long, of no known kind, or of a turn that is not there") {
  TestStore store;
  CHECK(kind_of(add_memory(store.database, draft_of(" \n"), nullptr)) == ErrorKind::invalid);
  const std::string longest(limits::memory_bytes, 'x');
  CHECK(kind_of(add_memory(store.database, draft_of(longest + "x"), nullptr)) == ErrorKind::invalid);
  CHECK(add_memory(store.database, draft_of(longest), nullptr).ok());
  auto draft = draft_of("text");
  draft.kind = "opinion";
  CHECK(kind_of(add_memory(store.database, draft, nullptr)) == ErrorKind::invalid);
  draft = draft_of("text");
  draft.evidence = {{77, ""}};
  CHECK(kind_of(add_memory(store.database, draft, nullptr)) == ErrorKind::invalid);
  CHECK(store.count("SELECT count(*) FROM memory") == 1);
}

TEST_CASE("a project's memories are its own and the global ones") {
  TestStore store;
  const Id kiln = store.project("/kiln");
  const Id loom = store.project("/loom");
  store.remember("kiln's", kiln);
  store.remember("loom's", loom);
  store.remember("everybody's");
  CHECK(texts(must(memories(store.database, View{kiln, false, {}, {}}))) ==
        std::vector<std::string>{"kiln's", "everybody's"});
  CHECK(texts(must(memories(store.database, View{}))) == std::vector<std::string>{"everybody's"});
  CHECK(must(memories(store.database, View{kiln, true, {}, {}})).size() == 3);
}

TEST_CASE("a list shows active memories, all of them only when asked, and of one kind or scene") {
  TestStore store;
  store.remember("one");
  store.remember("two");
  store.remember("three");
  must(
      store.database.execute("UPDATE memory SET state = 'archived' WHERE text = 'two';"
                             "UPDATE memory SET kind = 'preference', scene = 'food' WHERE text = 'three'"));
  CHECK(texts(must(memories(store.database, View{}))) == std::vector<std::string>{"one", "three"});
  CHECK(must(memories(store.database, View{no_id, true, {}, {}})).size() == 3);
  CHECK(texts(must(memories(store.database, View{no_id, false, "preference", {}}))) ==
        std::vector<std::string>{"three"});
  CHECK(texts(must(memories(store.database, View{no_id, true, {}, "food"}))) == std::vector<std::string>{"three"});
  CHECK(must(memories(store.database, View{no_id, false, "context", {}})).empty());
}

TEST_CASE("what is said again is not stored again, and its words count as evidence") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id));
  const auto turn = store.say(chat.id, "Tea, as I said");
  const auto first = store.remember("The user likes tea");
  auto draft = draft_of("The user likes tea");
  draft.evidence = {{turn.id, "Tea, as I said"}};
  for (int i = 0; i < 2; ++i) {
    const auto again = must(add_memory(store.database, draft, same_text));
    CHECK(again.duplicate);
    CHECK(again.memory.id == first.id);
    CHECK(again.memory.turns == std::vector<Id>{turn.id});
  }
  CHECK(store.count("SELECT count(*) FROM memory") == 1);
  CHECK(store.count("SELECT count(*) FROM memory_source") == 1);
  CHECK_FALSE(must(add_memory(store.database, draft, nullptr)).duplicate);
}

TEST_CASE("a duplicate is looked for among the active memories it could meet") {
  TestStore store;
  const Id kiln = store.project("/kiln");
  store.remember("tea", store.project("/loom"));
  const auto archived = store.remember("tea", kiln);
  must(run(store.database, "UPDATE memory SET state = 'archived' WHERE id = ?", archived.id));
  CHECK_FALSE(must(add_memory(store.database, draft_of("tea", kiln), same_text)).duplicate);
  CHECK(must(add_memory(store.database, draft_of("tea", kiln), same_text)).duplicate);
  CHECK_FALSE(must(add_memory(store.database, draft_of("tea"), same_text)).duplicate);
}

TEST_CASE("two editors that store the same at once store it once") {
  const TemporaryFolder folder;
  const auto path = folder / "memory.db";
  constexpr int rounds = 20;
  { const TestStore store(path); }
  int stored[2] = {0, 0};
  const auto editor = [&path](int& count, std::uint64_t first_id) {
    FakeClock clock;
    CountingIds ids(first_id);
    auto database = Database::open(path, clock, ids);
    if (!database) return;
    for (int i = 0; i < rounds; ++i) {
      const auto added = add_memory(*database, draft_of("memory " + std::to_string(i)), same_text);
      if (added && !added->duplicate) ++count;
    }
  };
  std::thread one([&] { editor(stored[0], 1'000); });
  std::thread other([&] { editor(stored[1], 2'000); });
  one.join();
  other.join();
  CHECK(stored[0] + stored[1] == rounds);
  TestStore store(path);
  CHECK(store.count("SELECT count(*) FROM memory") == rounds);
}

TEST_CASE("an unknown memory is not found") {
  TestStore store;
  CHECK(kind_of(memory(store.database, 12)) == ErrorKind::not_found);
}

TEST_CASE("a memory's number is not given to another one") {
  TestStore store;
  const auto first = store.remember("one");
  must(forget(store.database, {first.id}, /*dry_run=*/false));
  CHECK(store.remember("two").id > first.id);
}

#include "store/feed.h"

#include <algorithm>

#include <fmt/format.h>

#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;
using namespace std::chrono_literals;
using selfmind::test::TemporaryFolder;

namespace {

std::vector<std::string> texts(const Feed& feed) {
  std::vector<std::string> all;
  for (const auto& item : feed.put) all.push_back(item.text);
  return all;
}

using Texts = std::vector<std::string>;
using Gone = std::vector<std::pair<ItemKind, Id>>;

}  // namespace

TEST_CASE("the first load is everything that can be recalled, memories and then the log, oldest first") {
  TestStore store;
  const Id kiln = store.project("/kiln");
  const auto chat = must(new_session(store.database, kiln)).id;
  const auto said = store.say(chat, "I like tea");
  store.clock.advance(1s);
  const auto kept = store.remember("The user likes tea", no_id, {{said.id, "I like tea"}});
  store.answer(said.id, "Noted, tea.");
  store.clock.advance(1s);
  store.say(chat, "And cake");
  const auto archived = store.remember("The user likes mud");
  must(run(store.database, "UPDATE memory SET state = 'archived' WHERE id = ?", archived.id));

  const auto all = must(feed(store.database, {}, 0));
  CHECK(texts(all) == Texts{"The user likes tea", "I like tea", "Noted, tea.", "And cake"});
  CHECK(all.gone.empty());
  CHECK_FALSE(all.more);
  CHECK(all.position.loaded);
  CHECK(all.position.change > 0);

  const auto& turn = all.put[1];
  CHECK(turn.kind == ItemKind::turn);
  CHECK(turn.id == said.id);
  CHECK(turn.project == kiln);
  CHECK(turn.session == chat);
  CHECK(turn.role == Role::user);
  CHECK(all.put[2].role == Role::assistant);
  const auto& memory = all.put[0];
  CHECK(memory.kind == ItemKind::memory);
  CHECK(memory.id == kept.id);
  CHECK(memory.project == no_id);
  CHECK(memory.memory_kind == "fact");
  CHECK(memory.revision == 1);
  CHECK(memory.turns == std::vector<Id>{said.id});
  CHECK(memory.at == kept.created_at);
}

TEST_CASE("an empty store has nothing to load, and what comes then is loaded") {
  TestStore store;
  const auto empty = must(feed(store.database, {}, 0));
  CHECK(empty.put.empty());
  CHECK(empty.position.loaded);
  store.remember("one");
  CHECK(texts(must(feed(store.database, empty.position, 0))) == Texts{"one"});
}

TEST_CASE("a load in small parts brings everything once, with each memory's turns") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id)).id;
  std::vector<std::string> expected;
  for (int i = 0; i < 7; ++i) {
    const auto said = store.say(chat, fmt::format("turn {}", i));
    store.answer(said.id, fmt::format("reply {}", i));
    store.remember(fmt::format("memory {}", i), no_id, {{said.id, "turn"}, {said.id, "turn"}});
  }
  for (const int limit : {1, 2, 3, 7, 20, 21, 22}) {
    INFO(limit);
    FeedPosition position;
    std::vector<std::string> loaded;
    for (bool more = true; more;) {
      const auto part = must(feed(store.database, position, limit));
      CHECK(part.put.size() <= static_cast<std::size_t>(limit));
      for (const auto& item : part.put) {
        loaded.push_back(item.text);
        if (item.kind == ItemKind::memory) CHECK(item.turns.size() == 1);
      }
      position = part.position;
      more = part.more;
    }
    CHECK(position.loaded);
    CHECK(loaded.size() == 21);
    std::sort(loaded.begin(), loaded.end());
    CHECK(std::unique(loaded.begin(), loaded.end()) == loaded.end());
    CHECK(must(feed(store.database, position, limit)).put.empty());
  }
}

TEST_CASE("what changes during a load is told at once, and by the load as it is then") {
  TestStore store;
  const auto first = store.remember("first");
  store.remember("second");
  const auto part = must(feed(store.database, {}, 1));
  CHECK(part.more);
  must(forget(store.database, {first.id}, /*dry_run=*/false));
  store.remember("third");
  const auto meanwhile = must(changes(store.database, part.position, 0));
  CHECK(texts(meanwhile) == Texts{"third"});
  CHECK(meanwhile.gone == std::vector<std::pair<ItemKind, Id>>{{ItemKind::memory, first.id}});
  CHECK_FALSE(meanwhile.position.loaded);
  CHECK(texts(must(feed(store.database, meanwhile.position, 0))) == Texts{"second", "third"});
}

TEST_CASE("words that no model said, and replies that are still coming, are not recalled") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id)).id;
  using enum TurnState;
  for (const auto state : {refused, offline, done, stopped, interrupted}) {
    const auto said = store.say(chat, "tell me");
    store.answer(said.id, std::string("reply ") + to_text(state), state);
  }
  Turn growing;
  growing.parent = store.say(chat, "tell me").id;
  growing.text = "reply streaming";
  must(keep_partial(store.database, growing, "somebody"));
  Texts replies;
  for (const auto& item : must(feed(store.database, {}, 0)).put) {
    if (item.role == Role::assistant) replies.push_back(item.text);
  }
  CHECK(replies == Texts{"reply done", "reply stopped", "reply interrupted"});
}

TEST_CASE("later only what changed comes, also what another editor changed") {
  const TemporaryFolder folder;
  TestStore store(folder / "memory.db");
  TestStore other(folder / "memory.db");
  other.ids = test::CountingIds(1'000);
  store.remember("one");
  const auto start = must(feed(store.database, {}, 0)).position;
  CHECK(must(feed(store.database, start, 0)).put.empty());
  CHECK(must(feed(store.database, start, 0)).position == start);

  other.remember("two");
  const auto next = must(feed(store.database, start, 0));
  CHECK(texts(next) == Texts{"two"});
  CHECK(next.position.change > start.change);
  CHECK(must(feed(store.database, next.position, 0)).put.empty());
}

TEST_CASE("what is archived, forgotten or cut away is gone, what is changed comes again") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id)).id;
  const auto whole = store.say(chat, "the boat is called Heron");
  const auto part = store.say(chat, "Yes, the boat is called Heron now");
  store.answer(part.id, "the boat is called Heron, then.");
  const auto boat = store.remember("the boat is called Heron", no_id, {{whole.id, ""}});
  const auto mud = store.remember("The user likes mud");
  const auto start = must(feed(store.database, {}, 0)).position;

  must(run(store.database, "UPDATE memory SET state = 'archived' WHERE id = ?", mud.id));
  must(forget(store.database, {boat.id}, /*dry_run=*/false));
  const auto next = must(feed(store.database, start, 0));
  CHECK(texts(next) == Texts{"Yes, [forgotten] now", "[forgotten], then."});
  CHECK(next.gone == Gone{{ItemKind::memory, mud.id}, {ItemKind::turn, whole.id}, {ItemKind::memory, boat.id}});
  CHECK(texts(must(feed(store.database, {}, 0))) == Texts{"Yes, [forgotten] now", "[forgotten], then."});
}

TEST_CASE("a reply comes when it is complete, with its message, which is answered now") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id)).id;
  const auto said = store.say(chat, "Well?");
  const auto start = must(feed(store.database, {}, 0)).position;
  store.answer(said.id, "So.");
  const auto next = must(feed(store.database, start, 0));
  CHECK(texts(next) == Texts{"So.", "Well?"});
  CHECK(next.gone.empty());
}

TEST_CASE("a memory that gets more evidence comes again with it") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id)).id;
  const auto said = store.say(chat, "Tea again");
  const auto kept = store.remember("The user likes tea");
  const auto start = must(feed(store.database, {}, 0)).position;
  MemoryDraft draft;
  draft.text = "The user likes tea";
  draft.evidence = {{said.id, "Tea again"}};
  must(add_memory(store.database, draft, [&](const auto&, auto) { return Verdict{Verdict::same, {kept.id}}; }));
  const auto next = must(feed(store.database, start, 0));
  REQUIRE(next.put.size() == 1);
  CHECK(next.put[0].turns == std::vector<Id>{said.id});
}

TEST_CASE("many changes come in pieces, each once") {
  TestStore store;
  store.remember("before");
  auto position = must(feed(store.database, {}, 0)).position;
  for (int i = 0; i < 7; ++i) store.remember("memory " + std::to_string(i));
  Texts all;
  for (int pieces = 1;; ++pieces) {
    const auto piece = must(feed(store.database, position, 3));
    CHECK(piece.put.size() <= 3);
    for (const auto& text : texts(piece)) all.push_back(text);
    position = piece.position;
    if (piece.more) continue;
    CHECK(pieces == 3);
    break;
  }
  CHECK(all == Texts{"memory 0", "memory 1", "memory 2", "memory 3", "memory 4", "memory 5", "memory 6"});
  CHECK_FALSE(must(feed(store.database, position, 3)).more);
}

TEST_CASE("the list of changes holds each item once") {
  TestStore store;
  const auto kept = store.remember("one");
  for (int i = 0; i < 5; ++i)
    must(run(store.database, "UPDATE memory SET revision = revision + 1 WHERE id = ?", kept.id));
  CHECK(store.count("SELECT count(*) FROM change") == 1);
}

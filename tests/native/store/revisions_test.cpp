// What became of memories: history, as of a time, undo and rollback.
#include "store/revisions.h"

#include <algorithm>

#include "store/feed.h"

#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;
using namespace std::chrono_literals;

namespace {

const LearnAt at{"https://memory.test", "small"};

// A chat in which something was said and learned.
struct Learned {
  Learned(TestStore& the_store, Id the_chat, std::string_view said, std::string_view text) : store(the_store) {
    message = store.say(the_chat, said).id;
    store.answer(message, "Noted.");
    store.queue_message(message, at);
    const auto entry = must(lease(store.database, at.endpoint));
    MemoryDraft draft;
    draft.text = text;
    draft.made_by = "learn";
    draft.evidence = {{message, std::string(said)}};
    memory = must(keep_learned(store.database, *entry, {draft}, nullptr)).front().memory.id;
  }

  TestStore& store;
  Id message = no_id, memory = no_id;
};

std::vector<std::string> texts(const std::vector<Memory>& memories) {
  std::vector<std::string> all;
  for (const auto& memory : memories) all.push_back(memory.text);
  return all;
}

std::vector<std::string> listed(TestStore& store) { return texts(must(memories(store.database, {}))); }

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a memory's history says who made it, when, and of which words") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id)).id;
  const Learned learned(store, chat, "I prefer tabs", "The user prefers tabs");
  const auto told = must(history(store.database, learned.memory));
  CHECK(told.memory.text == "The user prefers tabs");
  REQUIRE(told.revisions.size() == 1);
  CHECK(told.revisions[0].number == 1);
  CHECK(told.revisions[0].state == "active");
  CHECK(told.revisions[0].change.verb == "add");
  CHECK(told.revisions[0].change.made_by == "learn");
  CHECK(told.revisions[0].change.turn == learned.message);
  CHECK(told.revisions[0].change.session == chat);
  CHECK(told.revisions[0].change.at == store.clock.now());
  REQUIRE(told.sources.size() == 1);
  CHECK(told.sources[0].evidence.quote == "I prefer tabs");
  CHECK(told.sources[0].session == chat);

  const auto typed = store.remember("The user likes tea");
  CHECK(must(history(store.database, typed.id)).revisions[0].change.made_by == "user");
  CHECK(kind_of(history(store.database, 99)) == ErrorKind::not_found);
}

TEST_CASE("undo takes back what was remembered last, then what came before it") {
  TestStore store;
  store.remember("The user likes tea");
  const auto coffee = store.remember("The user likes coffee");
  const auto undone = must(undo(store.database, {}));
  CHECK(undone.change.verb == "add");
  CHECK(undone.change.made_by == "user");
  CHECK(texts(undone.memories) == Texts{"The user likes coffee"});
  CHECK(undone.memories[0].state == "archived");
  CHECK(listed(store) == Texts{"The user likes tea"});
  must(undo(store.database, {}));
  CHECK(listed(store).empty());
  CHECK(kind_of(undo(store.database, {})) == ErrorKind::not_found);

  const auto told = must(history(store.database, coffee.id));
  REQUIRE(told.revisions.size() == 2);
  CHECK(told.revisions[1].state == "archived");
  CHECK(told.revisions[1].change.verb == "undo");
}

TEST_CASE("undo changes nothing in another project") {
  TestStore store;
  const auto here = store.project("/projects/here"), there = store.project("/projects/there");
  store.remember("The port is 5432", here);
  store.remember("The port is 80", there);
  View view;
  view.project = here;
  CHECK(texts(must(undo(store.database, view)).memories) == Texts{"The port is 5432"});
  CHECK(kind_of(undo(store.database, view)) == ErrorKind::not_found);
  view.project = there;
  CHECK(texts(must(memories(store.database, view))) == Texts{"The port is 80"});
}

TEST_CASE("what was undone can be remembered again") {
  TestStore store;
  store.remember("The user likes tea");
  must(undo(store.database, {}));
  store.remember("The user likes tea");
  CHECK(listed(store) == Texts{"The user likes tea"});
}

TEST_CASE("the list as of a day is the one that was known then") {
  TestStore store;
  const auto before = store.clock.now() - 1h;
  store.remember("The user likes tea");
  const auto first = store.clock.now();
  store.clock.time += 24h;
  const auto coffee = store.remember("The user likes coffee");
  const auto second = store.clock.now();
  store.clock.time += 24h;
  must(undo(store.database, {}));
  CHECK(texts(must(memories_as_of(store.database, {}, before))).empty());
  CHECK(texts(must(memories_as_of(store.database, {}, first))) == Texts{"The user likes tea"});
  CHECK(texts(must(memories_as_of(store.database, {}, second))) ==
        Texts{"The user likes tea", "The user likes coffee"});
  CHECK(texts(must(memories_as_of(store.database, {}, store.clock.now()))) == Texts{"The user likes tea"});

  must(forget(store.database, {coffee.id}, /*dry_run=*/false));
  CHECK(texts(must(memories_as_of(store.database, {}, second))) == Texts{"The user likes tea"});
}

TEST_CASE("a rollback of a chat takes back what was learned there and nothing else") {
  TestStore store;
  const auto bad = must(new_session(store.database, no_id)).id, good = must(new_session(store.database, no_id)).id;
  const Learned one(store, bad, "I prefer tabs", "The user prefers tabs");
  const Learned other(store, good, "I use zsh", "The user uses zsh");
  const Learned two(store, bad, "I live on a boat", "The user lives on a boat");
  store.remember("The user likes tea");

  Rollback what;
  what.session = bad;
  what.dry_run = true;
  CHECK(texts(must(roll_back(store.database, {}, what)).memories) ==
        Texts{"The user prefers tabs", "The user lives on a boat"});
  CHECK(listed(store).size() == 4);

  what.dry_run = false;
  const auto rolled = must(roll_back(store.database, {}, what));
  CHECK(rolled.memories.size() == 2);
  CHECK(rolled.turns == 2);
  CHECK(listed(store) == Texts{"The user uses zsh", "The user likes tea"});
  CHECK(must(roll_back(store.database, {}, what)).memories.empty());

  what.session = 99;
  CHECK(kind_of(roll_back(store.database, {}, what)) == ErrorKind::not_found);
}

TEST_CASE("after a rollback nothing is learned from the same messages again") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id)).id;
  const Learned learned(store, chat, "I prefer tabs", "The user prefers tabs");
  const auto waiting = store.say(chat, "I use zsh").id;
  store.answer(waiting, "Noted.");
  store.queue_message(waiting, at);
  Rollback what;
  what.session = chat;
  must(roll_back(store.database, {}, what));
  CHECK_FALSE(must(lease(store.database, at.endpoint)));
  // A message that is sent again is queued again.
  store.queue_message(learned.message, at);
  CHECK_FALSE(must(lease(store.database, at.endpoint)));
  const auto fresh = store.say(chat, "I use fish").id;
  store.answer(fresh, "Noted.");
  store.queue_message(fresh, at);
  CHECK(must(lease(store.database, at.endpoint))->turn == fresh);
}

TEST_CASE("what is being learned while it is rolled back is not kept") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id)).id;
  const auto message = store.say(chat, "I prefer tabs").id;
  store.answer(message, "Noted.");
  store.queue_message(message, at);
  const auto entry = must(lease(store.database, at.endpoint));
  Rollback what;
  what.session = chat;
  must(roll_back(store.database, {}, what));
  MemoryDraft draft;
  draft.text = "The user prefers tabs";
  CHECK(kind_of(keep_learned(store.database, *entry, {draft}, nullptr)) == ErrorKind::busy);
  CHECK(listed(store).empty());
}

TEST_CASE("a rollback since a time leaves what was learned before, and can be undone") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id)).id;
  const Learned before(store, chat, "I prefer tabs", "The user prefers tabs");
  store.clock.time += 1h;
  Rollback what;
  what.since = store.clock.now();
  store.clock.time += 1min;
  const Learned after(store, chat, "I live on a boat", "The user lives on a boat");
  CHECK(texts(must(roll_back(store.database, {}, what)).memories) == Texts{"The user lives on a boat"});
  CHECK(listed(store) == Texts{"The user prefers tabs"});

  CHECK(must(undo(store.database, {})).change.verb == "rollback");
  CHECK(listed(store) == Texts{"The user prefers tabs", "The user lives on a boat"});
  CHECK(must(undo(store.database, {})).change.made_by == "learn");
  CHECK(listed(store) == Texts{"The user prefers tabs"});
}

TEST_CASE("a memory is archived and unarchived, and each is a change that can be taken back") {
  TestStore store;
  const auto tea = store.remember("The user likes tea").id;
  const auto coffee = store.remember("The user likes coffee").id;
  CHECK(texts(must(change_state(store.database, {tea, tea}, Verb::archive))) == Texts{"The user likes tea"});
  CHECK(listed(store) == Texts{"The user likes coffee"});
  must(change_state(store.database, {tea}, Verb::unarchive));
  CHECK(listed(store).size() == 2);
  CHECK(must(undo(store.database, {})).change.verb == "unarchive");
  CHECK(listed(store) == Texts{"The user likes coffee"});
  CHECK(must(undo(store.database, {})).change.verb == "archive");
  CHECK(listed(store).size() == 2);

  // All or none.
  CHECK(kind_of(change_state(store.database, {coffee, 99}, Verb::archive)) == ErrorKind::not_found);
  CHECK(kind_of(change_state(store.database, {tea, coffee}, Verb::accept)) == ErrorKind::invalid);
  CHECK(kind_of(change_state(store.database, {tea}, Verb::unarchive)) == ErrorKind::invalid);
  CHECK(listed(store).size() == 2);
}

TEST_CASE("what is learned in review waits unseen until it is accepted, and is proposed once") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id)).id;
  const auto propose = [&](const char* text) {
    const auto message = store.say(chat, text).id;
    store.answer(message, "Noted.");
    store.queue_message(message, {at.endpoint, at.model, /*review=*/true});
    const auto entry = *must(lease(store.database, at.endpoint));
    CHECK(entry.review);
    MemoryDraft draft;
    draft.text = "The user prefers tabs";
    draft.made_by = "learn";
    draft.state = "quarantined";
    draft.evidence = {{message, text}};
    const auto same = [](const MemoryDraft& d, std::span<const Memory> existing) -> Verdict {
      for (const auto& memory : existing) {
        if (memory.text == d.text) return {Verdict::same, {memory.id}};
      }
      return {};
    };
    return must(keep_learned(store.database, entry, {draft}, same)).front();
  };
  const auto added = propose("I prefer tabs");
  CHECK(listed(store).empty());
  CHECK(propose("Tabs, as ever").duplicate);
  View waiting;
  waiting.waiting = true;
  CHECK(must(memories(store.database, waiting)).size() == 1);
  must(change_state(store.database, {added.memory.id}, Verb::accept));
  CHECK(must(memories(store.database, waiting)).empty());
  CHECK(listed(store) == Texts{"The user prefers tabs"});
  CHECK(must(history(store.database, added.memory.id)).sources.size() == 2);
}

namespace {

// Learned from a message of its own, and taken for what `verdict` says.
Added learn(TestStore& store, Id chat, const char* text, Verdict verdict, const char* state = "active") {
  const auto message = store.say(chat, text).id;
  store.answer(message, "Noted.");
  store.queue_message(message, at);
  const auto entry = *must(lease(store.database, at.endpoint));
  MemoryDraft draft;
  draft.text = text;
  draft.made_by = "learn";
  draft.state = state;
  draft.evidence = {{message, text}};
  return must(keep_learned(store.database, entry, {draft}, [&](const auto&, auto) { return verdict; })).front();
}

}  // namespace

TEST_CASE("a changed value supersedes the old one, which is kept and can come back") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id)).id;
  const auto old = learn(store, chat, "The port is 5432", {}).memory.id;
  const auto added = learn(store, chat, "The port is 5433", {Verdict::changed, {old}});
  CHECK(added.replaces == old);
  CHECK(added.memory.replaces == old);
  CHECK(listed(store) == Texts{"The port is 5433"});
  CHECK(must(memory(store.database, old)).state == "superseded");
  CHECK(must(memory(store.database, old)).replaced_by == added.memory.id);
  CHECK(must(memory(store.database, old)).valid_to == store.clock.now());
  CHECK(must(history(store.database, old)).revisions.back().change.made_by == "learn");

  must(undo(store.database, {}));
  CHECK(listed(store) == Texts{"The port is 5432"});
  CHECK(must(memory(store.database, old)).replaced_by == no_id);
  CHECK_FALSE(must(memory(store.database, old)).valid_to);
}

TEST_CASE("what was said before does not replace what was said since, but is asked about") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id)).id;
  const auto message = store.say(chat, "The port is 5432").id;  // it is queued for long
  store.answer(message, "Noted.");
  store.clock.advance(std::chrono::hours(1));
  const auto newer = learn(store, chat, "The port is 5433", {}).memory.id;
  store.queue_message(message, at);
  MemoryDraft draft;
  draft.text = "The port is 5432";
  draft.made_by = "learn";
  draft.evidence = {{message, "The port is 5432"}};
  const auto added =
      must(keep_learned(store.database, *must(lease(store.database, at.endpoint)), {draft}, [&](const auto&, auto) {
        return Verdict{Verdict::changed, {newer}};
      })).front();
  CHECK(added.memory.state == "quarantined");
  CHECK(added.contradicts == newer);
  CHECK(listed(store) == Texts{"The port is 5433"});
}

TEST_CASE("a duplicate in better words gives the memory these words, which is a change like any") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id)).id;
  const auto old = learn(store, chat, "The user said: \"tabs please\"", {}).memory.id;
  const auto added = learn(store, chat, "The user prefers tabs.", {Verdict::same, {old}, /*better=*/true});
  CHECK(added.duplicate);
  CHECK(listed(store) == Texts{"The user prefers tabs."});
  CHECK(must(history(store.database, old)).sources.size() == 2);
  must(undo(store.database, {}));
  CHECK(listed(store) == Texts{"The user said: \"tabs please\""});
}

TEST_CASE("a superseded memory's words are recalled from no message, until it stands again") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id)).id;
  const auto old = learn(store, chat, "The port is 5432", {}).memory.id;
  const auto more = store.say(chat, "Also: The port is 5432, and I like tea").id;
  {
    auto transaction = must(Transaction::write(store.database));
    transaction.run("INSERT INTO memory_source (memory, turn, quote) VALUES (?, ?, 'The port is 5432')", old, more);
    must(transaction.commit());
  }
  auto position = must(feed(store.database, {}, 0)).position;
  const auto said = [](const Feed& feed) {
    std::vector<std::string> all;
    for (const auto& item : feed.put) {
      if (item.kind == ItemKind::turn && item.role == Role::user) all.push_back(item.text);
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  learn(store, chat, "The port is 5433", {Verdict::changed, {old}});
  const auto changed = must(feed(store.database, position, 0));
  CHECK(said(changed) == Texts{"Also: [superseded], and I like tea", "The port is 5433"});
  CHECK(std::any_of(changed.gone.begin(), changed.gone.end(),
                    [](const auto& gone) { return gone.first == ItemKind::turn; }));
  CHECK(said(must(feed(store.database, {}, 0))) == Texts{"Also: [superseded], and I like tea", "The port is 5433"});
  CHECK(store.turn(chat, more).text == "Also: The port is 5432, and I like tea");

  must(undo(store.database, {}));
  CHECK(said(must(feed(store.database, {}, 0))).size() == 3);
  CHECK(said(must(feed(store.database, changed.position, 0))) ==
        Texts{"Also: The port is 5432, and I like tea", "The port is 5432"});
}

TEST_CASE("a rollback gives back what was superseded by what it takes back") {
  TestStore store;
  const auto good = must(new_session(store.database, no_id)).id, bad = must(new_session(store.database, no_id)).id;
  const auto old = learn(store, good, "The port is 5432", {}).memory.id;
  learn(store, bad, "The port is 5433", {Verdict::changed, {old}});
  Rollback what;
  what.session = bad;
  must(roll_back(store.database, {}, what));
  CHECK(listed(store) == Texts{"The port is 5432"});
  CHECK(must(memory(store.database, old)).replaced_by == no_id);

  must(undo(store.database, {}));
  CHECK(listed(store) == Texts{"The port is 5433"});
  CHECK(must(memory(store.database, old)).replaced_by != no_id);
}

TEST_CASE("what may contradict a memory waits, and the user says whether it replaces it") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id)).id;
  const auto old = learn(store, chat, "The user lives in Berlin", {}).memory.id;
  const auto paris = learn(store, chat, "The user lives in Paris", {Verdict::doubtful, {old}});
  CHECK(paris.contradicts == old);
  CHECK(paris.memory.state == "quarantined");
  CHECK(listed(store) == Texts{"The user lives in Berlin"});
  must(change_state(store.database, {paris.memory.id}, Verb::replace));
  CHECK(listed(store) == Texts{"The user lives in Paris"});
  CHECK(must(memory(store.database, old)).state == "superseded");
  must(undo(store.database, {}));
  CHECK(listed(store) == Texts{"The user lives in Berlin"});
  CHECK(must(memory(store.database, paris.memory.id)).contradicts.front().id == old);

  must(change_state(store.database, {paris.memory.id}, Verb::accept));
  CHECK(listed(store).size() == 2);  // both are true
  CHECK(kind_of(change_state(store.database, {old}, Verb::replace)) == ErrorKind::invalid);
}

TEST_CASE("what may contradict a memory that stands in two wordings replaces both") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id)).id;
  const auto lives = learn(store, chat, "The user lives in Berlin", {}).memory.id;
  const auto home = learn(store, chat, "The user's home is Berlin", {}).memory.id;
  const auto message = store.say(chat, "The user lives in Paris").id;
  store.queue_message(message, at);
  MemoryDraft draft;
  draft.text = "The user lives in Paris";
  draft.made_by = "learn";
  const auto any = [](const auto&, std::span<const Memory> existing) {
    Verdict verdict{Verdict::doubtful, {}};
    for (const auto& memory : existing) verdict.memories.push_back(memory.id);
    return verdict;
  };
  const auto paris =
      must(keep_learned(store.database, *must(lease(store.database, at.endpoint)), {draft}, any)).front();
  CHECK(paris.memory.contradicts ==
        std::vector<Doubt>{{lives, "The user lives in Berlin"}, {home, "The user's home is Berlin"}});
  must(change_state(store.database, {home}, Verb::archive));
  CHECK(must(memory(store.database, paris.memory.id)).contradicts.size() == 1);
  must(undo(store.database, {}));
  CHECK(kind_of(change_state(store.database, {paris.memory.id}, Verb::replace, {lives, 99})) == ErrorKind::invalid);
  must(change_state(store.database, {paris.memory.id}, Verb::replace, {home}));
  CHECK(listed(store).size() == 2);
  must(undo(store.database, {}));
  must(change_state(store.database, {paris.memory.id}, Verb::replace));
  CHECK(listed(store) == Texts{"The user lives in Paris"});
}

TEST_CASE("what waits for the user takes no other memory's place") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id)).id;
  const auto old = learn(store, chat, "The port is 5432", {}).memory.id;
  const auto added = learn(store, chat, "The port is 5433", {Verdict::changed, {old}}, "quarantined");
  CHECK(added.replaces == no_id);
  CHECK(added.contradicts == old);
  CHECK(listed(store) == Texts{"The port is 5432"});
}

TEST_CASE("forgetting the newer version leaves the older one superseded, and none of the newer one's words") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id)).id;
  const auto old = learn(store, chat, "The port is 5432", {}).memory.id;
  const auto added = learn(store, chat, "The port of it all is 5433", {Verdict::changed, {old}});
  must(forget(store.database, {added.memory.id}, /*dry_run=*/false));
  CHECK(must(memory(store.database, old)).state == "superseded");
  CHECK(must(memory(store.database, old)).replaced_by == no_id);
  CHECK(store.count("SELECT count(*) FROM memory_revision WHERE text LIKE '%5433%'") == 0);
}

TEST_CASE("history, undo and rollback see what an earlier editor left") {
  const test::TemporaryFolder folder;
  const std::string path = folder / "memory.db";
  Id learned = no_id, chat = no_id;
  {
    TestStore store(path);
    chat = must(new_session(store.database, no_id)).id;
    learned = Learned(store, chat, "I prefer tabs", "The user prefers tabs").memory;
    store.remember("The user likes tea");
  }
  TestStore store(path);
  CHECK(must(history(store.database, learned)).revisions.size() == 1);
  CHECK(texts(must(undo(store.database, {})).memories) == Texts{"The user likes tea"});
  Rollback what;
  what.session = chat;
  CHECK(must(roll_back(store.database, {}, what)).memories.size() == 1);
  CHECK(listed(store).empty());
}

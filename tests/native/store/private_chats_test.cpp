#include "store/private_chats.h"

#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;
using namespace std::chrono_literals;

namespace {

struct TestChats : TestStore {
  PrivateChats chats;

  Id begin(const std::string& path = "/p") { return must(chats.begin(database, ProjectFacts{path, {}})); }
  Database& log(Id chat) { return *must(chats.log_of(chat)); }

  // A message that was given the memory, and its reply.
  Turn talk(Id chat, const Memory& memory, const std::string& text, const std::string& reply) {
    const auto message = must(keep_message(log(chat), chat, text));
    must(chats.follow(database, chat, {memory.id}));
    must(keep_recall(log(chat), message.id, "<block>" + memory.text + "</block>",
                     {{memory.id, memory.revision, 1, 0.5}}));
    Turn answer;
    answer.parent = message.id;
    answer.state = TurnState::done;
    answer.text = reply;
    must(keep_reply(log(chat), answer, {message.id}));
    return message;
  }
};

}  // namespace

TEST_CASE("private chats have numbers that the store never has, each its own") {
  TestChats store;
  const auto usual = must(new_session(store.database, store.project("/p")));
  const auto first = store.begin();
  const auto second = store.begin();
  CHECK_FALSE(is_private(usual.id));
  CHECK(is_private(first));
  CHECK(second > first);
  const auto message = must(keep_message(store.log(first), first, "Hello"));
  CHECK(is_private(message.id));
  CHECK(must(turns(store.log(second), second)).empty());
  CHECK(store.count("SELECT count(*) FROM session") == 1);
  CHECK(store.count("SELECT count(*) FROM turn") == 0);

  CHECK(store.chats.close(first));
  CHECK_FALSE(store.chats.close(first));
  CHECK(kind_of(store.chats.log_of(first)) == ErrorKind::not_found);
  CHECK(store.begin() > second);
}

TEST_CASE("a private chat belongs to the project of its folder, and makes none") {
  TestChats store;
  const auto known = store.project("/known");
  const auto there = store.begin("/known");
  CHECK(must(session(store.log(there), there)).project == known);
  const auto elsewhere = store.begin("/elsewhere");
  CHECK(must(session(store.log(elsewhere), elsewhere)).project == no_id);
  CHECK(store.count("SELECT count(*) FROM project") == 1);
}

TEST_CASE("a private chat sees a memory's change, and which one was forgotten, before it is asked again") {
  TestChats store;
  const auto memory = store.remember("The gate is called Westtor.");
  const auto chat = store.begin();
  store.talk(chat, memory, "What is it called?", "Westtor.");
  must(store.chats.follow(store.database, chat));
  CHECK(must(memories_given(store.log(chat), chat)).at(0).revision == 1);

  must(change_state(store.database, {memory.id}, Verb::archive));
  must(store.chats.follow(store.database, chat));
  const auto given = must(memories_given(store.log(chat), chat));
  REQUIRE(given.size() == 1);
  CHECK(given[0].state == "archived");
  CHECK(given[0].revision == 2);
}

TEST_CASE("what is recalled and forgotten before it is kept is stale in a private chat too") {
  TestChats store;
  const auto memory = store.remember("The gate is called Westtor.");
  const auto chat = store.begin();
  const auto message = must(keep_message(store.log(chat), chat, "What is it called?"));
  must(forget(store.database, {memory.id}, /*dry_run=*/false));
  must(store.chats.follow(store.database, chat, {memory.id}));
  CHECK(kind_of(keep_recall(store.log(chat), message.id, "<block>", {{memory.id, 1, 1, 0.5}})) == ErrorKind::not_found);
}

TEST_CASE("words that are forgotten leave the private chats, whoever forgot them") {
  TestChats store;
  const auto memory = store.remember("The gate is called Westtor.");
  const auto chat = store.begin();
  store.talk(chat, memory, "What is it called?", "You said: The gate is called Westtor.");
  SECTION("this editor") { must(store.chats.forget(store.database, {memory.id}, /*dry_run=*/false)); }
  SECTION("another") {
    must(forget(store.database, {memory.id}, /*dry_run=*/false));
    must(store.chats.follow(store.database, chat));
  }
  const auto log = must(turns(store.log(chat), chat));
  REQUIRE(log.size() == 2);
  CHECK(log[0].memory_block.empty());
  CHECK(log[0].given.empty());
  CHECK(log[1].text == "You said: [forgotten]");
  CHECK(must(session(store.log(chat), chat)).thinking_from > log[1].id);
}

TEST_CASE("what is recalled of a chat that is then deleted is not sent again in a private one") {
  TestChats store;
  const auto memory = store.remember("The gate is called Westtor.");
  const auto usual = must(new_session(store.database, no_id));
  store.say(usual.id, "The other one is called Osttor.");
  const auto chat = store.begin();
  store.talk(chat, memory, "What is it called?", "Westtor.");
  must(new_session(store.database, no_id));  // changes nothing here
  must(store.chats.follow(store.database, chat));
  CHECK_FALSE(must(turns(store.log(chat), chat))[0].memory_block.empty());
  must(forget_chat(store.database, usual.id, WhatWasLearned::kept, /*dry_run=*/false));
  must(store.chats.follow(store.database, chat));
  CHECK(must(turns(store.log(chat), chat))[0].memory_block.empty());
}

TEST_CASE("what was typed in a private chat and remembered there is cut from it when it is forgotten") {
  TestChats store;
  const auto chat = store.begin();
  must(keep_message(store.log(chat), chat, "The gate is called Westtor."));
  const auto memory = store.remember("The gate is called Westtor.");
  must(store.chats.forget(store.database, {memory.id}, /*dry_run=*/true));
  CHECK(must(turns(store.log(chat), chat))[0].text == "The gate is called Westtor.");
  const auto forgotten = must(store.chats.forget(store.database, {memory.id}, /*dry_run=*/false));
  CHECK(forgotten.turns_cut == 0);
  CHECK(must(turns(store.log(chat), chat))[0].text == "[forgotten]");
}

TEST_CASE("a private chat that is open over midnight is forgotten from and closed as before") {
  TestChats store;
  const auto memory = store.remember("The gate is called Westtor.");
  const auto chat = store.begin();
  store.talk(chat, memory, "The gate is called Westtor.", "Yes.");
  store.clock.advance(24h);
  must(store.chats.forget(store.database, {memory.id}, /*dry_run=*/false));
  CHECK(must(turns(store.log(chat), chat))[0].text == "[forgotten]");
  CHECK(store.chats.close(chat));
}

TEST_CASE("a project that something was remembered in later is the private chat's from then on") {
  TestChats store;
  const auto chat = store.begin("/later");
  CHECK(must(session(store.log(chat), chat)).project == no_id);
  const auto project = store.project("/later");
  must(store.chats.follow(store.database, chat));
  CHECK(must(session(store.log(chat), chat)).project == project);
  must(forget_project(store.database, project, WhatWasLearned::forgotten, /*dry_run=*/false));
  must(store.chats.follow(store.database, chat));
  CHECK(must(session(store.log(chat), chat)).project == no_id);
}

TEST_CASE("a private chat keeps the user's patterns out of its log too") {
  TestChats store;
  store.database.keep_out(must(text::SecretPatterns::from({"ACME-*"})));
  const auto chat = store.begin();
  CHECK(must(keep_message(store.log(chat), chat, "For ACME-1234.")).text == "For [secret: own pattern].");
}

// Forgetting a chat, and a whole project.
#include <filesystem>

#include "store/probes.h"
#include "store/revisions.h"
#include "store/tombstones.h"
#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;
using selfmind::test::TemporaryFolder;

namespace {

bool anywhere(const TemporaryFolder& folder, std::string_view words) {
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (bytes.find(words) != std::string::npos) return true;
  }
  return false;
}

constexpr const char* said = "The landlord of the workshop is called Bergmann & Sons";
constexpr const char* replied = "I see, so Bergmann owns the building in which you work";

// Two chats of one project; what was learned in the first one alone, and in both.
struct Told : TestStore {
  explicit Told(const std::string& path) : TestStore(path) {
    clock.time = from_millis(1'577'836'800'000);  // long ago, so that its log is frozen
    here = project("/here");
    chat = must(new_session(database, here)).id;
    message = say(chat, said).id;
    reply =
        answer(message, replied, TurnState::done, std::string(R"([{"type":"text","text":")") + replied + R"("}])").id;
    other = must(new_session(database, here)).id;
    again = say(other, "And the rent is due on the third").id;
    answer(again, "Noted.");
    alone = remember("The user rents a workshop", here, {{message, "The landlord of the workshop"}}).id;
    both = remember("The rent is due on the third", here, {{message, "landlord"}, {again, "the rent is due"}}).id;
    by_hand = remember("The user likes tea", here).id;
  }
  Id here = no_id, chat = no_id, other = no_id, message = no_id, reply = no_id, again = no_id;
  Id alone = no_id, both = no_id, by_hand = no_id;
};

std::vector<Id> ids_of(const std::vector<Memory>& memories) {
  std::vector<Id> ids;
  for (const auto& memory : memories) ids.push_back(memory.id);
  return ids;
}

}  // namespace

TEST_CASE("a forgotten chat is gone with its words, and what was learned there stays without its source") {
  const TemporaryFolder folder;
  Told store(folder / "memory.db");
  must(keep_draft(store.database, store.chat, "a draft about Bergmann"));
  store.queue_message(store.message, {"https://server", "model"});
  const auto forgotten = must(forget_chat(store.database, store.chat, WhatWasLearned::kept, /*dry_run=*/false));
  CHECK(forgotten.name == said);
  CHECK(forgotten.chats == std::vector<Id>{store.chat});
  CHECK(forgotten.turns_gone == 2);
  CHECK(forgotten.memories.empty());
  CHECK(ids_of(forgotten.kept) == std::vector<Id>{store.alone});
  CHECK(forgotten.remains.empty());
  CHECK(kind_of(session(store.database, store.chat)) == ErrorKind::not_found);
  CHECK_FALSE(anywhere(folder, "Bergmann"));
  CHECK_FALSE(anywhere(folder, "landlord"));
  CHECK(must(memory(store.database, store.alone)).turns.empty());
  CHECK(must(memory(store.database, store.both)).turns == std::vector<Id>{store.again});
  CHECK(must(history(store.database, store.alone)).sources.empty());
  CHECK(store.count("SELECT count(*) FROM learn_queue") == 0);
  CHECK(store.count("SELECT count(*) FROM redaction") == 0);
  CHECK(must(turns(store.database, store.other)).size() == 2);
}

TEST_CASE("what was learned in a forgotten chat alone is forgotten with it when that is wanted") {
  const TemporaryFolder folder;
  Told store(folder / "memory.db");
  const auto uuid = must(memory(store.database, store.alone)).uuid;
  const auto forgotten = must(forget_chat(store.database, store.chat, WhatWasLearned::forgotten, /*dry_run=*/false));
  CHECK(ids_of(forgotten.memories) == std::vector<Id>{store.alone});
  CHECK(forgotten.kept.empty());
  CHECK(kind_of(memory(store.database, store.alone)) == ErrorKind::not_found);
  CHECK(must(is_forgotten_id(store.database, uuid)));
  CHECK_FALSE(anywhere(folder, "rents a workshop"));
  CHECK(must(memory(store.database, store.both)).state == "active");
  CHECK(must(memory(store.database, store.by_hand)).state == "active");
}

TEST_CASE("a dry run of forgetting a chat says what was learned there and changes nothing") {
  const TemporaryFolder folder;
  Told store(folder / "memory.db");
  const auto would = must(forget_chat(store.database, store.chat, WhatWasLearned::kept, /*dry_run=*/true));
  CHECK(ids_of(would.kept) == std::vector<Id>{store.alone});
  CHECK(would.turns_gone == 2);
  const auto both = must(forget_chat(store.database, store.chat, WhatWasLearned::forgotten, /*dry_run=*/true));
  CHECK(ids_of(both.memories) == std::vector<Id>{store.alone});
  CHECK(must(turns(store.database, store.chat)).size() == 2);
  CHECK(must(tombstones(store.database)).empty());
}

TEST_CASE("an unknown chat or project is not forgotten, and nothing is changed") {
  const TemporaryFolder folder;
  Told store(folder / "memory.db");
  CHECK(kind_of(forget_chat(store.database, 99, WhatWasLearned::forgotten, false)) == ErrorKind::not_found);
  CHECK(kind_of(forget_project(store.database, 99, WhatWasLearned::forgotten, false)) == ErrorKind::not_found);
  CHECK(kind_of(forget_project(store.database, no_id, WhatWasLearned::forgotten, false)) == ErrorKind::not_found);
  CHECK(must(memories(store.database, {store.here, false, {}, {}, false})).size() == 3);
}

TEST_CASE("excerpts of a forgotten chat leave the blocks and answers of other chats") {
  const TemporaryFolder folder;
  Told store(folder / "memory.db");
  const auto asked = store.say(store.other, "Who is my landlord?");
  const std::string block = std::string(
                                "<recalled_memories date=\"2020-01-02\">\n- [said 2020-01-01, in an earlier "
                                "chat] ") +
                            said +
                            "\n- [your own answer of 2020-01-01, in an earlier chat] … Bergmann owns the building" +
                            " in which you…\n- [memory 3, fact, 2020-01-01] The user likes tea\n</recalled_memories>";
  must(keep_recall(store.database, asked.id, block, {}));
  const auto offline =
      store.answer(asked.id, std::string("What memory has on this:\n\n- You said on 2020-01-01: “") + said + "”",
                   TurnState::offline);
  const auto forgotten = must(forget_chat(store.database, store.chat, WhatWasLearned::kept, /*dry_run=*/false));
  CHECK(forgotten.turns_cut == 2);
  const auto now = store.turn(store.other, asked.id).memory_block;
  CHECK(now.find(
            "in an earlier chat] [forgotten]\n- [your own answer of 2020-01-01, in an earlier chat] [forgotten]\n") !=
        std::string::npos);
  CHECK(now.find("The user likes tea") != std::string::npos);
  CHECK(store.turn(store.other, offline.id).text ==
        "What memory has on this:\n\n- You said on 2020-01-01: “[forgotten]”");
  CHECK_FALSE(anywhere(folder, "Bergmann"));
  CHECK(must(session(store.database, store.other)).thinking_from > offline.id);
}

TEST_CASE("a probe that expects something said in a forgotten chat goes with it") {
  const TemporaryFolder folder;
  Told store(folder / "memory.db");
  must(add_probe(store.database, {"who owns it?", store.here, {{ItemKind::turn, store.message, {}, {}}}}));
  must(add_probe(store.database, {"when is it due?", store.here, {{ItemKind::turn, store.again, {}, {}}}}));
  CHECK(must(forget_chat(store.database, store.chat, WhatWasLearned::kept, /*dry_run=*/false)).probes_gone == 1);
  const auto left = must(probes(store.database, store.here));
  REQUIRE(left.size() == 1);
  CHECK(left[0].query == "when is it due?");
}

TEST_CASE("a reply that is being written when its chat is forgotten is not kept") {
  const TemporaryFolder folder;
  Told store(folder / "memory.db");
  const auto asked = store.say(store.chat, "And who was it before?");
  Turn partial;
  partial.parent = asked.id;
  partial.text = "Before Bergmann it was";
  must(keep_partial(store.database, partial, "somebody"));
  must(forget_chat(store.database, store.chat, WhatWasLearned::kept, /*dry_run=*/false));
  partial.text += " the town";
  CHECK_FALSE(keep_partial(store.database, partial, "somebody"));
  partial.state = TurnState::done;
  CHECK(kind_of(keep_reply(store.database, partial, {asked.id}, "somebody")) == ErrorKind::not_found);
  CHECK(kind_of(keep_message(store.database, store.chat, "Hello?")) == ErrorKind::not_found);
  CHECK_FALSE(anywhere(folder, "Bergmann"));
}

TEST_CASE("what is learned from a chat while that is forgotten is not kept") {
  const TemporaryFolder folder;
  Told store(folder / "memory.db");
  store.queue_message(store.message, {"https://server", "model"});
  const auto held = must(lease(store.database, "https://server"));
  REQUIRE(held);
  must(forget_chat(store.database, store.chat, WhatWasLearned::forgotten, /*dry_run=*/false));
  MemoryDraft draft;
  draft.text = "The landlord is Bergmann";
  draft.made_by = "learn";
  CHECK(kind_of(keep_learned(store.database, *held, {draft}, nullptr)) == ErrorKind::busy);
}

TEST_CASE("a project's chats are forgotten and its memories stay") {
  const TemporaryFolder folder;
  Told store(folder / "memory.db");
  const auto elsewhere = must(new_session(store.database, store.project("/elsewhere"))).id;
  store.say(elsewhere, "Here it is quiet");
  const auto forgotten = must(forget_project(store.database, store.here, WhatWasLearned::kept, /*dry_run=*/false));
  CHECK(forgotten.name == "here");
  CHECK(forgotten.chats == std::vector<Id>{store.chat, store.other});
  CHECK(forgotten.turns_gone == 4);
  CHECK(ids_of(forgotten.kept) == std::vector<Id>{store.alone, store.both, store.by_hand});
  CHECK_FALSE(anywhere(folder, "Bergmann"));
  CHECK(store.project("/here") == store.here);
  CHECK(must(memories(store.database, {store.here, false, {}, {}, false})).size() == 3);
  CHECK(must(turns(store.database, elsewhere)).size() == 1);
}

TEST_CASE("a whole project is forgotten with its memories, its probes and all that found it") {
  const TemporaryFolder folder;
  Told store(folder / "memory.db");
  const auto there = store.project("/there");
  const auto global = store.remember("The user's landlord has a dog", no_id, {{store.message, ""}});
  const auto stays = store.remember("The user speaks Danish", no_id);
  const auto theirs = store.remember("The port there is 80", there);
  // One that was the project's and is global now.
  must(store.database.execute("UPDATE memory_revision SET project = " + std::to_string(store.here) +
                              " WHERE memory = " + std::to_string(stays.id)));
  must(add_probe(store.database,
                 {"what does the user drink?", store.here, {{ItemKind::memory, store.by_hand, {}, {}}}}));
  must(add_probe(store.database, {"nothing?", store.here, {}}));
  const auto forgotten = must(forget_project(store.database, store.here, WhatWasLearned::forgotten, /*dry_run=*/false));
  CHECK(ids_of(forgotten.memories) == std::vector<Id>{store.alone, store.both, store.by_hand, global.id});
  CHECK(forgotten.probes_gone == 2);
  CHECK(store.count("SELECT count(*) FROM project") == 1);
  CHECK(store.count("SELECT count(*) FROM project_key WHERE value = '/here'") == 0);
  CHECK(store.count("SELECT count(*) FROM tombstone WHERE words <> x''") == 4);
  CHECK(must(memories(store.database, {there, false, {}, {}, false})).size() == 2);
  CHECK(must(memory(store.database, theirs.id)).state == "active");
  for (const char* words : {"Bergmann", "likes tea", "has a dog", "rent is due"}) CHECK_FALSE(anywhere(folder, words));
  CHECK(store.project("/here") != store.here);
}

TEST_CASE("a forgotten chat and a forgotten project leave the backups, too") {
  const TemporaryFolder folder;
  Told store(folder / "memory.db");
  must(store.database.execute("VACUUM INTO '" + (folder / "memory.db.backup-1") + "'"));
  REQUIRE(anywhere(folder, "Bergmann"));
  const auto chat = must(forget_chat(store.database, store.chat, WhatWasLearned::kept, /*dry_run=*/false));
  CHECK(chat.copies == 1);
  CHECK_FALSE(anywhere(folder, "Bergmann"));
  CHECK(anywhere(folder, "likes tea"));
  const auto project = must(forget_project(store.database, store.here, WhatWasLearned::forgotten, /*dry_run=*/false));
  CHECK(project.copies == 1);
  CHECK(project.remains.empty());
  CHECK_FALSE(anywhere(folder, "likes tea"));
  TestStore backup(folder / "memory.db.backup-1");
  CHECK(backup.count("SELECT count(*) FROM session") == 0);
  CHECK(backup.count("SELECT count(*) FROM project") == 0);
}

TEST_CASE("those who list and recall memories hear that a chat is gone") {
  const TemporaryFolder folder;
  Told store(folder / "memory.db");
  auto position = must(feed(store.database, {}, 0)).position;
  must(forget_chat(store.database, store.chat, WhatWasLearned::kept, /*dry_run=*/false));
  const auto news = must(feed(store.database, position, 0));
  CHECK(news.gone.size() == 2);
  REQUIRE(news.put.size() == 2);
  for (const auto& item : news.put) {
    CHECK(item.turns == (item.id == store.both ? std::vector<Id>{store.again} : std::vector<Id>{}));
  }
}

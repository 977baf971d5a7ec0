#include "store/backup.h"

#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "store/feed.h"
#include "store/migrations.h"
#include "store/probes.h"
#include "store/revisions.h"
#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;
using selfmind::test::CountingIds;
using selfmind::test::FakeClock;
using selfmind::test::TemporaryFolder;

namespace {

struct Desk {
  Desk() : store(folder / "store/memory.db") {}

  std::string backup() {
    store.clock.advance(std::chrono::seconds(1));
    return must(back_up(store.database));
  }
  void forget(const Memory& memory) { must(store::forget(store.database, {memory.id}, false)); }
  std::vector<std::string> texts() {
    std::vector<std::string> all;
    for (const auto& memory : must(memories(store.database, {}))) all.push_back(memory.text);
    return all;
  }
  // In any file of the store's folder but `except`.
  bool on_disk(std::string_view words, const std::string& except) {
    for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "store")) {
      if (entry.path().string() == except) continue;
      if (folder.read("store/" + entry.path().filename().string()).find(words) != std::string::npos) return true;
    }
    return false;
  }
  std::size_t files() {
    const std::filesystem::directory_iterator all(folder.path() / "store");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }
  void refuses(const std::string& file, ErrorKind kind, std::string_view words) {
    const auto before = files();
    const auto refused = restore(store.database, file);
    REQUIRE_FALSE(refused.ok());
    INFO(refused.error().message);
    CHECK(refused.error().kind == kind);
    CHECK(refused.error().message.find(words) != std::string::npos);
    CHECK(files() == before);
    CHECK(texts() == std::vector<std::string>{"The user likes tea"});
  }

  TemporaryFolder folder;
  TestStore store;
};

unsigned mode(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 0777u;
}

}  // namespace

TEST_CASE("a backup is a store of its own, for its owner alone, beside the store or where it is asked for") {
  Desk desk;
  desk.store.remember("The user likes tea");
  const auto path = desk.backup();
  CHECK(path.starts_with(desk.folder / "store/memory.db.backup-20"));
  CHECK(mode(path) == 0600);
  const auto again = must(back_up(desk.store.database));  // in the same second
  CHECK(again != path);
  const auto named = must(back_up(desk.store.database, desk.folder / "mine.db"));
  CHECK(named == desk.folder / "mine.db");
  CHECK(mode(named) == 0600);
  auto copy = must(Database::open(named, desk.store.clock, desk.store.ids));
  CHECK(must(memories(copy, {})).size() == 1);
}

TEST_CASE("a backup never takes the place of a file, and leaves nothing behind when it cannot be made") {
  Desk desk;
  const auto there = desk.folder.write("notes.txt", "mine");
  const auto refused = back_up(desk.store.database, there);
  CHECK(kind_of(refused) == ErrorKind::invalid);
  CHECK(refused.error().message.find("is there already") != std::string::npos);
  CHECK(desk.folder.read("notes.txt") == "mine");
  CHECK(kind_of(back_up(desk.store.database, desk.folder / "no/such/folder/x.db")) == ErrorKind::io);
  CHECK_FALSE(std::filesystem::exists(desk.folder / "no"));
  CHECK_FALSE(std::filesystem::exists(desk.folder / "notes.txt.unfinished"));
}

TEST_CASE("a backup made while another editor writes has whole transactions") {
  Desk desk;
  std::atomic<bool> over = false;
  std::thread writer([&] {
    SystemClock clock;
    RandomIds ids;
    auto other = must(Database::open(desk.folder / "store/memory.db", clock, ids));
    while (!over) {
      auto transaction = must(Transaction::write(other));
      for (int row = 0; row < 2; ++row) {
        transaction.run("INSERT INTO project (uuid, name, created_at) VALUES (?, 'twin', 0)", ids.uuid(clock.now()));
      }
      must(transaction.commit());
    }
  });
  std::vector<std::string> copies;
  for (int count = 0; count < 5; ++count) {
    if (auto made = back_up(desk.store.database, desk.folder / std::to_string(count)); made) copies.push_back(*made);
  }
  over = true;
  writer.join();
  REQUIRE(copies.size() == 5);
  for (const auto& path : copies) {
    auto copy = must(Database::copy_of(path, desk.store.clock, desk.store.ids));
    CHECK(must(number(query(copy, "SELECT count(*) FROM project WHERE name = 'twin'"))) % 2 == 0);
  }
}

TEST_CASE("a backup waits for who is forgetting, so that it does not keep what is on its way out") {
  Desk desk;
  FakeClock clock;
  CountingIds ids(1000);
  auto other = must(Database::open(desk.folder / "store/memory.db", clock, ids));
  const auto files = desk.files();
  {
    const auto forgetting = must(Transaction::write(other));
    desk.store.database.wait_at_most(std::chrono::milliseconds(0));
    CHECK(kind_of(back_up(desk.store.database)) == ErrorKind::busy);
    desk.store.database.wait_at_most(std::chrono::seconds(5));
  }
  CHECK(desk.files() == files);
  must(back_up(desk.store.database));
}

TEST_CASE("restore brings back what was, and keeps what is there in a backup of its own") {
  Desk desk;
  const auto tea = desk.store.remember("The user likes tea");
  const auto chat = must(new_session(desk.store.database, no_id)).id;
  desk.store.answer(desk.store.say(chat, "I like tea").id, "Noted.");
  const auto backup = desk.backup();
  desk.store.remember("The user likes coffee");
  must(change_state(desk.store.database, {tea.id}, Verb::archive));
  desk.store.say(chat, "and coffee");
  desk.store.clock.advance(std::chrono::seconds(1));

  const auto restored = must(restore(desk.store.database, backup));
  CHECK(restored.memories == 1);
  CHECK(restored.turns == 2);
  CHECK(restored.forgotten == 0);
  CHECK_FALSE(restored.elsewhere);
  CHECK(desk.texts() == std::vector<std::string>{"The user likes tea"});
  CHECK(must(turns(desk.store.database, chat)).size() == 2);
  CHECK(must(history(desk.store.database, tea.id)).revisions.size() == 1);
  CHECK(desk.store.count("SELECT count(*) FROM pragma_foreign_key_check") == 0);

  desk.store.clock.advance(std::chrono::seconds(1));
  must(restore(desk.store.database, restored.kept));  // and back again
  CHECK(desk.texts() == std::vector<std::string>{"The user likes coffee"});
  CHECK(must(turns(desk.store.database, chat)).size() == 3);
}

TEST_CASE("days of the log that are over come back as well") {
  Desk desk;
  const auto chat = must(new_session(desk.store.database, no_id)).id;
  const auto message = desk.store.say(chat, "the gate is at the north side");
  desk.store.answer(message.id, "Noted.");
  const auto backup = desk.backup();
  desk.store.remember("The gate is at the north side", no_id, {{message.id, "the gate is at the north side"}});
  desk.store.clock.time = from_millis(1'600'000'000'000);  // long over for SQLite's clock too
  const auto old = must(new_session(desk.store.database, no_id)).id;
  desk.store.answer(desk.store.say(old, "something old").id, "Old.");
  desk.store.clock.time = from_millis(1'790'000'100'000);
  must(restore(desk.store.database, backup));
  CHECK(desk.store.count("SELECT count(*) FROM turn") == 2);
}

TEST_CASE("a number that people have seen is not given out again after a restore") {
  Desk desk;
  desk.store.remember("The user likes tea");
  const auto backup = desk.backup();
  const auto coffee = desk.store.remember("The user likes coffee");
  must(restore(desk.store.database, backup));
  CHECK(desk.store.remember("The user likes water").id > coffee.id);
}

TEST_CASE("a number that was seen in the store a backup is of is not given out again either") {
  Desk desk, other;
  other.store.remember("The user likes tea");
  other.forget(other.store.remember("The user likes coffee"));
  must(restore(desk.store.database, other.backup()));
  desk.store.ids = CountingIds(5000);
  CHECK(desk.store.remember("The user likes water").id == 3);
}

TEST_CASE("what was forgotten since the backup does not come back with it, in no file") {
  Desk desk;
  const auto chat = must(new_session(desk.store.database, no_id)).id;
  const auto message = desk.store.say(chat, "my sister lives in Lower Ashbourne, by the way");
  desk.store.answer(message.id, "Lower Ashbourne is lovely.");
  const auto memory =
      desk.store.remember("The user's sister lives in Lower Ashbourne", no_id, {{message.id, "Lower Ashbourne"}});
  desk.store.remember("The user likes tea");
  const auto backup = must(back_up(desk.store.database, desk.folder / "elsewhere.db"));
  desk.forget(memory);
  desk.store.clock.advance(std::chrono::seconds(1));

  const auto restored = must(restore(desk.store.database, backup));
  CHECK(restored.forgotten == 1);
  CHECK(desk.texts() == std::vector<std::string>{"The user likes tea"});
  CHECK(desk.store.turn(chat, message.id).text.find("Ashbourne") == std::string::npos);
  CHECK_FALSE(desk.on_disk("Ashbourne", {}));
  CHECK(desk.store.count("SELECT count(*) FROM tombstone") == 1);
}

TEST_CASE("words that were forgotten with a memory newer than the backup stay cut from its log") {
  Desk desk;
  const auto chat = must(new_session(desk.store.database, no_id)).id;
  const auto message = desk.store.say(chat, "my sister lives in Lower Ashbourne, by the way");
  desk.store.answer(message.id, "Noted.");
  must(keep_draft(desk.store.database, chat, "Lower Ashbourne again"));
  const auto backup = must(back_up(desk.store.database, desk.folder / "elsewhere.db"));
  const auto memory =
      desk.store.remember("The user's sister lives in Lower Ashbourne", no_id, {{message.id, "Lower Ashbourne"}});
  desk.forget(memory);
  const auto restored = must(restore(desk.store.database, backup));
  CHECK(restored.forgotten == 0);
  CHECK(restored.cut == 1);
  CHECK_FALSE(desk.on_disk("Ashbourne", {}));
  const auto again = must(session(desk.store.database, chat));
  CHECK(again.thinking_from > message.id);
  CHECK(desk.store.turn(chat, message.id).text == "my sister lives in [forgotten], by the way");
  CHECK(must(restore(desk.store.database, backup)).cut == 1);  // also the second time
  CHECK_FALSE(desk.on_disk("Ashbourne", {}));
}

TEST_CASE("a chat that was forgotten since the backup does not come back with it") {
  Desk desk;
  const auto chat = must(new_session(desk.store.database, no_id)).id;
  desk.store.answer(desk.store.say(chat, "we meet in Lower Ashbourne").id, "Noted.");
  const auto stays = must(new_session(desk.store.database, no_id)).id;
  desk.store.say(stays, "I like tea");
  const auto backup = must(back_up(desk.store.database, desk.folder / "elsewhere.db"));
  must(forget_chat(desk.store.database, chat, WhatWasLearned::kept, false));
  const auto restored = must(restore(desk.store.database, backup));
  CHECK(restored.turns == 1);
  CHECK(kind_of(session(desk.store.database, chat)) == ErrorKind::not_found);
  CHECK_FALSE(desk.on_disk("Ashbourne", {}));
}

TEST_CASE("what says the same as something forgotten does not come back from a backup of another store either") {
  Desk desk;
  const auto path = desk.folder / "other/memory.db";
  {
    CountingIds ids(5000);
    auto other = must(Database::open(path, desk.store.clock, ids));
    const auto chat = must(new_session(other, no_id)).id;
    must(keep_message(other, chat, "I like tea"));
    must(keep_message(other, chat, "My sister lives in Lower Ashbourne"));
    for (const auto* text : {"The user's sister lives in Lower Ashbourne", "The user likes tea"}) {
      MemoryDraft draft;
      draft.text = text;
      must(add_memory(other, draft, nullptr));
    }
  }
  desk.store.clock.advance(std::chrono::hours(1));
  const auto chat = must(new_session(desk.store.database, no_id)).id;
  const auto message = desk.store.say(chat, "my sister lives in Lower Ashbourne");
  desk.forget(desk.store.remember("The user's sister lives in Lower Ashbourne", no_id,
                                  {{message.id, "my sister lives in Lower Ashbourne"}}));
  CHECK(must(restore(desk.store.database, path)).forgotten == 1);
  CHECK(desk.texts() == std::vector<std::string>{"The user likes tea"});
  CHECK_FALSE(desk.on_disk("Ashbourne", {}));
  // Thinking behind words that are cut is not sent again, also where they did not begin the chat.
  CHECK(desk.store.count("SELECT count(*) FROM session WHERE title = 'I like tea' AND thinking_from > (SELECT max(id) "
                         "FROM turn WHERE turn.session = session.id)") == 1);
}

TEST_CASE("what was rolled back since the backup is not learned again after a restore") {
  Desk desk;
  const auto chat = must(new_session(desk.store.database, no_id)).id;
  const auto message = desk.store.say(chat, "I prefer tabs").id;
  desk.store.answer(message, "Noted.");
  desk.store.queue_message(message, {"https://memory.test", "small"});
  const auto backup = desk.backup();
  Rollback all;
  all.session = chat;
  must(roll_back(desk.store.database, {}, all));
  must(restore(desk.store.database, backup));
  CHECK_FALSE(must(lease(desk.store.database, "https://memory.test")).has_value());
  desk.store.queue_message(message, {"https://memory.test", "small"});
  CHECK_FALSE(must(lease(desk.store.database, "https://memory.test")).has_value());
}

TEST_CASE("an editor that has the store open sees what a restore changed, and that alone") {
  Desk desk;
  const auto chat = must(new_session(desk.store.database, no_id)).id;
  const auto kept = desk.store.remember("The user likes tea");
  const auto changed = desk.store.remember("The user has a dog");
  const auto message = desk.store.say(chat, "I like tea");
  const auto backup = desk.backup();
  must(change_state(desk.store.database, {changed.id}, Verb::archive));
  const auto coffee = desk.store.remember("The user likes coffee");
  const auto later = desk.store.say(chat, "I like coffee");

  FakeClock clock;
  CountingIds ids(1000);
  auto other = must(Database::open(desk.folder / "store/memory.db", clock, ids));
  const auto loaded = must(feed(other, {}, 0));
  CHECK(loaded.put.size() == 4);
  must(restore(desk.store.database, backup));

  const auto seen = must(feed(other, loaded.position, 0));
  REQUIRE(seen.put.size() == 1);
  CHECK(seen.put[0].text == "The user has a dog");
  std::vector<std::pair<ItemKind, Id>> gone = {{ItemKind::memory, coffee.id}, {ItemKind::turn, later.id}};
  std::vector<std::pair<ItemKind, Id>> told = seen.gone;
  std::sort(told.begin(), told.end());
  CHECK(told == gone);
  // And both go on with it.
  MemoryDraft draft;
  draft.text = "The user likes water";
  const auto added = must(add_memory(other, draft, nullptr));
  CHECK(added.memory.id > coffee.id);
  CHECK(must(memory(desk.store.database, added.memory.id)).text == "The user likes water");
  CHECK(must(memory(other, kept.id)).text == "The user likes tea");
  CHECK(must(keep_message(other, chat, "hello")).parent == message.id);
}

TEST_CASE("words of a superseded memory are looked at again when a restore makes it stand") {
  Desk desk;
  const auto chat = must(new_session(desk.store.database, no_id)).id;
  const auto message = desk.store.say(chat, "the port is 8080");
  const auto old = desk.store.remember("The port is 8080", no_id, {{message.id, "the port is 8080"}});
  const auto backup = desk.backup();
  MemoryDraft draft;
  draft.text = "The port is 9090";
  must(add_memory(desk.store.database, draft, [&](const MemoryDraft&, std::span<const Memory>) {
    return Verdict{Verdict::changed, {old.id}};
  }));
  const auto loaded = must(feed(desk.store.database, {}, 0));
  must(restore(desk.store.database, backup));
  const auto seen = must(feed(desk.store.database, loaded.position, 0));
  CHECK(std::any_of(seen.put.begin(), seen.put.end(), [&](const Item& item) {
    return item.kind == ItemKind::turn && item.id == message.id && item.text == "the port is 8080";
  }));
}

TEST_CASE("a file that cannot be restored is refused, and nothing is changed") {
  Desk desk;
  desk.store.remember("The user likes tea");
  SECTION("no file") { desk.refuses(desk.folder / "nothing.db", ErrorKind::not_found, "no file"); }
  SECTION("a folder") { desk.refuses(desk.folder.path().string(), ErrorKind::not_found, "no file"); }
  SECTION("the store itself") { desk.refuses(desk.folder / "store/memory.db", ErrorKind::invalid, "itself"); }
  SECTION("an empty file") { desk.refuses(desk.folder.write("x", ""), ErrorKind::corrupt, "no selfmind store"); }
  SECTION("a text") {
    desk.refuses(desk.folder.write("x", std::string(5000, 'x')), ErrorKind::corrupt, "not a selfmind store");
  }
  SECTION("half of a backup") {
    for (int count = 0; count < 50; ++count) {
      must(desk.store.database.execute("INSERT INTO project (uuid, name, created_at) VALUES (" + std::to_string(count) +
                                       ", '" + std::string(500, 'x') + "', 0)"));
    }
    const auto whole = must(back_up(desk.store.database, desk.folder / "whole.db"));
    auto bytes = desk.folder.read("whole.db");
    desk.refuses(desk.folder.write("half.db", bytes.substr(0, bytes.size() / 2)), ErrorKind::corrupt, "");
    const auto middle = bytes.find("xxxxxxxx");
    REQUIRE(middle != std::string::npos);
    bytes.replace(middle / 4096 * 4096, 100, std::string(100, '\xff'));
    desk.refuses(desk.folder.write("torn.db", bytes), ErrorKind::corrupt, "damaged");
  }
  SECTION("a newer store") {
    const auto path = must(back_up(desk.store.database, desk.folder / "newer.db"));
    auto newer = must(Database::open(path, desk.store.clock, desk.store.ids));
    must(newer.execute("PRAGMA user_version = 99"));
    desk.refuses(path, ErrorKind::too_new, "newer selfmind");
  }
}

TEST_CASE("a backup of an older schema is brought up to date on its way, and left as it is") {
  Desk desk;
  const auto path = desk.folder / "old.db";
  {
    auto old = must(Database::open(path, desk.store.clock, desk.store.ids, migrations().first(3)));
    must(
        old.execute("INSERT INTO memory (uuid, text, kind, origin, made_by, created_at, updated_at) VALUES ('u', "
                    "'The user likes cocoa', 'fact', 'user', 'remember', 1, 1)"));
  }
  const auto bytes = desk.folder.read("old.db");
  const auto restored = must(restore(desk.store.database, path));
  CHECK(restored.memories == 1);
  CHECK(desk.texts() == std::vector<std::string>{"The user likes cocoa"});
  CHECK(must(history(desk.store.database, 1)).revisions.size() == 1);
  CHECK(desk.folder.read("old.db") == bytes);
}

TEST_CASE("a store of another machine comes back with its own numbers, and it is said that they mean other things") {
  Desk desk;
  must(new_session(desk.store.database, no_id));
  desk.store.remember("The user likes tea");
  const auto path = desk.folder / "other/memory.db";
  {
    CountingIds ids(5000);
    auto other = must(Database::open(path, desk.store.clock, ids));
    must(new_session(other, no_id));
    MemoryDraft draft;
    draft.text = "The user likes cocoa";
    must(add_memory(other, draft, nullptr));
  }
  const auto loaded = must(feed(desk.store.database, {}, 0));
  const auto restored = must(restore(desk.store.database, path));
  CHECK(restored.elsewhere);
  CHECK(desk.texts() == std::vector<std::string>{"The user likes cocoa"});
  const auto seen = must(feed(desk.store.database, loaded.position, 0));
  REQUIRE(seen.put.size() == 1);
  CHECK(seen.put[0].text == "The user likes cocoa");
}

TEST_CASE("while another program reads, a restore gives up with nothing changed") {
  Desk desk;
  desk.store.remember("The user likes tea");
  const auto backup = desk.backup();
  desk.store.remember("The user likes coffee");
  if (desk.store.database.journal_mode() == "wal") return;  // readers are in nobody's way there
  FakeClock clock;
  CountingIds ids(1000);
  auto other = must(Database::open(desk.folder / "store/memory.db", clock, ids));
  const auto files = desk.files();
  desk.store.clock.advance(std::chrono::seconds(1));
  {
    const auto reading = must(Transaction::read(other));
    CHECK(must(memories(desk.store.database, {})).size() == 2);
    CHECK(must(number(query(other, "SELECT count(*) FROM memory"))) == 2);
    desk.store.database.wait_at_most(std::chrono::milliseconds(0));
    CHECK(kind_of(restore(desk.store.database, backup)) == ErrorKind::busy);
    desk.store.database.wait_at_most(std::chrono::seconds(5));
  }
  CHECK(desk.files() == files);
  CHECK(desk.texts().size() == 2);
  must(restore(desk.store.database, backup));
  CHECK(desk.texts().size() == 1);
}

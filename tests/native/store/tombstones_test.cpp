#include "store/tombstones.h"

#include <sys/stat.h>

#include <thread>

#include "base/limits.h"
#include "store/key.h"
#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;
using namespace std::chrono_literals;
using selfmind::test::TemporaryFolder;

namespace {

constexpr const char* lesson = "The nightly import fails when the staging database listens on port 5432";

struct Forgetter : TestStore {
  using TestStore::TestStore;

  // Remembered and forgotten, then a day passes.
  Memory forgotten(std::string_view text) {
    const auto kept = remember(text);
    must(forget(database, {kept.id}, /*dry_run=*/false));
    clock.advance(24h);
    return kept;
  }

  bool blocked(std::string_view text) { return must(is_forgotten(database, text, clock.now() - 24h * 365)); }

  std::vector<Added> learn(Id message, std::string_view text, std::string_view quote) {
    queue_message(message, {"https://server", "model"});
    const auto entry = must(lease(database, "https://server"));
    if (!entry) FAIL("nothing to learn from");
    MemoryDraft draft;
    draft.text = text;
    draft.made_by = "learn";
    draft.evidence = {{message, std::string(quote)}};
    return must(keep_learned(database, *entry, {draft}, nullptr));
  }
};

std::int64_t rights(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? static_cast<std::int64_t>(status.st_mode & 0777) : -1;
}

}  // namespace

// stella PR#671: the log still had the lesson, in other words, and the memory was there again.
TEST_CASE("a forgotten lesson is not learned again from the log two days later") {
  Forgetter store;
  const auto chat = must(new_session(store.database, no_id)).id;
  const auto said = store.say(chat, "On port 5432 the staging database listens, and the nightly import fails.");
  store.clock.advance(1h);
  const auto kept = store.remember(lesson);
  must(forget(store.database, {kept.id}, /*dry_run=*/false));
  REQUIRE(store.turn(chat, said.id).text.find("5432") != std::string::npos);  // other words, so they stay in the log

  store.clock.advance(48h);
  const char* reworded = "When the staging database is listening on port 5432, the nightly imports fail";
  CHECK(store.learn(said.id, reworded, "the nightly import fails").empty());
  CHECK(must(memories(store.database, {})).empty());
  CHECK(store.count("SELECT count(*) FROM learn_queue") == 0);
}

TEST_CASE("what is said again after a forget may be learned again") {
  Forgetter store;
  store.forgotten(lesson);
  const auto chat = must(new_session(store.database, no_id)).id;
  const auto said = store.say(chat, "The nightly import fails if the staging database listens on port 5432.");
  CHECK(store.learn(said.id, lesson, "the staging database listens on port 5432").size() == 1);
  CHECK(must(memories(store.database, {})).size() == 1);
}

TEST_CASE("what is remembered by hand is stored though it was forgotten a moment ago") {
  Forgetter store;
  const auto kept = store.remember(lesson);
  must(forget(store.database, {kept.id}, /*dry_run=*/false));
  CHECK(store.remember(lesson).text == lesson);
}

TEST_CASE("an answer of the memory model that comes after the forget is not kept") {
  Forgetter store;
  const auto chat = must(new_session(store.database, no_id)).id;
  const auto said = store.say(chat, "My locker has the number 17, by the way.");
  const auto kept = store.remember("The user's locker is number 17");
  must(forget(store.database, {kept.id}, /*dry_run=*/false));  // cuts nothing from the message, so the lease stays
  CHECK(store.learn(said.id, "The user's locker has the number 17", "My locker has the number 17").empty());
}

TEST_CASE("the words of the user's own sentence are known again, however a model rewords them") {
  Forgetter store;
  const auto chat = must(new_session(store.database, no_id)).id;
  const auto earlier = store.say(chat, "I prefer tabs over spaces, really.");
  const auto said = store.say(chat, "I prefer tabs over spaces!");
  const auto kept = store.remember("The user indents with tabs", no_id, {{said.id, "I prefer tabs over spaces!"}});
  must(forget(store.database, {kept.id}, /*dry_run=*/false));
  CHECK(store.learn(earlier.id, "Tabulators are what the user wants", "I prefer tabs over spaces, really").empty());
}

TEST_CASE("the same words in another order or form are the same memory, another value is not") {
  struct Pair {
    const char* forgotten;
    const char* said;
    bool same;
  };
  const Pair pairs[] = {
      {"The staging database listens on port 5432", "Port 5432 is where the staging databases listen", true},
      {"The staging database listens on port 5432", "The staging database listens on port 5433", false},
      {"The staging database listens on port 5432", "The staging database listens on a port", false},
      {"The user's spare key is under the third flower pot", "Under the third flower pots: the spare key!", true},
      {"The user's spare key is under the third flower pot", "The user has a spare key", false},
      {"Deployments of the shop run on Fridays at noon", "Deployments of the shop run on Mondays at noon", false},
      {"The team of the user reviews code with Gerrit every day", "The team of the user reviews code every day", false},
      {"The user's cat is called Minka", "Minka is the user's cat", true},
      {"The user prefers tabs", "The user hates tabs", false},
      {"The server room is on the left", "The server room is on the right", false},
      {"The user's colour for charts is green", "The user's colour for charts is blue", false},
      {"The user drinks black tea in the office", "The user does not drink black tea in the office", false},
      {"The user never drinks black tea in the office", "The user doesn't drink black tea in the office", true},
      {"The formatter of the web client is prettier 2.8.1", "The formatter of the web client is prettier 2.8.2", false},
      {"The parser of the shop is written in C++", "The parser of the shop is written in C", false},
      {"The user wants short and friendly answers without long introductions in every chat",
       "The user wants short, friendly answers without introductions in every chat", true},
      {"Der Ersatzschlüssel liegt unter dem dritten Blumentopf",
       "Unter dem dritten Blumentopf liegt der Ersatzschlüssel", true},
      {"Die Datenbank der Werkstatt läuft auf Port 5432", "Die Datenbank der Werkstatt läuft auf Port 5433", false},
      {"L'utilisateur garde la clé sous le troisième pot", "La clé est gardée sous le troisième pot", true},
      {"用户把备用钥匙放在第三个花盆下面", "备用钥匙放在第三个花盆下面", true},
      {"用户喜欢在早上喝绿茶", "用户喜欢在早上喝咖啡", false},
  };
  for (const auto& [forgotten, said, same] : pairs) {
    Forgetter store;
    INFO(forgotten << " / " << said);
    store.forgotten(forgotten);
    CHECK(store.blocked(forgotten));
    CHECK(store.blocked(said) == same);
  }
}

TEST_CASE("a forgotten memory of one word blocks that word alone") {
  Forgetter store;
  store.forgotten("zsh");
  CHECK(store.blocked("Zsh!"));
  CHECK_FALSE(store.blocked("The user's shell is zsh"));
  CHECK_FALSE(store.blocked("bash"));
  CHECK_FALSE(store.blocked(""));
}

TEST_CASE("a forgotten memory without a word that says anything blocks nothing but itself") {
  Forgetter store;
  const auto kept = store.forgotten("It is what it is");
  CHECK_FALSE(store.blocked("It was what it was"));
  CHECK(must(is_forgotten_id(store.database, kept.uuid)));
}

TEST_CASE("what a memory said before it was changed is forgotten with it") {
  Forgetter store;
  const auto kept = store.remember("The user's cat is called Minka");
  must(store.database.execute("UPDATE memory SET text = 'The user has a dog', revision = 2"));
  must(forget(store.database, {kept.id}, /*dry_run=*/false));
  CHECK(store.blocked("Minka is the cat of the user"));
  CHECK(store.blocked("A dog is what the user has"));
  // Not the two together: each is a text of its own.
  CHECK_FALSE(store.blocked("Minka is the cat of the user, who has a dog"));
}

TEST_CASE("evidence younger than the forget is not blocked") {
  Forgetter store;
  store.forgotten(lesson);
  CHECK(must(is_forgotten(store.database, lesson, store.clock.now() - 24h)));
  CHECK_FALSE(must(is_forgotten(store.database, lesson, store.clock.now() - 24h + 1ms)));
}

TEST_CASE("a tombstone of another analysis of texts counts by its id alone") {
  Forgetter store;
  const auto kept = store.forgotten(lesson);
  must(store.database.execute("UPDATE tombstone SET analysis = analysis + 1"));
  CHECK_FALSE(store.blocked(lesson));
  CHECK(must(is_forgotten_id(store.database, kept.uuid)));
}

TEST_CASE("a tombstone from elsewhere has an id and no words, and the later time stands") {
  Forgetter store;
  const auto mine = store.forgotten(lesson);
  auto transaction = must(Transaction::write(store.database));
  bury_id(transaction, {"0190a000-0000-7000-8000-000000000001", from_millis(5)});
  bury_id(transaction, {mine.uuid, from_millis(5)});
  must(transaction.commit());
  const auto all = must(tombstones(store.database));
  REQUIRE(all.size() == 2);
  CHECK(must(is_forgotten_id(store.database, "0190a000-0000-7000-8000-000000000001")));
  CHECK_FALSE(must(is_forgotten_id(store.database, "0190a000-0000-7000-8000-000000000002")));
  for (const auto& one : all) CHECK(one.at == (one.uuid == mine.uuid ? store.clock.now() - 24h : from_millis(5)));
  CHECK(store.blocked(lesson));
}

TEST_CASE("a dry run buries nothing") {
  Forgetter store;
  const auto kept = store.remember(lesson);
  must(forget(store.database, {kept.id}, /*dry_run=*/true));
  CHECK(must(tombstones(store.database)).empty());
}

TEST_CASE("a damaged tombstone blocks nothing and breaks nothing") {
  Forgetter store;
  store.forgotten(lesson);
  for (const char* words : {"x'00'", "x'000200'", "x'0002000102030405060708'", "x'FF0000'"}) {
    must(store.database.execute(std::string("UPDATE tombstone SET words = ") + words));
    CHECK_FALSE(store.blocked(lesson));
  }
}

TEST_CASE("no stem of a forgotten memory stands in the store, and none can be tried out without the key") {
  const TemporaryFolder folder;
  Forgetter store(folder / "memory.db");
  store.forgotten(lesson);
  Forgetter other;
  other.forgotten(lesson);
  const auto words = [](TestStore& from) {
    return must(first(query(from.database, "SELECT hex(words) FROM tombstone"),
                      [](const Statement& row) { return row.text(0); }))
        .value();
  };
  CHECK(words(store).size() == words(other).size());
  CHECK(words(store) != words(other));
}

TEST_CASE("the key lies beside the store, for its owner alone, and outlives the program") {
  const TemporaryFolder folder;
  {
    Forgetter store(folder / "memory.db");
    store.remember(lesson);
    CHECK(rights(folder / "memory.db.key") == -1);  // nothing was forgotten yet
    store.forgotten(lesson);
  }
  CHECK(rights(folder / "memory.db.key") == 0600);
  CHECK(rights(folder / "memory.db.key.unfinished") == -1);
  Forgetter again(folder / "memory.db");
  CHECK(again.blocked(lesson));
}

TEST_CASE("without its key a store still knows what was forgotten by the ids") {
  const TemporaryFolder folder;
  std::string uuid;
  {
    Forgetter store(folder / "memory.db");
    uuid = store.forgotten(lesson).uuid;
  }
  std::filesystem::remove(folder / "memory.db.key");
  Forgetter again(folder / "memory.db");
  CHECK_FALSE(again.blocked(lesson));
  CHECK(must(is_forgotten_id(again.database, uuid)));
  folder.write("memory.db.key", "half a key");
  CHECK_FALSE(again.blocked(lesson));
  again.forgotten("The user's cat is called Minka");
  CHECK(again.blocked("Minka is the user's cat"));
}

TEST_CASE("two programs that forget for the first time agree on one key") {
  const TemporaryFolder folder;
  Forgetter one(folder / "memory.db");
  Forgetter two(folder / "memory.db");
  const auto mine = one.remember(lesson);
  const auto yours = one.remember("The user's cat is called Minka");
  std::thread beside([&] { must(forget(two.database, {yours.id}, /*dry_run=*/false)); });
  must(forget(one.database, {mine.id}, /*dry_run=*/false));
  beside.join();
  for (auto* store : {&one, &two}) {
    CHECK(store->blocked(lesson));
    CHECK(store->blocked("Minka is the user's cat"));
  }
}

TEST_CASE("where the key cannot be written nothing is forgotten and it is said why") {
  const TemporaryFolder folder;
  Forgetter store(folder / "memory.db");
  const auto kept = store.remember(lesson);
  std::filesystem::create_directories(folder / "memory.db.key.unfinished" + std::string("/in the way"));
  const auto refused = forget(store.database, {kept.id}, /*dry_run=*/false);
  REQUIRE(kind_of(refused) == ErrorKind::io);
  CHECK(refused.error().message.find("memory.db.key") != std::string::npos);
  CHECK(must(memory(store.database, kept.id)).text == lesson);
}

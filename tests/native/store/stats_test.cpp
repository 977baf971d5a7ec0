#include "store/stats.h"

#include <filesystem>

#include "store/queue.h"
#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;
using selfmind::test::TemporaryFolder;

namespace {

using Counts = std::map<std::string, std::int64_t>;

}  // namespace

TEST_CASE("a project's numbers are its own, all numbers are everybody's") {
  const TemporaryFolder folder;
  TestStore store(folder / "memory.db");
  const Id kiln = store.project("/kiln");
  const Id loom = store.project("/loom");
  store.remember("kiln's", kiln);
  store.remember("loom's", loom);
  store.remember("everybody's");
  store.remember("everybody's too");
  must(
      store.database.execute("UPDATE memory SET state = 'archived' WHERE text = 'everybody''s too';"
                             "UPDATE memory SET kind = 'preference' WHERE text = 'kiln''s'"));
  for (const Id project : {kiln, loom}) {
    const auto message = store.say(must(new_session(store.database, project)).id, "hello");
    Turn reply;
    reply.parent = message.id;
    reply.state = TurnState::done;
    reply.text = "hello";
    reply.model = "model-a";
    reply.usage = {100, 20, 3, 4};
    must(keep_reply(store.database, reply, {message.id}));
    store.queue_message(message.id, {"server", "model"});
  }
  must(store.database.execute("UPDATE learn_queue SET parked = 1 WHERE id = 1"));

  const auto own = must(stats(store.database, View{kiln, false, {}, {}}));
  CHECK(own.memories == Counts{{"active", 2}, {"archived", 1}});
  CHECK(own.kinds == Counts{{"fact", 1}, {"preference", 1}});
  CHECK(own.scopes == Counts{{"global", 1}, {"project", 1}});
  CHECK(own.sessions == 1);
  CHECK(own.turns == 2);
  CHECK(own.queue == 1);
  CHECK(own.parked == 1);
  REQUIRE(own.chat.count("model-a") == 1);
  CHECK(own.chat.at("model-a").input == 100);
  CHECK(own.chat.at("model-a").output == 20);
  CHECK(own.chat.at("model-a").cache_read == 3);
  CHECK(own.chat.at("model-a").cache_write == 4);

  const auto all = must(stats(store.database, View{no_id, true, {}, {}}));
  CHECK(all.memories == Counts{{"active", 3}, {"archived", 1}});
  CHECK(all.scopes == Counts{{"global", 1}, {"project", 2}});
  CHECK(all.sessions == 2);
  CHECK(all.turns == 4);
  CHECK(all.queue == 2);
  CHECK(all.parked == 1);
  CHECK(all.chat.at("model-a").input == 200);
  CHECK(all.schema == schema_version);
  CHECK_FALSE(all.sqlite.empty());
  CHECK(all.journal == store.database.journal_mode());
  CHECK(all.bytes == static_cast<std::int64_t>(std::filesystem::file_size(folder / "memory.db")));

  const auto global = must(stats(store.database, View{}));
  CHECK(global.scopes == Counts{{"global", 1}});
  CHECK(global.turns == 0);
}

TEST_CASE("an empty store has numbers too") {
  TestStore store;
  const auto none = must(stats(store.database, View{no_id, true, {}, {}}));
  CHECK(none.memories.empty());
  CHECK(none.turns == 0);
  CHECK(none.queue == 0);
  CHECK(none.chat.empty());
  CHECK(none.learning.empty());
}

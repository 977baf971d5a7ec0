#include "store/queue.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/process.h"

#include "base/limits.h"
#include "store/revisions.h"
#include "store/stats.h"
#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;
using namespace std::chrono_literals;
using selfmind::test::TemporaryFolder;

namespace {

constexpr const char* server = "https://server";
constexpr const char* model = "model";

struct Queued : TestStore {
  Queued() : kiln(project("/kiln")), chat(must(new_session(database, kiln)).id) {}

  Id queue(std::string_view text, std::string_view endpoint = server) {
    const auto message = say(chat, text);
    queue_message(message.id, {std::string(endpoint), model});
    return message.id;
  }
  std::optional<QueueEntry> take() { return must(lease(database, server)); }

  Id kiln;
  Id chat;
};

MemoryDraft draft_of(std::string_view text) {
  MemoryDraft draft;
  draft.text = text;
  draft.made_by = "learn";
  return draft;
}

}  // namespace

TEST_CASE("an entry carries what is learned from and where it may be sent") {
  Queued store;
  const Time said_at = store.clock.now();
  const Id turn = store.queue("I like tea");
  store.answer(turn, "I decline.", TurnState::refused);
  store.answer(turn, "Noted.");
  store.clock.advance(1h);
  const auto entry = store.take();
  REQUIRE(entry);
  CHECK(entry->turn == turn);
  CHECK(entry->session == store.chat);
  CHECK(entry->project == store.kiln);
  CHECK(entry->user_text == "I like tea");
  CHECK(entry->reply_text == "Noted.");
  CHECK(entry->endpoint == server);
  CHECK(entry->model == model);
  CHECK(entry->attempts == 0);
  CHECK(entry->said_at == said_at);
  CHECK_FALSE(entry->lease.empty());
}

TEST_CASE("entries are taken oldest first, each by one editor") {
  Queued store;
  const Id one = store.queue("one");
  const Id two = store.queue("two");
  CHECK(store.take()->turn == one);
  CHECK(store.take()->turn == two);
  CHECK_FALSE(store.take());
}

TEST_CASE("what was said to one server is not taken for another") {
  Queued store;
  store.queue("secret", "http://localhost");
  CHECK_FALSE(store.take());
  CHECK(must(lease(store.database, "http://localhost")));
}

TEST_CASE("a turn is queued once") {
  Queued store;
  const Id turn = store.queue("one");
  store.queue_message(turn, {"http://elsewhere", model});
  CHECK(store.count("SELECT count(*) FROM learn_queue") == 1);
  CHECK(store.take()->endpoint == server);
}

TEST_CASE("what a reply answers is queued with it, in one step") {
  Queued store;
  Turn reply;
  reply.parent = store.say(store.chat, "I like tea").id;
  reply.state = TurnState::done;
  reply.text = "So do I.";
  must(keep_reply(store.database, reply, {reply.parent}, {}, LearnAt{server, model}));
  const auto entry = store.take();
  REQUIRE(entry);
  CHECK(entry->user_text == "I like tea");
  reply.parent = store.say(store.chat, "And coffee").id;
  must(keep_reply(store.database, reply, {reply.parent}));
  CHECK(store.count("SELECT count(*) FROM learn_queue") == 1);
}

TEST_CASE("what is learned is stored and the entry is over, in one step") {
  Queued store;
  store.queue("I like tea and cake");
  const auto entry = store.take();
  const auto added = must(
      keep_learned(store.database, *entry, {draft_of("The user likes tea"), draft_of("The user likes cake")}, nullptr));
  REQUIRE(added.size() == 2);
  CHECK(added[1].memory.text == "The user likes cake");
  CHECK(store.count("SELECT count(*) FROM learn_queue") == 0);
  CHECK(kind_of(keep_learned(store.database, *entry, {draft_of("The user likes tea")}, nullptr)) == ErrorKind::busy);
  CHECK(must(memories(store.database, View{})).size() == 2);
}

TEST_CASE("two drafts of one answer that say the same are stored once") {
  Queued store;
  store.queue("I like tea");
  const auto any = [](const MemoryDraft&, std::span<const Memory> existing) {
    return existing.empty() ? Verdict{} : Verdict{Verdict::same, {existing[0].id}};
  };
  const auto added = must(keep_learned(store.database, *store.take(), {draft_of("tea"), draft_of("tea!")}, any));
  CHECK_FALSE(added[0].duplicate);
  CHECK(added[1].duplicate);
}

TEST_CASE("a draft that cannot be stored leaves the entry and stores none") {
  Queued store;
  store.queue("I like tea");
  const auto entry = store.take();
  CHECK(kind_of(keep_learned(store.database, *entry, {draft_of("good"), draft_of(" ")}, nullptr)) ==
        ErrorKind::invalid);
  CHECK(must(memories(store.database, View{})).empty());
  CHECK(keep_learned(store.database, *entry, {draft_of("good")}, nullptr).ok());
}

TEST_CASE("the entry of a process that has ended is free at once") {
  Queued store;
  store.queue("I like tea");
  REQUIRE(store.take());
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  const std::string own = process_mark();
  const std::string ended = own.substr(0, own.rfind('/') + 1) + std::to_string(child);
  CHECK_FALSE(store.take());
  must(store.database.execute("UPDATE learn_queue SET lease = '" + ended + "#some-id'"));
  const auto heir = store.take();
  REQUIRE(heir);
  CHECK(keep_learned(store.database, *heir, {draft_of("tea")}, nullptr).ok());
}

TEST_CASE("the entry of a silent editor is taken over, and then the dead one's answer does not count") {
  Queued store;
  store.queue("I like tea");
  const auto dead = store.take();
  store.clock.advance(limits::learn_lease - 1ms);
  CHECK_FALSE(store.take());
  store.clock.advance(1ms);
  const auto heir = store.take();
  REQUIRE(heir);
  CHECK(heir->lease != dead->lease);
  CHECK(kind_of(keep_learned(store.database, *dead, {draft_of("tea")}, nullptr)) == ErrorKind::busy);
  must(release(store.database, *dead, /*counts=*/true, "too late"));
  CHECK_FALSE(store.take());
  CHECK(keep_learned(store.database, *heir, {draft_of("tea")}, nullptr).ok());
  CHECK(must(memories(store.database, View{})).size() == 1);
}

TEST_CASE("an entry given back without blame is free at once; failures are counted and park it") {
  Queued store;
  store.queue("I like tea");
  must(release(store.database, *store.take(), /*counts=*/false, ""));
  for (int attempt = 0; attempt < limits::learn_attempts; ++attempt) {
    const auto entry = store.take();
    REQUIRE(entry);
    CHECK(entry->attempts == attempt);
    must(release(store.database, *entry, /*counts=*/true, "the server said no"));
  }
  CHECK_FALSE(store.take());
  CHECK(store.count("SELECT parked FROM learn_queue") == 1);
  CHECK(store.count("SELECT failure = 'the server said no' FROM learn_queue") == 1);
}

TEST_CASE("what learning costs is counted by day and model, apart from the chat, also when nothing came of it") {
  Queued store;
  store.queue("I like tea");
  store.queue("I like cake");
  must(release(store.database, *store.take(), /*counts=*/true, "cut", {"model-a", {100, 20, 3, 4}}));
  must(keep_learned(store.database, *store.take(), {}, nullptr, {"model-a", {10, 2, 0, 0}}));
  must(keep_learned(store.database, *store.take(), {}, nullptr, {"model-b", {1, 1, 0, 0}}));
  CHECK(must(learning_tokens(store.database, store.clock.now())) == 141);
  auto counted = must(stats(store.database, View{}));
  CHECK(counted.learning_calls == 3);
  CHECK(counted.learning.at("model-a").input == 110);
  CHECK(counted.learning.at("model-b").output == 1);
  CHECK(counted.learning_today == 141);
  CHECK(counted.chat.empty());

  store.clock.advance(48h);
  CHECK(must(learning_tokens(store.database, store.clock.now())) == 0);
  counted = must(stats(store.database, View{}));
  CHECK(counted.learning_today == 0);
  CHECK(counted.learning_calls == 3);
}

TEST_CASE("an entry carries the reply that the message answers, which a mere yes needs") {
  Queued store;
  const auto asked = store.say(store.chat, "Which database?");
  store.answer(asked.id, "I would take SQLite.");
  store.queue("Yes, that one.");
  const auto entry = store.take();
  REQUIRE(entry);
  CHECK(entry->before_text == "I would take SQLite.");
  CHECK(store.count("SELECT count(*) FROM turn WHERE role = 'assistant' AND id = " + std::to_string(entry->before)) ==
        1);
}

TEST_CASE("reason, topic, scores and validity of what was learned are kept") {
  Queued store;
  store.queue("We use SQLite because it is one file");
  auto draft = draft_of("The project uses SQLite.");
  draft.reason = "because it is one file";
  draft.kind = "decision";
  draft.scene = "storage";
  draft.track = "epistemic";
  draft.scores = Scores{0.9, 0.8, 0.1, 0.2, 0.7, 0.3};
  draft.valid_from = from_millis(1'000);
  draft.valid_to = from_millis(9'000'000'000'000);
  const auto id = must(keep_learned(store.database, *store.take(), {draft}, nullptr)).front().memory.id;
  const auto kept = must(memory(store.database, id));
  CHECK(kept.reason == "because it is one file");
  CHECK(kept.scene == "storage");
  CHECK(kept.track == "epistemic");
  REQUIRE(kept.scores);
  CHECK(kept.scores->utility == 0.9);
  CHECK(kept.scores->sensitivity == 0.3);
  CHECK(kept.valid_from == draft.valid_from);
  CHECK(kept.valid_to == draft.valid_to);
  CHECK(must(memories_as_of(store.database, View{store.kiln, true, {}, {}}, store.clock.now())).front().reason ==
        kept.reason);
}

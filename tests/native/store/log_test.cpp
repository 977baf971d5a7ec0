#include "store/log.h"

#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/process.h"
#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;
using namespace std::chrono_literals;

TEST_CASE("a message is in the log before it is sent, and the draft is gone") {
  TestStore store;
  const auto chat = must(new_session(store.database, store.project("/p")));
  must(keep_draft(store.database, chat.id, "Hel"));
  CHECK(must(session(store.database, chat.id)).draft == "Hel");
  store.clock.advance(1s);
  const auto message = store.say(chat.id, "  Hello\nthere\xFF");

  CHECK(message.text == "  Hello\nthere\xEF\xBF\xBD");
  CHECK(message.state == TurnState::unanswered);
  CHECK(message.parent == no_id);
  CHECK(message.created_at == store.clock.now());
  const auto now = must(session(store.database, chat.id));
  CHECK(now.draft.empty());
  CHECK(now.title == "Hello");
  CHECK(now.updated_at == store.clock.now());
  CHECK(now.created_at < now.updated_at);
  CHECK(now.uuid.size() == 36);
}

TEST_CASE("a title is the start of the first message and stays") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id));
  store.say(chat.id, std::string("word ") + std::string(300, 'x'));
  const auto title = must(session(store.database, chat.id)).title;
  CHECK(title.size() < 100);
  CHECK(title.starts_with("word xxx"));
  store.say(chat.id, "another");
  CHECK(must(session(store.database, chat.id)).title == title);
}

TEST_CASE("a blank message, one that is too long and one for no chat are refused") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id));
  CHECK(kind_of(keep_message(store.database, chat.id, " \n\t")) == ErrorKind::invalid);
  CHECK(kind_of(keep_message(store.database, chat.id, std::string(limits::message_bytes + 1, 'x'))) ==
        ErrorKind::invalid);
  CHECK(kind_of(keep_message(store.database, 99, "hello")) == ErrorKind::not_found);
  CHECK(kind_of(keep_draft(store.database, 99, "hello")) == ErrorKind::not_found);
  CHECK(store.count("SELECT count(*) FROM turn") == 0);
}

TEST_CASE("turns follow each other, and a reply is kept whole") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id));
  const auto question = store.say(chat.id, "What is it?");
  Turn reply;
  reply.parent = question.id;
  reply.state = TurnState::done;
  reply.text = "It is this.";
  reply.content = R"([{"type":"text","text":"It is this."}])";
  reply.model = "some-model";
  reply.stop_reason = "end_turn";
  reply.usage = {1, 2, 3, 4};
  const auto kept = must(keep_reply(store.database, reply, {reply.parent}));
  const auto next = store.say(chat.id, "And then?");

  const auto all = must(turns(store.database, chat.id));
  REQUIRE(all.size() == 3);
  CHECK(all[0].state == TurnState::answered);
  CHECK(all[1].id == kept.id);
  CHECK(all[1].role == Role::assistant);
  CHECK(all[1].parent == question.id);
  CHECK(all[1].content == reply.content);
  CHECK(all[1].model == "some-model");
  CHECK(all[1].stop_reason == "end_turn");
  CHECK(all[1].usage.input == 1);
  CHECK(all[1].usage.output == 2);
  CHECK(all[1].usage.cache_read == 3);
  CHECK(all[1].usage.cache_write == 4);
  CHECK(all[2].parent == kept.id);
  CHECK(all[2].id == next.id);
}

TEST_CASE("which replies answer a message") {
  struct Case {
    TurnState state;
    const char* text;
    TurnState parent;
  };
  const std::vector<Case> cases = {
      {TurnState::done, "yes", TurnState::answered},           {TurnState::done, "", TurnState::answered},
      {TurnState::stopped, "ye", TurnState::answered},         {TurnState::stopped, "", TurnState::unanswered},
      {TurnState::interrupted, "ye", TurnState::answered},     {TurnState::interrupted, "", TurnState::unanswered},
      {TurnState::streaming, "ye", TurnState::unanswered},     {TurnState::offline, "notes", TurnState::unanswered},
      {TurnState::refused, "I cannot", TurnState::unanswered},
  };
  for (const auto& [state, text, parent] : cases) {
    INFO(to_text(state) << " \"" << text << '"');
    TestStore store;
    const auto chat = must(new_session(store.database, no_id));
    const auto message = store.say(chat.id, "Well?");
    store.answer(message.id, text, state);
    CHECK(store.turn(chat.id, message.id).state == parent);
  }
}

TEST_CASE("messages that were sent together are answered together, and only those of this chat") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id));
  const auto other = must(new_session(store.database, no_id));
  const auto first = store.say(chat.id, "One thing");
  const auto second = store.say(chat.id, "And another");
  const auto elsewhere = store.say(other.id, "Something else");
  Turn reply;
  reply.parent = second.id;
  reply.state = TurnState::done;
  reply.text = "Both.";
  must(keep_reply(store.database, reply, {first.id, second.id, elsewhere.id}));
  CHECK(store.turn(chat.id, first.id).state == TurnState::answered);
  CHECK(store.turn(chat.id, second.id).state == TurnState::answered);
  CHECK(store.turn(other.id, elsewhere.id).state == TurnState::unanswered);
}

TEST_CASE("a second reply stands beside the first, also when that day is over") {
  TestStore store;
  store.clock.time = from_millis(1'577'836'800'000);  // 2020-01-01
  const auto chat = must(new_session(store.database, no_id));
  const auto message = store.say(chat.id, "Well?");
  store.answer(message.id, "So.");
  store.answer(message.id, "Or so.");
  const auto all = must(turns(store.database, chat.id));
  REQUIRE(all.size() == 3);
  CHECK(all[1].parent == all[2].parent);
}

TEST_CASE("a reply to nothing, to a reply, or in a message's state is refused") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id));
  const auto message = store.say(chat.id, "Well?");
  Turn reply;
  reply.state = TurnState::done;
  CHECK(kind_of(keep_reply(store.database, reply, {reply.parent})) == ErrorKind::not_found);
  reply.parent = store.answer(message.id, "So.").id;
  CHECK(kind_of(keep_reply(store.database, reply, {reply.parent})) == ErrorKind::invalid);
  reply.parent = message.id;
  reply.state = TurnState::answered;
  CHECK(kind_of(keep_reply(store.database, reply, {reply.parent})) == ErrorKind::invalid);
}

TEST_CASE("what a message was sent with is kept exactly, the last try counts") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id));
  const auto tea = store.remember("The user likes tea");
  const auto port = store.remember("The port is 5432");
  const auto message = store.say(chat.id, "Well?");
  must(keep_recall(store.database, message.id, "first block", {{tea.id, 1, 1, 2.5}}));
  must(keep_recall(store.database, message.id, " block\n\n", {{port.id, 1, 1, 3.5}, {tea.id, 1, 2, 1.25}}));
  const auto kept = store.turn(chat.id, message.id);
  CHECK(kept.memory_block == " block\n\n");
  REQUIRE(kept.given.size() == 2);
  CHECK(kept.given[0].memory == port.id);
  CHECK(kept.given[0].score == 3.5);
  CHECK(kept.given[1].memory == tea.id);
  CHECK(kept.given[1].rank == 2);

  const auto given = must(memories_given(store.database, chat.id));
  REQUIRE(given.size() == 2);
  CHECK(given[0].id == tea.id);

  store.answer(message.id, "So.");
  CHECK(kind_of(keep_recall(store.database, message.id, "later", {})) == ErrorKind::invalid);
}

TEST_CASE("a block with a memory that was forgotten meanwhile is not kept") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id));
  const auto tea = store.remember("The user likes tea");
  const auto message = store.say(chat.id, "Well?");
  must(forget(store.database, {tea.id}, /*dry_run=*/false));
  CHECK(kind_of(keep_recall(store.database, message.id, "The user likes tea", {{tea.id, 1, 1, 1}})) ==
        ErrorKind::not_found);
  CHECK(store.turn(chat.id, message.id).memory_block.empty());
}

TEST_CASE("the last chat of a project is the one used last that holds anything") {
  TestStore store;
  const Id here = store.project("/here");
  const Id there = store.project("/there");
  CHECK_FALSE(must(last_session(store.database, here)));
  const auto one = must(new_session(store.database, here));
  const auto two = must(new_session(store.database, here));
  CHECK_FALSE(must(last_session(store.database, here)));
  store.say(one.id, "hello");
  store.clock.advance(1s);
  store.say(two.id, "hello");
  CHECK(must(last_session(store.database, here))->id == two.id);
  store.clock.advance(1s);
  must(keep_draft(store.database, one.id, "again"));
  CHECK(must(last_session(store.database, here))->id == one.id);
  CHECK_FALSE(must(last_session(store.database, there)));
  CHECK_FALSE(must(last_session(store.database, no_id)));
}

TEST_CASE("the cut of the history only moves forward") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id));
  must(keep_history_cut(store.database, chat.id, 5, 7));
  must(keep_history_cut(store.database, chat.id, 6, 3));
  const auto now = must(session(store.database, chat.id));
  CHECK(now.history_from == 6);
  CHECK(now.thinking_from == 7);
}

TEST_CASE("the log of a day that is over does not change") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id));
  store.clock.time = from_millis(1'577'836'800'000);  // 2020-01-01
  const auto message = store.say(chat.id, "Well?");
  const auto reply = store.answer(message.id, "So.");
  const auto waiting = store.say(chat.id, "Not answered");
  const auto partial = store.answer(waiting.id, "Pa", TurnState::streaming);

  for (const Id frozen : {message.id, reply.id}) {
    const auto changed = run(store.database, "UPDATE turn SET text = 'x' WHERE id = ?", frozen);
    REQUIRE(kind_of(changed) == ErrorKind::invalid);
    CHECK(changed.error().message.find("is not changed") != std::string::npos);
    CHECK(kind_of(run(store.database, "DELETE FROM turn WHERE id = ?", frozen)) == ErrorKind::invalid);
  }
  CHECK(run(store.database, "UPDATE turn SET text = 'x' WHERE id = ?", waiting.id).ok());
  CHECK(run(store.database, "UPDATE turn SET text = 'x' WHERE id = ?", partial.id).ok());
  CHECK(kind_of(run(store.database, "DELETE FROM session")) == ErrorKind::invalid);
  CHECK(store.turn(chat.id, message.id).text == "Well?");

  SECTION("an open redaction lets it pass, a closed one does not") {
    must(run(store.database, "INSERT INTO redaction (turn, reason, at, open) VALUES (?, 'test', 0, 0)", reply.id));
    CHECK_FALSE(run(store.database, "UPDATE turn SET text = 'x' WHERE id = ?", reply.id).ok());
    must(run(store.database, "UPDATE redaction SET open = 1"));
    CHECK(run(store.database, "UPDATE turn SET text = 'x' WHERE id = ?", reply.id).ok());
    CHECK_FALSE(run(store.database, "UPDATE turn SET text = 'x' WHERE id = ?", message.id).ok());
  }
}

TEST_CASE("the log of today can still be put right") {
  TestStore store;
  // Ahead of SQLite's own clock, so that the test means the same around midnight.
  store.clock.time = SystemClock().now() + 48h;
  const auto chat = must(new_session(store.database, no_id));
  const auto message = store.say(chat.id, "Well?");
  store.answer(message.id, "So.");
  CHECK(run(store.database, "UPDATE turn SET text = 'x'").ok());
}

TEST_CASE("a chat is found by its unique id, and one that is not there is said so") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id));
  CHECK(must(session(store.database, chat.uuid)).id == chat.id);
  const auto missing = session(store.database, "01234567-89ab-7000-8000-000000000000");
  REQUIRE(!missing.ok());
  CHECK(missing.error().kind == ErrorKind::not_found);
}

TEST_CASE("the log can be read from a turn on") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id)).id;
  must(keep_message(store.database, chat, "one"));
  const auto second = must(keep_message(store.database, chat, "two"));
  const auto read = must(turns(store.database, chat, second.id));
  REQUIRE(read.size() == 1);
  CHECK(read.front().text == "two");
}

TEST_CASE("a reply that is kept as it grows is one row, which the whole reply completes") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id));
  Turn reply;
  reply.parent = store.say(chat.id, "Tell me").id;
  reply.text = "Once";
  must(keep_partial(store.database, reply, "me"));
  reply.text = "Once upon";
  must(keep_partial(store.database, reply, "me"));
  auto log = must(turns(store.database, chat.id));
  REQUIRE(log.size() == 2);
  CHECK(log[1].state == TurnState::streaming);
  CHECK(log[1].text == "Once upon");
  CHECK(log[0].state == TurnState::unanswered);

  reply.state = TurnState::done;
  reply.text = "Once upon a time.";
  const auto kept = must(keep_reply(store.database, reply, {reply.parent}, "me"));
  CHECK(kept.id == log[1].id);
  log = must(turns(store.database, chat.id));
  REQUIRE(log.size() == 2);
  CHECK(log[1].state == TurnState::done);
  CHECK(log[1].text == "Once upon a time.");
  CHECK(log[0].state == TurnState::answered);
}

TEST_CASE("a reply whose writer is gone is interrupted, one whose writer lives is not touched") {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id));
  Turn reply;
  reply.parent = store.say(chat.id, "Tell me").id;
  reply.text = "Once upon";
  const auto state_after = [&] {
    must(settle_replies(store.database, chat.id));
    return must(turns(store.database, chat.id)).at(1).state;
  };
  SECTION("it has not been heard of for long") {
    must(keep_partial(store.database, reply, "elsewhere/1"));
    CHECK(state_after() == TurnState::streaming);
    store.clock.advance(limits::reply_lease + 1s);
    CHECK(state_after() == TurnState::interrupted);
  }
  SECTION("its process has ended") {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    ::waitpid(child, nullptr, 0);
    const std::string own = process_mark();
    must(keep_partial(store.database, reply, own.substr(0, own.rfind('/') + 1) + std::to_string(child)));
    CHECK(state_after() == TurnState::interrupted);
  }
  SECTION("it lives and writes on") {
    must(keep_partial(store.database, reply, process_mark()));
    store.clock.advance(limits::reply_lease - 1s);
    must(keep_partial(store.database, reply, process_mark()));
    store.clock.advance(limits::reply_lease - 1s);
    CHECK(state_after() == TurnState::streaming);
    return;
  }
  const auto log = must(turns(store.database, chat.id));
  CHECK(log[1].text == "Once upon");
  CHECK_FALSE(log[1].failure.empty());
  CHECK(log[0].state == TurnState::unanswered);
  CHECK(can_be_sent_again(log[0], log));
}

TEST_CASE("a message can be sent again until it has its whole reply") {
  Turn message;
  message.id = 1;
  message.state = TurnState::answered;
  Turn reply;
  reply.id = 2;
  reply.parent = 1;
  reply.role = Role::assistant;
  const auto again = [&](TurnState state, const char* stop_reason) {
    reply.state = state;
    reply.stop_reason = stop_reason;
    return can_be_sent_again(message, {message, reply});
  };
  CHECK(again(TurnState::interrupted, "other"));
  CHECK(again(TurnState::stopped, "other"));
  CHECK(again(TurnState::done, "max_tokens"));
  CHECK_FALSE(again(TurnState::done, "end_turn"));
  CHECK_FALSE(can_be_sent_again(message, {message}));
  message.state = TurnState::unanswered;
  CHECK(can_be_sent_again(message, {message}));
}

namespace {

// How many of the store's pages were looked at since this was asked last.
int pages_looked_at(const TestStore& store) {
  int pages = 0;
  for (const int status : {SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS}) {
    int count = 0;
    int unused = 0;
    sqlite3_db_status(store.database.handle(), status, &count, &unused, /*resetFlg=*/1);
    pages += count;
  }
  return pages;
}

int pages_to_settle(int turns) {
  TestStore store;
  const auto chat = must(new_session(store.database, no_id));
  for (int i = 0; i < turns; ++i) store.answer(store.say(chat.id, "Well?").id, std::string(3000, 'a'));
  pages_looked_at(store);
  must(settle_replies(store.database, chat.id));
  return pages_looked_at(store);
}

}  // namespace

TEST_CASE("looking for replies that nobody writes any more costs a long chat no more than a short one") {
  CHECK(pages_to_settle(1) > 0);
  CHECK(pages_to_settle(100) == pages_to_settle(1));
}

// history, undo, asof, rollback and log from the outside, as a shell sees them.
#include "cli/shell.h"
#include "store/log.h"
#include "store/queue.h"

using namespace selfmind;
using test::Shell;

namespace {

// Something said in a new chat of no project, and learned from; the chat's id.
store::Id learned(Shell& shell, std::string_view said, std::string_view text) {
  auto database = shell.store();
  const auto chat = store::new_session(database, store::no_id)->id;
  const auto message = store::keep_message(database, chat, said)->id;
  store::Turn reply;
  reply.parent = message;
  reply.state = store::TurnState::done;
  reply.text = "Noted.";
  REQUIRE(store::keep_reply(database, reply, {message}, {}, store::LearnAt{"https://memory.test", "small"}).ok());
  const auto entry = store::lease(database, "https://memory.test");
  REQUIRE((entry.ok() && entry->has_value()));
  store::MemoryDraft draft;
  draft.text = text;
  draft.made_by = "learn";
  draft.evidence = {{message, std::string(said)}};
  REQUIRE(store::keep_learned(database, **entry, {draft}, nullptr).ok());
  return chat;
}

}  // namespace

TEST_CASE("undo says what it took back, until there is nothing left") {
  Shell shell;
  shell.run({"remember", "The user likes tea"});
  shell.run({"remember", "Elsewhere the port is 80"}, "there");
  const auto undone = shell.parsed({"undo"});
  CHECK(undone["change"]["made_by"] == "user");
  CHECK(undone["memories"][0]["text"] == "The user likes tea");
  CHECK(undone["memories"][0]["state"] == "archived");
  CHECK(shell.parsed({"memories"}).empty());
  const auto again = shell.run({"undo"});
  CHECK(again.code == cli::exit_failed);
  CHECK(again.err.find("nothing to take back") != std::string::npos);
  CHECK(shell.parsed({"memories"}, "there").size() == 1);
}

TEST_CASE("a memory's history leads to the words that established it") {
  Shell shell;
  const auto chat = learned(shell, "I prefer tabs", "The user prefers tabs");
  const auto history = shell.parsed({"history", "1"});
  CHECK(history["memory"]["text"] == "The user prefers tabs");
  REQUIRE(history["revisions"].size() == 1);
  CHECK(history["revisions"][0]["change"]["made_by"] == "learn");
  CHECK(history["sources"][0]["quote"] == "I prefer tabs");
  CHECK(history["sources"][0]["chat"] == chat);
  const auto printed = shell.run({"history", "1"});
  CHECK(printed.out.find("add by learn") != std::string::npos);
  CHECK(printed.out.find("I prefer tabs") != std::string::npos);
  CHECK(shell.run({"history", "7"}).code == cli::exit_failed);
  CHECK(shell.run({"history", "x"}).code == cli::exit_usage);
}

TEST_CASE("a list as of a time has what was known then") {
  Shell shell;
  shell.run({"remember", "The user likes tea"});
  CHECK(shell.parsed({"asof", "2001-01-01"}).empty());
  CHECK(shell.parsed({"asof", "2999-01-01"}).size() == 1);
  CHECK(shell.parsed({"asof", "2999-01-01T10:00:00Z"}).size() == 1);
  const auto wrong = shell.run({"asof", "yesterday"});
  CHECK(wrong.code == cli::exit_failed);
  CHECK(wrong.err.find("YYYY-MM-DD") != std::string::npos);
}

TEST_CASE("a rollback takes back what a chat taught, and shows it first when asked to") {
  Shell shell;
  const auto chat = std::to_string(learned(shell, "I prefer tabs", "The user prefers tabs"));
  learned(shell, "I use zsh", "The user uses zsh");
  shell.run({"remember", "The user likes tea"});
  CHECK(shell.parsed({"rollback", "--chat", chat, "--dry-run"})["memories"].size() == 1);
  CHECK(shell.parsed({"memories"}).size() == 3);
  CHECK(shell.parsed({"rollback", "--chat", chat})["memories"][0]["text"] == "The user prefers tabs");
  CHECK(shell.parsed({"memories"}).size() == 2);
  CHECK(shell.parsed({"rollback", "--since", "2001-01-01"})["memories"].size() == 1);
  CHECK(shell.parsed({"memories"})[0]["text"] == "The user likes tea");
  CHECK(shell.run({"rollback"}).code == cli::exit_usage);
  CHECK(shell.run({"rollback", "--chat", chat, "--since", "2001-01-01"}).code == cli::exit_usage);
  CHECK(shell.run({"rollback", "--chat", "99"}).code == cli::exit_failed);
}

TEST_CASE("log prints what was said today") {
  Shell shell;
  learned(shell, "I prefer tabs", "The user prefers tabs");
  const auto turns = shell.parsed({"log"});
  REQUIRE(turns.size() == 2);
  CHECK(turns[0]["text"] == "I prefer tabs");
  CHECK(turns[1]["role"] == "assistant");
  CHECK(shell.run({"log"}).out.find("I prefer tabs") != std::string::npos);
  CHECK(shell.parsed({"log", "2001-01-01"}).empty());
  CHECK(shell.run({"log", "2001-01-01T10:00"}).code == cli::exit_failed);
}

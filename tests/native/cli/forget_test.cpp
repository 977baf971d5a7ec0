// forget from the outside, as a shell sees it: memories, a chat, a whole project.
#include "cli/shell.h"
#include "store/log.h"
#include "store/memories.h"
#include "store/projects.h"

using namespace selfmind;
using test::Shell;

namespace {

// A chat of a project in which something was learned; the chat's id.
store::Id told(Shell& shell, const std::string& project, const std::string& said, const std::string& text) {
  auto database = shell.store();
  const auto facts = store::look_at(shell.folder / project);
  const auto id = store::resolve(database, *facts, /*create=*/true)->id;
  const auto chat = store::new_session(database, id)->id;
  const auto message = store::keep_message(database, chat, said)->id;
  store::MemoryDraft draft;
  draft.text = text;
  draft.project = id;
  draft.evidence = {{message, said}};
  REQUIRE(store::add_memory(database, draft, nullptr).ok());
  return chat;
}

bool has(const test::Outcome& outcome, std::string_view words) { return outcome.out.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("forget erases a memory and says what it did") {
  Shell shell;
  told(shell, "here", "I prefer tabs over spaces", "The user prefers tabs over spaces");
  const auto would = shell.run({"forget", "1", "--dry-run"});
  CHECK(has(would, "Would forget:"));
  CHECK(shell.parsed({"memories"}).size() == 1);
  const auto done = shell.run({"forget", "1"});
  CHECK(done.code == cli::exit_done);
  CHECK(has(done, "cut from 1 messages of the log"));
  CHECK(shell.parsed({"memories"}).empty());
  CHECK(shell.run({"forget", "1"}).code == cli::exit_failed);
}

TEST_CASE("forget says which backup still has the words") {
  Shell shell;
  shell.run({"remember", "The user prefers tabs over spaces"});
  shell.folder.write("store/memory.db.backup-mine", "The user prefers tabs over spaces");
  const auto done = shell.run({"forget", "1"});
  CHECK(done.code == cli::exit_done);
  CHECK(has(done, "memory.db.backup-mine still has the words"));
}

TEST_CASE("a chat that something was learned from is forgotten when it is said what becomes of that") {
  Shell shell;
  const auto chat = told(shell, "here", "I prefer tabs over spaces", "The user prefers tabs over spaces");
  const auto id = std::to_string(chat);
  const auto asked = shell.run({"forget", "--chat", id});
  CHECK(asked.code == cli::exit_failed);
  CHECK(asked.err.find("--keep-memories or --with-memories") != std::string::npos);
  CHECK(std::count(asked.err.begin(), asked.err.end(), '\n') == 1);
  CHECK(has(shell.run({"log"}), "tabs"));

  const auto would = shell.run({"forget", "--chat", id, "--dry-run"});
  CHECK(would.code == cli::exit_done);
  CHECK(has(would, "Would delete 1 chat, 1 messages and replies: I prefer tabs over spaces."));
  CHECK(has(would, "The user prefers tabs over spaces"));
  const auto kept = shell.parsed({"forget", "--chat", id, "--keep-memories"});
  CHECK(kept["chats"] == nlohmann::json::array({chat}));
  CHECK(kept["kept"].size() == 1);
  CHECK(kept["memories"].empty());
  CHECK_FALSE(has(shell.run({"log"}), "tabs"));
  CHECK(shell.parsed({"memories"}).size() == 1);
  CHECK(shell.run({"forget", "--chat", id}).code == cli::exit_failed);
}

TEST_CASE("a chat is forgotten with what was learned from it") {
  Shell shell;
  const auto chat = told(shell, "here", "I prefer tabs over spaces", "The user prefers tabs over spaces");
  const auto done = shell.parsed({"forget", "--chat", std::to_string(chat), "--with-memories"});
  CHECK(done["memories"].size() == 1);
  CHECK(shell.parsed({"memories", "--all"}).empty());
}

TEST_CASE("a chat that nothing was learned from is forgotten without a question") {
  Shell shell;
  store::Id chat = store::no_id;
  {
    auto database = shell.store();
    chat = store::new_session(database, store::no_id)->id;
    REQUIRE(store::keep_message(database, chat, "Hello there").ok());
  }
  CHECK(shell.run({"forget", "--chat", std::to_string(chat)}).code == cli::exit_done);
}

TEST_CASE("a whole project is forgotten, and the one beside it stays") {
  Shell shell;
  told(shell, "here", "I prefer tabs over spaces", "The user prefers tabs over spaces");
  told(shell, "there", "I prefer spaces", "The user prefers spaces there");
  shell.run({"remember", "The user likes tea"});
  CHECK(shell.run({"forget", "--whole-project"}).code == cli::exit_failed);
  const auto done = shell.run({"forget", "--whole-project", "--with-memories"});
  CHECK(done.code == cli::exit_done);
  CHECK(has(done, "Deleted 1 chat, 1 messages and replies: here."));
  CHECK(shell.parsed({"memories"}).empty());
  CHECK(shell.parsed({"memories"}, "there").size() == 1);
  const auto again = shell.run({"forget", "--whole-project", "--with-memories"});
  CHECK(again.code == cli::exit_failed);
  CHECK(again.err.find("knows no project") != std::string::npos);
}

TEST_CASE("forget refuses arguments that do not go together") {
  Shell shell;
  for (const auto& arguments : {std::vector<std::string>{"forget"},
                                {"forget", "1", "--chat", "2"},
                                {"forget", "1", "--whole-project"},
                                {"forget", "--chat", "2", "--whole-project"},
                                {"forget", "1", "--keep-memories"},
                                {"forget", "--chat", "2", "--keep-memories", "--with-memories"},
                                {"forget", "--chat", "x"},
                                {"forget", "--whole-project", "--global"}}) {
    CHECK(shell.run(arguments).code == cli::exit_usage);
  }
}

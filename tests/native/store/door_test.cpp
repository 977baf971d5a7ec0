#include "store/door.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "store/feed.h"
#include "store/probes.h"
#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;

namespace {

// Made up, and put together here so that nothing in this file looks like a key to a scanner.
const std::string token = std::string("gh") + "p_a8Kf02Lq9Zx7Wm3Rt5Yb1Nc4Vd6";

struct SecretStore : TestStore {
  SecretStore() : SecretStore(std::make_unique<test::TemporaryFolder>()) {}
  explicit SecretStore(std::unique_ptr<test::TemporaryFolder> given)
      : TestStore(*given / "memory.db"), folder(std::move(given)) {}

  // Also in what SQLite has beside the store: journals and copies.
  bool in_files(std::string_view bytes) const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder->path())) {
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string all{std::istreambuf_iterator<char>(file), {}};
      if (all.find(bytes) != std::string::npos) return true;
    }
    return false;
  }
  Id chat() { return must(new_session(database, project("/p"))).id; }

  std::unique_ptr<test::TemporaryFolder> folder;
};

std::string blocks(const std::vector<std::pair<std::string, std::string>>& list) {
  auto json = nlohmann::ordered_json::array();
  for (const auto& [type, text] : list) {
    json.push_back({{"type", type}, {type, text}});
    if (type == "thinking") json.back()["signature"] = "Eo8BCkYIARgCIkA7a8Kf02Lq9Zx7Wm3Rt5Yb1Nc4Vd6";
  }
  return json.dump();
}

}  // namespace

TEST_CASE("a secret in a message, a draft, a title or a reply is in none of the store's files") {
  SecretStore store;
  const Id chat = store.chat();
  must(keep_draft(store.database, chat, "use " + token));
  CHECK(must(session(store.database, chat)).draft == "use [secret: GitHub token]");
  CHECK_FALSE(store.in_files(token));

  const auto message = store.say(chat, "use " + token + " and the port 5433");
  CHECK(message.text == "use [secret: GitHub token] and the port 5433");
  CHECK(message.kept_out == "1 GitHub token");
  CHECK(must(session(store.database, chat)).title == message.text);

  Turn partial;
  partial.parent = message.id;
  partial.text = "I will use " + token + " for it";
  must(keep_partial(store.database, partial, "editor"));
  CHECK_FALSE(store.in_files(token));

  Turn reply = partial;
  reply.state = TurnState::done;
  reply.content = blocks({{"text", partial.text}});
  const auto kept = must(keep_reply(store.database, reply, {message.id}, "editor"));
  CHECK(kept.text == "I will use [secret: GitHub token] for it");
  CHECK(kept.content == blocks({{"text", kept.text}}));
  CHECK(kept.kept_out == "1 GitHub token");

  CHECK(store.in_files("the port 5433"));
  CHECK_FALSE(store.in_files(token));
  CHECK_FALSE(store.in_files(token.substr(0, 12)));
  for (const auto& item : must(feed(store.database, {}, 0)).put) {
    CAPTURE(item.text);
    CHECK(item.text.find(token) == std::string::npos);
  }
}

TEST_CASE("a secret in what is remembered, its quotation or a probe is in none of the store's files") {
  SecretStore store;
  const auto message = store.say(store.chat(), "My password is tiger77, and I like tea.");
  MemoryDraft draft;
  draft.text = "The password of staging is tiger77.";
  draft.evidence = {{message.id, "My password is tiger77"}};
  const auto added = must(add_memory(store.database, draft, nullptr));
  CHECK(added.memory.text == "The password of staging is [secret: password].");
  CHECK(added.kept_out == "1 password");
  ProbeDraft probe;
  probe.query = "Is my password tiger77? My password is tiger77";
  must(add_probe(store.database, probe));
  CHECK_FALSE(store.in_files("My password is tiger77"));
  CHECK_FALSE(store.in_files("staging is tiger77"));
}

TEST_CASE("nothing is remembered when there is only a secret") {
  SecretStore store;
  MemoryDraft draft;
  draft.text = token + ".";
  CHECK(kind_of(add_memory(store.database, draft, nullptr)) == ErrorKind::invalid);
  CHECK(store.count("SELECT count(*) FROM memory") == 0);
  CHECK_FALSE(store.in_files(token));
}

TEST_CASE("what a user keeps private or has a pattern for is not stored") {
  SecretStore store;
  store.database.keep_out(must(text::SecretPatterns::from({"ACME-*"})));
  const auto message = store.say(store.chat(), "For ACME-1234: <private>she is ill</private> call back.");
  CHECK(message.text == "For [secret: own pattern]: [private] call back.");
  CHECK(message.kept_out == "1 own pattern and 1 private part");
  CHECK_FALSE(store.in_files("ACME-1234"));
  CHECK(store.answer(message.id, "As she is ill, I will.").text == "As [secret: private part], I will.");
  CHECK_FALSE(store.in_files("she is ill"));
}

TEST_CASE("a password that was told is kept out of the reply that repeats it, and of no other chat") {
  SecretStore store;
  const Id chat = store.chat();
  const auto message = store.say(chat, "My password is tiger77.");
  CHECK(store.answer(message.id, "Change tiger77 soon.").text == "Change [secret: password] soon.");
  CHECK_FALSE(store.in_files("tiger77"));
  CHECK(store.say(store.chat(), "What is tiger77?").text == "What is tiger77?");
}

TEST_CASE("a private key that was pasted is kept out of the reply that repeats its lines alone") {
  SecretStore store;
  const Id chat = store.chat();
  const std::string first = "MIIBa8Kf02Lq9Zx7Wm3Rt5Yb1Nc4Vd6a8Kf02Lq9Zx7Wm3Rt5Yb1Nc4Vd6xyz0";
  const std::string second = "Zx7Wm3Rt5Yb1Nc4Vd6a8Kf02Lq9Zx7Wm3Rt5Yb1Nc4Vd6a8Kf02Lq9Zx7Wm3Rt5";
  const std::string dashes = "-----";
  const auto message = store.say(chat, dashes + "BEGIN RSA PRIVATE KEY" + dashes + "\n" + first + "\n" + second + "\n" +
                                           dashes + "END RSA PRIVATE KEY" + dashes + "\nWhich format is that?");
  store.answer(message.id, "I have seen " + first + " and\n" + second + "\nin it.");
  CHECK_FALSE(store.in_files(first));
  CHECK_FALSE(store.in_files(second));
}

TEST_CASE("half a password in a draft is no password in the message") {
  SecretStore store;
  const Id chat = store.chat();
  must(keep_draft(store.database, chat, "my password is dragon"));
  CHECK(must(session(store.database, chat)).draft == "my password is [secret: password]");
  CHECK(store.say(chat, "What is a dragon tree?").text == "What is a dragon tree?");
}

TEST_CASE("a private part is the user's own: a reply about the tag is kept whole") {
  SecretStore store;
  const auto message = store.say(store.chat(), "What does the tag do?");
  CHECK(store.answer(message.id, "Write <private> before it.").text == "Write <private> before it.");
}

TEST_CASE("thinking is not sent again from where the log is not what was sent") {
  TestStore store;
  const Id chat = must(new_session(store.database, store.project("/p"))).id;
  const auto content = blocks({{"thinking", "They like tea."}, {"text", "Noted."}});
  const auto first = store.answer(store.say(chat, "I like tea.").id, "Noted.", TurnState::done, content);
  CHECK(first.content == content);
  CHECK(must(session(store.database, chat)).thinking_from == no_id);

  const auto second = store.answer(store.say(chat, "Use " + token).id, "Noted.", TurnState::done, content);
  CHECK(second.content == content);
  CHECK(must(session(store.database, chat)).thinking_from == second.id + 1);

  store.answer(store.say(chat, "I like milk.").id, "Noted.", TurnState::done, content);
  CHECK(must(session(store.database, chat)).thinking_from == second.id + 1);

  const auto leaky = store.answer(store.say(chat, "And now?").id, "Use " + token, TurnState::done,
                                  blocks({{"thinking", "Hm."}, {"text", "Use " + token}}));
  CHECK(must(session(store.database, chat)).thinking_from == leaky.id + 1);
}

TEST_CASE("a thinking block that holds a secret goes as a whole, the others stay as they came") {
  SecretStore store;
  const auto message = store.say(store.chat(), "Which token?");
  const auto reply = store.answer(message.id, "None.", TurnState::done,
                                  blocks({{"thinking", "Is it " + token}, {"thinking", "No."}, {"text", "None."}}));
  CHECK(reply.content == blocks({{"thinking", "No."}, {"text", "None."}}));
  CHECK(reply.kept_out == "1 thought");
  CHECK_FALSE(store.in_files(token));
}

TEST_CASE("a secret in a block that is no text counts as well") {
  SecretStore store;
  const Id chat = store.chat();
  const std::string signature = "sk-" + token.substr(4);
  const std::string tool = R"([{"type":"tool_use","id":")" + signature + R"(","input":{"key":")" + token + R"("}}])";
  const auto reply = store.answer(store.say(chat, "Look.").id, "Looking.", TurnState::done, tool);
  CHECK(reply.kept_out == "1 secret");
  CHECK(must(session(store.database, chat)).thinking_from == reply.id + 1);
  const std::string both = R"([{"type":"text","text":"Looking."},)" + tool.substr(1);
  const auto other = store.answer(store.say(chat, "Look.").id, "Looking.", TurnState::done, both);
  CHECK(other.content.find(R"("input":{"key":"[secret: GitHub token]"})") != std::string::npos);
  CHECK(other.content.find(signature) != std::string::npos);
}

TEST_CASE("a reply whose secret lies across blocks is its text alone") {
  SecretStore store;
  const auto message = store.say(store.chat(), "Which token?");
  const auto reply = store.answer(message.id, "Use " + token, TurnState::done,
                                  blocks({{"text", "Use " + token.substr(0, 9)}, {"text", token.substr(9)}}));
  CHECK(reply.text == "Use [secret: GitHub token]");
  CHECK(reply.content.empty());
  CHECK_FALSE(store.in_files(token.substr(9)));
}

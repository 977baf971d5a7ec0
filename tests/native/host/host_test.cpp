// The host as an editor sees it: calls in, the door and responses out; the store is real, Claude is played by the test.
#include "host/host.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/limits.h"
#include "host/recorder.h"
#include "http/fake.h"
#include "rpc/codec.h"
#include "store/memories.h"
#include "support/catch.h"
#include "support/fakes.h"
#include "support/manual_loop.h"
#include "support/temporary.h"

using namespace selfmind;
using rpc::Array;
using rpc::Map;
using rpc::Value;

namespace {

class PlayedTransport final : public rpc::Transport {
 public:
  void write(std::string sent) override {
    auto decoded = sent_.feed(sent);
    REQUIRE(decoded.ok());
    messages.insert(messages.end(), decoded->begin(), decoded->end());
  }
  void start(std::function<void(std::string_view)> on_bytes, std::function<void(const Error*)> on_end) override {
    bytes = std::move(on_bytes);
    end = std::move(on_end);
  }
  std::function<void(std::string_view)> bytes;
  std::function<void(const Error*)> end;
  std::vector<rpc::Message> messages;

 private:
  rpc::Decoder sent_;
};

// One editor with its host.
struct Editor {
  test::TemporaryFolder folder;
  test::ManualLoop loop;
  PlayedTransport transport;
  http::FakeHttp http;
  SystemClock clock;
  RandomIds ids;
  std::map<std::string, std::string> environment = {{"ANTHROPIC_API_KEY", "  key-of-the-test\n"}};
  bool ended = false;
  bool in_time = false;
  std::int64_t next_id = 1;
  std::unique_ptr<host::Recorder> recorder;
  std::unique_ptr<host::Host> host;

  Editor() { start(); }

  void start() {
    ended = false;
    host = std::make_unique<host::Host>(
        loop, transport, http, clock, ids,
        [this](const char* name) {
          const auto found = environment.find(name);
          return found == environment.end() ? nullptr : found->second.c_str();
        },
        [this](bool clean) {
          ended = true;
          in_time = clean;
        },
        recorder.get());
    host->start();
  }

  std::int64_t send(const std::string& method, Map params) {
    const auto id = next_id++;
    transport.bytes(rpc::encode(rpc::Notification{method, {id, Value(std::move(params))}}));
    return id;
  }

  // What came through the door: [name, payload].
  std::vector<std::pair<std::string, Value>> door() const {
    std::vector<std::pair<std::string, Value>> events;
    for (const auto& message : transport.messages) {
      const auto* notification = std::get_if<rpc::Notification>(&message);
      if (!notification || notification->method != "nvim_exec_lua") continue;
      const auto& args = *notification->params.at(1).as_array();
      events.emplace_back(*args.at(0).as_string(), args.at(1));
    }
    return events;
  }

  const Value* event(const std::string& name) {
    static std::vector<std::pair<std::string, Value>> events;
    events = door();
    const auto found = std::find_if(events.rbegin(), events.rend(), [&](const auto& e) { return e.first == name; });
    return found == events.rend() ? nullptr : &found->second;
  }

  Value wait_event(const std::string& name) {
    INFO(name);
    REQUIRE(loop.run_until([&] { return event(name) != nullptr; }));
    return *event(name);
  }

  Value reply(std::int64_t id) {
    const auto find = [&]() -> const Value* {
      static Value found;
      for (const auto& [name, payload] : door()) {
        if (name == "reply" && *payload.find("id")->as_int() == id) {
          found = payload;
          return &found;
        }
      }
      return nullptr;
    };
    REQUIRE(loop.run_until([&] { return find() != nullptr; }));
    return *find();
  }

  Value result(std::int64_t id) {
    const Value answer = reply(id);
    if (const auto* error = answer.find("error")) FAIL(*error->find("message")->as_string());
    return *answer.find("result");
  }

  // As a script asks.
  std::uint32_t request(const std::string& method, Map params) {
    const auto id = static_cast<std::uint32_t>(next_id++);
    transport.bytes(rpc::encode(rpc::Request{id, method, {Value(std::move(params))}}));
    return id;
  }

  const rpc::Response* response(std::uint32_t id) const {
    for (const auto& message : transport.messages) {
      const auto* response = std::get_if<rpc::Response>(&message);
      if (response && response->id == id) return response;
    }
    return nullptr;
  }

  Value answer(std::uint32_t id) {
    REQUIRE(loop.run_until([&] { return response(id) != nullptr; }));
    REQUIRE(response(id)->error.is_nil());
    return response(id)->result;
  }

  std::string error(std::int64_t id) {
    const Value answer = reply(id);
    REQUIRE(answer.find("error"));
    return *answer.find("error")->find("message")->as_string();
  }

  Value hello(Map settings = {}) {
    settings.emplace_back("db", (folder.path() / "store" / "memory.db").string());
    return result(send("hello", {{"protocol", 1}, {"plugin", "test"}, {"settings", std::move(settings)}}));
  }

  Map in_folder(Map params = {}) {
    params.emplace_back("folder", folder.path().string());
    return params;
  }

  std::int64_t open_chat() { return *result(send("chat.open", in_folder())).find("chat")->as_int(); }

  void stream(std::size_t request, std::string_view text, bool end = true) {
    auto& exchange = http.at(request);
    exchange.head(200, {{"content-type", "text/event-stream"}});
    exchange.body(R"(event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-4-8","content":[],"stop_reason":null,"usage":{"input_tokens":5,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

)");
    std::string escaped;
    for (const char c : text) escaped += c == '"' ? std::string("\\\"") : std::string(1, c);
    exchange.body(
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
        "{\"type\":\"text_delta\",\"text\":\"" +
        escaped + "\"}}\n\n");
    if (!end) return;
    exchange.body(R"(event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":9}}

event: message_stop
data: {"type":"message_stop"}

)");
    exchange.end();
  }

  void wait_request(std::size_t count) {
    REQUIRE(loop.run_until([&] { return http.count() >= count; }));
  }

  void quit() {
    transport.end(nullptr);
    REQUIRE(loop.run_until([&] { return ended; }));
    host.reset();
    transport.messages.clear();
  }
};

std::string text_at(const Value& value, std::string_view key) { return *value.find(key)->as_string(); }

}  // namespace

TEST_CASE("a call before hello, an unknown method and a wrong parameter are answered with one sentence") {
  Editor editor;
  CHECK(editor.error(editor.send("memory.list", editor.in_folder())).find("not open") != std::string::npos);
  CHECK(editor.error(editor.send("memory.guess", {})).find("memory.guess") != std::string::npos);
  editor.hello();
  CHECK(editor.error(editor.send("memory.list", {})).find("folder") != std::string::npos);
  CHECK(editor.error(editor.send("memory.list", editor.in_folder({{"colour", 1}}))).find("colour") !=
        std::string::npos);
  CHECK(editor.error(editor.send("turn.start", {{"chat", 1}, {"text", " \n"}})).find("empty") != std::string::npos);
}

TEST_CASE("an older or newer plugin is told how to mend it") {
  Editor editor;
  auto message = editor.error(editor.send("hello", {{"protocol", 99}, {"plugin", "x"}, {"settings", Map{}}}));
  CHECK(message.find("make build") != std::string::npos);
  message = editor.error(editor.send("hello", {{"protocol", 0}, {"plugin", "x"}, {"settings", Map{}}}));
  CHECK(message.find("restart Neovim") != std::string::npos);
}

TEST_CASE("a folder with a NUL byte in its name is refused") {
  Editor editor;
  editor.hello();
  const std::string folder("/tmp/a\0b", 8);
  CHECK(editor.error(editor.send("memory.list", {{"folder", folder}})).find("NUL") != std::string::npos);
  CHECK(editor.error(editor.send("chat.open", {{"folder", folder}})).find("NUL") != std::string::npos);
}

TEST_CASE("a host that records writes down its turns and its learning, without the key") {
  Editor editor;
  editor.recorder = std::move(*host::Recorder::open(editor.folder / "record", editor.clock));
  editor.start();
  editor.hello();
  editor.result(editor.send("key.set", {{"api_key", "key-by-function"}}));
  const auto chat = editor.open_chat();
  editor.result(editor.send("turn.start", {{"chat", chat}, {"text", "My key is key-by-function, my port 5433."}}));
  editor.wait_request(1);
  editor.stream(0, "Noted, key-of-the-test.");
  editor.wait_request(2);
  editor.stream(1, R"({"memories":[]})");
  const auto learned = [&] { return editor.folder.read("record").find("{\"show_learned\":") != std::string::npos; };
  REQUIRE(editor.loop.run_until(learned));
  const auto text = editor.folder.read("record");
  for (const char* part : {R"("settings":{"chat_model")", R"("begin":1,)", R"("begin":"learning")", R"({"started":)",
                           R"({"show_done":)", R"({"leased":)"}) {
    INFO(part);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(text.find("key-of-the-test") == std::string::npos);
  CHECK(text.find("key-by-function") == std::string::npos);
  editor.quit();
}

TEST_CASE("a setting out of its range is refused and the next hello works") {
  Editor editor;
  const auto message =
      editor.error(editor.send("hello", {{"protocol", 1}, {"plugin", "x"}, {"settings", Map{{"top_k", 0}}}}));
  CHECK(message.find("top_k") != std::string::npos);
  CHECK(*editor.hello().find("protocol")->as_int() == 1);
}

TEST_CASE("a memory remembered in one breath with quitting is stored") {
  Editor editor;
  Map settings{{"db", (editor.folder.path() / "memory.db").string()}};
  // All of it is in the pipe before the host runs once.
  editor.transport.bytes(
      rpc::encode(rpc::Notification{"hello", {1, Map{{"protocol", 1}, {"plugin", "x"}, {"settings", settings}}}}) +
      rpc::encode(
          rpc::Notification{"memory.remember", {2, Value(editor.in_folder({{"text", "The user quits fast."}}))}}));
  editor.quit();
  CHECK(editor.in_time);
  editor.start();
  editor.result(editor.send("hello", {{"protocol", 1}, {"plugin", "x"}, {"settings", settings}}));
  const auto list = editor.result(editor.send("memory.list", editor.in_folder()));
  REQUIRE(list.find("memories")->as_array()->size() == 1);
  CHECK(text_at(list.find("memories")->as_array()->front(), "text") == "The user quits fast.");
}

TEST_CASE("a turn goes from the message to the memory, and the next editor's request carries it") {
  Editor editor;
  editor.hello();
  const auto chat = editor.open_chat();
  editor.result(editor.send("turn.start", {{"chat", chat}, {"text", "My staging database listens on port 5433."}}));
  editor.wait_request(1);
  const auto& request = editor.http.at(0).request();
  CHECK(request.url == "https://api.anthropic.com/v1/messages");
  CHECK(*http::find(request.headers, "x-api-key") == "key-of-the-test");
  CHECK(request.body.find("key-of-the-test") == std::string::npos);
  CHECK(request.body.find("recalled_memories date") == std::string::npos);
  editor.stream(0, "Noted.");
  const auto done = editor.wait_event("turn/done");
  CHECK(text_at(done, "state") == "done");
  CHECK(text_at(*editor.event("turn/text"), "text") == "Noted.");

  editor.wait_request(2);  // the manager asks
  CHECK(editor.http.at(1).request().body.find("json_schema") != std::string::npos);
  editor.stream(
      1,
      R"({"memories":[{"text":"The staging database of the user listens on port 5433.","kind":"fact","quote":"My staging database listens on port 5433."}]})");
  const auto learned = editor.wait_event("learn/done");
  CHECK(learned.find("stored")->as_array()->size() == 1);
  editor.quit();

  editor.start();
  editor.hello();
  const auto fresh =
      *editor.result(editor.send("chat.open", editor.in_folder({{"fresh", true}}))).find("chat")->as_int();
  CHECK(fresh != chat);
  editor.send("turn.start", {{"chat", fresh}, {"text", "Which port does staging listen on?"}});
  editor.wait_request(3);
  const auto& body = editor.http.at(2).request().body;
  CHECK(body.find("<recalled_memories date=") != std::string::npos);
  CHECK(body.find("The staging database of the user listens on port 5433.") != std::string::npos);
  // Its source turn says nothing that the memory does not.
  CHECK(body.find("My staging database") == std::string::npos);
  CHECK(editor.event("turn/recalled")->find("hits")->as_array()->size() == 1);
}

TEST_CASE("stopping closes the connection and keeps what had come, marked so") {
  Editor editor;
  editor.hello();
  const auto chat = editor.open_chat();
  editor.send("turn.start", {{"chat", chat}, {"text", "Tell me a story"}});
  editor.wait_request(1);
  editor.stream(0, "Once upon", /*end=*/false);
  editor.wait_event("turn/text");
  CHECK(editor.error(editor.send("turn.start", {{"chat", chat}, {"text", "another"}})).find("stop") !=
        std::string::npos);
  CHECK(*editor.result(editor.send("turn.stop", {{"chat", chat}})).find("stopped")->as_bool());
  CHECK(editor.http.at(0).cancelled());
  CHECK(text_at(editor.wait_event("turn/done"), "state") == "stopped");
  const auto again = editor.result(editor.send("chat.open", editor.in_folder()));
  const auto& turns = *again.find("turns")->as_array();
  REQUIRE(turns.size() == 2);
  CHECK(text_at(turns[1], "state") == "stopped");
  CHECK(text_at(turns[1], "text") == "Once upon");
  CHECK_FALSE(*editor.result(editor.send("turn.stop", {{"chat", chat}})).find("stopped")->as_bool());
}

TEST_CASE("a chat that is deleted while a reply is written there stops it and leaves nothing") {
  Editor editor;
  editor.hello();
  const auto chat = editor.open_chat();
  editor.send("turn.start", {{"chat", chat}, {"text", "Tell me a story of the harbour"}});
  editor.wait_request(1);
  editor.stream(0, "Once upon a time at the harbour", /*end=*/false);
  editor.wait_event("turn/text");
  const auto would = editor.result(editor.send("chat.forget", {{"chat", chat}, {"dry_run", true}}));
  CHECK(text_at(would, "name") == "Tell me a story of the harbour");
  CHECK_FALSE(editor.http.at(0).cancelled());
  const auto gone = editor.result(editor.send("chat.forget", {{"chat", chat}}));
  CHECK(editor.http.at(0).cancelled());
  CHECK(*gone.find("turns_gone")->as_int() == 2);
  CHECK(*gone.find("chats")->as_array()->at(0).as_int() == chat);
  CHECK_FALSE(*gone.find("remains")->as_bool());
  CHECK(editor.error(editor.send("turn.start", {{"chat", chat}, {"text", "Go on"}})).find("no chat") !=
        std::string::npos);
  CHECK(editor.error(editor.send("chat.forget", {{"chat", chat}})).find("no chat") != std::string::npos);
  CHECK(editor.result(editor.send("memory.recall", editor.in_folder({{"query", "harbour"}})))
            .find("hits")
            ->as_array()
            ->empty());
  CHECK(*editor.result(editor.send("stats", editor.in_folder())).find("queue")->as_int() == 0);
}

TEST_CASE("a project is deleted with its memories, and its folder starts anew") {
  Editor editor;
  editor.hello();
  const auto chat = editor.open_chat();
  editor.result(editor.send("memory.remember", editor.in_folder({{"text", "The user likes tea."}})));
  const auto would = editor.result(editor.send("project.forget", editor.in_folder({{"dry_run", true}})));
  CHECK(would.find("kept")->as_array()->size() == 1);
  CHECK(would.find("chats")->as_array()->size() == 1);
  const auto gone = editor.result(editor.send("project.forget", editor.in_folder({{"memories", true}})));
  CHECK(gone.find("memories")->as_array()->size() == 1);
  CHECK(editor.result(editor.send("memory.list", editor.in_folder())).find("memories")->as_array()->empty());
  CHECK(editor.error(editor.send("project.forget", editor.in_folder())).find("no project") != std::string::npos);
  CHECK(editor.open_chat() != chat);
}

TEST_CASE("an editor that quits mid-stream keeps what had come") {
  Editor editor;
  editor.hello();
  const auto chat = editor.open_chat();
  editor.send("turn.start", {{"chat", chat}, {"text", "Tell me a story"}});
  editor.wait_request(1);
  editor.stream(0, "Once upon", /*end=*/false);
  editor.quit();
  CHECK(editor.in_time);
  editor.start();
  editor.hello();
  const auto turns = *editor.result(editor.send("chat.open", editor.in_folder())).find("turns")->as_array();
  REQUIRE(turns.size() == 2);
  CHECK(text_at(turns[1], "text") == "Once upon");
  // It is learned from at a later chance.
  CHECK(*editor.result(editor.send("stats", editor.in_folder())).find("queue")->as_int() == 1);
}

TEST_CASE("a refused key is one line, the message can be sent again, and learning is not tried") {
  Editor editor;
  editor.hello();
  const auto chat = editor.open_chat();
  editor.send("turn.start", {{"chat", chat}, {"text", "My port is 5433."}});
  editor.wait_request(1);
  editor.http.at(0).head(401, {{"content-type", "application/json"}});
  editor.http.at(0).body(R"({"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}})");
  editor.http.at(0).end();
  const auto done = editor.wait_event("turn/done");
  CHECK(text_at(done, "state") == "failed");
  CHECK(text_at(done, "notice").find("ANTHROPIC_API_KEY") != std::string::npos);
  CHECK(text_at(done, "notice").find('\n') == std::string::npos);
  editor.result(editor.send("turn.retry", {{"chat", chat}}));
  editor.wait_request(2);
  editor.stream(1, "Now it works.");
  REQUIRE(editor.loop.run_until([&] { return text_at(*editor.event("turn/done"), "state") == "done"; }));
  CHECK(editor.http.at(1).request().body == editor.http.at(0).request().body);
}

TEST_CASE("the tokens and the cost of a reply come with its end and with the chat; an unknown price is no price") {
  for (const std::string model : {"claude-opus-4-8", "a-model-of-my-own"}) {
    Editor editor;
    editor.hello({{"chat_model", model}, {"learning", "off"}});
    const auto chat = editor.open_chat();
    editor.send("turn.start", {{"chat", chat}, {"text", "Hello."}});
    editor.wait_request(1);
    editor.stream(0, "Hello.");
    const auto done = editor.wait_event("turn/done");
    const auto opened = editor.result(editor.send("chat.open", editor.in_folder()));
    const auto& turns = *opened.find("turns")->as_array();
    REQUIRE(turns.size() == 2);
    CHECK_FALSE(turns[0].find("usage"));
    for (const Value& reply : {done, turns[1]}) {
      CHECK(*reply.find("usage")->find("input")->as_int() == 5);
      CHECK(*reply.find("usage")->find("output")->as_int() == 9);
      const auto* cost = reply.find("cost_usd");
      REQUIRE((cost != nullptr) == (model == "claude-opus-4-8"));
      if (cost) CHECK(*cost->as_double() == Approx(5 * 5e-6 + 9 * 25e-6));
    }
  }
}

TEST_CASE("without a key a message is kept and answered from memory, and goes along with the next when there is one") {
  Editor editor;
  editor.environment.clear();
  CHECK_FALSE(*editor.hello().find("online")->as_bool());
  auto chat = editor.open_chat();
  editor.send("turn.start", {{"chat", chat}, {"text", "My staging port is 5433."}});
  auto done = editor.wait_event("turn/done");
  CHECK(text_at(done, "state") == "offline");
  chat = *editor.result(editor.send("chat.open", editor.in_folder({{"fresh", true}}))).find("chat")->as_int();
  editor.transport.messages.clear();
  editor.send("turn.start", {{"chat", chat}, {"text", "What is the port of staging?"}});
  editor.wait_event("turn/done");
  CHECK(text_at(*editor.event("turn/text"), "text").find("staging port is 5433.") != std::string::npos);
  CHECK(editor.http.count() == 0);

  editor.result(editor.send("key.set", {{"api_key", " late key \n"}}));
  editor.result(editor.send("turn.retry", {{"chat", chat}}));
  editor.wait_request(1);
  const auto& request = editor.http.at(0).request();
  CHECK(*http::find(request.headers, "x-api-key") == "late key");
  CHECK(request.body.find("assistant") == std::string::npos);  // the offline answer is never sent
  CHECK(request.body.find("No model was asked") == std::string::npos);
}

TEST_CASE("another server needs no key") {
  Editor editor;
  editor.environment.clear();
  CHECK(*editor.hello({{"base_url", "http://localhost:8080/"}}).find("online")->as_bool());
  const auto chat = editor.open_chat();
  editor.send("turn.start", {{"chat", chat}, {"text", "Hello"}});
  editor.wait_request(1);
  const auto& request = editor.http.at(0).request();
  CHECK(request.url == "http://localhost:8080/v1/messages");
  CHECK(!http::find(request.headers, "x-api-key"));
  CHECK(!http::find(request.headers, "authorization"));
}

TEST_CASE("learning that is off asks nothing and queues nothing") {
  Editor editor;
  editor.hello({{"learning", "off"}});
  const auto chat = editor.open_chat();
  editor.send("turn.start", {{"chat", chat}, {"text", "My port is 5433."}});
  editor.wait_request(1);
  editor.stream(0, "Noted.");
  editor.wait_event("turn/done");
  const auto stats = editor.result(editor.send("stats", editor.in_folder()));
  CHECK(*stats.find("queue")->as_int() == 0);
  CHECK(editor.http.count() == 1);
}

TEST_CASE("a failed learn step is one quiet line and the turn stays queued") {
  Editor editor;
  editor.hello();
  const auto chat = editor.open_chat();
  editor.send("turn.start", {{"chat", chat}, {"text", "My port is 5433."}});
  editor.wait_request(1);
  editor.stream(0, "Noted.");
  editor.wait_request(2);
  editor.http.at(1).fail({ErrorKind::network, "The server at api.anthropic.com was not reached."});
  const auto failed = editor.wait_event("learn/failed");
  CHECK(text_at(failed, "notice").find('\n') == std::string::npos);
  CHECK(*editor.result(editor.send("stats", editor.in_folder())).find("queue")->as_int() == 1);
}

TEST_CASE("one project's memories are neither listed nor recalled in another") {
  Editor editor;
  editor.hello();
  test::TemporaryFolder other;
  editor.result(editor.send("memory.remember", editor.in_folder({{"text", "The secret port is 1."}})));
  editor.result(editor.send("memory.remember", {{"folder", other.path().string()}, {"text", "The public port is 2."}}));
  editor.result(editor.send("memory.remember",
                            {{"folder", other.path().string()}, {"text", "The global port is 3."}, {"global", true}}));
  const auto list = editor.result(editor.send("memory.list", {{"folder", other.path().string()}}));
  for (const auto& memory : *list.find("memories")->as_array())
    CHECK(text_at(memory, "text").find("secret") == std::string::npos);
  CHECK(list.find("memories")->as_array()->size() == 2);
  const auto hits = editor.result(editor.send("memory.recall", {{"folder", other.path().string()}, {"query", "port"}}));
  CHECK(hits.find("hits")->as_array()->size() == 2);
  const auto chat =
      *editor.result(editor.send("chat.open", {{"folder", other.path().string()}})).find("chat")->as_int();
  editor.send("turn.start", {{"chat", chat}, {"text", "Which port?"}});
  editor.wait_request(1);
  CHECK(editor.http.at(0).request().body.find("secret") == std::string::npos);
  CHECK(editor.http.at(0).request().body.find("public") != std::string::npos);
}

TEST_CASE("SIGTERM ends the host after what is in the pipe was read") {
  Editor editor;
  editor.hello();
  editor.host->terminate();
  const auto id = editor.send("memory.remember", editor.in_folder({{"text", "The user is leaving."}}));
  editor.loop.advance(std::chrono::milliseconds(20));
  REQUIRE(editor.loop.run_until([&] { return editor.ended; }));
  CHECK(text_at(editor.result(id), "state") == "stored");
}

TEST_CASE("a store that does not finish is not waited for longer than a second") {
  Editor editor;
  editor.hello();
  editor.transport.end(nullptr);
  editor.loop.advance(std::chrono::milliseconds(1000));  // before anything the worker posts is run
  CHECK(editor.ended);
  CHECK_FALSE(editor.in_time);
  editor.loop.run_until([] { return true; });
}

TEST_CASE("text reaches the editor at once and then in pieces, all of it before the end") {
  Editor editor;
  editor.hello();
  const auto chat = editor.open_chat();
  editor.send("turn.start", {{"chat", chat}, {"text", "Count"}});
  editor.wait_request(1);
  editor.stream(0, "one", /*end=*/false);
  const auto more = [&](const char* text) {
    editor.http.at(0).body(
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
        "{\"type\":\"text_delta\",\"text\":\"" +
        std::string(text) + "\"}}\n\n");
  };
  const auto texts = [&] {
    std::vector<std::string> all;
    for (const auto& [name, payload] : editor.door()) {
      if (name == "turn/text") all.push_back(text_at(payload, "text"));
    }
    return all;
  };
  CHECK(texts() == std::vector<std::string>{"one"});
  more(" two");
  more(" three");
  CHECK(texts().size() == 1);
  editor.loop.advance(std::chrono::milliseconds(40));
  CHECK(texts() == std::vector<std::string>{"one", " two three"});
  more(" four");
  editor.send("turn.stop", {{"chat", chat}});
  editor.wait_event("turn/done");
  CHECK(texts() == std::vector<std::string>{"one", " two three", " four"});
}

namespace {

// How often the editor was told that the list of memories is not what it was.
std::ptrdiff_t changes_told(const Editor& editor) {
  const auto events = editor.door();
  return std::count_if(events.begin(), events.end(), [](const auto& e) { return e.first == "memories/changed"; });
}

// Another process on the editor's store, which takes all of it when it is told to and keeps it. Made before anything
// that starts threads.
class Occupant {
 public:
  explicit Occupant(std::string path) {
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends_) == 0);
    pid_ = ::fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) occupy(path);
  }
  ~Occupant() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  void take() { tell('+'); }
  void give_back() { tell('-'); }

 private:
  void tell(char what) {
    char answer = 0;
    REQUIRE(::write(ends_[0], &what, 1) == 1);
    REQUIRE(::read(ends_[0], &answer, 1) == 1);
    REQUIRE(answer == what);
  }
  [[noreturn]] void occupy(const std::string& path) {
    SystemClock clock;
    RandomIds ids;
    char what = 0;
    while (::read(ends_[1], &what, 1) == 1) {
      auto database = store::Database::open(path, clock, ids);
      if (!database || !database->execute("BEGIN EXCLUSIVE").ok()) ::_exit(1);
      // Until it is told to give it back, or the test is over.
      if (::write(ends_[1], &what, 1) != 1 || ::read(ends_[1], &what, 1) != 1) ::_exit(1);
      if (!database->execute("ROLLBACK").ok() || ::write(ends_[1], &what, 1) != 1) ::_exit(1);
    }
    ::_exit(0);
  }

  int ends_[2] = {-1, -1};
  pid_t pid_ = 0;
};

}  // namespace

TEST_CASE("what another editor remembers or forgets is told to this idle one at its next look, once") {
  Editor here;
  Editor there;
  const Map there_too{{"db", (here.folder.path() / "store" / "memory.db").string()}};
  here.hello();
  there.result(there.send("hello", {{"protocol", 1}, {"plugin", "test"}, {"settings", there_too}}));
  const auto remember = [&](const char* text) {
    return *there.result(there.send("memory.remember", here.in_folder({{"text", text}}))).find("id")->as_int();
  };
  const auto id = remember("The user likes tea.");
  remember("The user takes it without sugar.");
  here.loop.advance(std::chrono::milliseconds(500));
  here.wait_event("memories/changed");
  CHECK(here.result(here.send("memory.list", here.in_folder())).find("memories")->as_array()->size() == 2);
  CHECK(changes_told(here) == 1);

  there.result(there.send("memory.forget", {{"ids", Array{id}}}));
  here.loop.advance(std::chrono::milliseconds(500));
  REQUIRE(here.loop.run_until([&] { return changes_told(here) == 2; }));
  CHECK(here.result(here.send("memory.list", here.in_folder())).find("memories")->as_array()->size() == 1);

  // Messages are no memories, and nothing new is nothing to tell.
  const auto chat = *there.result(there.send("chat.open", here.in_folder())).find("chat")->as_int();
  there.result(there.send("turn.start", {{"chat", chat}, {"text", "Do I take sugar?"}}));
  for (int i = 0; i < 3; ++i) {
    here.loop.advance(std::chrono::milliseconds(500));
    here.result(here.send("stats", here.in_folder()));
  }
  CHECK(changes_told(here) == 2);
}

TEST_CASE("an editor is told of its own changes once, and not of what changed nothing") {
  Editor editor;
  editor.hello();
  CHECK(changes_told(editor) == 0);
  const auto id = *editor.result(editor.send("memory.remember", editor.in_folder({{"text", "The user likes tea."}})))
                       .find("id")
                       ->as_int();
  editor.result(editor.send("stats", editor.in_folder()));
  CHECK(changes_told(editor) == 1);
  editor.result(editor.send("memory.remember", editor.in_folder({{"text", "The user likes tea."}})));
  editor.result(editor.send("memory.forget", {{"ids", Array{id}}, {"dry_run", true}}));
  editor.result(editor.send("stats", editor.in_folder()));
  CHECK(changes_told(editor) == 1);
  editor.result(editor.send("memory.forget", {{"ids", Array{id}}}));
  editor.loop.advance(std::chrono::milliseconds(500));
  editor.result(editor.send("stats", editor.in_folder()));
  CHECK(changes_told(editor) == 2);
}

TEST_CASE("a recall sent right behind a remember has what was remembered") {
  Editor editor;
  editor.hello();
  editor.result(editor.send("memory.recall", editor.in_folder({{"query", "tea"}})));
  editor.send("memory.remember", editor.in_folder({{"text", "The user likes tea."}}));
  const auto hits = editor.result(editor.send("memory.recall", editor.in_folder({{"query", "tea"}})));
  CHECK(hits.find("hits")->as_array()->size() == 1);
}

TEST_CASE("the preset of the settings is that of every recall") {
  Editor editor;
  const auto text = "The user likes strong teas.";
  const auto query = "some strongest tea?";  // the same words after stemming alone
  const auto hits = [&] {
    return editor.result(editor.send("memory.recall", editor.in_folder({{"query", query}})))
        .find("hits")
        ->as_array()
        ->size();
  };
  editor.hello();
  editor.result(editor.send("memory.remember", editor.in_folder({{"text", text}})));
  editor.result(editor.send("probe.add", editor.in_folder({{"query", query}, {"memories", Array{1}}})));
  CHECK(hits() == 1);
  editor.quit();

  editor.start();
  const auto greeting = editor.hello({{"retrieval", Map{{"preset", "selfmind"}, {"min_score", 0.5}}}});
  CHECK(text_at(*greeting.find("settings")->find("retrieval.preset"), "value") == "selfmind");
  CHECK(text_at(*greeting.find("useless"), "retrieval.min_score") == "retrieval.preset is \"selfmind\"");
  CHECK(text_at(greeting, "lacking").empty());
  CHECK(hits() == 0);
  const auto report = editor.answer(editor.request("probe.run", editor.in_folder()));
  CHECK(*report.find("recall")->find("3")->as_double() == Approx(0));
  editor.send("turn.start", {{"chat", editor.open_chat()}, {"text", query}});
  CHECK(editor.wait_event("turn/recalled").find("hits")->as_array()->empty());
}

TEST_CASE("the greeting says what the preset lacks") {
  Editor editor;
  const auto greeting = editor.hello({{"retrieval", Map{{"preset", "anamnesis"}}}});
  CHECK(text_at(greeting, "lacking").find("there are no vectors yet") != std::string::npos);
}

TEST_CASE("with no minimum something is found for a question the store knows little of, with the highest nothing") {
  Editor editor;
  const auto hits = [&](double minimum, const char* query) {
    editor.hello({{"retrieval", Map{{"min_score", minimum}}}});
    editor.send("memory.remember",
                editor.in_folder({{"text", "The user has a dentist's appointment about a wisdom tooth."}}));
    const auto found = editor.result(editor.send("memory.recall", editor.in_folder({{"query", query}})));
    editor.quit();
    editor.start();
    return found.find("hits")->as_array()->size();
  };
  const auto* unrelated = "which wisdom does the old philosopher offer about seven lost empires and their fleets?";
  CHECK(hits(0, unrelated) == 1);
  CHECK(hits(1, unrelated) == 0);
  CHECK(hits(1, "dentist's appointment about a wisdom tooth") == 0);
}

TEST_CASE("recall does not wait for a store that another program has locked") {
  const test::TemporaryFolder folder;
  const auto path = folder / "memory.db";
  Occupant other(path);
  Editor editor;
  editor.result(editor.send("hello", {{"protocol", 1}, {"plugin", "x"}, {"settings", Map{{"db", path}}}}));
  editor.result(editor.send("memory.remember", editor.in_folder({{"text", "The user likes tea."}})));
  const auto chat = editor.open_chat();
  other.take();
  const auto turn = editor.send("turn.start", {{"chat", chat}, {"text", "Do I like tea?"}});
  const auto recalling = editor.send("memory.recall", editor.in_folder({{"query", "tea"}}));
  // The message waits for the store, on the worker; recall has its deadline.
  editor.loop.advance(std::chrono::milliseconds(50));
  CHECK(editor.result(recalling).find("hits")->as_array()->size() == 1);
  CHECK(editor.event("turn/recalled") == nullptr);

  other.give_back();
  editor.result(turn);
  const auto recalled = editor.wait_event("turn/recalled");
  CHECK_FALSE(*recalled.find("late")->as_bool());
  CHECK(recalled.find("hits")->as_array()->size() == 1);
}

TEST_CASE("an idle editor beside a locked store quits at once") {
  const test::TemporaryFolder folder;
  const auto path = folder / "memory.db";
  Occupant other(path);
  Editor editor;
  editor.result(editor.send("hello", {{"protocol", 1}, {"plugin", "x"}, {"settings", Map{{"db", path}}}}));
  editor.result(editor.send("stats", editor.in_folder()));
  other.take();
  editor.loop.advance(std::chrono::milliseconds(500));  // it looks, in vain
  const auto start = std::chrono::steady_clock::now();
  editor.quit();
  CHECK(editor.in_time);
  CHECK(std::chrono::steady_clock::now() - start < limits::shutdown);
}

TEST_CASE("probes are added, asked over the index of the host, listed and removed") {
  Editor editor;
  editor.hello();
  editor.result(editor.send("memory.remember", editor.in_folder({{"text", "The user likes tea."}})));
  editor.result(editor.send("memory.remember", editor.in_folder({{"text", "The gate is locked at ten."}})));
  const auto tea =
      editor.result(editor.send("probe.add", editor.in_folder({{"query", "tea?"}, {"memories", Array{1}}})));
  CHECK(*tea.find("expect")->as_array()->at(0).find("id")->as_int() == 1);
  editor.result(editor.send("probe.add", editor.in_folder({{"query", "coffee?"}, {"memories", Array{1, 2}}})));
  editor.result(editor.send("probe.add", editor.in_folder({{"query", "pizza?"}, {"global", true}})));

  const auto report = editor.answer(editor.request("probe.run", editor.in_folder()));
  CHECK(*report.find("n")->as_int() == 3);
  const auto& probes = *report.find("probes")->as_array();
  REQUIRE(probes.size() == 3);
  CHECK(*probes[0].find("expect")->as_array()->at(0).find("place")->as_int() == 1);
  CHECK(probes[1].find("expect")->as_array()->at(0).find("place")->is_nil());
  CHECK(*report.find("recall")->find("3")->as_double() == Approx(0.5));
  CHECK(*report.find("none")->as_double() == Approx(1));

  editor.result(editor.send("probe.remove", {{"id", *tea.find("id")->as_int()}}));
  const auto list = editor.answer(editor.request("probe.list", editor.in_folder()));
  REQUIRE(list.find("probes")->as_array()->size() == 2);
  CHECK(text_at(list.find("probes")->as_array()->at(0), "query") == "coffee?");
}

TEST_CASE("a probe that cannot be kept is one sentence") {
  Editor editor;
  editor.hello();
  CHECK(editor.error(editor.send("probe.add", editor.in_folder({{"query", "tea?"}, {"memories", Array{7}}})))
            .find("no memory 7") != std::string::npos);
  CHECK(editor.error(editor.send("probe.add", editor.in_folder({{"query", "tea?"}, {"turns", Array{7}}})))
            .find("no turn 7") != std::string::npos);
  CHECK(editor.error(editor.send("probe.add", editor.in_folder({{"query", "tea?"}, {"memories", "7"}})))
            .find("list of integers") != std::string::npos);
  CHECK(editor.error(editor.send("probe.remove", {{"id", 7}})).find("no probe 7") != std::string::npos);
  CHECK(editor.result(editor.send("probe.run", editor.in_folder())).find("probes")->as_array()->empty());
}

namespace {

// In the editor's store, before its host: a global memory that was told a year ago and has ended since.
void remember_ended(Editor& editor, std::string_view text) {
  test::FakeClock then(editor.clock.now() - std::chrono::hours(24 * 365));
  auto store = store::Database::open((editor.folder.path() / "store" / "memory.db").string(), then, editor.ids);
  REQUIRE(store.ok());
  store::MemoryDraft draft;
  draft.text = text;
  draft.valid_to = then.now() + std::chrono::hours(72);
  REQUIRE(store::add_memory(*store, draft, nullptr).ok());
}

std::size_t listed(Editor& editor) {
  return editor.result(editor.send("memory.list", editor.in_folder())).find("memories")->as_array()->size();
}

}  // namespace

TEST_CASE("what has ended is archived behind the opening of a chat, told in one event, and taken back by undo") {
  Editor editor;
  remember_ended(editor, "The user is in Lyon until Friday.");
  remember_ended(editor, "The server is read-only until Sunday.");
  editor.hello();
  CHECK(listed(editor) == 2);
  editor.open_chat();
  const auto done = editor.wait_event("upkeep/done");
  CHECK(text_at(done, "why") == "ended");
  CHECK(done.find("archived")->as_array()->size() == 2);
  CHECK(listed(editor) == 0);
  const auto undone = editor.result(editor.send("memory.undo", editor.in_folder()));
  CHECK(text_at(*undone.find("change"), "verb") == "expire");
  CHECK(text_at(*undone.find("change"), "made_by") == "upkeep");
  CHECK(listed(editor) == 2);
}

TEST_CASE("upkeep runs once a day, and again in the next editor") {
  Editor editor;
  remember_ended(editor, "The server is read-only until Sunday.");
  editor.hello();
  editor.open_chat();
  editor.wait_event("upkeep/done");
  remember_ended(editor, "The user is in Lyon until Friday.");
  const auto chat = editor.open_chat();
  editor.send("turn.start", {{"chat", chat}, {"text", "Hello"}});
  editor.wait_request(1);
  editor.stream(0, "Hello.");
  editor.wait_event("turn/done");
  editor.wait_request(2);  // learning comes behind the visit
  CHECK(listed(editor) == 1);
  editor.quit();
  editor.start();
  editor.hello();
  editor.open_chat();
  editor.wait_event("upkeep/done");
  CHECK(listed(editor) == 0);
}

TEST_CASE("an editor sees what became of a memory, takes a change back, and the list is told anew") {
  Editor editor;
  editor.hello();
  editor.result(editor.send("memory.remember", editor.in_folder({{"text", "The user likes tea."}})));
  editor.result(editor.send("stats", editor.in_folder()));
  CHECK(changes_told(editor) == 1);
  const auto undone = editor.result(editor.send("memory.undo", editor.in_folder()));
  CHECK(*undone.find("change")->find("made_by")->as_string() == "user");
  CHECK(undone.find("memories")->as_array()->size() == 1);
  editor.result(editor.send("stats", editor.in_folder()));
  CHECK(changes_told(editor) == 2);
  CHECK(editor.result(editor.send("memory.recall", editor.in_folder({{"query", "tea"}})))
            .find("hits")
            ->as_array()
            ->empty());

  const auto history = editor.result(editor.send("memory.history", {{"id", 1}}));
  REQUIRE(history.find("revisions")->as_array()->size() == 2);
  CHECK(editor.result(editor.send("memory.asof", editor.in_folder({{"date", "2001-01-01"}})))
            .find("memories")
            ->as_array()
            ->empty());
  CHECK(editor.result(editor.send("log.day", editor.in_folder({{"date", "2001-01-01"}})))
            .find("turns")
            ->as_array()
            ->empty());
  const auto rolled = editor.result(editor.send("memory.rollback", editor.in_folder({{"since", "2001-01-01"}})));
  CHECK(rolled.find("memories")->as_array()->empty());
}

namespace {

// All bytes under a folder.
std::string bytes_under(const std::filesystem::path& folder) {
  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    all.append(std::istreambuf_iterator<char>(file), {});
  }
  return all;
}

// A turn of a chat that the test answers, to its end.
void hold_turn(Editor& editor, std::int64_t chat, const std::string& text, const std::string& reply) {
  const auto before = editor.http.count();
  editor.transport.messages.clear();
  editor.result(editor.send("turn.start", {{"chat", chat}, {"text", text}}));
  editor.wait_request(before + 1);
  editor.stream(before, reply);
  CHECK(text_at(editor.wait_event("turn/done"), "state") == "done");
}

std::int64_t open_private(Editor& editor) {
  return *editor.result(editor.send("chat.open", editor.in_folder({{"private", true}}))).find("chat")->as_int();
}

std::int64_t turns_kept(Editor& editor) {
  return *editor.result(editor.send("stats", editor.in_folder({{"all", true}}))).find("turns")->as_int();
}

}  // namespace

TEST_CASE("a private chat is answered with what is known and with its own history, and no file has a word of it") {
  Editor editor;
  editor.recorder = std::move(*host::Recorder::open(editor.folder / "record", editor.clock));
  editor.start();
  editor.hello();
  editor.result(editor.send("memory.remember", editor.in_folder({{"text", "The staging gate is called Westtor."}})));
  const auto chat = open_private(editor);
  hold_turn(editor, chat, "My zirconium ring is for the staging gate; what is it called?", "Westtor, for the hafnium.");
  CHECK(editor.http.at(0).request().body.find("The staging gate is called Westtor.") != std::string::npos);
  CHECK(editor.event("turn/recalled")->find("hits")->as_array()->size() == 1);
  editor.result(editor.send("chat.draft", {{"chat", chat}, {"text", "And the niobium one"}}));
  hold_turn(editor, chat, "I prefer the yttrium ring. Which one did I name first?", "The zirconium one.");
  const auto& second = editor.http.at(1).request().body;
  CHECK(second.find("My zirconium ring is for the staging gate") != std::string::npos);
  CHECK(second.find("Westtor, for the hafnium.") != std::string::npos);
  editor.result(editor.send("chat.draft", {{"chat", chat}, {"text", "And the niobium one"}}));

  // It is there as long as it is open, and nowhere else.
  const auto open = editor.result(editor.send("chat.open", editor.in_folder({{"chat", chat}})));
  CHECK(open.find("turns")->as_array()->size() == 4);
  CHECK(text_at(open, "draft") == "And the niobium one");
  CHECK(*open.find("private")->as_bool());
  const auto usual = editor.result(editor.send("chat.open", editor.in_folder()));
  CHECK_FALSE(*usual.find("private")->as_bool());
  CHECK(usual.find("turns")->as_array()->empty());
  CHECK(turns_kept(editor) == 0);
  CHECK(*editor.result(editor.send("stats", editor.in_folder())).find("queue")->as_int() == 0);
  const auto hits = [&](const char* query) {
    return editor.result(editor.send("memory.recall", editor.in_folder({{"query", query}})))
        .find("hits")
        ->as_array()
        ->size();
  };
  CHECK(hits("zirconium ring") == 0);
  CHECK(hits("staging gate") == 1);
  CHECK(editor.http.count() == 2);  // nobody asked what could be learned
  editor.quit();
  const auto bytes = bytes_under(editor.folder.path());
  CHECK(bytes.find("Westtor") != std::string::npos);
  CHECK(bytes.find("selfmind_recording") != std::string::npos);
  for (const char* word : {"zirconium", "hafnium", "yttrium", "niobium"}) {
    INFO(word);
    CHECK(bytes.find(word) == std::string::npos);
  }
}

TEST_CASE("a usual chat beside a private one is kept and learned from as ever") {
  Editor editor;
  editor.hello();
  const auto usual = editor.open_chat();
  const auto secret = open_private(editor);
  editor.result(editor.send("turn.start", {{"chat", secret}, {"text", "My ring is of zirconium."}}));
  editor.wait_request(1);
  editor.stream(0, "A fine", /*end=*/false);
  editor.result(editor.send("turn.start", {{"chat", usual}, {"text", "My port is 5433."}}));
  editor.wait_request(2);
  editor.stream(1, "Noted.");
  editor.wait_request(3);
  const auto& learn = editor.http.at(2).request().body;
  CHECK(learn.find("My port is 5433.") != std::string::npos);
  CHECK(learn.find("zirconium") == std::string::npos);
  editor.stream(2, R"({"memories":[]})");
  CHECK(*editor.result(editor.send("turn.stop", {{"chat", secret}})).find("stopped")->as_bool());
  const auto stopped = editor.result(editor.send("chat.open", editor.in_folder({{"chat", secret}})));
  CHECK(text_at(stopped.find("turns")->as_array()->at(1), "text") == "A fine");
  editor.result(editor.send("turn.retry", {{"chat", secret}}));
  editor.wait_request(4);
  editor.stream(3, "A fine ring.");
  REQUIRE(editor.loop.run_until([&] { return text_at(*editor.event("turn/done"), "state") == "done"; }));
  CHECK(turns_kept(editor) == 2);
  editor.quit();
  CHECK(bytes_under(editor.folder.path()).find("zirconium") == std::string::npos);
}

TEST_CASE("a private chat that is closed is gone, also in the middle of a reply, and its number is not used again") {
  Editor editor;
  editor.hello();
  const auto first = open_private(editor);
  const auto second = open_private(editor);
  CHECK(second > first);
  editor.result(editor.send("turn.start", {{"chat", first}, {"text", "My ring is of zirconium."}}));
  editor.wait_request(1);
  editor.stream(0, "A fine", /*end=*/false);
  editor.result(editor.send("chat.close", {{"chat", first}}));
  CHECK(editor.http.at(0).cancelled());
  CHECK(editor.error(editor.send("chat.open", editor.in_folder({{"chat", first}}))).find("private chat is gone") !=
        std::string::npos);
  CHECK(editor.error(editor.send("turn.start", {{"chat", first}, {"text", "Still there?"}})).find("is gone") !=
        std::string::npos);
  CHECK(editor.error(editor.send("chat.draft", {{"chat", first}, {"text", "Still"}})).find("is gone") !=
        std::string::npos);
  editor.result(editor.send("chat.open", editor.in_folder({{"chat", second}})));
  CHECK(open_private(editor) > second);

  const auto usual = editor.open_chat();
  CHECK(editor.error(editor.send("chat.close", {{"chat", usual}})).find("Only a private chat") != std::string::npos);
  CHECK(editor.error(editor.send("chat.open", editor.in_folder({{"chat", usual}, {"private", true}})))
            .find("not a private one") != std::string::npos);
}

TEST_CASE("a host that died leaves nothing of its private chats to the next one") {
  Editor editor;
  editor.hello();
  const auto opened = editor.result(editor.send("chat.open", editor.in_folder({{"private", true}})));
  const auto chat = *opened.find("chat")->as_int();
  editor.result(editor.send("turn.start", {{"chat", chat}, {"text", "My ring is of zirconium."}}));
  editor.wait_request(1);
  editor.stream(0, "A fine zirconium ring", /*end=*/false);
  editor.loop.advance(limits::partial_interval);
  editor.result(editor.send("stats", editor.in_folder()));
  CHECK(bytes_under(editor.folder.path()).find("zirconium") == std::string::npos);
  editor.quit();

  editor.start();
  editor.hello();
  CHECK(editor.error(editor.send("chat.open", editor.in_folder({{"uuid", text_at(opened, "uuid")}, {"private", true}})))
            .find("is gone") != std::string::npos);
  CHECK(editor.error(editor.send("turn.start", {{"chat", chat}, {"text", "Go on."}})).find("is gone") !=
        std::string::npos);
  CHECK(open_private(editor) > chat);
  CHECK(editor.result(editor.send("chat.open", editor.in_folder())).find("turns")->as_array()->empty());
}

TEST_CASE("what is remembered and forgotten while a private chat goes on counts there with its next message") {
  Editor editor;
  editor.hello();
  const auto chat = open_private(editor);
  CHECK(bytes_under(editor.folder.path()).find(editor.folder.path().string()) == std::string::npos);  // no project
  const auto id =
      *editor
           .result(editor.send("memory.remember", editor.in_folder({{"text", "The staging gate is called Westtor."}})))
           .find("id")
           ->as_int();
  hold_turn(editor, chat, "What is the staging gate called?", "The staging gate is called Westtor.");
  CHECK(editor.http.at(0).request().body.find("Westtor") != std::string::npos);
  editor.result(editor.send("memory.forget", {{"ids", Array{id}}}));
  hold_turn(editor, chat, "And the other one?", "I do not know.");
  CHECK(editor.http.at(1).request().body.find("Westtor") == std::string::npos);
  CHECK(editor.http.at(1).request().body.find("What is the staging gate called?") != std::string::npos);
}

TEST_CASE("without a key a private message is answered from memory, and sent when there is one") {
  Editor editor;
  editor.environment.clear();
  editor.hello();
  editor.result(editor.send("memory.remember", editor.in_folder({{"text", "The staging gate is called Westtor."}})));
  const auto chat = open_private(editor);
  editor.send("turn.start", {{"chat", chat}, {"text", "What is the staging gate called?"}});
  CHECK(text_at(editor.wait_event("turn/done"), "state") == "offline");
  CHECK(text_at(*editor.event("turn/text"), "text").find("Westtor") != std::string::npos);
  editor.result(editor.send("key.set", {{"api_key", "late-key"}}));
  editor.result(editor.send("turn.retry", {{"chat", chat}}));
  editor.wait_request(1);
  CHECK(editor.http.at(0).request().body.find("Westtor") != std::string::npos);
  CHECK(turns_kept(editor) == 0);
}

TEST_CASE("nothing said in a private chat is learned by rule either") {
  Editor editor;
  editor.environment.clear();
  editor.hello();
  for (const auto chat : {open_private(editor), editor.open_chat()}) {
    editor.transport.messages.clear();
    editor.send(
        "turn.start",
        {{"chat", chat}, {"text", chat >= store::first_private_id ? "I prefer zirconium rings." : "I prefer tabs."}});
    editor.wait_event("turn/done");
  }
  editor.wait_event("learn/done");
  const auto list = editor.result(editor.send("memory.list", editor.in_folder()));
  REQUIRE(list.find("memories")->as_array()->size() == 1);
  CHECK(text_at(list.find("memories")->as_array()->front(), "text").find("tabs") != std::string::npos);
}

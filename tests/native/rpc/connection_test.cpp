#include "rpc/connection.h"

#include <optional>

#include "base/log.h"
#include "support/catch.h"

using namespace selfmind;
using namespace selfmind::rpc;

namespace {

// The other side of the channel: what it sends, and what it got.
class Editor final : public Transport {
 public:
  void write(std::string bytes) override {
    auto messages = decoder_.feed(bytes);
    REQUIRE(messages);
    for (Message& message : *messages) got.push_back(std::move(message));
  }
  void start(std::function<void(std::string_view)> on_bytes, std::function<void(const Error*)> on_end) override {
    on_bytes_ = std::move(on_bytes);
    on_end_ = std::move(on_end);
  }
  void send(const Message& message) { on_bytes_(encode(message)); }
  void send_raw(std::string_view bytes) { on_bytes_(bytes); }
  void hang_up() { on_end_(nullptr); }

  std::vector<Message> got;

 private:
  Decoder decoder_;
  std::function<void(std::string_view)> on_bytes_;
  std::function<void(const Error*)> on_end_;
};

struct Params {
  std::string text;
  static Result<Params> decode(const Value& value) {
    Fields fields(value);
    Params params{fields.text_or("text", "nothing")};
    if (auto done = fields.done(); !done) return done.error();
    return params;
  }
};

struct Text {
  std::string text;
};
Value encode(const Text& text) { return Map{{"text", text.text}}; }

struct Channel {
  Editor editor;
  Binder binder;
  std::vector<std::pair<std::int64_t, Result<Value>>> notified;
  std::vector<std::optional<ErrorKind>> ends;  // none: a clean one
  std::optional<Reply<Text>> kept;
  int calls = 0;
  std::unique_ptr<Connection> connection;

  Channel() {
    log::open("", log::Level::off);
    binder.bind<Params, Text>("echo", [this](Params params, Reply<Text> reply) {
      ++calls;
      reply(Text{params.text});
    });
    binder.bind<Params, Text>("fail", [](Params, Reply<Text> reply) {
      reply(Error{ErrorKind::not_found, "There is no memory 12."});
    });
    binder.bind<Params, Text>("keep", [this](Params, Reply<Text> reply) { kept.emplace(std::move(reply)); });
    connection = std::make_unique<Connection>(editor, binder, [this](std::int64_t id, Result<Value> result) {
      notified.emplace_back(id, std::move(result));
    });
    connection->start([this](const Error* why) { ends.push_back(why ? std::optional(why->kind) : std::nullopt); });
  }
  ~Channel() { log::open("", log::Level::warning); }

  const Response& response(std::size_t at) {
    REQUIRE(editor.got.size() > at);
    return std::get<Response>(editor.got[at]);
  }
};

}  // namespace

TEST_CASE("a request is answered once, with its id") {
  Channel channel;
  channel.editor.send(Request{5, "echo", {Map{{"text", "hi"}}}});
  REQUIRE(channel.editor.got.size() == 1);
  CHECK(channel.response(0).id == 5);
  CHECK(channel.response(0).error.is_nil());
  CHECK(channel.response(0).result == Value(Map{{"text", "hi"}}));
}

TEST_CASE("a request without parameters has an empty map, one with two is invalid") {
  Channel channel;
  channel.editor.send(Request{1, "echo", {}});
  CHECK(channel.response(0).result == Value(Map{{"text", "nothing"}}));
  channel.editor.send(Request{2, "echo", {Map{}, Map{}}});
  CHECK(*channel.response(1).error.find("kind") == Value("invalid"));
  CHECK(channel.calls == 1);
}

TEST_CASE("an error goes out as kind and message") {
  Channel channel;
  channel.editor.send(Request{1, "fail", {}});
  CHECK(channel.response(0).error == Value(Map{{"kind", "not_found"}, {"message", "There is no memory 12."}}));
  CHECK(channel.response(0).result.is_nil());
  channel.editor.send(Request{2, "nonesuch", {}});
  CHECK(*channel.response(1).error.find("kind") == Value("invalid"));
}

TEST_CASE("requests may be answered out of order") {
  Channel channel;
  channel.editor.send(Request{1, "keep", {}});
  channel.editor.send(Request{2, "echo", {}});
  (*channel.kept)(Text{"late"});
  CHECK(channel.response(0).id == 2);
  CHECK(channel.response(1).id == 1);
  CHECK(channel.response(1).result == Value(Map{{"text", "late"}}));
}

TEST_CASE("a request with the id of one still open never makes a second answer") {
  Channel channel;
  channel.editor.send(Request{1, "keep", {}});
  channel.editor.send(Request{1, "echo", {}});
  CHECK(channel.calls == 0);
  (*channel.kept)(Text{"once"});
  CHECK(channel.editor.got.size() == 1);
  channel.editor.send(Request{1, "echo", {}});  // an id that is free again
  CHECK(channel.editor.got.size() == 2);
}

TEST_CASE("a notification is answered through the door, and never with a response") {
  Channel channel;
  channel.editor.send(Notification{"echo", {41, Map{{"text", "hi"}}}});
  channel.editor.send(Notification{"nonesuch", {42}});
  CHECK(channel.editor.got.empty());
  REQUIRE(channel.notified.size() == 2);
  CHECK(channel.notified[0].first == 41);
  CHECK(*channel.notified[0].second == Value(Map{{"text", "hi"}}));
  CHECK(channel.notified[1].first == 42);
  CHECK(channel.notified[1].second.error().kind == ErrorKind::invalid);
}

TEST_CASE("a notification with id 0 is done and not answered") {
  Channel channel;
  channel.editor.send(Notification{"echo", {0, Map{}}});
  channel.editor.send(Notification{"fail", {0, Map{}}});
  CHECK(channel.calls == 1);
  CHECK(channel.notified.empty());
  CHECK(channel.editor.got.empty());
}

TEST_CASE("malformed notifications are dropped and the channel lives") {
  Channel channel;
  channel.editor.send(Notification{"echo", {}});
  channel.editor.send(Notification{"echo", {"41", Map{}}});
  channel.editor.send(Notification{"echo", {-1, Map{}}});
  channel.editor.send(Notification{"echo", {1, Map{}, Map{}}});
  channel.editor.send(Notification{"nvim_error_event", {0, "Error executing lua"}});
  channel.editor.send(Notification{"nvim_error_event", {}});
  channel.editor.send(Response{3, {}, "nobody asked"});
  CHECK(channel.calls == 0);
  CHECK(channel.notified.empty());
  CHECK(channel.editor.got.empty());
  CHECK(channel.ends.empty());
  channel.editor.send(Request{1, "echo", {}});
  CHECK(channel.editor.got.size() == 1);
}

TEST_CASE("nonsense ends the channel once, and nothing after it is taken") {
  Channel channel;
  channel.editor.send_raw("Hello");
  channel.editor.send(Request{1, "echo", {}});
  channel.editor.hang_up();
  REQUIRE(channel.ends.size() == 1);
  CHECK(channel.ends[0] == ErrorKind::protocol);
  CHECK(channel.calls == 0);
  CHECK(channel.editor.got.empty());
}

TEST_CASE("the other side closing is a clean end, and open requests can still be answered") {
  Channel channel;
  channel.editor.send(Request{1, "keep", {}});
  channel.editor.hang_up();
  REQUIRE(channel.ends.size() == 1);
  CHECK_FALSE(channel.ends[0].has_value());
  (*channel.kept)(Text{"still"});
  CHECK(channel.response(0).id == 1);
}

TEST_CASE("an answer that comes after the connection has gone is dropped") {
  Channel channel;
  channel.editor.send(Request{1, "keep", {}});
  channel.connection.reset();
  (*channel.kept)(Text{"too late"});
  CHECK(channel.editor.got.empty());
}

TEST_CASE("the host's own notifications go out as they are") {
  Channel channel;
  channel.connection->notify("nvim_exec_lua", {"return 1", Array{}});
  REQUIRE(channel.editor.got.size() == 1);
  const auto& sent = std::get<Notification>(channel.editor.got[0]);
  CHECK(sent.method == "nvim_exec_lua");
  CHECK(sent.params == Array{"return 1", Array{}});
}

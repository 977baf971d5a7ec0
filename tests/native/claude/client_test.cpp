#include "claude/client.h"

#include <optional>

#include "base/limits.h"
#include "http/fake.h"
#include "support/catch.h"
#include "support/transcripts.h"

namespace selfmind::claude {
namespace {

const std::string started =
    "event: message_start\ndata: "
    "{\"type\":\"message_start\",\"message\":{\"id\":\"i\",\"model\":\"claude-opus-4-8\"}}\n\n"
    "event: content_block_start\ndata: {\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n";
const std::string hello =
    "event: content_block_delta\ndata: {\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hello\"}}\n\n";
const std::string stopped =
    "event: content_block_stop\ndata: {\"index\":0}\n\n"
    "event: message_delta\ndata: {\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":3}}\n\n"
    "event: message_stop\ndata: {}\n\n";

// A call to a fake server, and what was heard of it.
struct Conversation {
  http::FakeHttp http;
  Client client{http};
  std::string log;
  std::optional<Reply> reply;
  std::optional<Failed> failure;
  std::function<void()> at_text;
  std::unique_ptr<Call> call;

  Conversation() {
    Request request;
    request.model = "claude-opus-4-8";
    request.max_tokens = 100;
    request.messages.push_back({true, {TextBlock{"Hi", false}}});
    Endpoint endpoint;
    endpoint.api_key = "key-123";
    call = client.ask(request, endpoint, [this](const StreamEvent& event) { hear(event); });
  }

  void hear(const StreamEvent& event) {
    if (const auto* e = std::get_if<Started>(&event)) log += "started " + e->model + ";";
    if (const auto* e = std::get_if<TextDelta>(&event)) log += "text " + e->text + ";";
    if (const auto* e = std::get_if<Done>(&event)) {
      log += "done;";
      reply = e->reply;
    }
    if (const auto* e = std::get_if<Failed>(&event)) {
      log += "failed;";
      failure = *e;
    }
    if (std::holds_alternative<TextDelta>(event) && at_text) at_text();
  }

  http::FakeHttp::Exchange& server() { return http.last(); }
};

}  // namespace

TEST_CASE("a reply streams through") {
  Conversation c;
  CHECK(c.log.empty());
  CHECK(c.server().request().url == "https://api.anthropic.com/v1/messages");
  c.server().head(200, {{"content-type", "text/event-stream"}});
  c.server().body(started + hello.substr(0, 40));
  CHECK(c.log == "started claude-opus-4-8;");
  c.server().body(hello.substr(40));
  CHECK(c.log == "started claude-opus-4-8;text Hello;");
  CHECK(c.call->partial().text == "Hello");
  c.server().body(stopped);
  c.server().end();
  CHECK(c.log == "started claude-opus-4-8;text Hello;done;");
  CHECK(c.reply->text == "Hello");
  CHECK_FALSE(c.server().cancelled());
}

TEST_CASE("nothing follows the end of a reply, whatever the server sends") {
  Conversation c;
  c.server().head(200);
  c.server().body(started + hello + stopped + started);
  c.server().body(hello);
  c.server().fail({ErrorKind::network, "The connection broke off."});
  CHECK(c.log == "started claude-opus-4-8;text Hello;done;");
}

TEST_CASE("an error answer is collected and told as one sentence") {
  Conversation c;
  c.server().head(429, {{"retry-after", "7"}});
  c.server().body(R"({"type":"error","error":{"type":"rate_)");
  c.server().body(R"(limit_error","message":"Too many requests"}})");
  CHECK(c.log.empty());
  SECTION("the connection ends") { c.server().end(); }
  SECTION("the connection breaks") { c.server().fail({ErrorKind::network, "The connection broke off."}); }
  CHECK(c.log == "failed;");
  CHECK(c.failure->error.kind == ErrorKind::rate_limited);
  CHECK(c.failure->error.message.find("try again in 7 s") != std::string::npos);
  CHECK(c.failure->http_status == 429);
}

TEST_CASE("of a long error page only so much is kept") {
  Conversation c;
  c.server().head(502);
  for (int i = 0; i < 8; ++i) c.server().body(std::string(limits::http_error_body_bytes / 2, '<'));
  c.server().end();
  CHECK(c.failure->http_status == 502);
  CHECK(c.failure->error.kind == ErrorKind::overloaded);
}

TEST_CASE("an error object under status 200 is told like an error answer") {
  Conversation c;
  c.server().head(200, {{"content-type", "application/json"}});
  c.server().body(R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})");
  c.server().end();
  CHECK(c.failure->error.kind == ErrorKind::overloaded);
}

TEST_CASE("an answer that is no stream at all is told as such") {
  Conversation c;
  c.server().head(200, {{"content-type", "text/html"}});
  SECTION("a page") { c.server().body("<html>\n\nLog in\n\n</html>"); }
  SECTION("a whole message") { c.server().body(R"({"type":"message","content":[{"type":"text","text":"x"}]})"); }
  SECTION("nothing") {}
  c.server().end();
  CHECK(c.failure->error.kind == ErrorKind::protocol);
  CHECK(c.failure->error.message.find("check the base URL") != std::string::npos);
}

TEST_CASE("a server that is not reached is told in the transport's words") {
  Conversation c;
  c.server().fail({ErrorKind::network, "api.anthropic.com was not found; check the network connection."});
  CHECK(c.failure->error.message == "api.anthropic.com was not found; check the network connection.");
  CHECK(c.failure->http_status == 0);
}

TEST_CASE("an error in the middle of the stream closes the connection and keeps what had come") {
  Conversation c;
  c.server().head(200);
  c.server().body(started + hello);
  c.server().body("event: error\ndata: {\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n" +
                  hello);
  CHECK(c.log == "started claude-opus-4-8;text Hello;failed;");
  CHECK(c.failure->partial.text == "Hello");
  CHECK(c.failure->http_status == 200);
  CHECK(c.server().cancelled());
}

TEST_CASE("half an event is an interrupted reply") {
  Conversation c;
  c.server().head(200);
  c.server().body(started + hello + stopped.substr(0, 30));
  c.server().end();
  CHECK(c.failure->error.kind == ErrorKind::network);
  CHECK(c.failure->partial.text == "Hello");
}

TEST_CASE("an event that never ends is an error") {
  Conversation c;
  c.server().head(200);
  c.server().body(started + hello + "data: ");
  const std::string megabyte(1u << 20, 'x');
  for (std::size_t sent = 0; sent <= limits::sse_event_bytes && !c.failure; sent += megabyte.size()) {
    c.server().body(megabyte);
  }
  REQUIRE(c.failure.has_value());
  CHECK(c.failure->error.kind == ErrorKind::protocol);
  CHECK(c.failure->partial.text == "Hello");
}

TEST_CASE("a call that is destroyed closes the connection and says nothing more") {
  Conversation c;
  c.server().head(200);
  c.server().body(started);
  c.call.reset();
  CHECK(c.server().cancelled());
  c.server().body(hello + stopped);
  c.server().end();
  CHECK(c.log == "started claude-opus-4-8;");
}

TEST_CASE("the sink may destroy the call while more events wait") {
  Conversation c;
  c.at_text = [&c] { c.call.reset(); };
  c.server().head(200);
  c.server().body(started + hello + hello + stopped);
  CHECK(c.log == "started claude-opus-4-8;text Hello;");
  CHECK(c.server().cancelled());
}

TEST_CASE("the sink may destroy the call at its last event") {
  http::FakeHttp http;
  Client client(http);
  std::unique_ptr<Call> call;
  int heard = 0;
  const auto last = [&](const StreamEvent& event) {
    ++heard;
    if (std::holds_alternative<Done>(event) || std::holds_alternative<Failed>(event)) call.reset();
  };
  call = client.ask({}, {}, last);
  http.last().head(200);
  SECTION("done") { http.last().body(started + stopped); }
  SECTION("failed") { http.last().body("event: error\ndata: {}\n\n"); }
  CHECK(heard > 0);
  CHECK(call == nullptr);
}

}  // namespace selfmind::claude

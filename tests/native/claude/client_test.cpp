#include "claude/client.h"

#include <optional>

#include <nlohmann/json.hpp>

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

// --- what a server teaches -----------------------------------------------------------------------------------------

namespace {

using Json = nlohmann::ordered_json;

// Requests of one host to one server, each answered by hand.
struct Lessons {
  http::FakeHttp http;
  Client client{http};
  Endpoint endpoint;
  Request request;
  std::vector<std::unique_ptr<Call>> calls;
  int done = 0;
  std::vector<Failed> failures;

  Lessons() {
    endpoint.base_url = "http://localhost:4000";
    endpoint.api_key = " key-123\n";
    request.model = "claude-opus-4-8";
    request.max_tokens = 1024;
    request.system = "s";
    request.cache_system = true;
    request.thinking = Thinking::adaptive;
    request.output_schema = R"({"type":"object"})";
    request.messages.push_back({true, {TextBlock{"Hi", true}}});
  }

  void ask() {
    calls.push_back(client.ask(request, endpoint, [this](const StreamEvent& event) {
      done += std::holds_alternative<Done>(event) ? 1 : 0;
      if (const auto* failed = std::get_if<Failed>(&event)) failures.push_back(*failed);
    }));
  }
  void refuse(const std::string& message, int status = 400) {
    auto& exchange = http.last();
    exchange.head(status, {{"content-type", "application/json"}});
    exchange.body(Json{{"type", "error"}, {"error", {{"type", "invalid_request_error"}, {"message", message}}}}.dump());
    exchange.end();
  }
  void reply() {
    auto& exchange = http.last();
    exchange.head(200);
    exchange.body(started + hello + stopped);
    exchange.end();
  }
  Json body() { return Json::parse(http.last().request().body); }
};

const std::string extra = ": Extra inputs are not permitted";

}  // namespace

TEST_CASE("a field that is refused is left out, at once and from then on") {
  Lessons l;
  l.ask();
  REQUIRE(l.body().contains("thinking"));
  l.refuse("thinking" + extra);
  CHECK(l.failures.empty());
  REQUIRE(l.http.count() == 2);
  CHECK_FALSE(l.body().contains("thinking"));
  CHECK(l.body().contains("output_config"));
  l.reply();
  CHECK(l.done == 1);

  l.request.thinking = Thinking::disabled;  // learning, which shares the client
  l.ask();
  CHECK(l.http.count() == 3);
  CHECK_FALSE(l.body().contains("thinking"));

  SECTION("but another model is sent it") {
    l.request.model = "claude-opus-4-7";
    l.ask();
    CHECK(l.body().contains("thinking"));
  }
  SECTION("but another server is sent it") {
    l.endpoint.base_url = "http://localhost:4001";
    l.ask();
    CHECK(l.body().contains("thinking"));
  }
}

TEST_CASE("a server that refuses field after field is followed four times, no further") {
  Lessons l;
  l.request.messages.push_back({false, {RawBlocks{R"([{"type":"thinking","thinking":"","signature":"c2ln"},
                                                      {"type":"text","text":"x"}])"}}});
  l.request.messages.push_back({true, {TextBlock{"More"}}});
  l.ask();
  l.refuse("system.0.cache_control" + extra);
  CHECK(l.http.last().request().body.find("cache_control") == std::string::npos);
  CHECK(l.body()["system"] == "s");
  l.refuse("thinking" + extra, 422);
  l.refuse("output_config" + extra);
  CHECK_FALSE(l.body().contains("output_config"));
  CHECK(l.failures.empty());
  SECTION("then it answers") {
    l.reply();
    CHECK(l.done == 1);
  }
  SECTION("it refuses on") {
    l.refuse("messages.1.content.0.type: Input should be 'text'");
    CHECK(l.body()["messages"][1]["content"].size() == 1);
    CHECK(l.http.count() == 5);
    l.refuse("max_tokens: 1024 > 512, which is the maximum");
    CHECK(l.http.count() == 5);
    REQUIRE(l.failures.size() == 1);
    CHECK(l.failures[0].error.kind == ErrorKind::rejected);
    CHECK(l.failures[0].http_status == 400);
  }
}

TEST_CASE("a refusal that would be answered by the same request again is an error") {
  Lessons l;
  SECTION("nothing of what it names was sent") {
    l.request.output_schema.clear();
    l.ask();
    l.refuse("output_config" + extra);
  }
  SECTION("it names nothing") {
    l.ask();
    l.refuse("I do not like it.");
  }
  SECTION("it is no refusal of the request") {
    l.ask();
    l.refuse("thinking" + extra, 500);
  }
  CHECK(l.http.count() == 1);
  CHECK(l.failures.size() == 1);
}

TEST_CASE("a form of thinking that is refused leaves the others") {
  Lessons l;
  l.request.model = "claude-sonnet-5-5";
  l.ask();
  l.refuse("adaptive thinking is not supported on this model");
  CHECK_FALSE(l.body().contains("thinking"));
  l.reply();
  l.request.thinking = Thinking::disabled;
  l.ask();
  CHECK(l.body()["thinking"]["type"] == "between_tools");
  l.refuse("\"thinking.type.between_tools\" is not supported for this model.");
  CHECK_FALSE(l.body().contains("thinking"));
  CHECK(l.body()["output_config"]["effort"] == "low");
  l.refuse("This model does not support the effort parameter.");
  CHECK(l.body()["output_config"].contains("format"));
  CHECK_FALSE(l.body()["output_config"].contains("effort"));
}

TEST_CASE("only at Anthropic's own server thinking that is disabled is known to stay away") {
  Lessons l;
  l.request.thinking = Thinking::disabled;
  l.ask();
  CHECK(l.body()["thinking"]["type"] == "disabled");
  CHECK(l.body()["max_tokens"] == 1024 + limits::thinking_tokens);
  l.endpoint.base_url = Endpoint{}.base_url;
  l.ask();
  CHECK(l.body()["thinking"]["type"] == "disabled");
  CHECK(l.body()["max_tokens"] == 1024);
}

TEST_CASE("thinking blocks of another conversation are left out, those that come after go back") {
  Lessons l;
  l.request.messages.push_back({false, {RawBlocks{R"([{"type":"thinking","thinking":"","signature":"b2xk"},
                                                      {"type":"redacted_thinking","data":"b2xkZXI="},
                                                      {"type":"text","text":"x"}])"}}});
  l.request.messages.push_back({true, {TextBlock{"More"}}});
  l.ask();
  REQUIRE(l.body()["messages"][1]["content"].size() == 3);
  l.refuse("messages.1.content.0: Invalid `signature` in `thinking` block");
  CHECK(l.body()["messages"][1]["content"].size() == 1);
  CHECK(l.body()["thinking"]["type"] == "adaptive");
  l.reply();
  l.request.messages.push_back({false, {RawBlocks{R"([{"type":"thinking","thinking":"","signature":"bmV3"},
                                                      {"type":"text","text":"y"}])"}}});
  l.request.messages.push_back({true, {TextBlock{"And?"}}});
  l.ask();
  CHECK(l.http.count() == 3);
  CHECK(l.body()["messages"][1]["content"].size() == 1);
  CHECK(l.body()["messages"][3]["content"].size() == 2);
}

TEST_CASE("a call that is stopped while it is sent again closes that connection too") {
  Lessons l;
  l.ask();
  l.refuse("thinking" + extra);
  l.calls[0].reset();
  CHECK(l.http.last().cancelled());
}

TEST_CASE("beside the first request the server is asked about the model, once, and believed from the next on") {
  Lessons l;
  CHECK(l.http.lookup_count() == 0);
  l.request.model = "gpt/oss:20b";
  l.ask();
  CHECK_FALSE(l.body().contains("thinking"));
  REQUIRE(l.http.lookup_count() == 1);
  const auto& asked = l.http.lookup(0).request();
  CHECK(asked.method == "GET");
  CHECK(asked.url == "http://localhost:4000/v1/models/gpt%2Foss%3A20b");
  CHECK(*http::find(asked.headers, "x-api-key") == "key-123");
  CHECK(*http::find(asked.headers, "anthropic-version") == "2023-06-01");
  CHECK(asked.body.empty());
  l.http.lookup(0).head(200);
  l.http.lookup(0).body(R"({"id":"gpt/oss:20b","max_input_tokens":8192,"max_tokens":512,"capabilities":{)");
  l.http.lookup(0).body(R"("effort":{"supported":false},"structured_outputs":{"supported":true},)"
                        R"("thinking":{"supported":true,"types":{"adaptive":{"supported":true},"disabled":false}}}})");
  l.http.lookup(0).end();
  CHECK_FALSE(l.body().contains("thinking"));
  l.reply();
  CHECK(l.done == 1);

  l.ask();
  CHECK(l.http.lookup_count() == 1);
  CHECK(l.body()["thinking"]["type"] == "adaptive");
  CHECK(l.body()["max_tokens"] == 512);
  CHECK(l.body()["output_config"].contains("format"));
  CHECK(l.http.last().request().body.find("cache_control") != std::string::npos);

  SECTION("but a refusal says more") {
    l.refuse("adaptive thinking is not supported on this model");
    CHECK_FALSE(l.body().contains("thinking"));
  }
  SECTION("another model is asked about too") {
    l.request.model = "claude-opus-4-8";
    l.ask();
    CHECK(l.http.lookup_count() == 2);
  }
}

TEST_CASE("what goes wrong with the question about a model changes nothing") {
  Lessons l;
  l.ask();
  const std::string before = l.http.last().request().body;
  SECTION("it is not answered") {}
  SECTION("the connection breaks") { l.http.lookup(0).fail({ErrorKind::network, "The connection broke off."}); }
  SECTION("there is no such endpoint") {
    l.http.lookup(0).head(404);
    l.http.lookup(0).body(R"({"max_tokens":3})");
    l.http.lookup(0).end();
  }
  SECTION("the answer is OpenAI's form, a page, or a surprise") {
    const auto* answer =
        GENERATE(R"({"id":"x","object":"model","owned_by":"me"})", "<html></html>", "[1]", "{",
                 R"({"max_tokens":-1,"max_input_tokens":"many","capabilities":[]})", R"({"max_tokens":99999999999})");
    l.http.lookup(0).head(200);
    l.http.lookup(0).body(answer);
    l.http.lookup(0).end();
  }
  SECTION("the answer has no end") {
    l.http.lookup(0).head(200);
    for (int i = 0; i < 4; ++i) l.http.lookup(0).body(std::string(limits::lookup_bytes / 2, ' '));
    l.http.lookup(0).end();
  }
  l.reply();
  CHECK(l.done == 1);
  CHECK(l.failures.empty());
  l.ask();
  CHECK(l.http.last().request().body == before);
  CHECK(l.http.lookup_count() == 1);
}

TEST_CASE("a call that is stopped leaves the question about its model to itself, the end of the client ends it") {
  http::FakeHttp http;
  {
    Client client(http);
    client.ask({}, {}, [](const StreamEvent&) {}).reset();
    CHECK_FALSE(http.lookup(0).cancelled());
  }
  CHECK(http.lookup(0).cancelled());
}

}  // namespace selfmind::claude

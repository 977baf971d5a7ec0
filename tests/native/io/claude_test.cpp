// The whole way of a reply, from the socket to the stream events.
#include <atomic>
#include <cstdlib>
#include <optional>

#include "claude/client.h"
#include "io/curl.h"
#include "support/byte_server.h"
#include "support/catch.h"
#include "support/transcripts.h"

namespace selfmind::io {
namespace {

using namespace std::chrono_literals;
using test::ByteServer;
using test::Connection;

struct Heard {
  std::string text;
  std::optional<claude::Reply> reply;
  std::optional<claude::Failed> failure;
};

// One request to `server`; `at_text` is called at each piece of text with the call, which it may destroy.
Heard ask(const ByteServer& server, const std::function<void(std::unique_ptr<claude::Call>&, Loop&)>& at_text) {
  ::setenv("no_proxy", "127.0.0.1", 1);
  Loop loop;
  const auto http = curl(loop);
  claude::Client client(*http);
  claude::Request request;
  request.model = "claude-opus-4-8";
  request.max_tokens = 100;
  request.messages.push_back({true, {claude::TextBlock{"Hi", false}}});
  claude::Endpoint endpoint;
  endpoint.base_url = server.url();
  Heard heard;
  std::unique_ptr<claude::Call> call;
  call = client.ask(request, endpoint, [&](const claude::StreamEvent& event) {
    if (const auto* done = std::get_if<claude::Done>(&event)) heard.reply = done->reply;
    if (const auto* failed = std::get_if<claude::Failed>(&event)) heard.failure = *failed;
    if (heard.reply || heard.failure) loop.stop();
    if (const auto* delta = std::get_if<claude::TextDelta>(&event)) {
      heard.text += delta->text;
      at_text(call, loop);
    }
  });
  bool in_time = true;
  const auto limit = loop.after(60s, [&] {
    in_time = false;
    loop.stop();
  });
  loop.run();
  CHECK(in_time);
  call.reset();
  return heard;
}

}  // namespace

TEST_CASE("a reply comes through the socket in pieces of any size") {
  const std::string bytes = test::read_file(test::transcript_folder() / "02_thinking_then_text.txt");
  ByteServer server([&](Connection& connection) {
    connection.read_request();
    connection.write(test::stream_head);
    for (std::size_t at = 0; at < bytes.size(); at += 7) connection.write(test::chunk(bytes.substr(at, 7)));
    connection.write(test::stream_end);
  });
  const Heard heard = ask(server, [](auto&, auto&) {});
  REQUIRE(heard.reply.has_value());
  CHECK(heard.text == "Check the clock drift before the cache.");
  CHECK(heard.reply->stop_reason == claude::StopReason::end_turn);
}

TEST_CASE("a reply that is stopped keeps what had come, and the server sees the end") {
  const std::string bytes = test::read_file(test::transcript_folder() / "21_truncated_mid_event.txt");
  std::atomic<bool> closed = false;
  std::string kept;
  {
    ByteServer server([&](Connection& connection) {
      connection.read_request();
      connection.write(test::stream_head);
      connection.write(test::chunk(bytes));
      closed = connection.wait_for_close();
    });
    const Heard heard = ask(server, [&](std::unique_ptr<claude::Call>& call, Loop& loop) {
      kept = call->partial().text;
      call.reset();
      loop.stop();
    });
    CHECK_FALSE(heard.reply.has_value());
    CHECK_FALSE(heard.failure.has_value());
  }
  CHECK(kept == "Half a sen");
  CHECK(closed);
}

TEST_CASE("an error answer and a missing server are one sentence each") {
  {
    ByteServer server([](Connection& connection) {
      connection.read_request();
      connection.write(
          "HTTP/1.1 529 Overloaded\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
      connection.write(test::chunk(R"({"type":"error","error":{"type":"overloaded_error",)"));
      connection.write(test::chunk(R"("message":"Overloaded"}})"));
      connection.write(test::stream_end);
    });
    const Heard heard = ask(server, [](auto&, auto&) {});
    REQUIRE(heard.failure.has_value());
    CHECK(heard.failure->http_status == 529);
    CHECK(heard.failure->error.message ==
          "The server at " + server.host() + " is overloaded (529): \"Overloaded\"; send again in a moment.");
  }
  ByteServer server([](Connection& connection) { connection.close(); });
  const Heard heard = ask(server, [](auto&, auto&) {});
  REQUIRE(heard.failure.has_value());
  CHECK(heard.failure->error.kind == ErrorKind::network);
}

}  // namespace selfmind::io

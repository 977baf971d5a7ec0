// curl on the loop, against a server in this process that plays bytes.
#include "io/curl.h"

#include <atomic>
#include <cstdlib>
#include <future>
#include <optional>

#include "support/byte_server.h"
#include "support/catch.h"

namespace selfmind::io {
namespace {

using namespace std::chrono_literals;
using test::ByteServer;
using test::Connection;
using Instant = std::chrono::steady_clock::time_point;

// A loop with a client on it. A test that does not end is stopped by the limit, and fails.
struct Net {
  Loop loop;
  std::unique_ptr<http::Client> client;

  Net() {
    ::setenv("no_proxy", "127.0.0.1", 1);  // the machine's own proxy has no part in this
    client = curl(loop);
  }
  bool run() {
    bool in_time = true;
    const auto limit = loop.after(60s, [&] {
      in_time = false;
      loop.stop();
    });
    loop.run();
    return in_time;
  }
};

http::Request request(const std::string& url, std::string body = "{}") {
  http::Request out;
  out.url = url + "/v1/messages";
  out.headers = {{"content-type", "application/json"}, {"x-api-key", "key-SECRET"}};
  out.body = std::move(body);
  out.connect_timeout = 60s;
  out.first_line_timeout = 60s;
  out.idle_timeout = 60s;
  return out;
}

// What was heard of one transfer.
struct Heard {
  int status = 0;
  http::Headers headers;
  std::string body;
  int pieces = 0;
  int ends = 0;
  std::optional<Error> error;
  std::function<void()> at_body;
  std::function<void()> at_end;

  http::Listener listener() {
    return {[this](int new_status, const http::Headers& new_headers) {
              status = new_status;
              headers = new_headers;
            },
            [this](std::string_view bytes) {
              body += bytes;
              ++pieces;
              if (at_body) at_body();
            },
            [this](const Result<void>& end) {
              ++ends;
              if (!end) error = end.error();
              if (at_end) at_end();
            }};
  }
};

// Sends one request and runs until its end.
Heard exchange(http::Request sent) {
  Net net;
  Heard heard;
  heard.at_end = [&] { net.loop.stop(); };
  const auto transfer = net.client->send(std::move(sent), heard.listener());
  CHECK(heard.ends == 0);
  CHECK(net.run());
  CHECK(heard.ends == 1);
  heard.at_end = nullptr;
  return heard;
}

// The error is a sentence that names the host, and gives away no header.
void check_sentence(const Heard& heard, const std::string& words, ErrorKind kind = ErrorKind::network) {
  REQUIRE(heard.error.has_value());
  INFO(heard.error->message);
  CHECK(heard.error->kind == kind);
  CHECK(heard.error->message.find(words) != std::string::npos);
  CHECK(heard.error->message.find("SECRET") == std::string::npos);
  CHECK(heard.error->message.ends_with('.'));
}

}  // namespace

TEST_CASE("a request arrives as it was given") {
  std::string seen;
  const std::string body(3u << 20, 'b');  // large enough that curl would ask for leave first
  {
    ByteServer server([&](Connection& connection) {
      seen = connection.read_request();
      connection.write(
          "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nRetry-After:  7 \r\nContent-Length: 2\r\n\r\nno");
    });
    const Heard heard = exchange(request(server.url(), body));
    CHECK(heard.status == 404);
    CHECK(heard.body == "no");
    REQUIRE(http::find(heard.headers, "retry-after") != nullptr);
    CHECK(*http::find(heard.headers, "retry-after") == "7");
    CHECK_FALSE(heard.error.has_value());
  }
  CHECK(seen.starts_with("POST /v1/messages HTTP/1.1\r\n"));
  CHECK(seen.find("\r\nx-api-key: key-SECRET\r\n") != std::string::npos);
  CHECK(seen.find("\r\nUser-Agent: selfmind.nvim/") != std::string::npos);
  CHECK(seen.find("\r\nAccept-Encoding: identity\r\n") != std::string::npos);
  CHECK(seen.find("\r\nExpect") == std::string::npos);
  CHECK(seen.ends_with("\r\n\r\n" + body));
}

TEST_CASE("bytes are told as they come, not when all have come") {
  test::Counter told;
  ByteServer server([&](Connection& connection) {
    connection.read_request();
    connection.write("HTTP/1.1 100 Continue\r\nX-Early: 1\r\n\r\n");
    connection.write(test::stream_head.substr(0, 20));
    connection.write(test::stream_head.substr(20));
    for (int i = 1; i <= 5; ++i) {
      connection.write(test::chunk("piece" + std::to_string(i)));
      if (!told.wait_for(i)) return;  // the next one only after the client has told this one
    }
    connection.write(test::stream_end);
  });
  Net net;
  Heard heard;
  heard.at_body = [&] { told.raise(); };
  heard.at_end = [&] { net.loop.stop(); };
  const auto transfer = net.client->send(request(server.url()), heard.listener());
  CHECK(net.run());
  CHECK(heard.status == 200);
  CHECK(http::find(heard.headers, "x-early") == nullptr);
  CHECK(heard.body == "piece1piece2piece3piece4piece5");
  CHECK(heard.pieces == 5);
  CHECK_FALSE(heard.error.has_value());
}

TEST_CASE("a cancel closes the connection at once, and nothing more is told") {
  std::promise<Instant> closed;
  Instant cancelled;
  Heard heard;
  {
    ByteServer server([&](Connection& connection) {
      connection.read_request();
      connection.write(test::stream_head);
      connection.write(test::chunk("text"));
      if (connection.wait_for_close()) closed.set_value(std::chrono::steady_clock::now());
    });
    Net net;
    std::unique_ptr<http::Transfer> transfer;
    const auto cancel = [&] {
      cancelled = std::chrono::steady_clock::now();
      transfer.reset();
      net.loop.stop();
    };
    SECTION("inside the listener") { heard.at_body = cancel; }
    SECTION("between two callbacks") {
      heard.at_body = [&] { net.loop.post(cancel); };
    }
    transfer = net.client->send(request(server.url()), heard.listener());
    CHECK(net.run());
    auto seen = closed.get_future();
    REQUIRE(seen.wait_for(60s) == std::future_status::ready);
    CHECK(seen.get() - cancelled < 100ms);
  }
  CHECK(heard.body == "text");
  CHECK(heard.ends == 0);
}

TEST_CASE("a cancel before the answer began closes the connection too") {
  test::Counter asked;
  std::atomic<bool> closed = false;
  Heard heard;
  {
    ByteServer server([&](Connection& connection) {
      connection.read_request();
      asked.raise();
      closed = connection.wait_for_close();
    });
    Net net;
    auto transfer = net.client->send(request(server.url()), heard.listener());
    std::thread waiting([&] {
      asked.wait_for(1);
      net.loop.post([&] {
        transfer.reset();
        net.loop.stop();
      });
    });
    CHECK(net.run());
    waiting.join();
  }
  CHECK(closed);
  CHECK(heard.ends == 0);
}

TEST_CASE("a request that is cancelled before it left is never told of") {
  Net net;
  Heard heard;
  const std::string url = test::refused_url();
  net.client->send(request(url), heard.listener());
  net.client->send(request("nonsense://x"), heard.listener());
  Heard later;  // by its end, the two would have been told of
  later.at_end = [&] { net.loop.stop(); };
  const auto transfer = net.client->send(request(url), later.listener());
  CHECK(net.run());
  CHECK(heard.ends == 0);
}

TEST_CASE("a listener may send the next request, and end this one") {
  ByteServer server([](Connection& connection) {
    while (!connection.read_request().empty()) connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  });
  Net net;
  Heard first;
  Heard second;
  std::unique_ptr<http::Transfer> transfer;
  first.at_end = [&] { transfer = net.client->send(request(server.url()), second.listener()); };
  second.at_end = [&] {
    transfer.reset();
    net.loop.stop();
  };
  transfer = net.client->send(request(server.url()), first.listener());
  CHECK(net.run());
  CHECK(first.body == "ok");
  CHECK(second.body == "ok");
  net.client.reset();  // closes the connection that was kept, so that the server ends
}

TEST_CASE("a kept connection that the server has closed meanwhile does not fail the next request") {
  std::atomic<int> served = 0;
  test::Counter closed;
  ByteServer server([&](Connection& connection) {
    connection.read_request();
    ++served;
    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    connection.close();
    closed.raise();
  });
  Net net;
  for (int i = 1; i <= 3; ++i) {
    Heard heard;
    heard.at_end = [&] { net.loop.stop(); };
    const auto transfer = net.client->send(request(server.url()), heard.listener());
    CHECK(net.run());
    CHECK(heard.body == "ok");
    CHECK_FALSE(heard.error.has_value());
    CHECK(closed.wait_for(i));
  }
  CHECK(served == 3);
}

TEST_CASE("a kept connection that dies under the next request is tried once more, on a new one") {
  for (const bool hard : {false, true}) {
    std::atomic<int> connections = 0;
    std::atomic<int> requests = 0;
    ByteServer server([&](Connection& connection) {
      const bool old = ++connections == 1;
      while (!connection.read_request().empty()) {
        const int request = ++requests;
        if (old && request == 2) return hard ? connection.reset() : connection.close();
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      }
    });
    {
      Net net;
      for (int i = 1; i <= 2; ++i) {
        Heard heard;
        heard.at_end = [&] { net.loop.stop(); };
        const auto transfer = net.client->send(request(server.url()), heard.listener());
        CHECK(net.run());
        INFO((heard.error ? heard.error->message : ""));
        CHECK(heard.body == "ok");
      }
    }
    CHECK(requests == 3);
    CHECK(connections == 2);
  }
}

TEST_CASE("a refused connection is one sentence") {
  const std::string url = test::refused_url();
  check_sentence(exchange(request(url)), url.substr(7) + " was not reached");
}

TEST_CASE("an address that is none is one sentence") {
  check_sentence(exchange(request("gopher://127.0.0.1")), "no http or https URL", ErrorKind::invalid);
  check_sentence(exchange(request("")), "no http or https URL", ErrorKind::invalid);
  check_sentence(exchange(request("file:///etc/passwd")), "no http or https URL", ErrorKind::invalid);
}

TEST_CASE("a header with a line break is not sent") {
  http::Request sent = request(test::refused_url());
  sent.headers[1].second = "key\r\nx-evil: SECRET";
  check_sentence(exchange(sent), "holds a line break", ErrorKind::invalid);
}

TEST_CASE("a server that breaks off in the middle of the body is one sentence, and what came was told") {
  for (const bool hard : {false, true}) {
    test::Counter told;
    ByteServer server([&](Connection& connection) {
      connection.read_request();
      connection.write(test::stream_head);
      connection.write(test::chunk("half"));
      told.wait_for(1);
      if (hard) connection.reset();
    });
    Net net;
    Heard heard;
    heard.at_body = [&] { told.raise(); };
    heard.at_end = [&] { net.loop.stop(); };
    const auto transfer = net.client->send(request(server.url()), heard.listener());
    CHECK(net.run());
    CHECK(heard.body == "half");
    check_sentence(heard, server.host() + " broke off");
  }
}

TEST_CASE("what came before a reset is told, also when both are met at once") {
  test::Counter asked;
  test::Counter blocked;
  test::Counter gone;
  ByteServer server([&](Connection& connection) {
    connection.read_request();
    asked.raise();
    blocked.wait_for(1);
    connection.write(test::stream_head);
    connection.write(test::chunk("half"));
    connection.reset();
    gone.raise();
  });
  Net net;
  Heard heard;
  heard.at_end = [&] { net.loop.stop(); };
  const auto transfer = net.client->send(request(server.url()), heard.listener());
  std::thread waiting([&] {
    asked.wait_for(1);
    net.loop.post([&] {
      blocked.raise();
      gone.wait_for(1);  // the loop reads nothing until then
    });
  });
  CHECK(net.run());
  waiting.join();
  CHECK(heard.body == "half");
  check_sentence(heard, server.host() + " broke off");
}

TEST_CASE("an answer that is no HTTP is one sentence") {
  ByteServer server([](Connection& connection) {
    connection.read_request();
    connection.write("SSH-2.0-server\r\n");
  });
  check_sentence(exchange(request(server.url())), server.host() + " does not speak HTTP", ErrorKind::invalid);
}

TEST_CASE("a server that closes without a word is one sentence") {
  ByteServer server([](Connection& connection) { connection.read_request(); });
  check_sentence(exchange(request(server.url())), server.host() + " broke off");
}

TEST_CASE("a server that falls silent is given up after the time set for it") {
  std::atomic<bool> closed = false;
  SECTION("before the first byte") {
    const bool head = GENERATE(false, true);
    {
      ByteServer server([&](Connection& connection) {
        connection.read_request();
        if (head) connection.write(test::stream_head);
        closed = connection.wait_for_close();
      });
      http::Request sent = request(server.url());
      sent.first_line_timeout = 60ms;
      check_sentence(exchange(sent), server.host() + " did not begin to answer within 60 ms", ErrorKind::timed_out);
    }
    CHECK(closed);
  }
  SECTION("between two lines, whatever the time before the first was") {
    {
      ByteServer server([&](Connection& connection) {
        connection.read_request();
        connection.write(test::stream_head);
        connection.write(test::chunk("text\n"));
        closed = connection.wait_for_close();
      });
      http::Request sent = request(server.url());
      sent.idle_timeout = 60ms;
      const Heard heard = exchange(sent);
      CHECK(heard.body == "text\n");
      check_sentence(heard, server.host() + " sent nothing more for 60 ms", ErrorKind::timed_out);
    }
    CHECK(closed);
  }
}

TEST_CASE("lines that keep coming put off the time limit") {
  test::Counter told;
  ByteServer server([&](Connection& connection) {
    connection.read_request();
    connection.write(test::stream_head);
    for (int i = 1; i <= 7; ++i) {
      connection.write(test::chunk(".\n"));
      if (!told.wait_for(i)) return;
    }
    connection.write(test::stream_end);
  });
  Net net;
  Heard heard;
  std::unique_ptr<Timer> pause;
  // Each line is followed by a pause of a sixth of the limit, more than the limit together.
  heard.at_body = [&] { pause = net.loop.after(500ms, [&] { told.raise(); }); };
  heard.at_end = [&] { net.loop.stop(); };
  http::Request sent = request(server.url());
  sent.idle_timeout = 3s;
  const auto transfer = net.client->send(sent, heard.listener());
  CHECK(net.run());
  CHECK(heard.body == ".\n.\n.\n.\n.\n.\n.\n");
  CHECK_FALSE(heard.error.has_value());
}

TEST_CASE("a byte now and then, and never a whole line, does not put it off") {
  const std::string first = GENERATE("first\n", ".");
  test::Counter told;
  std::atomic<bool> closed = false;
  {
    ByteServer server([&](Connection& connection) {
      connection.read_request();
      connection.write(test::stream_head);
      connection.write(test::chunk(first));
      for (int i = 1; told.wait_for(i); ++i) connection.write(test::chunk("."));
      closed = true;
    });
    Net net;
    Heard heard;
    std::unique_ptr<Timer> pause;
    heard.at_body = [&] { pause = net.loop.after(10ms, [&] { told.raise(); }); };
    heard.at_end = [&] {
      pause.reset();
      net.loop.stop();
    };
    http::Request sent = request(server.url());
    (first == "." ? sent.first_line_timeout : sent.idle_timeout) = 900ms;
    const auto transfer = net.client->send(sent, heard.listener());
    CHECK(net.run());
    CHECK(heard.pieces > 1);
    check_sentence(heard, server.host() + " is too slow, with not one whole line of its answer in 900 ms",
                   ErrorKind::timed_out);
    told.stop();
  }
  CHECK(closed);
}

TEST_CASE("twenty requests run at once, each on its own connection") {
  test::Counter arrived;
  ByteServer server([&](Connection& connection) {
    connection.read_request();
    arrived.raise();
    if (!arrived.wait_for(20)) return;  // nobody is answered before all have asked
    connection.write(test::stream_head);
    for (int i = 0; i < 50; ++i) connection.write(test::chunk("0123456789"));
    connection.write(test::stream_end);
  });
  Net net;
  std::vector<Heard> heard(20);
  std::vector<std::unique_ptr<http::Transfer>> transfers;
  int open = 20;
  for (auto& one : heard) {
    one.at_end = [&] {
      if (--open == 0) net.loop.stop();
    };
    transfers.push_back(net.client->send(request(server.url()), one.listener()));
  }
  CHECK(net.run());
  for (const auto& one : heard) {
    CHECK(one.body.size() == 500);
    CHECK_FALSE(one.error.has_value());
  }
}

TEST_CASE("an answer that was compressed unasked is understood") {
  constexpr std::string_view zipped(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\xcf\xe6\x02\x00\x7d\x0e\x16\xda\x03\x00\x00\x00", 23);
  std::string seen;
  ByteServer server([&](Connection& connection) {
    seen = connection.read_request();
    connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 23\r\n\r\n");
    connection.write(zipped);
  });
  const Heard heard = exchange(request(server.url()));
  CHECK(heard.body == "ok\n");
  CHECK_FALSE(heard.error.has_value());
  CHECK(seen.find("Accept-Encoding: identity") != std::string::npos);
  CHECK(seen.find("gzip") == std::string::npos);
}

TEST_CASE("a compressed answer that is none is one sentence") {
  ByteServer server([&](Connection& connection) {
    connection.read_request();
    connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello");
  });
  check_sentence(exchange(request(server.url())), server.host());
}

TEST_CASE("a proxy that is not there is named") {
  ::setenv("https_proxy", test::refused_url().c_str(), 1);
  const Heard heard = exchange(request("https://api.invalid"));
  ::unsetenv("https_proxy");
  check_sentence(heard, "api.invalid was not reached; check the network connection, the proxy in https_proxy, and");
}

TEST_CASE("a proxy that lets nothing through is one sentence") {
  const int status = GENERATE(403, 407, 503);
  ByteServer proxy([&](Connection& connection) {
    connection.read_request();
    connection.write("HTTP/1.1 " + std::to_string(status) + " No\r\nContent-Length: 0\r\n\r\n");
  });
  ::setenv("https_proxy", proxy.url().c_str(), 1);
  const Heard heard = exchange(request("https://api.invalid"));
  ::unsetenv("https_proxy");
  check_sentence(heard, "The proxy did not let the request through to api.invalid (" + std::to_string(status) + ")",
                 status == 503 ? ErrorKind::network : ErrorKind::invalid);
  CHECK(heard.status == 0);
}

TEST_CASE("a redirect is told, not followed") {
  std::atomic<int> connections = 0;
  ByteServer server([&](Connection& connection) {
    ++connections;
    connection.read_request();
    connection.write("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
  });
  const Heard heard = exchange(request(server.url()));
  CHECK(heard.status == 302);
  CHECK(heard.body.empty());
  CHECK(connections == 1);
}

}  // namespace selfmind::io

// A TCP listener on 127.0.0.1 that plays bytes: each connection runs the test's script in a thread of its own. Scripts
// wait for conditions, never for time, and every wait has a limit. POSIX sockets, no library.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace selfmind::test {

inline constexpr int patience_ms = 60'000;

// A number that threads raise and wait for.
class Counter {
 public:
  void raise() {
    const std::lock_guard lock(mutex_);
    ++value_;
    changed_.notify_all();
  }
  bool wait_for(int value) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::milliseconds(patience_ms), [&] {
      return value_ >= value || stopped_;
    }) && value_ >= value;
  }
  // Nobody waits any longer.
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int value_ = 0;
  bool stopped_ = false;
};

class Connection {
 public:
  explicit Connection(int socket) : socket_(socket) {}
  ~Connection() { close(); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // One request with its body, as it stood on the wire; empty when the peer has gone.
  std::string read_request() {
    std::string text;
    while (!complete(text)) {
      if (!read_some(text)) return {};
    }
    return text;
  }
  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  // The peer closed the connection, or the wait ran out.
  bool wait_for_close() {
    while (readable()) {
      char buffer[1024];
      if (::recv(socket_, buffer, sizeof buffer, 0) <= 0) return true;
    }
    return false;
  }
  void close() {
    if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  }
  // The peer gets a reset in place of an end.
  void reset() {
    const linger hard{1, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    close();
  }

 private:
  bool readable() {
    pollfd wanted{socket_, POLLIN, 0};
    return ::poll(&wanted, 1, patience_ms) > 0;
  }
  bool read_some(std::string& text) {
    char buffer[65536];
    if (!readable()) return false;
    const auto got = ::recv(socket_, buffer, sizeof buffer, 0);
    if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
    return got > 0;
  }
  static bool complete(const std::string& text) {
    const auto head = text.find("\r\n\r\n");
    if (head == std::string::npos) return false;
    const auto length = text.find("Content-Length: ");
    const std::size_t body = length < head ? std::stoul(text.substr(length + 16)) : 0;
    return text.size() >= head + 4 + body;
  }

  int socket_;
};

class ByteServer {
 public:
  explicit ByteServer(std::function<void(Connection&)> script) : script_(std::move(script)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener_, 64) != 0 ||
        ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0 || ::pipe(wake_) != 0) {
      throw std::runtime_error("no listener on 127.0.0.1");
    }
    port_ = ntohs(address.sin_port);
    accepting_ = std::thread([this] { accept_all(); });
  }
  ~ByteServer() {
    ::close(wake_[1]);
    accepting_.join();
    for (auto& thread : connections_) thread.join();
    ::close(wake_[0]);
    ::close(listener_);
  }
  ByteServer(const ByteServer&) = delete;
  ByteServer& operator=(const ByteServer&) = delete;

  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  std::string url() const { return "http://" + host(); }

 private:
  void accept_all() {
    for (;;) {
      pollfd wanted[2] = {{listener_, POLLIN, 0}, {wake_[0], POLLIN, 0}};
      ::poll(wanted, 2, -1);
      if (wanted[1].revents != 0) return;
      const int socket = ::accept(listener_, nullptr, nullptr);
      if (socket < 0) continue;
      connections_.emplace_back([this, socket] {
        Connection connection(socket);
        script_(connection);
      });
    }
  }

  std::function<void(Connection&)> script_;
  int listener_ = -1;
  int wake_[2] = {-1, -1};
  int port_ = 0;
  std::thread accepting_;
  std::vector<std::thread> connections_;  // of the accepting thread until it has ended
};

// A port that nobody listens on: it was one's own a moment ago.
inline std::string refused_url() {
  const ByteServer gone([](Connection&) {});
  return gone.url();
}

// One piece of a chunked body.
inline std::string chunk(std::string_view bytes) {
  char length[20];
  std::snprintf(length, sizeof length, "%zx\r\n", bytes.size());
  return length + std::string(bytes) + "\r\n";
}

inline constexpr std::string_view stream_head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
inline constexpr std::string_view stream_end = "0\r\n\r\n";

}  // namespace selfmind::test

// Sockets: bytes in, requests to the service, replies out in their own time. Each handle is embedded in its Connection,
// which is deleted when both are closed.
#include "support/messages_server/server.h"

#include <cstdio>
#include <utility>

#include "support/messages_server/gzip.h"

namespace messages_server {

class Connection {
 public:
  explicit Connection(Server& server) : server_(server) {
    uv_tcp_init(server.loop_, &tcp_);
    uv_timer_init(server.loop_, &timer_);
    tcp_.data = timer_.data = this;
    server.connections_.insert(this);
  }

  void accept() {
    if (uv_accept(stream_of(&server_.listener_), stream()) != 0) return close();
    uv_tcp_nodelay(&tcp_, 1);  // pieces arrive as they were cut
    uv_read_start(stream(), give_buffer, [](uv_stream_t* s, ssize_t count, const uv_buf_t* buffer) {
      static_cast<Connection*>(s->data)->on_read(count, buffer->base);
    });
  }

  void close() {
    if (std::exchange(closing_, true)) return;
    server_.connections_.erase(this);
    uv_close(reinterpret_cast<uv_handle_t*>(&tcp_), on_closed);
    uv_close(reinterpret_cast<uv_handle_t*>(&timer_), on_closed);
  }

 private:
  struct Write {
    uv_write_t request;
    std::string bytes;
  };

  static uv_stream_t* stream_of(uv_tcp_t* tcp) { return reinterpret_cast<uv_stream_t*>(tcp); }
  uv_stream_t* stream() { return stream_of(&tcp_); }

  static void give_buffer(uv_handle_t* handle, std::size_t, uv_buf_t* buffer) {
    auto& space = static_cast<Connection*>(handle->data)->space_;
    *buffer = uv_buf_init(space, sizeof space);
  }

  static void on_closed(uv_handle_t* handle) {
    auto* self = static_cast<Connection*>(handle->data);
    if (++self->closed_ == 2) delete self;
  }

  void on_read(ssize_t count, const char* bytes) {
    if (count < 0) {
      if (busy_) server_.service_.closed_early(number_, uv_now(server_.loop_) - started_ms_);
      return close();
    }
    waiting_.append(bytes, static_cast<std::size_t>(count));
    if (!busy_) parse();
  }

  void parse() {
    using State = RequestParser::State;
    const State state = parser_.feed(std::exchange(waiting_, {}));
    if (state == State::bad) return close();
    if (state == State::more) {
      if (parser_.wants_continue()) write("HTTP/1.1 100 Continue\r\n\r\n");
      return;
    }
    const Request request = parser_.take();
    const std::uint64_t now = uv_now(server_.loop_);
    begin(state == State::too_large ? server_.service_.too_large(request, number_)
                                    : server_.service_.answer(request, now, number_));
  }

  void begin(Reply reply) {
    reply_ = std::move(reply);
    next_ = 0;
    gzip_ = {};
    busy_ = true;
    started_ms_ = uv_now(server_.loop_);
    proceed();
  }

  // Sends the pieces that are due, and waits for the next or ends.
  void proceed() {
    const std::uint64_t passed = uv_now(server_.loop_) - started_ms_;
    for (; next_ < reply_.pieces.size(); ++next_) {
      const Piece& piece = reply_.pieces[next_];
      if (piece.at_ms > passed) {
        uv_timer_start(
            &timer_, [](uv_timer_t* timer) { static_cast<Connection*>(timer->data)->proceed(); }, piece.at_ms - passed,
            0);
        return;
      }
      if (next_ == 0) write_head();
      if (!piece.bytes.empty()) write_piece(reply_.gzip ? gzip_.piece(piece.bytes) : piece.bytes);
    }
    end();
  }

  void write_head() {
    Headers headers = reply_.headers;
    if (reply_.chunked) {
      headers.emplace_back("transfer-encoding", "chunked");
    } else {
      headers.emplace_back("content-length", std::to_string(reply_.pieces[0].bytes.size()));
    }
    write(head(reply_.status, headers));
  }

  void write_piece(const std::string& bytes) {
    if (!reply_.chunked) return write(bytes);
    char size[20];
    std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
    write(size + bytes + "\r\n");
  }

  void end() {
    if (reply_.ending == Ending::hang) return;
    busy_ = false;
    if (reply_.ending == Ending::abort) return close_after_writing();
    if (reply_.ending == Ending::reset) return reset();
    if (reply_.gzip) write_piece(gzip_.end());
    if (reply_.chunked) write("0\r\n\r\n");
    parse();  // what the client has sent meanwhile
  }

  void reset() {
    closing_ = true;
    server_.connections_.erase(this);
    uv_tcp_close_reset(&tcp_, on_closed);
    uv_close(reinterpret_cast<uv_handle_t*>(&timer_), on_closed);
  }

  void close_after_writing() {
    uv_read_stop(stream());
    const auto done = [](uv_shutdown_t* request, int) { static_cast<Connection*>(request->handle->data)->close(); };
    if (uv_shutdown(&shutdown_, stream(), done) != 0) close();
  }

  void write(std::string bytes) {
    auto* job = new Write{{}, std::move(bytes)};
    job->request.data = job;
    const uv_buf_t buffer = uv_buf_init(job->bytes.data(), static_cast<unsigned>(job->bytes.size()));
    const auto done = [](uv_write_t* request, int) { delete static_cast<Write*>(request->data); };
    // A client that has gone is noticed by the next read.
    if (uv_write(&job->request, stream(), &buffer, 1, done) != 0) delete job;
  }

  Server& server_;
  uv_tcp_t tcp_;
  uv_timer_t timer_;
  uv_shutdown_t shutdown_;
  int closed_ = 0;
  bool closing_ = false;
  char space_[65536];

  RequestParser parser_{server_.service_.body_limit()};
  std::string waiting_;  // read while a reply was under way
  bool busy_ = false;    // a reply is under way
  Reply reply_;
  std::size_t next_ = 0;  // of its pieces
  Gzip gzip_;
  int number_ = 0;
  std::uint64_t started_ms_ = 0;
};

int Server::listen(int port) {
  constexpr int backlog = 64;
  uv_tcp_init(loop_, &listener_);
  listener_.data = this;
  sockaddr_in address;
  uv_ip4_addr("127.0.0.1", port, &address);
  int failed = uv_tcp_bind(&listener_, reinterpret_cast<const sockaddr*>(&address), 0);
  if (failed == 0) failed = uv_listen(reinterpret_cast<uv_stream_t*>(&listener_), backlog, &Server::on_client);
  if (failed != 0) return failed;
  int size = sizeof address;
  uv_tcp_getsockname(&listener_, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

void Server::on_client(uv_stream_t* listener, int status) {
  if (status == 0) (new Connection(*static_cast<Server*>(listener->data)))->accept();
}

void Server::stop() {
  uv_close(reinterpret_cast<uv_handle_t*>(&listener_), nullptr);
  while (!connections_.empty()) (*connections_.begin())->close();
}

}  // namespace messages_server

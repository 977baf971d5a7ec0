// Messages → binder → answers; see connection.h. Loop thread only.
#include "rpc/connection.h"

#include <utility>

#include "base/log.h"
#include "base/utf8.h"

namespace selfmind::rpc {
namespace {

// What an editor's error is cut to in the log.
constexpr std::size_t logged_bytes = 400;

Value to_value(const Error& error) { return Map{{"kind", to_text(error.kind)}, {"message", error.message}}; }

}  // namespace

// Shared with the answers still on their way: one that comes after the connection has gone finds nothing and is
// dropped.
struct Connection::State : std::enable_shared_from_this<State> {
  State(Transport& t, const Binder& b, NotifyAnswer a) : transport(t), binder(b), answer(std::move(a)) {}

  Transport& transport;
  const Binder& binder;
  NotifyAnswer answer;
  Decoder decoder;
  std::function<void(const Error*)> on_end;
  std::set<std::uint32_t> pending;  // requests not answered yet
  bool over = false;

  void receive(std::string_view bytes);
  void end(const Error* why);
  void on(const Request& request);
  void on(const Response& response);
  void on(const Notification& notification);
  void respond(std::uint32_t id, Result<Value> result);
};

void Connection::State::receive(std::string_view bytes) {
  if (over) return;
  auto messages = decoder.feed(bytes);
  if (!messages) return end(&messages.error());
  for (const Message& message : *messages) {
    std::visit([this](const auto& m) { on(m); }, message);
  }
}

void Connection::State::end(const Error* why) {
  if (std::exchange(over, true)) return;
  // Moved out, because what is called may take the connection down.
  if (const auto call = std::exchange(on_end, nullptr)) call(why);
}

void Connection::State::on(const Request& request) {
  if (!pending.insert(request.id).second) {
    log::warning("a request came with the id of one still unanswered and was dropped");
    return;
  }
  Answer reply = [weak = weak_from_this(), id = request.id](Result<Value> result) {
    if (const auto self = weak.lock()) self->respond(id, std::move(result));
  };
  if (request.params.size() > 1) {
    return reply(Error{ErrorKind::invalid, request.method + ": there must be one parameter, a map."});
  }
  binder.call(request.method, request.params.empty() ? Value(Map{}) : request.params[0], std::move(reply));
}

void Connection::State::respond(std::uint32_t id, Result<Value> result) {
  if (pending.erase(id) == 0) {
    log::error("a request was answered twice; the second answer was dropped");
    return;
  }
  Response response{id, {}, {}};
  if (result) {
    response.result = std::move(*result);
  } else {
    response.error = to_value(result.error());
  }
  transport.write(encode(response));
}

void Connection::State::on(const Response&) { log::debug("a response came to a request that was never sent"); }

void Connection::State::on(const Notification& notification) {
  const Array& params = notification.params;
  if (notification.method == "nvim_error_event") {
    const std::string* text = params.size() == 2 ? params[1].as_string() : nullptr;
    log::warning("the editor refused a call: " + utf8::excerpt(utf8::clean(text ? *text : ""), logged_bytes));
    return;
  }
  const std::int64_t* id = params.empty() || params.size() > 2 ? nullptr : params[0].as_int();
  if (!id || *id < 0) {
    log::warning("a notification of " + utf8::excerpt(utf8::clean(notification.method), logged_bytes) +
                 " without [id, params] was dropped");
    return;
  }
  Answer reply = [](Result<Value>) {};
  if (*id != 0) {
    reply = [weak = weak_from_this(), number = *id](Result<Value> result) {
      if (const auto self = weak.lock()) self->answer(number, std::move(result));
    };
  }
  binder.call(notification.method, params.size() < 2 ? Value(Map{}) : params[1], std::move(reply));
}

Connection::Connection(Transport& transport, const Binder& binder, NotifyAnswer answer)
    : state_(std::make_shared<State>(transport, binder, std::move(answer))) {}

Connection::~Connection() = default;

void Connection::start(std::function<void(const Error* why)> on_end) {
  state_->on_end = std::move(on_end);
  const std::weak_ptr<State> weak = state_;
  state_->transport.start(
      [weak](std::string_view bytes) {
        if (const auto self = weak.lock()) self->receive(bytes);
      },
      [weak](const Error* why) {
        if (const auto self = weak.lock()) self->end(why);
      });
}

void Connection::notify(std::string method, Array params) {
  state_->transport.write(encode(Notification{std::move(method), std::move(params)}));
}

}  // namespace selfmind::rpc

// Connection: one msgpack-RPC channel over a transport. It owns the decoder and knows which requests are still to be
// answered; Neovim dies of a response it did not ask for, so only type 0 is ever answered, once. Loop thread only.
#pragma once
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "rpc/binder.h"
#include "rpc/codec.h"
#include "rpc/transport.h"

namespace selfmind::rpc {

class Connection {
 public:
  // How a notification's answer gets back: the id it came with, and the result.
  using NotifyAnswer = std::function<void(std::int64_t id, Result<Value> result)>;

  // Both outlive the connection. An answer given after it has gone is dropped.
  Connection(Transport& transport, const Binder& binder, NotifyAnswer answer);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  // `on_end` once: the other side closed (why null) or spoke nonsense.
  void start(std::function<void(const Error* why)> on_end);
  void notify(std::string method, Array params);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace selfmind::rpc

// Client: one request to Claude and its events. It owns nothing but the running call; loop thread only.
#pragma once
#include <functional>
#include <memory>

#include "claude/types.h"
#include "http/http.h"

namespace selfmind::claude {

// A running request. Destroying it stops it: the connection is closed and no event follows.
class Call {
 public:
  virtual ~Call() = default;
  // What has come so far, fit to be kept.
  virtual Reply partial() const = 0;
};

class Client {
 public:
  explicit Client(http::Client& http) : http_(http) {}
  // `on_event` is called on the loop, never from inside ask(); the last event is Done or Failed. The sink may destroy
  // the Call.
  std::unique_ptr<Call> ask(const Request& request, const Endpoint& endpoint,
                            std::function<void(StreamEvent)> on_event);

 private:
  http::Client& http_;
};

}  // namespace selfmind::claude

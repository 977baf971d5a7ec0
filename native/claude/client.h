// Client: one request to Claude and its events. It owns what the servers have taught about their models, and the side
// questions about them; the callers own their calls. Loop thread only.
#pragma once
#include <functional>
#include <list>
#include <memory>

#include "claude/knowledge.h"
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
  explicit Client(http::Client& http) : http_(http), knowledge_(std::make_shared<Knowledge>()) {}
  // `on_event` is called on the loop, never from inside ask(); the last event is Done or Failed. The sink may destroy
  // the Call. A request that is refused for a field is sent once more without it, limits::corrections times at most,
  // and the field is not sent to this model of this server again. The first request to each makes a side question go
  // out beside it, GET /v1/models/{id}, whose answer holds from the next request on and whose failure nobody hears of.
  std::unique_ptr<Call> ask(const Request& request, const Endpoint& endpoint,
                            std::function<void(StreamEvent)> on_event);

 private:
  struct Lookup {
    int status = 0;
    std::string body;
    std::unique_ptr<http::Transfer> transfer;
  };
  void look_up(const std::string& model, const Endpoint& endpoint);

  http::Client& http_;
  std::shared_ptr<Knowledge> knowledge_;
  std::list<Lookup> lookups_;  // those under way
};

}  // namespace selfmind::claude

#include "claude/client.h"

#include <utility>

#include "base/limits.h"
#include "claude/decode.h"
#include "claude/encode.h"
#include "claude/retry.h"
#include "sse/decoder.h"

namespace selfmind::claude {
namespace {

// One call. The transfer's callbacks hold it weakly and lock it while they run, so the sink may destroy the Call.
struct Asking {
  Endpoint endpoint;
  std::function<void(StreamEvent)> sink;
  sse::Decoder decoder;
  ReplyDecoder reply;
  int status = 0;
  http::Headers headers;
  std::string unread;      // the body as long as no event was in it: an error, or something else altogether
  bool streaming = false;  // an event was in it
  bool over = false;       // Done or Failed was given out, or nobody listens any more
  std::unique_ptr<http::Transfer> transfer;

  void emit(std::vector<StreamEvent> events) {
    for (auto& event : events) {
      if (over) return;
      auto* failed = std::get_if<Failed>(&event);
      if (failed != nullptr) failed->http_status = status;
      over = failed != nullptr || std::holds_alternative<Done>(event);
      if (failed != nullptr) transfer.reset();
      sink(std::move(event));
    }
  }

  void fail(Error error, Retry retry = {}) { emit({Failed{std::move(error), reply.partial(), status, retry}}); }

  void on_head(int new_status, const http::Headers& new_headers) {
    status = new_status;
    headers = new_headers;
  }

  void on_body(std::string_view bytes) {
    if (over) return;
    if (!streaming) unread += bytes.substr(0, limits::http_error_body_bytes - unread.size());
    if (status != 200) return;
    auto events = decoder.feed(bytes);
    if (!events) return fail(std::move(events).error());
    for (const auto& event : *events) {
      streaming = true;
      emit(reply.on(event));
    }
    if (streaming) unread.clear();
  }

  void on_end(const Result<void>& end) {
    if (over) return;
    // An error answer says more than how its connection ended.
    const bool error_answer = status != 0 && status != 200;
    if (error_answer || (end && !streaming)) {
      return fail(error_from_response(status, headers, unread, endpoint), retry_from_response(status, headers, unread));
    }
    emit(reply.on_end(end ? nullptr : &end.error()));
  }
};

class RunningCall final : public Call {
 public:
  explicit RunningCall(std::shared_ptr<Asking> asking) : asking_(std::move(asking)) {}
  ~RunningCall() override {
    asking_->over = true;
    asking_->transfer.reset();
  }
  Reply partial() const override { return asking_->reply.partial(); }

 private:
  std::shared_ptr<Asking> asking_;
};

}  // namespace

std::unique_ptr<Call> Client::ask(const Request& request, const Endpoint& endpoint,
                                  std::function<void(StreamEvent)> on_event) {
  auto asking = std::make_shared<Asking>();
  asking->endpoint = endpoint;
  asking->sink = std::move(on_event);
  const std::weak_ptr<Asking> weak = asking;
  http::Listener listener;
  listener.on_head = [weak](int status, const http::Headers& headers) {
    if (const auto call = weak.lock()) call->on_head(status, headers);
  };
  listener.on_body = [weak](std::string_view bytes) {
    if (const auto call = weak.lock()) call->on_body(bytes);
  };
  listener.on_end = [weak](Result<void> end) {
    if (const auto call = weak.lock()) call->on_end(end);
  };
  asking->transfer = http_.send(http_request(request, endpoint), std::move(listener));
  return std::make_unique<RunningCall>(std::move(asking));
}

}  // namespace selfmind::claude

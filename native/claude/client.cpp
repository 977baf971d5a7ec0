#include "claude/client.h"

#include <utility>

#include "base/limits.h"
#include "base/log.h"
#include "claude/decode.h"
#include "claude/encode.h"
#include "claude/fields.h"
#include "claude/lookup.h"
#include "claude/retry.h"
#include "sse/decoder.h"

namespace selfmind::claude {
namespace {

// One call. The transfer's callbacks hold it weakly and lock it while they run, so the sink may destroy the Call.
struct Asking : std::enable_shared_from_this<Asking> {
  Asking(http::Client& client, std::shared_ptr<Knowledge> known) : http(client), knowledge(std::move(known)) {}

  http::Client& http;
  std::shared_ptr<Knowledge> knowledge;
  Request request;
  Endpoint endpoint;
  std::function<void(StreamEvent)> sink;
  std::string sent;  // the body of the running request
  int corrections = 0;
  sse::Decoder decoder;
  ReplyDecoder reply;
  int status = 0;
  http::Headers headers;
  std::string unread;      // the body as long as no event was in it: an error, or something else altogether
  bool streaming = false;  // an event was in it
  bool over = false;       // Done or Failed was given out, or nobody listens any more
  std::unique_ptr<http::Transfer> transfer;

  http::Request current() const { return http_request(request, knowledge->about(endpoint, request.model), endpoint); }

  void send(http::Request out) {
    status = 0;
    headers.clear();
    unread.clear();
    sent = out.body;
    const std::weak_ptr<Asking> weak = weak_from_this();
    http::Listener listener;
    listener.on_head = [weak](int new_status, const http::Headers& new_headers) {
      if (const auto call = weak.lock()) call->on_head(new_status, new_headers);
    };
    listener.on_body = [weak](std::string_view bytes) {
      if (const auto call = weak.lock()) call->on_body(bytes);
    };
    listener.on_end = [weak](Result<void> end) {
      if (const auto call = weak.lock()) call->on_end(end);
    };
    transfer = http.send(std::move(out), std::move(listener));
  }

  // Learns from a refusal and sends again what is left of the request; false when that would be the same once more.
  bool correct() {
    const auto refused = refused_field(status, unread);
    if (!refused || corrections == limits::corrections) return false;
    knowledge->refused(endpoint, request.model, *refused, thinking_in(request));
    http::Request again = current();
    if (again.body == sent) return false;
    ++corrections;
    log::info(std::string("the server refuses ") + to_text(refused->field) + "; the request is sent again without");
    send(std::move(again));
    return true;
  }

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
    if (error_answer && correct()) return;
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
  auto asking = std::make_shared<Asking>(http_, knowledge_);
  asking->request = request;
  asking->endpoint = endpoint;
  asking->sink = std::move(on_event);
  asking->send(asking->current());
  look_up(request.model, endpoint);
  return std::make_unique<RunningCall>(std::move(asking));
}

// The transfers end with the client, so that `this` is there whenever they call.
void Client::look_up(const std::string& model, const Endpoint& endpoint) {
  if (!knowledge_->first_request(endpoint, model)) return;
  const auto lookup = lookups_.emplace(lookups_.end());
  http::Listener listener;
  listener.on_head = [lookup](int status, const http::Headers&) { lookup->status = status; };
  listener.on_body = [lookup](std::string_view bytes) {
    lookup->body += bytes.substr(0, limits::lookup_bytes - lookup->body.size());
  };
  listener.on_end = [this, lookup, model, endpoint](const Result<void>& end) {
    const auto description = end ? read_description(lookup->status, lookup->body) : std::nullopt;
    if (description) knowledge_->said(endpoint, model, *description);
    lookups_.erase(lookup);
  };
  lookup->transfer = http_.send(lookup_request(endpoint, model), std::move(listener));
}

}  // namespace selfmind::claude

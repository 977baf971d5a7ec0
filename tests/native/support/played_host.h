// PlayedHost: the real host on a real store file, in this process. The test is its editor, its server and its clock.
// Unlike an editor it keeps nothing of what it was told but what is asked for, so that thousands of turns can be
// played.
#pragma once
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "host/host.h"
#include "http/fake.h"
#include "rpc/codec.h"
#include "support/fakes.h"
#include "support/manual_loop.h"
#include "support/temporary.h"

namespace selfmind::test {

// A clock that the test moves while the host's threads read it.
class MovedClock final : public Clock {
 public:
  explicit MovedClock(Time start) : millis_(to_millis(start)) {}
  Time now() override { return from_millis(millis_); }
  void advance(std::chrono::milliseconds by) { millis_ += by.count(); }

 private:
  std::atomic<std::int64_t> millis_;
};

// An answer of the Messages API as it is streamed.
inline std::string streamed(const std::string& text, const std::string& stop_reason = "end_turn") {
  const auto event = [](const nlohmann::ordered_json& data) {
    return "event: " + data["type"].get<std::string>() + "\ndata: " + data.dump() + "\n\n";
  };
  std::string stream = event({{"type", "message_start"},
                              {"message",
                               {{"id", "msg_1"},
                                {"type", "message"},
                                {"role", "assistant"},
                                {"model", "claude-opus-4-8"},
                                {"content", nlohmann::ordered_json::array()},
                                {"stop_reason", nullptr},
                                {"usage", {{"input_tokens", 5}, {"output_tokens", 1}}}}}});
  stream += event({{"type", "content_block_start"}, {"index", 0}, {"content_block", {{"type", "text"}, {"text", ""}}}});
  if (!text.empty()) {
    stream +=
        event({{"type", "content_block_delta"}, {"index", 0}, {"delta", {{"type", "text_delta"}, {"text", text}}}});
  }
  stream += event({{"type", "content_block_stop"}, {"index", 0}});
  stream += event({{"type", "message_delta"},
                   {"delta", {{"stop_reason", stop_reason}, {"stop_sequence", nullptr}}},
                   {"usage", {{"output_tokens", 9}}}});
  return stream + event({{"type", "message_stop"}});
}

class PlayedHost {
 public:
  using Result = std::pair<rpc::Value, std::string>;  // or a sentence

  PlayedHost(const std::string& db, MovedClock& clock, rpc::Map settings = {})
      : clock_(clock), settings_(std::move(settings)) {
    settings_.emplace_back("db", db);
    settings_.emplace_back("base_url", "http://localhost:1");
    start();
  }
  ~PlayedHost() {
    if (host_) quit();
  }

  void start() {
    ended_ = false;
    host_ = std::make_unique<host::Host>(
        loop_, transport_, http_, clock_, ids_, [](const char*) -> const char* { return nullptr; },
        [this](bool) { ended_ = true; });
    host_->start();
    call("hello", {{"protocol", 1}, {"plugin", "test"}, {"settings", rpc::Value(settings_)}});
  }

  // As an editor that quits: what it was about to learn is given back.
  void quit() {
    transport_.end(nullptr);
    until("the host to end", [this] { return ended_; });
    host_.reset();
    transport_.news.clear();
  }

  std::int64_t send(const std::string& method, rpc::Map params) {
    const auto id = next_id_++;
    transport_.bytes(rpc::encode(rpc::Notification{method, {id, rpc::Value(std::move(params))}}));
    return id;
  }

  // The result of a call; what was answered instead throws.
  rpc::Value call(const std::string& method, rpc::Map params) { return result(send(method, std::move(params))); }

  rpc::Value result(std::int64_t id) {
    until("an answer", [&] {
      read();
      return replies_.count(id) > 0;
    });
    const rpc::Value answer = std::move(replies_[id]);
    replies_.erase(id);
    if (const auto* error = answer.find("error")) throw std::runtime_error(*error->find("message")->as_string());
    return *answer.find("result");
  }

  // The next event of this name, which is then used up.
  rpc::Value event(const std::string& name) {
    until(name, [&] { return has_event(name); });
    auto& waiting = events_[name];
    rpc::Value first = std::move(waiting.front());
    waiting.erase(waiting.begin());
    return first;
  }
  bool has_event(const std::string& name) {
    read();
    return !events_[name].empty();
  }
  void drop_events() {
    read();
    events_.clear();
  }

  // The next request to the server that was not taken yet.
  http::FakeHttp::Exchange& request() {
    until("a request", [this] { return has_request(); });
    return http_.at(taken_++);
  }
  bool has_request() const { return http_.count() > taken_; }

  static void answer(http::FakeHttp::Exchange& request, const std::string& stream) {
    request.head(200, {{"content-type", "text/event-stream"}});
    request.body(stream);
    request.end();
  }
  static void refuse(http::FakeHttp::Exchange& request, int status, const std::string& type) {
    request.head(status, {{"content-type", "application/json"}});
    request.body(nlohmann::json{{"type", "error"}, {"error", {{"type", type}, {"message", "Not now"}}}}.dump());
    request.end();
  }

  void until(const std::string& what, const std::function<bool()>& holds) {
    if (!loop_.run_until(holds))
      throw std::runtime_error("waited in vain for " + what + ", request " + std::to_string(taken_) + " of " +
                               std::to_string(http_.count()));
  }

  std::int64_t open_chat(const std::string& folder, bool fresh = false) {
    return *call("chat.open", {{"folder", folder}, {"fresh", fresh}}).find("chat")->as_int();
  }

  ManualLoop& loop() { return loop_; }

 private:
  class Transport final : public rpc::Transport {
   public:
    void write(std::string sent) override {
      auto decoded = sent_.feed(sent);
      if (!decoded) throw std::runtime_error(decoded.error().message);
      news.insert(news.end(), decoded->begin(), decoded->end());
    }
    void start(std::function<void(std::string_view)> on_bytes, std::function<void(const Error*)> on_end) override {
      bytes = std::move(on_bytes);
      end = std::move(on_end);
    }
    std::function<void(std::string_view)> bytes;
    std::function<void(const Error*)> end;
    std::vector<rpc::Message> news;

   private:
    rpc::Decoder sent_;
  };

  void read() {
    for (const auto& message : std::exchange(transport_.news, {})) {
      const auto* notification = std::get_if<rpc::Notification>(&message);
      if (!notification || notification->method != "nvim_exec_lua") continue;
      const auto& args = *notification->params.at(1).as_array();
      const auto& name = *args.at(0).as_string();
      if (name == "reply") {
        replies_[*args.at(1).find("id")->as_int()] = args.at(1);
      } else if (name == "turn/done" || name == "learn/failed" || name == "learn/done") {
        events_[name].push_back(args.at(1));
      }
    }
  }

  MovedClock& clock_;
  rpc::Map settings_;
  ManualLoop loop_;
  Transport transport_;
  http::FakeHttp http_;
  CountingIds ids_;
  bool ended_ = false;
  std::int64_t next_id_ = 1;
  std::size_t taken_ = 0;
  std::map<std::int64_t, rpc::Value> replies_;
  std::map<std::string, std::vector<rpc::Value>> events_;
  std::unique_ptr<host::Host> host_;
};

}  // namespace selfmind::test

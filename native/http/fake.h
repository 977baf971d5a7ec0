// FakeHttp: an http::Client for tests of whatever talks HTTP. It keeps every request, and the test plays the answer by
// hand: head, body, end, in the order a real transfer has. What a real transfer could not be or do throws.
#pragma once
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/http.h"

namespace selfmind::http {

class FakeHttp final : public Client {
 public:
  // One request and its answer. The test keeps it alive through FakeHttp; it may be played to after a cancel, and then
  // nothing is called.
  class Exchange {
   public:
    Exchange(Request request, Listener listener) : request_(std::move(request)), listener_(std::move(listener)) {}

    const Request& request() const { return request_; }
    bool cancelled() const { return cancelled_; }
    bool ended() const { return ended_; }

    void head(int status, Headers headers = {}) {
      expect(!ended_ && !has_head_, "a head comes once, and first");
      has_head_ = true;
      if (!cancelled_) listener_.on_head(status, headers);
    }
    void body(std::string_view bytes) {
      expect(!ended_ && has_head_ && !bytes.empty(), "bytes come between head and end");
      if (!cancelled_) listener_.on_body(bytes);
    }
    void end() {
      expect(has_head_, "no clean end without a head");
      finish({});
    }
    void fail(Error error) {
      expect(error.kind == ErrorKind::network, "a transfer fails with network errors only");
      finish(std::move(error));
    }

   private:
    friend class FakeHttp;
    void finish(Result<void> result) {
      expect(!ended_, "a transfer ends once");
      ended_ = true;
      if (!cancelled_) listener_.on_end(std::move(result));
    }

    Request request_;
    Listener listener_;
    bool has_head_ = false;
    bool ended_ = false;
    bool cancelled_ = false;
  };

  std::unique_ptr<Transfer> send(Request request, Listener listener) override {
    expect(request.method == "POST" || request.method == "GET", "unknown method");
    expect(request.url.starts_with("http://") || request.url.starts_with("https://"), "neither http nor https");
    expect(listener.on_head && listener.on_body && listener.on_end, "a listener hears everything");
    auto& list = request.method == "GET" ? lookups_ : exchanges_;
    list.push_back(std::make_shared<Exchange>(std::move(request), std::move(listener)));
    return std::make_unique<Running>(list.back());
  }

  std::size_t count() const { return exchanges_.size(); }
  Exchange& at(std::size_t index) { return *exchanges_.at(index); }
  Exchange& last() { return *exchanges_.back(); }
  // GETs are counted apart: they are side questions, which may go unanswered.
  std::size_t lookup_count() const { return lookups_.size(); }
  Exchange& lookup(std::size_t index) { return *lookups_.at(index); }

 private:
  static void expect(bool holds, const char* rule) {
    if (!holds) throw std::logic_error(rule);
  }

  class Running final : public Transfer {
   public:
    explicit Running(std::shared_ptr<Exchange> exchange) : exchange_(std::move(exchange)) {}
    ~Running() override {
      if (!exchange_->ended_) exchange_->cancelled_ = true;
    }

   private:
    std::shared_ptr<Exchange> exchange_;
  };

  std::vector<std::shared_ptr<Exchange>> exchanges_;
  std::vector<std::shared_ptr<Exchange>> lookups_;
};

}  // namespace selfmind::http

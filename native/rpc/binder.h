// Binder: names → typed handlers. Parameters are decoded once, here; a handler sees its own struct or is not called.
// One request, one reply, by type: Reply<T> is move-only; dropped without an answer it logs the method and sends an
// error.
//
// Two ways in: a msgpack request [0, id, method, [params]] is answered with a response; a notification
// [2, method, [id, params]] is answered through the editor's door with the same id (host/editor.h). Both are one Reply
// to the handler. An id of 0 wants no answer.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "rpc/message.h"

namespace selfmind::rpc {

// Reads the fields of a parameter map and remembers the first thing wrong with it. A field nobody asked for is wrong
// too.
class Fields {
 public:
  explicit Fields(const Value& params);
  std::string text(std::string_view key);                           // must be there
  std::string text_or(std::string_view key, std::string fallback);  // may be missing or nil
  std::int64_t integer(std::string_view key);
  std::int64_t integer_or(std::string_view key, std::int64_t fallback);
  bool flag_or(std::string_view key, bool fallback);
  std::vector<std::int64_t> integers(std::string_view key);
  const Value* any(std::string_view key);  // nullptr when missing or nil
  // Call last.
  Result<void> done() const;

 private:
  const Value* take(std::string_view key, bool required);
  // The value of `key` as T; without a `fallback` it must be there.
  template <class T>
  T read(std::string_view key, const T* (Value::*as)() const, const char* type, const T* fallback);
  void complain(std::string problem);  // the first one counts

  const Map* map_ = nullptr;
  std::vector<std::string> taken_;
  std::string problem_;
};

// Sends one answer; type-erased under Reply<T>.
using Answer = std::function<void(Result<Value>)>;

// Answers exactly once: destroyed before that it answers with an error and logs `method`.
class ReplyOnce {
 public:
  ReplyOnce(std::string method, Answer answer);
  ReplyOnce(ReplyOnce&&) noexcept;
  ReplyOnce& operator=(ReplyOnce&&) = delete;
  ~ReplyOnce();
  void operator()(Result<Value> result);

 private:
  std::string method_;
  Answer answer_;
};

template <class T>
class Reply {
 public:
  explicit Reply(ReplyOnce once) : once_(std::move(once)) {}
  // T has `Value encode(const T&)` in its own namespace.
  void operator()(Result<T> result) {
    if (result) {
      once_(Result<Value>(encode(*result)));
    } else {
      once_(Result<Value>(result.error()));
    }
  }

 private:
  ReplyOnce once_;
};

// The error with the method in front: `turn.start: "text" must be a string.`
Error in_method(const std::string& method, Error error);

class Binder {
 public:
  // P has `static Result<P> decode(const Value&)`.
  template <class P, class T>
  void bind(std::string method, std::function<void(P, Reply<T>)> handler) {
    methods_[method] = [method, handler = std::move(handler)](const Value& params, Answer answer) {
      ReplyOnce once(method, std::move(answer));
      Result<P> decoded = P::decode(params);
      if (!decoded) return once(Result<Value>(in_method(method, decoded.error())));
      handler(std::move(*decoded), Reply<T>(std::move(once)));
    };
  }
  // An unknown method is answered with an error that names it.
  void call(const std::string& method, const Value& params, Answer answer) const;

 private:
  std::map<std::string, std::function<void(const Value&, Answer)>> methods_;
};

}  // namespace selfmind::rpc

// Result<T>: a value or an Error, the one way an expected failure travels. Exceptions of libraries are caught where the
// library is called; an assert is for our own bugs only, never for input.
#pragma once
#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace selfmind {

enum class ErrorKind {
  invalid,       // the input is wrong; nothing was changed
  not_found,     // what was named does not exist
  ambiguous,     // more than one thing fits; the user has to choose
  busy,          // someone else holds the store; trying again helps
  running,       // a reply is already coming in this chat
  corrupt,       // the file is not what it should be
  too_new,       // written by a newer version of the program
  io,            // the system refused
  auth,          // no key, or one the server does not take
  rate_limited,  // the server wants a pause
  overloaded,    // the server has no room now
  rejected,      // the server does not take this request
  too_large,     // the server does not take as much at once
  network,       // the server was not reached, or the connection broke
  timed_out,     // the server was silent for too long
  protocol,      // the other side does not speak what it should
};

// The kind as protocol.md spells it, "not_found".
const char* to_text(ErrorKind kind);

struct Error {
  ErrorKind kind;
  std::string message;  // one sentence for the user: what happened, and what to do
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }
  Error&& error() && {
    assert(!ok());
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  T& value() {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const {
    assert(ok());
    return *std::get_if<0>(&state_);
  }

  std::variant<T, Error> state_;
};

// Result<void>: done, or why not. `return {};` means done.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : failed_(true), error_(std::move(error)) {}

  bool ok() const { return !failed_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const& {
    assert(failed_);
    return error_;
  }
  Error&& error() && {
    assert(failed_);
    return std::move(error_);
  }

 private:
  bool failed_ = false;
  Error error_{ErrorKind::invalid, {}};
};

}  // namespace selfmind

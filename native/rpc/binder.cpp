// Finding the handler of a method and reading its parameters; see binder.h. Loop thread only.
#include "rpc/binder.h"

#include <algorithm>
#include <cassert>

#include "base/log.h"

namespace selfmind::rpc {
namespace {

std::string quoted(std::string_view key) { return "\"" + std::string(key) + "\""; }

}  // namespace

Fields::Fields(const Value& params) : map_(params.as_map()) {
  if (!map_) problem_ = "the parameters must be a map.";
}

const Value* Fields::take(std::string_view key, bool required) {
  taken_.emplace_back(key);
  if (map_) {
    for (const auto& [name, value] : *map_) {
      if (name == key && !value.is_nil()) return &value;
    }
  }
  if (required) complain(quoted(key) + " is missing.");
  return nullptr;
}

void Fields::complain(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
}

template <class T>
T Fields::read(std::string_view key, const T* (Value::*as)() const, const char* type, const T* fallback) {
  const Value* value = take(key, !fallback);
  if (!value) return fallback ? *fallback : T{};
  if (const T* found = (value->*as)()) return *found;
  complain(quoted(key) + " must be " + type + ".");
  return T{};
}

std::string Fields::text(std::string_view key) {
  return read<std::string>(key, &Value::as_string, "a string", nullptr);
}

std::string Fields::text_or(std::string_view key, std::string fallback) {
  return read(key, &Value::as_string, "a string", &fallback);
}

std::int64_t Fields::integer(std::string_view key) {
  return read<std::int64_t>(key, &Value::as_int, "an integer", nullptr);
}

std::int64_t Fields::integer_or(std::string_view key, std::int64_t fallback) {
  return read(key, &Value::as_int, "an integer", &fallback);
}

bool Fields::flag_or(std::string_view key, bool fallback) {
  return read(key, &Value::as_bool, "true or false", &fallback);
}

std::vector<std::int64_t> Fields::integers(std::string_view key) {
  std::vector<std::int64_t> numbers;
  for (const Value& item : read<Array>(key, &Value::as_array, "a list of integers", nullptr)) {
    if (const std::int64_t* number = item.as_int()) {
      numbers.push_back(*number);
    } else {
      complain(quoted(key) + " must be a list of integers.");
    }
  }
  return numbers;
}

const Value* Fields::any(std::string_view key) { return take(key, /*required=*/false); }

Result<void> Fields::done() const {
  if (!problem_.empty()) return Error{ErrorKind::invalid, problem_};
  for (const auto& [name, value] : *map_) {
    if (std::find(taken_.begin(), taken_.end(), name) == taken_.end()) {
      return Error{ErrorKind::invalid, "there is no field " + quoted(name) + "."};
    }
  }
  return {};
}

ReplyOnce::ReplyOnce(std::string method, Answer answer) : method_(std::move(method)), answer_(std::move(answer)) {}

ReplyOnce::ReplyOnce(ReplyOnce&& other) noexcept
    : method_(std::move(other.method_)), answer_(std::exchange(other.answer_, nullptr)) {}

ReplyOnce::~ReplyOnce() {
  if (!answer_) return;
  log::error(method_ + " was not answered");
  (*this)(Error{ErrorKind::protocol,
                method_ + " was dropped unanswered; this is a fault of selfmind-host, please report it."});
}

void ReplyOnce::operator()(Result<Value> result) {
  assert(answer_ && "a request is answered once");
  if (const Answer answer = std::exchange(answer_, nullptr)) answer(std::move(result));
}

Error in_method(const std::string& method, Error error) {
  error.message = method + ": " + error.message;
  return error;
}

void Binder::call(const std::string& method, const Value& params, Answer answer) const {
  const auto found = methods_.find(method);
  if (found == methods_.end()) {
    return answer(
        Error{ErrorKind::invalid, "There is no method \"" + method + "\"; plugin and host may differ in version."});
  }
  found->second(params, std::move(answer));
}

}  // namespace selfmind::rpc

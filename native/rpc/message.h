// The messages of msgpack-RPC and the values in them. No other folder sees msgpack.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace selfmind::rpc {

class Value;
using Array = std::vector<Value>;
using Map = std::vector<std::pair<std::string, Value>>;  // in the order written; string keys only

// What can stand in a message. Binary strings are strings; Neovim's handles (ext types) are refused by the codec.
class Value {
 public:
  Value() = default;  // nil
  Value(bool b) : data_(b) {}
  Value(int i) : data_(static_cast<std::int64_t>(i)) {}
  Value(std::int64_t i) : data_(i) {}
  Value(double d) : data_(d) {}
  Value(const char* s) : data_(std::string(s)) {}
  Value(std::string_view s) : data_(std::string(s)) {}
  Value(std::string s) : data_(std::move(s)) {}
  Value(Array a) : data_(std::move(a)) {}
  Value(Map m) : data_(std::move(m)) {}

  bool is_nil() const { return std::holds_alternative<std::monostate>(data_); }
  const bool* as_bool() const { return std::get_if<bool>(&data_); }
  const std::int64_t* as_int() const { return std::get_if<std::int64_t>(&data_); }
  const double* as_double() const { return std::get_if<double>(&data_); }
  const std::string* as_string() const { return std::get_if<std::string>(&data_); }
  const Array* as_array() const { return std::get_if<Array>(&data_); }
  // An empty array counts as an empty map: Lua writes {} for both.
  const Map* as_map() const;
  // The field of a map; nullptr where there is none.
  const Value* find(std::string_view key) const;
  bool operator==(const Value&) const = default;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Map> data_;
};

struct Request {
  std::uint32_t id;
  std::string method;
  Array params;
};
struct Response {
  std::uint32_t id;
  Value error;
  Value result;
};  // error nil: done
struct Notification {
  std::string method;
  Array params;
};
using Message = std::variant<Request, Response, Notification>;

}  // namespace selfmind::rpc

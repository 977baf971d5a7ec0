// The JSON form of plain values, written once for both directions: `describe(fields, value)` names each member, and a
// Writer or a Reader walks over it. A member that has its default is left out; one that is not known is refused.
// read() throws at anything unexpected: from_json() is its door.
#pragma once
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/result.h"

namespace selfmind::saved {

using Json = nlohmann::ordered_json;

// Lets a function be found beside the type it is about: `variant_names(Tag<Event>)` stands where Event does.
template <class T>
struct Tag {};

template <class T>
Json write(const T& value);
template <class T>
Json write(const std::vector<T>& list);
template <class T>
Json write(const std::optional<T>& value);
template <class... Ts>
Json write(const std::variant<Ts...>& value);
inline Json write(Time time) { return iso8601(time); }
inline Json write(std::chrono::milliseconds time) { return time.count(); }

template <class T>
void read(const Json& json, T& into);
template <class T>
void read(const Json& json, std::vector<T>& into);
template <class T>
void read(const Json& json, std::optional<T>& into);
template <class... Ts>
void read(const Json& json, std::variant<Ts...>& into);
inline void read(const Json& json, Time& into);
inline void read(const Json& json, std::chrono::milliseconds& into) {
  into = std::chrono::milliseconds(json.get<std::int64_t>());
}

class Writer {
 public:
  template <class M>
  void operator()(const char* name, const M& member) {
    json[name] = write(member);
  }
  Json json = Json::object();
};

class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {
    if (!json.is_object()) throw std::runtime_error("no object");
  }
  template <class M>
  void operator()(const char* name, M& member) {
    const auto found = json_.find(name);
    if (found == json_.end()) return;
    ++taken_;
    read(*found, member);
  }
  void done() const {
    if (taken_ != json_.size()) throw std::runtime_error("a field that is not known");
  }

 private:
  const Json& json_;
  std::size_t taken_ = 0;
};

template <class T>
constexpr bool is_json_value = std::is_arithmetic_v<T> || std::is_same_v<T, std::string>;

template <class T>
Json write(const T& value) {
  if constexpr (is_json_value<T>) {
    return value;
  } else if constexpr (std::is_enum_v<T>) {
    return to_text(value);
  } else {
    const auto members = [](T copy) {
      Writer writer;
      describe(writer, copy);
      return std::move(writer.json);
    };
    static const Json defaults = members(T{});
    Json json = Json::object();
    const Json all = members(value);
    for (const auto& [name, member] : all.items()) {
      if (member != defaults.at(name)) json[name] = member;
    }
    return json;
  }
}

template <class T>
Json write(const std::vector<T>& list) {
  Json json = Json::array();
  for (const auto& item : list) json.push_back(write(item));
  return json;
}

template <class T>
Json write(const std::optional<T>& value) {
  return value ? write(*value) : Json();
}

// {"name of the alternative": its value}
template <class... Ts>
Json write(const std::variant<Ts...>& value) {
  constexpr auto names = variant_names(Tag<std::variant<Ts...>>{});
  static_assert(names.size() == sizeof...(Ts), "each alternative has a name");
  Json json = Json::object();
  json[names[value.index()]] = std::visit([](const auto& alternative) { return write(alternative); }, value);
  return json;
}

template <class T>
void read(const Json& json, T& into) {
  if constexpr (is_json_value<T>) {
    json.get_to(into);
  } else if constexpr (std::is_enum_v<T>) {
    constexpr int values_max = 64;  // more than any enumeration has
    const auto text = json.get<std::string>();
    for (int i = 0; i < values_max && text.size() > 1; ++i) {
      if (text == to_text(static_cast<T>(i))) return void(into = static_cast<T>(i));
    }
    throw std::runtime_error("a word that is not known");
  } else {
    Reader reader(json);
    describe(reader, into);
    reader.done();
  }
}

template <class T>
void read(const Json& json, std::vector<T>& into) {
  if (!json.is_array()) throw std::runtime_error("no list");
  into.clear();
  for (const auto& item : json) read(item, into.emplace_back());
}

template <class T>
void read(const Json& json, std::optional<T>& into) {
  into.reset();
  if (!json.is_null()) read(json, into.emplace());
}

template <class... Ts>
void read(const Json& json, std::variant<Ts...>& into) {
  constexpr auto names = variant_names(Tag<std::variant<Ts...>>{});
  if (!json.is_object() || json.size() != 1) throw std::runtime_error("no single name");
  const auto only = json.begin();
  const auto take = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return ((only.key() == names[I] ? (read(only.value(), into.template emplace<I>()), true) : false) || ...);
  };
  if (!take(std::index_sequence_for<Ts...>{})) throw std::runtime_error("an unknown name");
}

inline void read(const Json& json, Time& into) {
  auto time = parse_iso8601(json.get<std::string>());
  if (!time) throw std::runtime_error(time.error().message);
  into = *time;
}

// The door: what is not of the form is an error, `what` names it.
template <class T>
Result<T> from_json(const Json& json, const char* what) {
  try {
    T value;
    read(json, value);
    return value;
  } catch (const std::exception& problem) {
    return Error{ErrorKind::invalid, fmt::format("not {}: {}", what, problem.what())};
  }
}

}  // namespace selfmind::saved

// The one file that sees msgpack. Pure: bytes in, messages out. Any thread, one at a time.
#include "rpc/codec.h"

#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <msgpack.hpp>
#include <stdexcept>

#include "base/limits.h"

namespace selfmind::rpc {
namespace {

using Object = msgpack::object;

constexpr std::size_t initial_buffer_bytes = 64u << 10;

// Thrown inside this file only; feed() turns it into a Result.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// --- out -----------------------------------------------------------------------------------------------------------

struct Out {
  msgpack::sbuffer buffer;
  msgpack::packer<msgpack::sbuffer> packer{buffer};
};

void pack(Out& out, std::string_view text) {
  out.packer.pack_str(static_cast<std::uint32_t>(text.size()));
  out.packer.pack_str_body(text.data(), static_cast<std::uint32_t>(text.size()));
}

// By hand, because pack_double makes integers of whole numbers, up to ones that are out of range here.
void pack(Out& out, double real) {
  const auto bits = std::bit_cast<std::uint64_t>(real);
  std::array<char, 9> bytes{static_cast<char>(0xcb)};
  for (int i = 0; i < 8; ++i) bytes[1 + i] = static_cast<char>(bits >> (56 - 8 * i));
  out.buffer.write(bytes.data(), bytes.size());
}

void pack(Out& out, const Value& value);

void pack(Out& out, const Array& array) {
  out.packer.pack_array(static_cast<std::uint32_t>(array.size()));
  for (const Value& item : array) pack(out, item);
}

void pack(Out& out, const Map& map) {
  out.packer.pack_map(static_cast<std::uint32_t>(map.size()));
  for (const auto& [key, item] : map) {
    pack(out, std::string_view(key));
    pack(out, item);
  }
}

void pack(Out& out, const Value& value) {
  if (const auto* flag = value.as_bool()) {
    out.packer.pack(*flag);
  } else if (const auto* number = value.as_int()) {
    out.packer.pack(*number);
  } else if (const auto* real = value.as_double()) {
    pack(out, *real);
  } else if (const auto* text = value.as_string()) {
    pack(out, std::string_view(*text));
  } else if (const auto* array = value.as_array()) {
    pack(out, *array);
  } else if (const auto* map = value.as_map()) {
    pack(out, *map);
  } else {
    out.packer.pack_nil();
  }
}

void pack(Out& out, const Request& request) {
  out.packer.pack_array(4);
  out.packer.pack(0);
  out.packer.pack(request.id);
  pack(out, std::string_view(request.method));
  pack(out, request.params);
}

void pack(Out& out, const Response& response) {
  out.packer.pack_array(4);
  out.packer.pack(1);
  out.packer.pack(response.id);
  pack(out, response.error);
  pack(out, response.result);
}

void pack(Out& out, const Notification& notification) {
  out.packer.pack_array(3);
  out.packer.pack(2);
  pack(out, std::string_view(notification.method));
  pack(out, notification.params);
}

// --- in ------------------------------------------------------------------------------------------------------------

std::string to_key(const Object& object) {
  if (object.type != msgpack::type::STR) throw Malformed("a map has a key that is no string");
  return {object.via.str.ptr, object.via.str.size};
}

Value to_value(const Object& object);

Array to_array(const Object& object) {
  Array array;
  array.reserve(object.via.array.size);
  for (std::uint32_t i = 0; i < object.via.array.size; ++i) array.push_back(to_value(object.via.array.ptr[i]));
  return array;
}

Map to_map(const Object& object) {
  Map map;
  map.reserve(object.via.map.size);
  for (std::uint32_t i = 0; i < object.via.map.size; ++i) {
    const auto& [key, value] = object.via.map.ptr[i];
    map.emplace_back(to_key(key), to_value(value));
  }
  return map;
}

Value to_int(std::uint64_t number) {
  if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    throw Malformed("an integer is too large");
  }
  return static_cast<std::int64_t>(number);
}

// Recursion is bounded by limits::rpc_depth, which the unpacker has checked.
Value to_value(const Object& object) {
  switch (object.type) {
    case msgpack::type::NIL:
      return {};
    case msgpack::type::BOOLEAN:
      return object.via.boolean;
    case msgpack::type::POSITIVE_INTEGER:
      return to_int(object.via.u64);
    case msgpack::type::NEGATIVE_INTEGER:
      return object.via.i64;
    case msgpack::type::FLOAT32:
    case msgpack::type::FLOAT64:
      return object.via.f64;
    case msgpack::type::STR:
      return std::string(object.via.str.ptr, object.via.str.size);
    case msgpack::type::BIN:
      return std::string(object.via.bin.ptr, object.via.bin.size);
    case msgpack::type::ARRAY:
      return to_array(object);
    case msgpack::type::MAP:
      return to_map(object);
    case msgpack::type::EXT:
      throw Malformed("it holds an editor handle, which has no meaning here");
  }
  throw Malformed("a value has an unknown type");
}

std::uint32_t to_id(const Object& object) {
  if (object.type != msgpack::type::POSITIVE_INTEGER || object.via.u64 > std::numeric_limits<std::uint32_t>::max()) {
    throw Malformed("a message id is no 32-bit number");
  }
  return static_cast<std::uint32_t>(object.via.u64);
}

std::string to_method(const Object& object) {
  if (object.type != msgpack::type::STR) throw Malformed("a method name is no string");
  return {object.via.str.ptr, object.via.str.size};
}

Array to_params(const Object& object) {
  if (object.type != msgpack::type::ARRAY) throw Malformed("the parameters are no array");
  return to_array(object);
}

Message to_message(const Object& object) {
  if (object.type != msgpack::type::ARRAY || object.via.array.size == 0) throw Malformed("a message is no array");
  const Object* item = object.via.array.ptr;
  const std::uint32_t size = object.via.array.size;
  if (item[0].type != msgpack::type::POSITIVE_INTEGER) throw Malformed("a message has no type");
  const std::uint64_t type = item[0].via.u64;
  if (type == 0 && size == 4) return Request{to_id(item[1]), to_method(item[2]), to_params(item[3])};
  if (type == 1 && size == 4) return Response{to_id(item[1]), to_value(item[2]), to_value(item[3])};
  if (type == 2 && size == 3) return Notification{to_method(item[1]), to_params(item[2])};
  throw Malformed("a message has the wrong shape");
}

}  // namespace

std::string encode(const Message& message) {
  Out out;
  std::visit([&out](const auto& m) { pack(out, m); }, message);
  return {out.buffer.data(), out.buffer.size()};
}

struct Decoder::State {
  // The unpacker stays stuck after it has thrown, so one failure is the end.
  bool failed = false;
  // The null function makes it copy strings; its own default would let them point into the read buffer.
  msgpack::unpacker unpacker{
      nullptr, nullptr, initial_buffer_bytes,
      msgpack::unpack_limit(limits::rpc_elements, limits::rpc_elements, limits::rpc_message_bytes,
                            limits::rpc_message_bytes, limits::rpc_message_bytes, limits::rpc_depth)};

  void take(std::string_view piece, std::vector<Message>& messages) {
    unpacker.reserve_buffer(piece.size());
    std::memcpy(unpacker.buffer(), piece.data(), piece.size());
    unpacker.buffer_consumed(piece.size());
    msgpack::object_handle handle;
    while (unpacker.next(handle)) messages.push_back(to_message(handle.get()));
    // The limit on strings is checked only once all their bytes are here; this bounds what is waited for.
    if (unpacker.message_size() > limits::rpc_message_bytes) throw Malformed("a message is too long");
  }
};

Decoder::Decoder() : state_(std::make_unique<State>()) {}
Decoder::~Decoder() = default;

Result<std::vector<Message>> Decoder::feed(std::string_view bytes) {
  if (state_->failed) return Error{ErrorKind::protocol, "The channel is closed after a malformed message."};
  std::vector<Message> messages;
  try {
    while (!bytes.empty()) {
      const std::string_view piece = bytes.substr(0, initial_buffer_bytes);
      bytes.remove_prefix(piece.size());
      state_->take(piece, messages);
    }
  } catch (const std::exception& failure) {
    state_->failed = true;
    return Error{ErrorKind::protocol,
                 std::string("What came in is no msgpack-RPC, so the channel is closed: ") + failure.what() + "."};
  }
  return messages;
}

}  // namespace selfmind::rpc

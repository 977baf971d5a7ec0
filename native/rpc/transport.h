// Bytes in and out, as rpc needs them. io/stdio implements it; tests use a pair of strings.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace selfmind::rpc {

class Transport {
 public:
  virtual ~Transport() = default;
  // Queues bytes to be written, in order. After the other side has gone they are dropped.
  virtual void write(std::string bytes) = 0;
  // Called on the loop with what was read; `on_end` once, when there is no more (why: null at a clean end).
  virtual void start(std::function<void(std::string_view)> on_bytes, std::function<void(const Error* why)> on_end) = 0;
};

}  // namespace selfmind::rpc

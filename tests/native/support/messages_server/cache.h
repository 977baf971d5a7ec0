// The prompt cache as far as a client can see it: what it would have read and written, in tokens (four characters
// each).
#pragma once
#include <cstdint>
#include <map>

#include "support/messages_server/json.h"
#include "support/messages_server/models.h"

namespace messages_server {

struct Usage {
  std::int64_t input = 0;  // neither read nor written
  std::int64_t cache_read = 0;
  std::int64_t cache_write = 0;
};

class Cache {
 public:
  // What this request costs at `now_ms`; its breakpoints are in the cache afterwards.
  Usage charge(const Json& body, const Model& model, std::uint64_t now_ms);

 private:
  std::map<std::size_t, std::uint64_t> expires_;  // prefix → when it goes
};

}  // namespace messages_server

// The thinking blocks this server has given out, and the conversation each one is bound to.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "support/messages_server/json.h"

namespace messages_server {

// The request as the model reads it: system and contents as lists of blocks, without cache_control.
Json normal_content(const Json& content);
// A fingerprint of tools, system and the first `messages` messages.
std::size_t prefix_hash(const Json& body, std::size_t messages);

class Issued {
 public:
  struct Block {
    std::string thinking;
    std::string model;
    std::size_t prefix;
  };
  // Takes the complete thinking blocks out of the bytes of a stream sent in answer to `body`.
  void remember(const Json& body, std::string_view stream);
  // Null for a signature that is not of this server.
  const Block* find(const std::string& signature) const;

 private:
  std::map<std::string, Block> blocks_;
};

}  // namespace messages_server

// Walking through the content blocks of a request whose shape has been judged already.
#pragma once
#include <string>
#include <vector>

#include "support/messages_server/json.h"

namespace messages_server {

struct Block {
  std::size_t message;
  std::size_t index;
  std::string role;
  Json json;  // a content that is a string stands here as its text block

  std::string type() const { return json.value("type", ""); }
  std::string path() const { return "messages." + std::to_string(message) + ".content." + std::to_string(index); }
};

// All blocks of all messages, in order.
std::vector<Block> blocks_of(const Json& messages);

}  // namespace messages_server

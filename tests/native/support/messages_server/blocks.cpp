#include "support/messages_server/blocks.h"

namespace messages_server {

std::vector<Block> blocks_of(const Json& messages) {
  std::vector<Block> blocks;
  for (std::size_t m = 0; m < messages.size(); ++m) {
    const std::string role = messages[m]["role"];
    const Json& content = messages[m]["content"];
    if (content.is_string()) {
      blocks.push_back({m, 0, role, Json{{"type", "text"}, {"text", content}}});
      continue;
    }
    for (std::size_t i = 0; i < content.size(); ++i) blocks.push_back({m, i, role, content[i]});
  }
  return blocks;
}

}  // namespace messages_server

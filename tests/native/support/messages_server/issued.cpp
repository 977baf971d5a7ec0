#include "support/messages_server/issued.h"

#include <functional>

namespace messages_server {
namespace {

// The payloads of the `data:` lines. The transcripts that break one event into several lines hold no thinking.
template <class Visit>
void for_each_event(std::string_view stream, Visit visit) {
  while (!stream.empty()) {
    const std::size_t end = stream.find_first_of("\r\n");
    if (end == std::string_view::npos) return;  // the last line is cut
    const std::string_view line = stream.substr(0, end);
    stream.remove_prefix(end + 1);
    if (!line.starts_with("data:")) continue;
    const Json event = Json::parse(line.substr(5), nullptr, /*allow_exceptions=*/false);
    if (event.is_object()) visit(event);
  }
}

}  // namespace

Json normal_content(const Json& content) {
  if (content.is_string()) return Json::array({Json{{"type", "text"}, {"text", content}}});
  Json blocks = content;
  for (Json& block : blocks) block.erase("cache_control");
  return blocks;
}

std::size_t prefix_hash(const Json& body, std::size_t messages) {
  Json prefix = Json::array({body.value("tools", Json()), normal_content(body.value("system", Json::array()))});
  for (std::size_t i = 0; i < messages; ++i) {
    const Json& message = body["messages"][i];
    prefix.push_back({message["role"], normal_content(message["content"])});
  }
  return std::hash<std::string>()(prefix.dump());
}

void Issued::remember(const Json& body, std::string_view stream) {
  std::map<int, Json> open;
  const std::size_t prefix = prefix_hash(body, body["messages"].size());
  for_each_event(stream, [&](const Json& event) {
    const std::string type = event.value("type", "");
    const int index = event.value("index", -1);
    if (type == "content_block_start" && event["content_block"].value("type", "") == "thinking") {
      open[index] = event["content_block"];
    } else if (type == "content_block_delta" && open.count(index) != 0) {
      for (const char* part : {"thinking", "signature"}) {
        if (!event["delta"].contains(part)) continue;
        open[index][part] = open[index].value(part, "") + event["delta"][part].get<std::string>();
      }
    } else if (type == "content_block_stop" && open.count(index) != 0) {
      blocks_[open[index].value("signature", "")] = {open[index].value("thinking", ""), body["model"], prefix};
      open.erase(index);
    }
  });
}

const Issued::Block* Issued::find(const std::string& signature) const {
  const auto found = blocks_.find(signature);
  return found == blocks_.end() ? nullptr : &found->second;
}

}  // namespace messages_server

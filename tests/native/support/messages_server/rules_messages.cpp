// Rules of system and messages: shapes, roles, texts, cache breakpoints, tool results.
#include <algorithm>
#include <array>
#include <set>

#include "support/messages_server/blocks.h"
#include "support/messages_server/rules.h"

namespace messages_server {
namespace {

struct Shape {
  std::string_view type;
  std::vector<std::string_view> required;
  std::vector<std::string_view> optional;
  std::string_view role;  // the only one it may have; empty: any
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {"text", {"text"}, {"cache_control", "citations"}, ""},
      {"image", {"source"}, {"cache_control"}, "user"},
      {"document", {"source"}, {"cache_control", "title", "context", "citations"}, "user"},
      {"thinking", {"thinking", "signature"}, {}, "assistant"},
      {"redacted_thinking", {"data"}, {}, "assistant"},
      {"tool_use", {"id", "name", "input"}, {"cache_control", "caller"}, "assistant"},
      {"tool_result", {"tool_use_id"}, {"content", "is_error", "cache_control"}, "user"},
  };
  return all;
}

std::string text_of(const Block& block) { return block.json.value("text", ""); }

bool is_blank(const std::string& text) { return text.find_first_not_of(" \t\r\n\f\v") == std::string::npos; }

// --- shapes --------------------------------------------------------------------------------------------------------

Verdict message_shapes(const Call& call) {
  const Json& messages = call.body["messages"];
  if (messages.empty()) return invalid("messages: at least one message is required");
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const std::string path = "messages." + std::to_string(i);
    if (!messages[i].is_object()) return invalid(path + ": Input should be an object");
    for (const char* field : {"role", "content"}) {
      if (!messages[i].contains(field)) return invalid(path + "." + field + ": Field required");
    }
    if (const std::string key = unknown_key(messages[i], {"role", "content"}); !key.empty()) {
      return extra(path + "." + key);
    }
    const Json& content = messages[i]["content"];
    if (!content.is_string() && !content.is_array()) return invalid(path + ".content: Input should be a valid array");
    if (content.is_array() && content.empty()) {
      return invalid(path +
                     ": all messages must have non-empty content except for the optional final assistant message");
    }
  }
  return {};
}

Verdict known_roles(const Call& call) {
  const Json& messages = call.body["messages"];
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Json& role = messages[i]["role"];
    if (role != "user" && role != "assistant" && role != "system") {
      return invalid("messages." + std::to_string(i) + ".role: Input should be 'user', 'assistant' or 'system'");
    }
    if (role == "system" && !call.model->system_role) {
      return invalid(
          "messages: Unexpected role \"system\". The Messages API accepts a top-level `system` parameter, not "
          "\"system\" "
          "as an input message role.");
    }
  }
  return {};
}

Verdict system_shape(const Call& call) {
  const auto found = call.body.find("system");
  if (found == call.body.end() || found->is_string()) return {};
  if (!found->is_array()) return invalid("system: Input should be a valid array");
  for (std::size_t i = 0; i < found->size(); ++i) {
    const Json& block = (*found)[i];
    const std::string path = "system." + std::to_string(i);
    if (!block.is_object() || block.value("type", Json()) != "text")
      return invalid(path + ".type: Input should be 'text'");
    if (!block.value("text", Json()).is_string()) return invalid(path + ".text: Input should be a valid string");
    if (const std::string key = unknown_key(block, {"type", "text", "cache_control", "citations"}); !key.empty()) {
      return extra(path + "." + key);
    }
  }
  return {};
}

Verdict check_shape(const Block& block, const Shape& shape) {
  const std::string path = block.path() + "." + std::string(shape.type);
  for (const std::string_view field : shape.required) {
    if (!block.json.contains(field)) return invalid(path + "." + std::string(field) + ": Field required");
  }
  std::vector<std::string_view> known = {"type"};
  known.insert(known.end(), shape.required.begin(), shape.required.end());
  known.insert(known.end(), shape.optional.begin(), shape.optional.end());
  if (const std::string key = unknown_key(block.json, known); !key.empty()) return extra(path + "." + key);
  for (const char* field : {"text", "thinking", "signature", "data", "id", "name", "tool_use_id"}) {
    if (block.json.contains(field) && !block.json[field].is_string()) {
      return invalid(path + "." + field + ": Input should be a valid string");
    }
  }
  if (!shape.role.empty() && block.role != shape.role) {
    return invalid("messages." + std::to_string(block.message) + ": `" + std::string(shape.type) +
                   "` blocks can only be in `" + std::string(shape.role) + "` messages");
  }
  return {};
}

Verdict block_shapes(const Call& call) {
  for (const Block& block : blocks_of(call.body["messages"])) {
    if (!block.json.is_object()) return invalid(block.path() + ": Input should be an object");
    if (!block.json.value("type", Json()).is_string()) return invalid(block.path() + ".type: Field required");
    const auto shape = std::find_if(shapes().begin(), shapes().end(),
                                    [&block](const Shape& known) { return known.type == block.type(); });
    if (shape == shapes().end()) {
      return invalid(block.path() + ": Input tag '" + block.type() +
                     "' found using 'type' does not match any of the expected tags");
    }
    if (Verdict verdict = check_shape(block, *shape)) return verdict;
  }
  return {};
}

// --- texts ---------------------------------------------------------------------------------------------------------

Verdict check_text(const std::string& where, const std::string& text) {
  if (text.empty()) return invalid(where + ": text content blocks must be non-empty");
  if (is_blank(text)) return invalid(where + ": text content blocks must contain non-whitespace text");
  return {};
}

Verdict cached_text_not_empty(const Call& call) {
  for (const Block& block : blocks_of(call.body["messages"])) {
    if (block.type() == "text" && block.json.contains("cache_control") && text_of(block).empty()) {
      return invalid(block.path() + ".text: cache_control cannot be set for empty text blocks");
    }
  }
  return {};
}

Verdict texts_not_empty(const Call& call) {
  for (const Block& block : blocks_of(call.body["messages"])) {
    if (block.type() != "text") continue;
    if (Verdict verdict = check_text("messages", text_of(block))) return verdict;
  }
  const Json system = call.body.value("system", Json::array());
  if (system.is_string()) return {};  // an empty string counts as none
  for (const Json& block : system) {
    if (Verdict verdict = check_text("system", block["text"])) return verdict;
  }
  return {};
}

Verdict no_citations_from_the_user(const Call& call) {
  if (call.version() != "2026-10-21") return {};
  for (const Block& block : blocks_of(call.body["messages"])) {
    const Json citations = block.json.value("citations", Json());
    if (block.role == "user" && block.type() == "text" && !citations.is_null() && !citations.empty()) {
      return invalid(block.path() + ".text.citations: citations are not permitted in user messages");
    }
  }
  return {};
}

// --- order of the messages -----------------------------------------------------------------------------------------

Verdict first_is_user(const Call& call) {
  if (call.body["messages"][0]["role"] == "user") return {};
  return invalid("messages: first message must use the \"user\" role");
}

Verdict system_role_placed(const Call& call) {
  const Json& messages = call.body["messages"];
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (messages[i]["role"] != "system") continue;
    const bool after_user = messages[i - 1]["role"] == "user";
    const bool before_assistant = i + 1 == messages.size() || messages[i + 1]["role"] == "assistant";
    if (!after_user || !before_assistant) {
      return invalid(
          "messages." + std::to_string(i) +
          ": a `system` message must follow a `user` message and be last or followed by an `assistant` message");
    }
  }
  return {};
}

Verdict no_prefill(const Call& call) {
  const Json& last = call.body["messages"].back();
  if (last["role"] != "assistant") return {};
  if (!call.model->prefill) {
    return invalid(
        "This model does not support assistant message prefill. The conversation must end with a user message.");
  }
  const Block block = blocks_of(call.body["messages"]).back();
  const std::string text = text_of(block);
  if (block.type() == "text" && is_blank(text.substr(text.size() - 1))) {
    return invalid("messages: final assistant content cannot end with trailing whitespace");
  }
  return {};
}

// --- tools ---------------------------------------------------------------------------------------------------------

// A turn is a run of messages of one role: the API merges them.
struct Turn {
  std::string role;
  std::vector<Block> blocks;
};

std::vector<Turn> turns_of(const Json& messages) {
  std::vector<Turn> turns;
  for (const Block& block : blocks_of(messages)) {
    if (turns.empty() || turns.back().role != block.role) turns.push_back({block.role, {}});
    turns.back().blocks.push_back(block);
  }
  return turns;
}

std::vector<std::string> ids(const Turn& turn, std::string_view type, const char* field) {
  std::vector<std::string> found;
  for (const Block& block : turn.blocks) {
    if (block.type() == type) found.push_back(block.json[field]);
  }
  return found;
}

// The results that stand where they must: in front of everything else.
std::set<std::string> leading_results(const Turn& turn) {
  std::set<std::string> found;
  for (const Block& block : turn.blocks) {
    if (block.type() != "tool_result") break;
    found.insert(block.json["tool_use_id"].get<std::string>());
  }
  return found;
}

Verdict tools_answered(const Call& call) {
  const auto turns = turns_of(call.body["messages"]);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const std::set<std::string> results =
        i + 1 < turns.size() ? leading_results(turns[i + 1]) : std::set<std::string>();
    std::string missing;
    for (const std::string& id : ids(turns[i], "tool_use", "id")) {
      if (results.count(id) == 0) missing += (missing.empty() ? "" : ", ") + id;
    }
    if (!missing.empty()) {
      return invalid("messages." + std::to_string(turns[i].blocks.back().message) +
                     ": `tool_use` ids were found without `tool_result` blocks immediately after: " + missing +
                     ". Each `tool_use` block must have a corresponding `tool_result` block in the next message.");
    }
  }
  return {};
}

Verdict results_asked_for(const Call& call) {
  const auto turns = turns_of(call.body["messages"]);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const auto asked = i > 0 ? ids(turns[i - 1], "tool_use", "id") : std::vector<std::string>();
    for (const Block& block : turns[i].blocks) {
      if (block.type() != "tool_result") continue;
      const std::string id = block.json["tool_use_id"];
      if (std::find(asked.begin(), asked.end(), id) == asked.end()) {
        return invalid(
            block.path() + ": unexpected `tool_use_id` found in `tool_result` blocks: " + id +
            ". Each `tool_result` block must have a corresponding `tool_use` block in the previous message.");
      }
    }
  }
  return {};
}

// --- cache breakpoints ---------------------------------------------------------------------------------------------

// Every block that may carry one, in the order of the prefix, with its path.
std::vector<std::pair<Json, std::string>> cacheable(const Json& body) {
  std::vector<std::pair<Json, std::string>> all;
  const Json tools = body.value("tools", Json::array());
  for (std::size_t i = 0; i < tools.size(); ++i) all.emplace_back(tools[i], "tools." + std::to_string(i));
  const Json system = body.value("system", Json::array());
  for (std::size_t i = 0; system.is_array() && i < system.size(); ++i) {
    all.emplace_back(system[i], "system." + std::to_string(i));
  }
  for (const Block& block : blocks_of(body["messages"]))
    all.emplace_back(block.json, block.path() + "." + block.type());
  all.emplace_back(body, "");  // automatic: as if on the last block
  return all;
}

Verdict cache_control_shapes(const Call& call) {
  for (const auto& [block, path] : cacheable(call.body)) {
    if (Verdict verdict = check_cache_control(block, path)) return verdict;
  }
  return {};
}

Verdict at_most_four_breakpoints(const Call& call) {
  int found = 0;
  for (const auto& [block, path] : cacheable(call.body)) found += !block.value("cache_control", Json()).is_null();
  if (found <= 4) return {};
  return invalid("A maximum of 4 blocks with cache_control may be provided. Found " + std::to_string(found) + ".");
}

Verdict long_breakpoints_first(const Call& call) {
  bool short_seen = false;
  for (const auto& [block, path] : cacheable(call.body)) {
    const Json control = block.value("cache_control", Json());
    if (control.is_null()) continue;
    const bool is_long = control.value("ttl", "5m") == "1h";
    if (is_long && short_seen) {
      return invalid(path +
                     ".cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' "
                     "cache_control block.");
    }
    short_seen = short_seen || !is_long;
  }
  return {};
}

}  // namespace

const std::vector<Rule>& message_rules() {
  static const std::vector<Rule> rules = {
      {"messages have their shape", message_shapes},
      {"roles are known", known_roles},
      {"system has its shape", system_shape},
      {"blocks have their shape and role", block_shapes},
      {"no cache breakpoint on an empty text", cached_text_not_empty},
      {"texts are not empty", texts_not_empty},
      {"no citations from the user", no_citations_from_the_user},
      {"the first message is the user's", first_is_user},
      {"system messages stand where they may", system_role_placed},
      {"no prefill where the model takes none", no_prefill},
      {"every tool_use has its tool_result", tools_answered},
      {"every tool_result was asked for", results_asked_for},
      {"cache_control has its shape", cache_control_shapes},
      {"at most four cache breakpoints", at_most_four_breakpoints},
      {"1h breakpoints stand before 5m ones", long_breakpoints_first},
  };
  return rules;
}

}  // namespace messages_server

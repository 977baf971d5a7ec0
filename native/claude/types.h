// Our vocabulary for talking to Claude; no JSON in it. What is kept verbatim for sending back is a string of raw JSON.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"

namespace selfmind::claude {

// Where requests go and with what right.
struct Endpoint {
  std::string base_url = "https://api.anthropic.com";  // "/v1/messages" is appended
  std::string api_key;                                 // sent as x-api-key; trimmed; empty: none
  std::string auth_token;                              // sent as Authorization: Bearer; used when there is no api_key
  bool official() const;                               // Anthropic's own server
  bool has_key() const { return !api_key.empty() || !auth_token.empty(); }
  // A request can be made: there is a key, or the server is somebody's own, which may not need one.
  bool usable() const { return has_key() || !official(); }
};

// One message of the conversation, already in the order in which it is sent.
struct TextBlock {
  std::string text;
  bool cache_here = false;  // a cache breakpoint behind this block
};
struct RawBlocks {
  std::string json;  // an array of content blocks as the API gave them
  bool without_thinking = false;
};
struct Message {
  bool from_user = true;
  std::vector<std::variant<TextBlock, RawBlocks>> blocks;
};

// disabled: or, with a model that cannot be kept from it, as little as it does, with room for it beside max_tokens.
enum class Thinking { unset, adaptive, disabled };

struct Request {
  std::string model;
  int max_tokens = 0;
  std::string system;  // the persona; byte-stable; gets the first cache breakpoint when cache_system
  bool cache_system = false;
  Thinking thinking = Thinking::unset;
  std::string output_schema;  // a JSON schema the answer must follow; empty: free text
  std::vector<Message> messages;
};

struct Usage {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t cache_read = 0;
  std::int64_t cache_write = 0;
};

enum class StopReason { end_turn, max_tokens, stop_sequence, tool_use, pause_turn, refusal, context_exceeded, other };
const char* to_text(StopReason reason);

struct Reply {
  std::string id;
  std::string model;
  std::string text;     // the text blocks, joined
  std::string content;  // all blocks, verbatim: a JSON array, fit to be sent back
  StopReason stop_reason = StopReason::other;
  std::string refusal;  // the server's explanation, when it gave one
  Usage usage;
};

// What happens to a request, in order: Started?, (TextDelta | ThinkingDelta)*, then Done or Failed once.
struct Started {
  std::string model;
};
struct TextDelta {
  std::string text;
};
struct ThinkingDelta {
  std::string text;
};
struct Done {
  Reply reply;
};
// Whether the same request may succeed when it is sent again (retry.h).
struct Retry {
  bool worthwhile = false;
  std::optional<std::chrono::milliseconds> after;  // the pause the server asks for
};
struct Failed {
  Error error;          // one sentence, fit for the chat
  Reply partial;        // what had come; stop_reason other
  int http_status = 0;  // 0: no answer
  Retry retry;          // asks only what the server said: whether anything was shown already is the caller's to know
};
using StreamEvent = std::variant<Started, TextDelta, ThinkingDelta, Done, Failed>;

}  // namespace selfmind::claude

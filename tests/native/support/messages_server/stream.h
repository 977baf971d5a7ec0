// A reply in the form of the wire: server-sent events, or one message. Pure.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/messages_server/cache.h"
#include "support/messages_server/json.h"

namespace messages_server {

struct Thought {
  std::string text;       // empty where it is omitted
  std::string signature;  // empty where the server signs none
};

// How a server's stream differs from the API's own.
struct Dialect {
  bool usage_at_start = true;     // in message_start
  bool cache_usage = true;        // the counters of the cache
  bool error_events = true;       // else the stream just ends
  std::string_view comment = {};  // a line of it before anything else
  bool end_marker = false;        // "[DONE]" behind the last event
};

struct Speech {
  std::string id;
  std::string model;
  std::optional<Thought> thought;
  std::vector<std::string> parts;  // of the text, a delta each
  std::string stop_reason = "end_turn";
  Usage usage;
  Dialect dialect;
};

// Few words each, their blanks with them: together they are `text`.
std::vector<std::string> parts_of(const std::string& text);

// The whole reply, one string an event.
std::vector<std::string> events(const Speech& speech);

// The reply up to the end of what is said so far, as a server sends it that breaks down then.
std::vector<std::string> unfinished_events(const Speech& speech);

std::string error_event(const std::string& type, const std::string& message);

// The body of an answer that is an error.
Json error_body(const std::string& type, const std::string& message, const std::string& request_id);

// The answer to a request without "stream": true.
Json whole_message(const Speech& speech);

}  // namespace messages_server

// What a test wants to go wrong: one entry a request. Entries are read strictly; a field nobody knows is an error.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "support/messages_server/answers.h"
#include "support/messages_server/http.h"
#include "support/messages_server/json.h"

namespace messages_server {

// Nothing set: the default answer.
struct Entry {
  std::optional<Kind> match;  // only for a request of this kind; without it, for any but a question about a model

  // An answer that is no stream. `body` as JSON, or as it is where it is a string.
  std::optional<int> status;
  Headers headers;
  Json body;

  // What is streamed.
  std::optional<std::string> events;  // raw bytes, from "events_file"
  std::optional<std::string> text;
  std::size_t tokens = 0;  // a long text of so many words, `per_second` of them
  double per_second = 1000;
  std::optional<std::string> stop_reason;

  // How it is streamed.
  std::uint64_t delay_ms = 0;   // before the first byte
  std::uint64_t chunk_ms = 0;   // between two pieces
  std::size_t chunk_bytes = 0;  // 0: an event a piece
  std::uint64_t drip_ms = 0;    // above 0: what follows `after_text` comes a byte at a time, so far apart
  bool gzip = false;            // though nobody asked for it
  std::optional<std::size_t> cut_after_bytes;

  // How it ends badly, after `after_text` was said; where that is empty, hang, close and reset come before the head.
  std::string after_text;
  Json error_event;
  bool head = false;  // all the same the head is sent first
  bool hang = false;
  bool close = false;
  bool reset = false;      // as close, but the client gets a TCP reset in place of an end
  bool end_short = false;  // the body ends as HTTP has it, without message_stop
};

class Script {
 public:
  // Adds JSON lines; an empty line is a default answer. What is wrong with them, or empty: then all were added.
  std::string add(const std::string& lines);
  // The first entry for a request of this kind; it is used up. The default when there is none.
  Entry next(Kind kind);

 private:
  std::deque<Entry> entries_;
};

}  // namespace messages_server

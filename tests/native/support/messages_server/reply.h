// An answer with its timing: which bytes go out when, and how it ends. Pure.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "support/messages_server/script.h"
#include "support/messages_server/stream.h"

namespace messages_server {

enum class Ending {
  complete,  // as HTTP has it
  abort,     // the connection is closed in the middle
  reset,     // as abort, but with a TCP reset
  hang,      // nothing more comes, and nothing is closed
};

struct Piece {
  std::uint64_t at_ms;  // since the request was there
  std::string bytes;    // empty: the head alone
};

struct Reply {
  int status = 200;
  Headers headers;
  bool chunked = false;       // else its one piece is the whole body
  bool gzip = false;          // the pieces are compressed on their way, which is chunked
  std::vector<Piece> pieces;  // the head goes with the first; none: not even a head
  Ending ending = Ending::complete;
};

Reply plain_reply(int status, const std::string& type, std::string body);
Reply json_reply(int status, const Json& body);
// {"type":"error",…} with the type that belongs to the status, unless one is given.
Reply error_reply(int status, const std::string& message, std::string type, const std::string& request_id);

// What `entry` wants said in `speech`, instead of its default text.
void apply_text(const Entry& entry, Speech& speech);
// The answer to a chat or learn request: `speech` as `entry` wants it sent.
Reply speech_reply(const Entry& entry, const Speech& speech, bool stream, const std::string& request_id);

}  // namespace messages_server

// Server events → stream events, and error answers → one sentence. Pure; fed by client.h.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "claude/types.h"
#include "http/http.h"
#include "sse/decoder.h"

namespace selfmind::claude {

// Assembles one reply. Unknown events, deltas and block types are tolerated; unknown blocks are kept verbatim.
class ReplyDecoder {
 public:
  ReplyDecoder();
  ~ReplyDecoder();
  std::vector<StreamEvent> on(const sse::Event& event);
  // The connection ended: nothing when the reply was complete, else Failed with what had come. `why` is the transport's
  // error, if it had one.
  std::vector<StreamEvent> on_end(const Error* why);
  bool finished() const;
  // What has come so far, closed so that it could be sent back: no half block, no half JSON.
  Reply partial() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// An answer that is no stream. Knows the API's own form, OpenAI's, {"detail": …}, HTML and nothing at all.
Error error_from_response(int status, const http::Headers& headers, std::string_view body, const Endpoint& endpoint);

}  // namespace selfmind::claude

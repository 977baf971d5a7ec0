#include "claude/types.h"

#include <string_view>

#include "claude/server.h"

namespace selfmind::claude {

bool Endpoint::official() const {
  const std::string server = authority(base_url);
  const std::string_view host = std::string_view(server).substr(0, server.find(':'));
  return host == "anthropic.com" || host.ends_with(".anthropic.com");
}

const char* to_text(StopReason reason) {
  switch (reason) {
    case StopReason::end_turn:
      return "end_turn";
    case StopReason::max_tokens:
      return "max_tokens";
    case StopReason::stop_sequence:
      return "stop_sequence";
    case StopReason::tool_use:
      return "tool_use";
    case StopReason::pause_turn:
      return "pause_turn";
    case StopReason::refusal:
      return "refusal";
    case StopReason::context_exceeded:
      return "model_context_window_exceeded";
    case StopReason::other:
      return "other";
  }
  return "other";
}

}  // namespace selfmind::claude

// The names that error kinds have on the wire and in the log.
#include "base/result.h"

namespace selfmind {

const char* to_text(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid:
      return "invalid";
    case ErrorKind::not_found:
      return "not_found";
    case ErrorKind::ambiguous:
      return "ambiguous";
    case ErrorKind::busy:
      return "busy";
    case ErrorKind::running:
      return "running";
    case ErrorKind::corrupt:
      return "corrupt";
    case ErrorKind::too_new:
      return "too_new";
    case ErrorKind::io:
      return "io";
    case ErrorKind::auth:
      return "auth";
    case ErrorKind::rate_limited:
      return "rate_limited";
    case ErrorKind::overloaded:
      return "overloaded";
    case ErrorKind::rejected:
      return "rejected";
    case ErrorKind::too_large:
      return "too_large";
    case ErrorKind::network:
      return "network";
    case ErrorKind::protocol:
      return "protocol";
    case ErrorKind::timed_out:
      return "timed_out";
  }
  return "invalid";
}

}  // namespace selfmind

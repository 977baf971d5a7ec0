// Bytes of a text/event-stream body → events. Incremental: any split of the bytes gives the same events. Pure.
// The rules are those of the WHATWG event-stream format: UTF-8 with an optional BOM, lines ended by \n, \r\n or \r,
// several data lines joined with \n, comments and unknown fields dropped; an event without an end is never given out.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace selfmind::sse {

struct Event {
  std::string name;  // the `event` field; empty where there was none
  std::string data;
};

class Decoder {
 public:
  // The events that `bytes` completes. ErrorKind::protocol when one grows past limits::sse_event_bytes; the decoder is
  // of no use afterwards.
  Result<std::vector<Event>> feed(std::string_view bytes);

 private:
  void end_line(std::vector<Event>& events);
  void dispatch(std::vector<Event>& events);

  std::string line_;  // the line being read
  bool first_line_ = true;
  bool after_cr_ = false;  // the last byte was \r: a \n in front of the next bytes belongs to it
  Event event_;            // the event being read
  bool has_data_ = false;  // a data line was there, be it empty
};

}  // namespace selfmind::sse

#include "sse/decoder.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"

namespace selfmind::sse {
namespace {

// As find_first_of("\r\n"), which is slow over long lines.
std::size_t line_end(std::string_view bytes) {
  const auto feed = bytes.find('\n');
  return std::min(bytes.substr(0, feed).find('\r'), feed);
}

}  // namespace

Result<std::vector<Event>> Decoder::feed(std::string_view bytes) {
  std::vector<Event> events;
  while (!bytes.empty()) {
    if (std::exchange(after_cr_, false) && bytes.front() == '\n') {
      bytes.remove_prefix(1);
      continue;
    }
    const auto end = line_end(bytes);
    line_ += bytes.substr(0, end);
    if (line_.size() + event_.data.size() > limits::sse_event_bytes) {
      return Error{ErrorKind::protocol,
                   "The server sent one piece of the reply that is larger than 16 MB; send again, and check the base "
                   "URL if it happens again."};
    }
    if (end == std::string_view::npos) break;
    after_cr_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    end_line(events);
  }
  return events;
}

void Decoder::end_line(std::vector<Event>& events) {
  std::string_view line = line_;
  if (std::exchange(first_line_, false) && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  if (line.empty()) {
    dispatch(events);
  } else {
    const auto colon = line.find(':');  // a comment is a line with an empty field name
    const std::string_view field = line.substr(0, colon);
    std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (field == "event") event_.name = value;
    if (field == "data") {
      if (std::exchange(has_data_, true)) event_.data += '\n';
      event_.data += value;
    }
  }
  line_.clear();
}

void Decoder::dispatch(std::vector<Event>& events) {
  Event event = std::exchange(event_, {});
  if (!std::exchange(has_data_, false)) return;
  events.push_back(std::move(event));
}

}  // namespace selfmind::sse

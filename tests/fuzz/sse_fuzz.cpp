// libFuzzer over the event-stream decoder: it never crashes or hangs, and the cut of the bytes makes no difference. The
// first byte chooses the cut.
#include <cstdint>
#include <cstdlib>

#include "sse/decoder.h"

using namespace selfmind::sse;

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

std::vector<Event> decode(std::string_view bytes, std::size_t piece) {
  Decoder decoder;
  std::vector<Event> events;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    auto more = decoder.feed(bytes.substr(at, piece));
    demand(more.ok());  // no input here is as long as the bound
    for (Event& event : *more) events.push_back(std::move(event));
  }
  return events;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto whole = decode(bytes, bytes.size());
  const auto cut = decode(bytes, 1 + data[0] % 16);
  demand(whole.size() == cut.size());
  for (std::size_t i = 0; i < whole.size(); ++i) demand(whole[i].name == cut[i].name && whole[i].data == cut[i].data);
  return 0;
}

// libFuzzer over the RPC decoder: it never crashes, hangs or depends on how the bytes were cut, and what it took can be
// sent again. The first byte chooses the cut.
#include <cstdint>
#include <cstdlib>

#include "rpc/codec.h"

using namespace selfmind::rpc;

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

std::string encoded(const std::vector<Message>& messages) {
  std::string stream;
  for (const Message& message : messages) stream += encode(message);
  return stream;
}

void check_split(std::string_view bytes, std::size_t piece, bool good, const std::string& wanted) {
  Decoder decoder;
  std::string got;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    const auto messages = decoder.feed(bytes.substr(at, piece));
    if (!messages) return demand(!good);
    got += encoded(*messages);
  }
  demand(good && got == wanted);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t piece = 1 + data[0];
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);

  const auto messages = Decoder().feed(bytes);
  const std::string stream = messages ? encoded(*messages) : "";
  check_split(bytes, piece, messages.ok(), stream);
  if (!messages) return 0;

  const auto again = Decoder().feed(stream);
  demand(again.ok() && encoded(*again) == stream);
  return 0;
}

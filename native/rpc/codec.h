// Bytes ↔ messages. Decoding is incremental and bounded (limits::rpc_*): a malformed byte, a header that announces too
// much, a message that grows too long or is no RPC message is an error, after which the decoder takes nothing more and
// the channel has to be closed.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "rpc/message.h"

namespace selfmind::rpc {

std::string encode(const Message& message);

class Decoder {
 public:
  Decoder();
  ~Decoder();
  // The messages that `bytes` completes, in order. Those before a bad one are lost with it.
  Result<std::vector<Message>> feed(std::string_view bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace selfmind::rpc

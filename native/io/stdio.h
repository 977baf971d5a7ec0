// stdin and stdout as a transport. Works when they are pipes, sockets, files, a terminal or /dev/null.
#pragma once
#include <memory>

#include "io/loop.h"
#include "rpc/transport.h"

namespace selfmind::io {

// Writing goes on working after the end of input. What is still queued when it is destroyed is written while the Loop
// is destroyed, within limits::shutdown. Not to be destroyed from one of its own callbacks.
std::unique_ptr<rpc::Transport> stdio(Loop& loop);

}  // namespace selfmind::io

// stdin and stdout as a transport. Works when they are pipes, sockets, files, a terminal or /dev/null.
#pragma once
#include <memory>

#include "io/loop.h"
#include "rpc/transport.h"

namespace selfmind::io {

std::unique_ptr<rpc::Transport> stdio(Loop& loop);

}  // namespace selfmind::io

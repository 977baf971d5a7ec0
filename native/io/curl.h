// HTTP over curl's multi interface on the loop. The client outlives its transfers.
#pragma once
#include <memory>

#include "http/http.h"
#include "io/loop.h"

namespace selfmind::io {

std::unique_ptr<http::Client> curl(Loop& loop);

}  // namespace selfmind::io

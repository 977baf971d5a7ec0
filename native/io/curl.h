// HTTP over curl's multi interface on the loop. The client outlives its transfers.
#pragma once
#include <memory>
#include <string>

#include "http/http.h"
#include "io/loop.h"

namespace selfmind::io {

std::unique_ptr<http::Client> curl(Loop& loop);

// Of the library in use, with what encrypts for it: "libcurl 7.88.1, OpenSSL/3.0.11".
std::string curl_version();

}  // namespace selfmind::io

// Request → the body of POST /v1/messages. Deterministic: the same request gives the same bytes, and `messages` comes
// last, so that a request is a byte prefix of the next one up to its newest turn (apart from the moving cache
// breakpoint).
#pragma once
#include <string>

#include "claude/types.h"
#include "http/http.h"

namespace selfmind::claude {

// Leaves out what the API would refuse: empty or blank text blocks, messages without blocks, thinking blocks where
// asked; calls of tools, since none are declared; trailing white space of a last assistant message. Never more than
// four cache breakpoints.
std::string encode(const Request& request);

// The whole HTTP request. The key is trimmed; an endpoint without a key sends no authentication.
http::Request http_request(const Request& request, const Endpoint& endpoint);

}  // namespace selfmind::claude

// Request → the body of POST /v1/messages. Deterministic: the same request gives the same bytes, and `messages` comes
// last, so that a request is a byte prefix of the next one up to its newest turn (apart from the moving cache
// breakpoint).
#pragma once
#include <set>
#include <string>

#include "claude/models.h"
#include "claude/types.h"
#include "http/http.h"

namespace selfmind::claude {

// Leaves out what the API would refuse: empty or blank text blocks, messages without blocks, thinking blocks where
// asked or without a signature; calls of tools, since none are declared; a reply at the end, which would be a prefill.
// Neighbours of one role become one message. Never more than four cache breakpoints. Sends only what `accepts` allows,
// never a forced tool or a sampling parameter.
std::string encode(const Request& request, const Accepts& accepts);

// As a server gets it that has taught nothing yet.
std::string encode(const Request& request);

// Fingerprints of the thinking blocks among the request's messages.
std::set<std::size_t> thinking_in(const Request& request);

// The whole HTTP request.
http::Request http_request(const Request& request, const Accepts& accepts, const Endpoint& endpoint);

}  // namespace selfmind::claude

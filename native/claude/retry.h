// Whether and when a request that failed is sent again. Pure. The rules are those of Anthropic's own SDKs: two retries;
// `x-should-retry` decides first, else the status or the error's type; the pause is the one the server names, else
// min(0.5 s · 2^n, 8 s), up to a quarter less by chance.
#pragma once
#include <chrono>
#include <string_view>

#include "claude/types.h"
#include "http/http.h"

namespace selfmind::claude {

inline constexpr int max_retries = 2;

// For an answer that is no stream.
Retry retry_from_response(int status, const http::Headers& headers, std::string_view body);

// For an `error` event in a stream, by its type.
Retry retry_from_event(std::string_view type);

// For a transport that failed: not for what will fail again, as an address that is none, nor after a long silence.
Retry retry_from_transport(const Error& why);

// The pause before retry number `attempt`, from 1. `chance` is in [0, 1).
std::chrono::milliseconds pause_before(int attempt, const Retry& retry, double chance);

}  // namespace selfmind::claude

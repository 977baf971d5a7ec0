// Where a base URL points, and what every request to it carries. Pure; inside claude/ only.
#pragma once
#include <string>
#include <string_view>

#include "http/http.h"

namespace selfmind::claude {

struct Endpoint;

// Host and port of an http(s) URL in lower case, without a user name or password: what may be shown.
std::string authority(std::string_view url);

// The server as a sentence names it: "Anthropic" or "the server at localhost:8080".
std::string server_name(const Endpoint& endpoint);

// Where messages are posted to.
std::string messages_url(std::string_view base_url);

// Where one model is described.
std::string model_url(std::string_view base_url, std::string_view model);

// The version of the API and the key, trimmed, in one header; an endpoint without a key sends no authentication.
http::Headers headers_for(const Endpoint& endpoint);

}  // namespace selfmind::claude

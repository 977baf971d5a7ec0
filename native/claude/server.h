// Where a base URL points. Pure; inside claude/ only.
#pragma once
#include <string>
#include <string_view>

namespace selfmind::claude {

struct Endpoint;

// Host and port of an http(s) URL in lower case, without a user name or password: what may be shown.
std::string authority(std::string_view url);

// The server as a sentence names it: "Anthropic" or "the server at localhost:8080".
std::string server_name(const Endpoint& endpoint);

// Where messages are posted to.
std::string messages_url(std::string_view base_url);

}  // namespace selfmind::claude

// GET /v1/models/{id}: what a server says of one of its models. Inside claude/ only.
#pragma once
#include <optional>
#include <string_view>

#include "claude/types.h"
#include "http/http.h"

namespace selfmind::claude {

// Nothing in a member: the server did not say.
struct Description {
  std::optional<int> context;     // tokens
  std::optional<int> max_output;  // tokens
  bool whole_api = false;         // it tells capabilities, as only servers of the whole API do
  std::optional<bool> thinks, adaptive, disabled, between_tools, effort, structured_outputs;
};

http::Request lookup_request(const Endpoint& endpoint, std::string_view model);

// Nothing for an answer that is no description, such as OpenAI's form of this endpoint.
std::optional<Description> read_description(int status, std::string_view body);

}  // namespace selfmind::claude

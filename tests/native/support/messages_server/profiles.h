// The servers that speak the Messages API, and what each lacks or does otherwise. The default is the API itself.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "support/messages_server/json.h"
#include "support/messages_server/stream.h"

namespace messages_server {

enum class ErrorShape { anthropic, openai, pydantic };

struct Profile {
  std::string_view name;
  std::string_view vendor = {};  // in front of the ids of the API's models
  bool local = false;            // every id is a model of its own, which takes whatever comes
  // Fields as paths from the body; "cache_control" wherever it stands, "system list" for `system` as a list,
  // "thinking blocks" for those that are given back.
  std::vector<std::string_view> ignores = {};
  std::vector<std::string_view> refuses = {};
  ErrorShape errors = ErrorShape::anthropic;
  bool describes_models = false;  // GET /v1/models/{id} tells limits and capabilities
  bool lists_models = true;       // … tells at least that there is one
  int context = 0;                // tokens that prompt and max_tokens share; 0: it does not look
  bool muses = false;             // it thinks though nobody asked, and signs nothing
  Dialect dialect = {};
};

// Null when there is none of this name.
const Profile* find_profile(std::string_view name);
std::string profile_names();

// The first field of `body` that the server refuses, as {path, message}; an empty path: none. Takes out what it ignores
// as well.
struct RefusedField {
  std::string path;
  std::string message;
};
RefusedField take_in(Json& body, const Profile& profile);

// The body of an answer that is an error. `path` is the field it is about, or empty.
Json error_answer(const Profile& profile, const std::string& type, const std::string& path, const std::string& message,
                  const std::string& request_id);

}  // namespace messages_server

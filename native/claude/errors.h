// What a server says went wrong → one sentence. Pure; inside claude/ only, decode.h has the door for whole answers.
#pragma once
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"

namespace selfmind::claude {

// What an error answer holds, whichever of the known forms it has.
struct Complaint {
  std::string type;     // as the Messages API names it; empty: not told
  std::string code;     // details.error_code
  std::string message;  // the server's own words
};
Complaint complaint_in(const nlohmann::ordered_json& body);

// An `error` event, or an error object, in the middle of a stream.
Error error_from_event(const Complaint& complaint);

}  // namespace selfmind::claude

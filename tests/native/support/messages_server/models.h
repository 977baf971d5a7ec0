// What each model takes, as far as the server judges it. Written down apart from the product's own table, from the same
// facts: a mistake has to be made twice to pass.
#pragma once
#include <string_view>

namespace messages_server {

struct Profile;

enum class Disabled { accepted, up_to_high_effort, refused };

struct Model {
  std::string_view id;
  int max_output;
  int min_cacheable;         // tokens; 0: this server never caches
  std::string_view efforts;  // separated by blanks; empty: the parameter is refused
  bool thinks_by_default;
  bool adaptive;
  bool enabled;  // thinking with budget_tokens
  Disabled disabled;
  bool between_tools;
  bool omits_thinking;  // unless display says otherwise
  bool preserved;       // thinking blocks are bound to what stood before them
  bool sampling;
  bool prefill;
  bool forced_tools;
  bool system_role;  // in messages
  bool structured;   // output_config.format
};

// Null for a model that does not exist at this server. A local one takes everything.
const Model* find_model(std::string_view id, const Profile& profile);

}  // namespace messages_server

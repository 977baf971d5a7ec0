// What each known model accepts (as published on 2026-11-30). An unknown model, which may be a local one, is sent the
// plainest request.
#pragma once
#include <string_view>

namespace selfmind::claude {

struct Model {
  std::string_view id;
  bool adaptive_thinking;   // accepts thinking {type: adaptive}
  bool disable_thinking;    // accepts thinking {type: disabled}
  bool structured_outputs;  // accepts output_config.format
  bool known;
};

// By id, also with a date behind it ("-20251001") or a vendor in front ("anthropic/…"); an entry with known = false and
// nothing accepted when there is none.
Model model(std::string_view id);

}  // namespace selfmind::claude

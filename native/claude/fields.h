// Which part of a request an error answer complains about. Pure; inside claude/ only.
#pragma once
#include <optional>
#include <string_view>

namespace selfmind::claude {

enum class Field {
  thinking,               // in whatever form
  adaptive,               // thinking {type: adaptive}
  disabled,               // thinking {type: disabled}
  between_tools,          // thinking {type: between_tools}
  output_config,          // all of it
  effort,                 // output_config.effort
  format,                 // output_config.format
  cache_control,          //
  system_blocks,          // `system` as a list
  thinking_blocks,        // in replies that are given back: the server knows none
  these_thinking_blocks,  // … these ones belong to another conversation, or were changed
  max_tokens,             // more than the model gives
  context,                // … more than there is room for beside the prompt
};
const char* to_text(Field field);

struct Refused {
  Field field;
  int limit = 0;  // tokens: the most max_tokens may be, or the context has
};

// `body` as the server sent it, in the API's own form, OpenAI's or pydantic's. Nothing for other answers than 400 and
// 422, and for complaints about anything that leaving out would not mend.
std::optional<Refused> refused_field(int status, std::string_view body);

}  // namespace selfmind::claude

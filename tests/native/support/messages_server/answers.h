// What the server says when nobody scripted it: a chat that shows whether it was given memories, and an extractor that
// goes by a few plain rules. Pure.
#pragma once
#include <string>

#include "support/messages_server/json.h"

namespace messages_server {

enum class Kind { chat, learn, model };

// A request for JSON is the extractor's; `model`, a question about one, has no body.
Kind kind_of(const Json& body);

// "From what I remember: …" with the recalled lines that share a word with the question, or "I do not know that yet.
// …".
std::string chat_text(const Json& body);

// The memories in the newest user turn, as JSON in the shape that the request's schema asks for.
std::string extraction_text(const Json& body);

}  // namespace messages_server

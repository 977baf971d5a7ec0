// The place in a long text that a question is about. Pure.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "recall/question.h"

namespace selfmind::recall {

// At most `bytes` bytes of `text`: all of a short one; of a long one the lines or sentences with most of the question's
// words, "…" where something was left out.
std::string excerpt(Vocabulary& vocabulary, std::string_view text, const Question& question, std::size_t bytes);

}  // namespace selfmind::recall

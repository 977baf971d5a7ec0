// This process as a mark that others can check: whose work something is, and whether its owner still lives.
#pragma once
#include <string>
#include <string_view>

namespace selfmind {

// "MACHINE/PID"; the same for the life of the process. Any thread.
std::string process_mark();

// True when the process is known to be gone. False when it lives or cannot be known from here: it ran on another
// machine, or its number has been given to another process. Whoever asks has a time limit beside it.
bool process_gone(std::string_view mark);

}  // namespace selfmind

// The program's log: stderr or a file, never stdout, which belongs to the protocol. Any thread.
// Nothing a user typed, and no key, is ever logged above `debug`; keys are never logged at all.
#pragma once
#include <string>
#include <string_view>

namespace selfmind::log {

enum class Level { debug, info, warning, error, off };

// Where lines go: an empty path means stderr. Called once, before other threads start.
void open(const std::string& path, Level level);

void debug(std::string_view text);
void info(std::string_view text);
void warning(std::string_view text);
void error(std::string_view text);

}  // namespace selfmind::log

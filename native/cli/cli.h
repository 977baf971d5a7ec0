// The command line: one subcommand, one thing done, an exit code. Each subcommand has a file of its own.
#pragma once
#include <iosfwd>

#include "base/clock.h"
#include "base/ids.h"

namespace selfmind::cli {

inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;  // one line on stderr: what, and what to do
inline constexpr int exit_usage = 2;

// Parses argv (with a subcommand in it) and runs it. Nothing is read from the terminal but by `-`.
int run(int argc, char** argv, std::istream& in, std::ostream& out, std::ostream& err);

}  // namespace selfmind::cli

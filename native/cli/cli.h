// The command line: one subcommand, one thing done, an exit code. Each subcommand has a file of its own.
#pragma once
#include <functional>
#include <iosfwd>
#include <string>

#include "base/clock.h"
#include "base/ids.h"
#include "cli/network.h"

namespace selfmind::cli {

inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;  // one line on stderr: what, and what to do
inline constexpr int exit_usage = 2;

// Parses argv (with something in it) and runs it. Nothing is read from the terminal but by `-`. `serve` is what the
// program does without a subcommand, recording into the file that --record names; `network` is used by what asks a
// model alone. `libraries`: versions of those that only main() knows, for doctor.
int run(int argc, char** argv, std::istream& in, std::ostream& out, std::ostream& err,
        const std::function<int(const std::string& record)>& serve, const WithNetwork& network,
        const std::string& libraries = {});

}  // namespace selfmind::cli

// `selfmind-host eval-extract`: how well is what a user says turned into memories? Called once, by the command line.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "cli/network.h"
#include "host/settings.h"

namespace selfmind::cli {

struct EvalExtractArguments {
  std::vector<std::string> files;
  std::string model;     // empty: the rules, which need none
  bool dry_run = false;  // with a model: only say what it would cost
  bool json = false;
};

// Where a model is asked: the server and the key come from the environment, as learning has them.
struct ModelAccess {
  host::Environment environment;
  WithNetwork network;
  Clock& clock;
};

// The exit code: 0 done, 1 a file or the model failed; then the last line on `err` says why and nothing is on `out`.
// Before a model is asked, what that will cost about is on `err`. A run that was interrupted prints the figures of what
// was answered and is 1 as well.
int eval_extract_command(const EvalExtractArguments& arguments, const ModelAccess& access, std::ostream& out,
                         std::ostream& err);

}  // namespace selfmind::cli

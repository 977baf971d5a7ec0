// `selfmind-host eval`: recall figures over recall sets. Called once, by the command line.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

#include "recall/presets.h"

namespace selfmind::cli {

struct EvalArguments {
  std::vector<std::string> files;
  std::vector<int> ks = {3, 6, 10};
  std::string preset{recall::default_preset};
  bool turns_only = false;
  bool unrelated = false;  // ask each file what the others ask, too
  bool json = false;
};

// The exit code: 0 done, 1 a file failed, 2 wrong usage; then one line is on `err` and nothing on `out`.
int eval_command(const EvalArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace selfmind::cli

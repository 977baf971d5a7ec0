// `selfmind-host eval-extract`: how well is what a user says turned into memories? Called once, by the command line.
#pragma once
#include <iosfwd>
#include <string>
#include <vector>

namespace selfmind::cli {

struct EvalExtractArguments {
  std::vector<std::string> files;
  std::string model;  // empty: the rules, which need none
  bool json = false;
};

// The exit code: 0 done, 1 a file failed; then one line is on `err` and nothing on `out`.
int eval_extract_command(const EvalExtractArguments& arguments, std::ostream& out, std::ostream& err);

}  // namespace selfmind::cli

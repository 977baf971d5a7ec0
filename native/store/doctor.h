// What may be wrong with a store, and mending it: its file, the rights on it, its rows. The command line's `doctor`
// adds what it knows of the environment.
#pragma once
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"

namespace selfmind::store {

struct Finding {
  enum State { fine, found, mended };
  std::string check;  // one word: "rights", "secrets", …
  State state = fine;
  std::string text;    // what was looked at, and what is so; never a secret
  std::string advice;  // found: what to do
};

// Looks at everything, whatever state the file is in; with `fix` it mends what can be mended. Without it nothing is
// changed: no file is made, migrated or given other rights.
std::vector<Finding> examine(const std::string& path, Clock& clock, Ids& ids, bool fix);

}  // namespace selfmind::store

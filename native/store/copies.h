// The copies of a store that lie beside it: made before a migration (NAME.backup-vN) and by `backup`, every
// NAME.backup-*. What is forgotten goes from them as well. They stay what they are: of their own schema, and no copy is
// ever removed.
#pragma once
#include <string>
#include <vector>

#include "store/erase.h"

namespace selfmind::store {

struct InCopies {
  int changed = 0;  // copies that had something of it
  std::vector<std::string>
      left;  // of those that still have the words: which file, why, and what to do; a sentence each
};

// `sought`: what must stand in none of them. `dry_run` only counts. Outside any transaction; never fails: what could
// not be done is said.
InCopies forget_in_copies(Database& database, const Target& target, const Words& words,
                          const std::vector<std::string>& sought, bool dry_run);

}  // namespace selfmind::store

// Copies of the store to come back to, and coming back to one.
#pragma once
#include <string>

#include "store/database.h"

namespace selfmind::store {

// Writes the store as it is into the new file `to` (0600), an empty one beside the store named for the time; returns
// its path. Others may go on meanwhile: writers wait until the copy is made, so that nobody forgets what is still on
// its way into it. ErrorKind::invalid when the file exists.
Result<std::string> back_up(Database& database, const std::string& to = {});
// Its part without a transaction: the caller has one open, or needs none.
Result<std::string> write_backup(Database& database, const std::string& to = {});

struct Restored {
  std::string kept;  // the backup of what was there before
  int memories = 0;  // all that there are now, in any state
  int turns = 0;
  int forgotten = 0;       // memories of the backup that were forgotten since it was made, and stay so
  int cut = 0;             // messages of it from which words are cut that were cut here since
  std::string kept_out;    // secrets of it that were left out, in words
  bool elsewhere = false;  // it is of another store: ids mean other things than before
};

// Brings the backup `from` back, after a backup of what is there. One transaction on the file that others have open:
// they see all of it or nothing, and find what is different in `change`, whose numbers only grow. What was forgotten
// since the backup was made stays forgotten: tombstones are kept and honoured, and so is every cut of the log. A file
// that is no store, damaged or newer is refused, and nothing is changed then.
Result<Restored> restore(Database& database, const std::string& from);

}  // namespace selfmind::store

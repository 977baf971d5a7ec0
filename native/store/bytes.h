// Deleted means gone: what SQLite leaves of deleted text in free space of its files. Used by forget.cpp, outside any
// transaction.
#pragma once
#include <string>
#include <vector>

#include "store/database.h"

namespace selfmind::store {

// Empties the journals and rebuilds the store. Returns whether `words` still stand in a file, be it because something
// else says the same or because another program was reading and the store could not be rebuilt.
bool scrub(Database& database, const std::vector<std::string>& words);

// Whether any of `words` stands in the store's file, its journals or the copies made before migrations.
bool stand_in_files(Database& database, const std::vector<std::string>& words);

}  // namespace selfmind::store

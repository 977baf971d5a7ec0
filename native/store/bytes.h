// Deleted means gone: what SQLite leaves of deleted text in free space of its files. Used by forget.cpp, outside any
// transaction.
#pragma once
#include <string>
#include <vector>

#include "store/database.h"

namespace selfmind::store {

// Empties the journals and, where `words` still stand in a file, rebuilds the store once. Returns whether they stand
// there after all, be it because another program reads the store now or because something else says the same.
bool scrub(Database& database, const std::vector<std::string>& words);

}  // namespace selfmind::store

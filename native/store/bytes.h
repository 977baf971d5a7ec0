// Deleted means gone: what SQLite leaves of deleted text in free space of its files. Used by forget.cpp and copies.cpp,
// outside any transaction.
#pragma once
#include <string>
#include <vector>

#include "store/database.h"

namespace selfmind::store {

// Empties the journals and rebuilds the file, so that nothing is left in it that is in no row. ErrorKind::busy while
// another program reads.
Result<void> rebuild(Database& database);

// Whether any of `words` stands in the store's file or its journals.
bool stand_in_store(Database& database, const std::vector<std::string>& words);
// The same of a file that this process has not open: closing it would drop SQLite's locks.
bool stand_in_file(const std::string& path, const std::vector<std::string>& words);

}  // namespace selfmind::store

// The store's files on disk: made for their owner alone. Used by database.cpp and migrations.cpp.
#pragma once
#include <string>

#include "base/result.h"

namespace selfmind::store {

// Makes missing folders (0700) and the file (0600); takes other people's rights from an existing file of ours. SQLite
// gives its journals the rights of the file.
Result<void> make_private_file(const std::string& path);

}  // namespace selfmind::store

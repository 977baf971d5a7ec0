// The store's files on disk: made for their owner alone. Used by database.cpp and migrations.cpp.
#pragma once
#include <string>

#include "base/result.h"

namespace selfmind::store {

// Makes missing folders (0700) and the file (0600). One that exists is left as it is: it may be another program's.
Result<void> make_private_file(const std::string& path);

// Takes other people's rights from a file of ours. SQLite gives its journals the rights of the file.
Result<void> close_to_others(const std::string& path);

}  // namespace selfmind::store

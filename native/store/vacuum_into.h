// A copy of the store's file, made while others use it. Used by migrations.cpp and backup.cpp.
#pragma once
#include <string>

#include "base/result.h"

namespace selfmind::store {

// Copies the database file `from` as it is at this moment into `to`, an empty file, on a connection of its own, so that
// a transaction of the caller's may keep others from changing it meanwhile. Free space, and what deleted rows have left
// there, is not copied.
Result<void> copy_file(const std::string& from, const std::string& to);

}  // namespace selfmind::store

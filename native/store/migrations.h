// The schema, as the steps that lead to it. Only database.cpp and tests call this.
#pragma once
#include <span>

#include "store/database.h"

namespace selfmind::store {

struct Migration {
  const char* sql;  // statements that lead from the version before to this one; the place in the list is the version
};

std::span<const Migration> migrations();

// In the header of every store of ours, so that another program's database is never taken for one.
inline constexpr int application_id = 0x53'4d'6e'64;  // "SMnd"

// Brings the store to the newest version of `steps`, in one transaction. Before that, an existing store is copied to
// "<path>.backup-v<its version>"; of such copies the newest is kept.
Result<void> migrate(Database& database, std::span<const Migration> steps);

}  // namespace selfmind::store

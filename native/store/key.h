// The key of the tombstones' hashes: 32 random bytes in a file beside the store (NAME.key, for its owner alone), made
// when first needed and in no export and no backup. Whoever has the store without it cannot try out words on it. A
// store in memory has its key there.
#pragma once
#include <optional>
#include <string>

#include "store/database.h"

namespace selfmind::store {

// The key; made when there is none. Call it inside a transaction that writes: of two programs that forget for the first
// time one then makes it and the other reads it.
Result<std::string> words_key(Database& database);

// The key if there is one; without it nothing was ever hashed.
Result<std::optional<std::string>> words_key_if_any(Database& database);

}  // namespace selfmind::store

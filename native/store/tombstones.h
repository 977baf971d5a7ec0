// Tombstones: what was forgotten, so that it does not come back from what was said before: not by learning, not by an
// import, not from a backup. Of the memory's words there are only keyed hashes of their stems (store/key.h), one set
// for each text that it had and each quotation of it. The user may say it again: what is said later is no evidence
// older than the tombstone, and what is remembered by hand is never asked about.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "store/statement.h"

namespace selfmind::store {

// How texts are taken apart. With a change to text/tokens, the stop words or the stemming this number goes up; older
// tombstones then count by their ids only.
inline constexpr int tombstone_analysis = 1;

struct Tombstone {
  std::string uuid;  // the forgotten memory's
  Time at{};         // when it was forgotten
};

// Does a tombstone that is not older than `evidence` say the same as the text, or mostly the same words? Another
// number, name or negation makes it something else.
Result<bool> is_forgotten(Database& database, std::string_view text, Time evidence);
Result<bool> is_forgotten_id(Database& database, std::string_view uuid);

// Part of the caller's transaction. `texts`: all that the memory ever said. Buried twice, it keeps the later time.
Result<void> bury(Database& database, Transaction& transaction, const Tombstone& tombstone,
                  const std::vector<std::string>& texts);
// Of a tombstone from elsewhere only the id is known.
void bury_id(Transaction& transaction, const Tombstone& tombstone);

Result<std::vector<Tombstone>> tombstones(Database& database);  // by uuid

}  // namespace selfmind::store

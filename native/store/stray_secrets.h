// Secrets in rows that did not pass the door (door.h): written before it knew their form, or by another program. Used
// by doctor.cpp, and by restore.cpp for what a backup brings.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "store/statement.h"
#include "text/secrets.h"

namespace selfmind::store {

struct StraySecrets {
  // Which rows have some, by what they are: "turn", "memory", "chat", …
  std::map<std::string, std::vector<Id>> rows;
  text::Findings found;             // how often each kind of secret
  std::vector<std::string> values;  // the secrets themselves, to look for their bytes; for nobody's eyes

  bool any() const { return !rows.empty(); }
};

// Looks at every row that holds somebody's words, as the door would; also in a store of an older schema.
Result<StraySecrets> find_stray_secrets(Database& database);

// The same, and leaves the door's marks in their place: in the log through a redaction row, and thinking that is bound
// to such words is not sent again. Their bytes are in the files until they are scrubbed (bytes.h).
Result<StraySecrets> redact_stray_secrets(Database& database, Transaction& transaction);

// Table and column of all that is looked at.
std::vector<std::pair<std::string, std::string>> columns_with_words();

}  // namespace selfmind::store

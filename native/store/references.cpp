#include "store/references.h"

#include "store/statement.h"

namespace selfmind::store {

ForeignKeysOff::ForeignKeysOff(Database& database) : database_(database) {
  switched_ = database_.execute("PRAGMA foreign_keys = OFF");
}

ForeignKeysOff::~ForeignKeysOff() { (void)database_.execute("PRAGMA foreign_keys = ON"); }

Result<std::int64_t> broken_references(Database& database) {
  const auto broken =
      collect(query(database, "PRAGMA main.foreign_key_check"), [](const Statement& row) { return row.integer(1); });
  if (!broken) return broken.error();
  return static_cast<std::int64_t>(broken->size());
}

}  // namespace selfmind::store

// Foreign keys while whole tables are made anew: switched off around a transaction, looked at before it commits. Used
// by migrations.cpp, restore.cpp and doctor.cpp.
#pragma once
#include "store/database.h"

namespace selfmind::store {

// A table that others refer to is made anew by dropping the old one, which would take their rows along. The switch does
// nothing inside a transaction, so it goes around it.
class ForeignKeysOff {
 public:
  explicit ForeignKeysOff(Database& database);
  ForeignKeysOff(const ForeignKeysOff&) = delete;
  ForeignKeysOff& operator=(const ForeignKeysOff&) = delete;
  ~ForeignKeysOff();
  const Result<void>& switched() const { return switched_; }

 private:
  Database& database_;
  Result<void> switched_;
};

// Rows of "main" that refer to one that is gone.
Result<std::int64_t> broken_references(Database& database);

}  // namespace selfmind::store

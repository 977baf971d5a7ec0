// OpenChange: the one door through which memories change. Whoever adds or alters a memory does it inside one, so that
// every change can be shown, taken back and asked about. Lives inside the caller's transaction.
#pragma once
#include <string>
#include <string_view>

#include "store/statement.h"

namespace selfmind::store {

class OpenChange {
 public:
  // `change` without id and time.
  OpenChange(Database& database, Transaction& transaction, Change change)
      : database_(database), transaction_(transaction), change_(std::move(change)) {}

  // A memory that was just inserted.
  void added(Id memory);
  // `by` says what `memory` said, and is right.
  void supersede(Id memory, Id by);
  void relate(Id from, std::string_view kind, Id to);
  void set_state(Id memory, std::string_view state);
  void reword(Id memory, std::string_view text);
  // Gives the memory the values that revision `number` had. 0: it had none yet, so it is archived.
  void restore(Id memory, std::int64_t number);

  bool any() const { return change_.id != no_id; }
  // Its row is written with the first memory it touches; a change that changed nothing has none.
  Id id();

 private:
  void keep(Id memory);

  Database& database_;
  Transaction& transaction_;
  Change change_;
};

}  // namespace selfmind::store

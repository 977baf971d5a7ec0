#include "store/change.h"

namespace selfmind::store {

Id OpenChange::id() {
  if (change_.id != no_id) return change_.id;
  change_.at = database_.clock().now();
  transaction_.run("INSERT INTO memory_change (verb, made_by, turn, session, at) VALUES (?, ?, ?, ?, ?)", change_.verb,
                   change_.made_by, or_null(change_.turn), or_null(change_.session), to_millis(change_.at));
  change_.id = database_.last_insert_id();
  return change_.id;
}

void OpenChange::added(Id memory) { keep(memory); }

void OpenChange::supersede(Id memory, Id by) {
  transaction_.run("UPDATE memory SET valid_to = ?1 WHERE id = ?2 AND (valid_to IS NULL OR valid_to > ?1)",
                   to_millis(database_.clock().now()), memory);
  set_state(memory, "superseded");
  relate(by, "supersedes", memory);
}

void OpenChange::relate(Id from, std::string_view kind, Id to) {
  transaction_.run("INSERT OR REPLACE INTO relation (from_memory, kind, to_memory, change) VALUES (?, ?, ?, ?)", from,
                   kind, to, id());
}

void OpenChange::set_state(Id memory, std::string_view state) {
  transaction_.run("UPDATE memory SET state = ?, revision = revision + 1, updated_at = ? WHERE id = ?", state,
                   to_millis(database_.clock().now()), memory);
  keep(memory);
}

void OpenChange::reword(Id memory, std::string_view text) {
  transaction_.run("UPDATE memory SET text = ?, revision = revision + 1, updated_at = ? WHERE id = ?", text,
                   to_millis(database_.clock().now()), memory);
  keep(memory);
}

void OpenChange::restore(Id memory, std::int64_t number) {
  if (number == 0) return set_state(memory, "archived");
  transaction_.run(
      "UPDATE memory SET (text, reason, kind, scene, track, state, project, valid_from, valid_to) = (SELECT text, "
      "reason, kind, scene, track, state, project, valid_from, valid_to "
      "FROM memory_revision WHERE memory = ?1 AND revision = ?2), revision = revision + 1, updated_at = ?3 "
      "WHERE id = ?1",
      memory, number, to_millis(database_.clock().now()));
  keep(memory);
}

void OpenChange::keep(Id memory) {
  transaction_.run(
      "INSERT INTO memory_revision (memory, revision, change, text, reason, kind, scene, track, state, project, "
      "valid_from, valid_to) "
      "SELECT id, revision, ?, text, reason, kind, scene, track, state, project, valid_from, valid_to "
      "FROM memory WHERE id = ?",
      id(), memory);
}

}  // namespace selfmind::store

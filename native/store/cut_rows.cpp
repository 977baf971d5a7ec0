#include "store/cut_rows.h"

#include "store/title.h"

namespace selfmind::store {

void open_redaction(Database& database, Transaction& transaction, Id turn, const char* reason) {
  transaction.run("INSERT INTO redaction (turn, reason, at, open) VALUES (?, ?, ?, 1)", turn, reason,
                  to_millis(database.clock().now()));
}

void close_redaction(Transaction& transaction, Id turn) {
  transaction.run("UPDATE redaction SET open = 0 WHERE turn = ? AND open = 1", turn);
}

Result<void> retitle(Database& database, Transaction& transaction, Id session) {
  const auto opening =
      first(query(database, "SELECT text FROM turn WHERE session = ? AND role = 'user' ORDER BY id LIMIT 1", session),
            [](const Statement& row) { return row.text(0); });
  if (!opening) return opening.error();
  if (*opening) transaction.run("UPDATE session SET title = ? WHERE id = ?", title_of(**opening), session);
  return {};
}

void leave_thinking_out(Transaction& transaction, Id session) {
  transaction.run(
      "UPDATE session SET thinking_from = (SELECT max(turn.id) + 1 FROM turn WHERE turn.session = ?1) WHERE id = ?1",
      session);
}

}  // namespace selfmind::store

#include "store/queue.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "base/process.h"
#include "store/door.h"
#include "store/memory_rows.h"

namespace selfmind::store {
namespace {

QueueEntry entry_row(const Statement& row) {
  QueueEntry entry;
  entry.id = row.integer(0);
  entry.turn = row.integer(1);
  entry.endpoint = row.text(2);
  entry.model = row.text(3);
  entry.attempts = static_cast<int>(row.integer(4));
  entry.project = row.integer(5);
  entry.user_text = row.text(6);
  entry.said_at = from_millis(row.integer(7));
  entry.reply_text = row.text(8);
  entry.session = row.integer(9);
  entry.review = row.integer(10) != 0;
  entry.before = row.integer(11);
  entry.before_text = row.text(12);
  entry.by_rules = entry.endpoint.empty();
  return entry;
}

Result<std::optional<QueueEntry>> oldest_free(Database& database, std::string_view endpoint, Time now) {
  return first(
      query(database,
            "SELECT learn_queue.id, learn_queue.turn, endpoint, learn_queue.model, attempts, session.project, "
            "said.text, said.created_at, coalesce((SELECT reply.text FROM turn AS reply WHERE reply.parent = said.id "
            "AND reply.state IN ('done', 'stopped', 'interrupted') ORDER BY reply.id DESC LIMIT 1), ''), said.session, "
            "review, before.id, coalesce(before.text, '') "
            "FROM learn_queue JOIN turn AS said ON said.id = learn_queue.turn "
            "LEFT JOIN turn AS before ON before.id = said.parent AND before.role = 'assistant' "
            "JOIN session ON session.id = said.session "
            "WHERE endpoint = ? AND parked = 0 AND lease_until <= ? "
            "ORDER BY learn_queue.id LIMIT 1",
            endpoint, to_millis(now)),
      entry_row);
}

// A lease is "PROCESS#ID". What a process that is gone still holds is free at once.
Result<void> free_orphans(Database& database, Transaction& transaction, Time now) {
  struct Held {
    Id id;
    std::string lease;
  };
  const auto held = collect(query(database, "SELECT id, lease FROM learn_queue WHERE lease_until > ?", to_millis(now)),
                            [](const Statement& row) {
                              return Held{row.integer(0), row.text(1)};
                            });
  if (!held) return held.error();
  for (const auto& one : *held) {
    if (!process_gone(one.lease.substr(0, one.lease.find('#')))) continue;
    transaction.run("UPDATE learn_queue SET lease = '', lease_until = 0 WHERE id = ?", one.id);
  }
  return transaction.so_far();
}

Result<bool> still_held(Database& database, const QueueEntry& entry) {
  const auto rows =
      number(query(database, "SELECT count(*) FROM learn_queue WHERE id = ? AND lease = ?", entry.id, entry.lease));
  if (!rows) return rows.error();
  return !entry.lease.empty() && *rows == 1;
}

void note_spent(Database& database, Transaction& transaction, const Spent& spent) {
  if (spent.model.empty()) return;
  transaction.run(
      "INSERT INTO learning_usage (day, model, calls, input_tokens, output_tokens, cache_read_tokens, "
      "cache_write_tokens) VALUES (?, ?, 1, ?, ?, ?, ?) ON CONFLICT (day, model) DO UPDATE SET calls = calls + 1, "
      "input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens, "
      "cache_read_tokens = cache_read_tokens + excluded.cache_read_tokens, "
      "cache_write_tokens = cache_write_tokens + excluded.cache_write_tokens",
      local_date(database.clock().now()), spent.model, spent.usage.input, spent.usage.output, spent.usage.cache_read,
      spent.usage.cache_write);
}

}  // namespace

void enqueue(Transaction& transaction, Id turn, const LearnAt& at, Time now) {
  transaction.run(
      "INSERT INTO learn_queue (turn, endpoint, model, review, created_at) SELECT ?1, ?2, ?3, ?4, ?5 "
      "WHERE NOT EXISTS (SELECT 1 FROM unlearned WHERE turn = ?1) ON CONFLICT (turn) DO NOTHING",
      turn, at.endpoint, at.model, at.review, to_millis(now));
}

Result<std::optional<QueueEntry>> lease(Database& database, std::string_view endpoint) {
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  const Time now = database.clock().now();
  if (auto freed = free_orphans(database, *transaction, now); !freed) return freed.error();
  auto entry = oldest_free(database, endpoint, now);
  if (!entry || !*entry) return entry;
  (*entry)->lease = process_mark() + "#" + database.ids().uuid(now);
  transaction->run("UPDATE learn_queue SET lease = ?, lease_until = ? WHERE id = ?", (*entry)->lease,
                   to_millis(now + limits::learn_lease), (*entry)->id);
  if (auto done = transaction->commit(); !done) return done.error();
  return entry;
}

Result<std::vector<Added>> keep_learned(Database& database, const QueueEntry& entry,
                                        const std::vector<MemoryDraft>& drafts, const Compare& compare,
                                        const Spent& spent) {
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  const auto held = still_held(database, entry);
  if (!held) return held.error();
  if (!*held)
    return Error{ErrorKind::busy, "What this message teaches is being learned elsewhere; nothing was stored twice."};
  std::vector<Added> all;
  OpenChange change(database, *transaction,
                    {no_id, "add", entry.by_rules ? "rules" : "learn", entry.turn, entry.session, {}});
  for (const auto& draft : drafts) {
    auto added = add_in_transaction(database, *transaction, change, draft, compare);
    if (!added) return added.error();
    if (added->forgotten) continue;
    all.push_back(std::move(*added));
  }
  note_spent(database, *transaction, spent);
  transaction->run("DELETE FROM learn_queue WHERE id = ?", entry.id);
  if (auto done = transaction->commit(); !done) return done.error();
  return all;
}

Result<void> release(Database& database, const QueueEntry& entry, bool counts, std::string_view failure,
                     const Spent& spent) {
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  // Whoever has it by now, or has finished it, is not disturbed.
  transaction->run(
      "UPDATE learn_queue SET lease = '', lease_until = 0, failure = ?, attempts = attempts + ?, "
      "parked = (attempts + ?2 >= ?3) WHERE id = ?4 AND lease = ?5 AND lease <> ''",
      Door(database).said(failure), counts ? 1 : 0, limits::learn_attempts, entry.id, entry.lease);
  note_spent(database, *transaction, spent);
  return transaction->commit();
}

Result<std::int64_t> learning_tokens(Database& database, Time now) {
  return number(query(database,
                      "SELECT coalesce(sum(input_tokens + output_tokens + cache_read_tokens + cache_write_tokens), 0) "
                      "FROM learning_usage WHERE day = ?",
                      local_date(now)));
}

}  // namespace selfmind::store

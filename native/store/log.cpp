#include "store/log.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "base/process.h"
#include "base/utf8.h"
#include "store/door.h"
#include "store/memory_rows.h"
#include "store/queue.h"
#include "store/title.h"

namespace selfmind::store {
namespace {

constexpr const char* session_columns =
    "SELECT id, uuid, project, title, draft, history_from, thinking_from, created_at, updated_at FROM session ";

Session session_row(const Statement& row) {
  Session session;
  session.id = row.integer(0);
  session.uuid = row.text(1);
  session.project = row.integer(2);
  session.title = row.text(3);
  session.draft = row.text(4);
  session.history_from = row.integer(5);
  session.thinking_from = row.integer(6);
  session.created_at = from_millis(row.integer(7));
  session.updated_at = from_millis(row.integer(8));
  return session;
}

constexpr const char* turn_columns =
    "SELECT id, uuid, session, parent, role, state, text, content, memory_block, model, stop_reason, failure, "
    "input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, created_at FROM turn ";

Turn turn_row(const Statement& row) {
  Turn turn;
  turn.id = row.integer(0);
  turn.uuid = row.text(1);
  turn.session = row.integer(2);
  turn.parent = row.integer(3);
  turn.role = role_from(row.text(4)).value_or(Role::assistant);
  // A newer schema, which is only read here, may know more states.
  turn.state = turn_state_from(row.text(5)).value_or(TurnState::done);
  turn.text = row.text(6);
  turn.content = row.text(7);
  turn.memory_block = row.text(8);
  turn.model = row.text(9);
  turn.stop_reason = row.text(10);
  turn.failure = row.text(11);
  turn.usage = {row.integer(12), row.integer(13), row.integer(14), row.integer(15)};
  turn.created_at = from_millis(row.integer(16));
  return turn;
}

Result<Turn> turn(Database& database, Id id) {
  auto found = first(query(database, std::string(turn_columns) + "WHERE id = ?", id), turn_row);
  if (!found) return found.error();
  if (!*found) return Error{ErrorKind::not_found, fmt::format("There is no message {} in the log.", id)};
  return std::move(**found);
}

Result<Turn> user_turn(Database& database, Id id) {
  auto found = turn(database, id);
  if (found && found->role != Role::user) {
    return Error{ErrorKind::invalid, fmt::format("Turn {} is a reply, not a message.", id)};
  }
  return found;
}

Result<std::vector<Given>> given_to(Database& database, Id turn) {
  return collect(query(database, "SELECT memory, revision, rank, score FROM recall WHERE turn = ? ORDER BY rank", turn),
                 [](const Statement& row) {
                   return Given{row.integer(0), row.integer(1), static_cast<int>(row.integer(2)), row.real(3)};
                 });
}

bool answers(const Turn& reply) {
  switch (reply.state) {
    case TurnState::done:
      return true;
    case TurnState::stopped:
    case TurnState::interrupted:
      return !reply.text.empty();
    default:
      return false;
  }
}

// The row that `owner` has begun for the reply under `message`.
Result<std::optional<Id>> begun(Database& database, Id message, std::string_view owner) {
  return first(
      query(database, "SELECT id FROM turn WHERE parent = ? AND state = 'streaming' AND owner = ?", message, owner),
      [](const Statement& row) { return row.integer(0); });
}

void insert_turn(Database& database, Transaction& transaction, Turn& turn) {
  turn.uuid = database.ids().uuid(turn.created_at);
  transaction.run(
      "INSERT INTO turn (uuid, session, parent, role, state, text, content, model, stop_reason, failure, input_tokens, "
      "output_tokens, cache_read_tokens, cache_write_tokens, created_at) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      turn.uuid, turn.session, or_null(turn.parent), to_text(turn.role), to_text(turn.state), turn.text, turn.content,
      turn.model, turn.stop_reason, turn.failure, turn.usage.input, turn.usage.output, turn.usage.cache_read,
      turn.usage.cache_write, to_millis(turn.created_at));
  turn.id = database.last_insert_id();
}

// That something was kept out of a row as it was written.
void note_secret(Database& database, Transaction& transaction, Id turn) {
  transaction.run("INSERT INTO redaction (turn, reason, at, open) VALUES (?, 'secret', ?, 0)", turn,
                  to_millis(database.clock().now()));
}

Result<bool> lacks_secret(Database& database, Id turn) {
  const auto rows =
      number(query(database, "SELECT count(*) FROM redaction WHERE turn = ? AND reason = 'secret'", turn));
  if (!rows) return rows.error();
  return *rows > 0;
}

void complete_turn(Transaction& transaction, const Turn& turn) {
  transaction.run(
      "UPDATE turn SET state = ?, text = ?, content = ?, model = ?, stop_reason = ?, failure = ?, input_tokens = ?, "
      "output_tokens = ?, cache_read_tokens = ?, cache_write_tokens = ?, created_at = ?, owner = '', owner_until = 0 "
      "WHERE id = ?",
      to_text(turn.state), turn.text, turn.content, turn.model, turn.stop_reason, turn.failure, turn.usage.input,
      turn.usage.output, turn.usage.cache_read, turn.usage.cache_write, to_millis(turn.created_at), turn.id);
}

}  // namespace

std::string title_of(std::string_view message) {
  constexpr std::size_t title_bytes = 80;  // a line in a list
  const auto text = utf8::trim(message);
  return utf8::excerpt(utf8::trim(text.substr(0, text.find('\n'))), title_bytes);
}

Result<Session> new_session(Database& database, Id project) {
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  const Time now = database.clock().now();
  transaction->run("INSERT INTO session (uuid, project, created_at, updated_at) VALUES (?, ?, ?3, ?3)",
                   database.ids().uuid(now), or_null(project), to_millis(now));
  const Id id = database.last_insert_id();
  if (auto done = transaction->commit(); !done) return done.error();
  return session(database, id);
}

Result<std::optional<Session>> last_session(Database& database, Id project) {
  return first(
      query(database,
            std::string(session_columns) +
                "WHERE project IS ? AND (draft <> '' OR EXISTS (SELECT 1 FROM turn WHERE turn.session = session.id)) "
                "ORDER BY updated_at DESC, id DESC LIMIT 1",
            or_null(project)),
      session_row);
}

Result<Session> session(Database& database, Id id) {
  auto found = first(query(database, std::string(session_columns) + "WHERE id = ?", id), session_row);
  if (!found) return found.error();
  if (!*found) return Error{ErrorKind::not_found, fmt::format("There is no chat {}; open a new one.", id)};
  return std::move(**found);
}

Result<Session> session(Database& database, std::string_view uuid) {
  auto found = first(query(database, std::string(session_columns) + "WHERE uuid = ?", uuid), session_row);
  if (!found) return found.error();
  if (!*found) return Error{ErrorKind::not_found, "That chat is not in this store; :SelfMind chat opens the last one."};
  return std::move(**found);
}

Result<std::vector<Turn>> turns(Database& database, Id session, Id from) {
  auto transaction = Transaction::read(database);
  if (!transaction) return transaction.error();
  auto all =
      collect(query(database, std::string(turn_columns) + "WHERE session = ? AND id >= ? ORDER BY id", session, from),
              turn_row);
  if (!all) return all;
  for (auto& turn : *all) {
    if (turn.role != Role::user) continue;
    auto given = given_to(database, turn.id);
    if (!given) return given.error();
    turn.given = std::move(*given);
  }
  return all;
}

Result<std::vector<Turn>> turns_between(Database& database, Id project, bool all, Time from, Time to) {
  return collect(query(database,
                       std::string(turn_columns) +
                           "WHERE created_at >= ?1 AND created_at < ?2 AND (?3 OR EXISTS (SELECT 1 FROM session WHERE "
                           "session.id = turn.session AND (session.project IS NULL OR session.project = ?4))) "
                           "ORDER BY created_at, id",
                       to_millis(from), to_millis(to), all, or_null(project)),
                 turn_row);
}

const Turn* newest_message(const std::vector<Turn>& log) {
  const auto newest = std::find_if(log.rbegin(), log.rend(), [](const Turn& turn) { return turn.role == Role::user; });
  return newest == log.rend() ? nullptr : &*newest;
}

bool can_be_sent_again(const Turn& message, const std::vector<Turn>& log) {
  if (message.state == TurnState::unanswered) return true;
  const auto reply =
      std::find_if(log.rbegin(), log.rend(), [&](const Turn& turn) { return turn.parent == message.id; });
  if (reply == log.rend()) return false;
  return reply->state == TurnState::interrupted || reply->state == TurnState::stopped ||
         reply->stop_reason == "max_tokens";
}

Result<void> keep_draft(Database& database, Id id, std::string_view draft) {
  const auto text = Door(database, id).draft(draft);
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  if (auto found = session(database, id); !found) return found.error();
  transaction->run("UPDATE session SET draft = ?, updated_at = ? WHERE id = ?", text, to_millis(database.clock().now()),
                   id);
  return transaction->commit();
}

Result<Turn> keep_message(Database& database, Id session_id, std::string_view text) {
  Turn message;
  message.session = session_id;
  Door door(database, session_id);
  message.text = door.typed(text);
  message.kept_out = door.kept_out();
  message.created_at = database.clock().now();
  if (utf8::trim(message.text).empty())
    return Error{ErrorKind::invalid, "There is nothing to send; type a message first."};
  if (text.size() > limits::message_bytes) {
    return Error{ErrorKind::invalid,
                 fmt::format("A message is at most {} MB; shorten it.", limits::message_bytes >> 20)};
  }
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  const auto chat = session(database, session_id);
  if (!chat) return chat.error();
  const auto newest = number(query(database, "SELECT coalesce(max(id), 0) FROM turn WHERE session = ?", session_id));
  if (!newest) return newest.error();
  message.parent = *newest;
  insert_turn(database, *transaction, message);
  if (door.found_any()) note_secret(database, *transaction, message.id);
  transaction->run("UPDATE session SET draft = '', title = ?, updated_at = ? WHERE id = ?",
                   chat->title.empty() ? title_of(message.text) : chat->title, to_millis(message.created_at),
                   session_id);
  if (auto done = transaction->commit(); !done) return done.error();
  return message;
}

Result<void> keep_recall(Database& database, Id id, std::string_view memory_block, const std::vector<Given>& given) {
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  const auto message = user_turn(database, id);
  if (!message) return message.error();
  if (message->state != TurnState::unanswered) {
    return Error{ErrorKind::invalid, fmt::format("Message {} has been answered; what it was sent with stays.", id)};
  }
  transaction->run("UPDATE turn SET memory_block = ? WHERE id = ?", memory_block, id);
  transaction->run("DELETE FROM recall WHERE turn = ?", id);
  for (const auto& one : given) {
    if (const auto found = memory(database, one.memory); !found) return found.error();
    transaction->run("INSERT INTO recall (turn, memory, revision, rank, score) VALUES (?, ?, ?, ?, ?)", id, one.memory,
                     one.revision, one.rank, one.score);
  }
  return transaction->commit();
}

Result<void> keep_partial(Database& database, Turn reply, std::string_view owner) {
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  const auto message = user_turn(database, reply.parent);
  if (!message) return message.error();
  const auto row = begun(database, reply.parent, owner);
  if (!row) return row.error();
  const Time now = database.clock().now();
  reply.text = Door(database, message->session).said(reply.text);
  if (!*row) {
    reply.session = message->session;
    reply.role = Role::assistant;
    reply.state = TurnState::streaming;
    reply.created_at = now;
    insert_turn(database, *transaction, reply);
  }
  transaction->run("UPDATE turn SET text = ?, owner = ?, owner_until = ? WHERE id = ?", reply.text, owner,
                   to_millis(now + limits::reply_lease), *row ? **row : reply.id);
  return transaction->commit();
}

Result<void> settle_replies(Database& database, Id session) {
  struct Writer {
    Id reply;
    std::string owner;
    Time until;
  };
  const auto writers = collect(
      query(database, "SELECT id, owner, owner_until FROM turn WHERE session = ? AND state = 'streaming'", session),
      [](const Statement& row) {
        return Writer{row.integer(0), row.text(1), from_millis(row.integer(2))};
      });
  if (!writers) return writers.error();
  const Time now = database.clock().now();
  std::vector<Id> orphans;
  for (const auto& writer : *writers) {
    if (writer.until < now || process_gone(writer.owner)) orphans.push_back(writer.reply);
  }
  if (orphans.empty()) return {};  // as nearly always, and without a wait for other writers
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  for (const Id reply : orphans) {
    transaction->run("UPDATE turn SET state = 'interrupted', failure = ? WHERE id = ? AND state = 'streaming'",
                     "The editor ended while this was being written; what had come is kept.", reply);
  }
  return transaction->commit();
}

Result<Turn> keep_reply(Database& database, Turn reply, const std::vector<Id>& answered, std::string_view owner,
                        const std::optional<LearnAt>& learn_at) {
  if (reply.state == TurnState::unanswered || reply.state == TurnState::answered) {
    return Error{ErrorKind::invalid, fmt::format("\"{}\" is not a reply's state.", to_text(reply.state))};
  }
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  const auto message = user_turn(database, reply.parent);
  if (!message) return message.error();
  const auto row = begun(database, reply.parent, owner);
  if (!row) return row.error();
  reply.session = message->session;
  reply.role = Role::assistant;
  Door door(database, reply.session);
  reply.text = door.said(reply.text);
  reply.failure = door.said(reply.failure);
  reply.content = door.said_blocks(reply.content);
  reply.kept_out = door.kept_out();
  reply.created_at = database.clock().now();
  if (*row && !owner.empty()) {
    reply.id = **row;
    complete_turn(*transaction, reply);
  } else {
    insert_turn(database, *transaction, reply);
  }
  const auto message_lacks = lacks_secret(database, reply.parent);
  if (!message_lacks) return message_lacks.error();
  if (door.found_any()) note_secret(database, *transaction, reply.id);
  if (door.found_any() || *message_lacks) {
    transaction->run("UPDATE session SET thinking_from = max(thinking_from, ?) WHERE id = ?", reply.id + 1,
                     reply.session);
  }
  for (const Id one : answers(reply) ? answered : std::vector<Id>()) {
    // One that has been answered before (this is a sibling) may be frozen by now and needs no change.
    transaction->run("UPDATE turn SET state = 'answered' WHERE id = ? AND session = ? AND state = 'unanswered'", one,
                     reply.session);
  }
  for (const Id one : learn_at ? answered : std::vector<Id>()) {
    enqueue(*transaction, one, *learn_at, reply.created_at);
  }
  transaction->run("UPDATE session SET updated_at = ? WHERE id = ?", to_millis(reply.created_at), reply.session);
  if (auto done = transaction->commit(); !done) return done.error();
  return reply;
}

Result<void> keep_history_cut(Database& database, Id id, Id history_from, Id thinking_from) {
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  if (auto found = session(database, id); !found) return found.error();
  transaction->run(
      "UPDATE session SET history_from = max(history_from, ?), thinking_from = max(thinking_from, ?) WHERE id = ?",
      history_from, thinking_from, id);
  return transaction->commit();
}

Result<std::vector<Memory>> memories_given(Database& database, Id session) {
  auto transaction = Transaction::read(database);
  if (!transaction) return transaction.error();
  return read_memories(
      database,
      query_memories(database,
                     "WHERE memory.id IN (SELECT recall.memory FROM recall JOIN turn ON turn.id = recall.turn "
                     "WHERE turn.session = ?1 AND turn.id >= (SELECT history_from FROM session WHERE id = ?1)) "
                     "ORDER BY memory.id",
                     session));
}

}  // namespace selfmind::store

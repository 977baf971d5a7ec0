#include "store/private_chats.h"

#include <algorithm>

#include "base/log.h"
#include "store/log.h"
#include "store/statement.h"

namespace selfmind::store {
namespace {

Error gone() {
  return {ErrorKind::not_found,
          "That private chat is gone, and nothing of it was kept; :SelfMind private opens another."};
}

// In memory, with numbers from `first` on. There is no log here whose past days could be frozen.
Result<Database> empty_log(Database& store, Id first) {
  auto log = Database::in_memory(store.clock(), store.ids());
  if (!log) return log;
  log->keep_out(store.secret_patterns());
  if (auto done = log->execute("DROP TRIGGER turn_frozen_update; DROP TRIGGER turn_frozen_delete"); !done) {
    return done.error();
  }
  for (const char* table : {"session", "turn"}) {
    if (auto done = run(*log, "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", table, first - 1); !done) {
      return done.error();
    }
  }
  return log;
}

void copy_project(Transaction& to, Id id, const std::string& name) {
  if (id == no_id) return;
  to.run("INSERT OR IGNORE INTO project (id, uuid, name, created_at) VALUES (?1, ?1, ?2, 0)", id, name);
}

// Memories and whole chats.
Result<std::int64_t> forgotten_so_far(Database& store) {
  return number(query(store,
                      "SELECT (SELECT count(*) FROM tombstone) - (SELECT count(*) FROM session) + "
                      "coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'session'), 0)"));
}

// What a memory says and said, so that it can be corrected and forgotten here as anywhere.
Result<void> copy_memory(Database& store, Transaction& to, const Memory& memory) {
  copy_project(to, memory.project, memory.project_name);
  to.run(
      "INSERT INTO memory (id, uuid, text, kind, state, origin, made_by, project, revision, created_at, updated_at) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET text = excluded.text, "
      "kind = excluded.kind, state = excluded.state, project = excluded.project, revision = excluded.revision, "
      "updated_at = excluded.updated_at",
      memory.id, memory.uuid, memory.text, memory.kind, memory.state, memory.origin, memory.made_by,
      or_null(memory.project), memory.revision, to_millis(memory.created_at), to_millis(memory.updated_at));
  const auto texts = collect(query(store, "SELECT revision, text FROM memory_revision WHERE memory = ?", memory.id),
                             [](const Statement& row) { return std::pair(row.integer(0), row.text(1)); });
  if (!texts) return texts.error();
  to.run("INSERT OR IGNORE INTO memory_change (id, verb, made_by, at) VALUES (1, 'copy', 'user', 0)");
  for (const auto& [revision, text] : *texts) {
    to.run(
        "INSERT OR REPLACE INTO memory_revision (memory, revision, change, text, kind, scene, track, state) "
        "VALUES (?, ?, 1, ?, '', '', '', '')",
        memory.id, revision, text);
  }
  return to.so_far();
}

// Returns those that the store does not have any more and this chat still has.
Result<std::vector<Id>> copy_memories(Database& store, Database& log, const std::vector<Id>& given) {
  auto ids = collect(query(log, "SELECT id FROM memory"), [](const Statement& row) { return row.integer(0); });
  if (!ids) return ids;
  const auto known = *ids;
  ids->insert(ids->end(), given.begin(), given.end());
  if (ids->empty()) return ids;
  auto transaction = Transaction::write(log);
  if (!transaction) return transaction.error();
  std::vector<Id> gone;
  for (const Id id : *ids) {
    const auto one = memory(store, id);
    if (one) {
      if (auto copied = copy_memory(store, *transaction, *one); !copied) return copied.error();
    } else if (one.error().kind != ErrorKind::not_found) {
      return one.error();
    } else if (std::find(known.begin(), known.end(), id) != known.end()) {
      gone.push_back(id);
    }
  }
  if (auto done = transaction->commit(); !done) return done.error();
  std::sort(gone.begin(), gone.end());
  gone.erase(std::unique(gone.begin(), gone.end()), gone.end());
  return gone;
}

// It may be recalled again, as it stands now.
Result<void> take_back_what_was_given(Database& log) {
  auto transaction = Transaction::write(log);
  if (!transaction) return transaction.error();
  transaction->run("DELETE FROM recall");
  transaction->run("UPDATE turn SET memory_block = '' WHERE memory_block <> ''");
  if (log.changes() > 0) {
    transaction->run("UPDATE session SET thinking_from = (SELECT max(id) + 1 FROM turn)");
  }
  return transaction->commit();
}

Result<void> set_project(Database& log, const Project& project) {
  auto transaction = Transaction::write(log);
  if (!transaction) return transaction.error();
  copy_project(*transaction, project.id, project.name);
  transaction->run("UPDATE session SET project = ?", or_null(project.id));
  return transaction->commit();
}

}  // namespace

Result<Id> PrivateChats::begin(Database& store, const ProjectFacts& where) {
  // Later with each: a number of one that is gone, perhaps with another host, is never given to another.
  const Id id = std::max(last_id_, first_private_id + to_millis(store.clock().now())) + 1;
  const auto project = resolve(store, where, /*create=*/false);
  if (!project) return project.error();
  const auto forgotten = forgotten_so_far(store);
  if (!forgotten) return forgotten.error();
  auto log = empty_log(store, id);
  if (!log) return log.error();
  const auto chat = new_session(*log, no_id);
  if (!chat) return chat.error();
  if (auto set = set_project(*log, *project); !set) return set.error();
  last_id_ = chat->id;
  chats_.emplace(chat->id, Chat{std::move(*log), chat->uuid, where, *forgotten});
  return chat->id;
}

Result<Id> PrivateChats::find(std::string_view uuid) const {
  for (const auto& [id, chat] : chats_) {
    if (chat.uuid == uuid) return id;
  }
  return gone();
}

Result<Database*> PrivateChats::log_of(Id chat) {
  const auto found = chats_.find(chat);
  if (found == chats_.end()) return gone();
  return &found->second.log;
}

Result<void> PrivateChats::follow(Database& store, Id chat, const std::vector<Id>& given) {
  const auto found = chats_.find(chat);
  if (found == chats_.end()) return gone();
  return follow(store, chat, found->second, given);
}

Result<void> PrivateChats::follow(Database& store, Id id, Chat& chat, const std::vector<Id>& given) {
  const auto now = session(chat.log, id);
  if (!now) return now.error();
  // Something may have been remembered in its folder since, or the project was deleted.
  const auto project = resolve(store, chat.where, /*create=*/false);
  if (!project) return project.error();
  if (project->id != now->project) {
    if (auto set = set_project(chat.log, *project); !set) return set;
  }
  const auto forgotten = forgotten_so_far(store);
  if (!forgotten) return forgotten.error();
  const auto lost = copy_memories(store, chat.log, given);
  if (!lost) return lost.error();
  if (!lost->empty()) {
    if (auto cut = store::forget(chat.log, *lost, /*dry_run=*/false); !cut) return cut.error();
  }
  if (*forgotten != chat.forgotten) {
    if (auto taken = take_back_what_was_given(chat.log); !taken) return taken;
    chat.forgotten = *forgotten;
  }
  return {};
}

Result<Forgotten> PrivateChats::forget(Database& store, const std::vector<Id>& ids, bool dry_run) {
  if (!dry_run) {
    for (auto& [id, chat] : chats_) {
      if (auto followed = follow(store, id, chat, ids); !followed) return followed.error();
    }
  }
  auto forgotten = store::forget(store, ids, dry_run);
  if (!forgotten || dry_run) return forgotten;
  for (auto& [id, chat] : chats_) {
    // The next message tries again.
    if (auto followed = follow(store, id, chat, {}); !followed) log::warning(followed.error().message);
  }
  return forgotten;
}

bool PrivateChats::close(Id chat) { return chats_.erase(chat) > 0; }

}  // namespace selfmind::store

// The verbatim log: sessions and their turns. Each verb is one transaction. A turn in a final state whose day (UTC) is
// over is frozen by trigger; only a redaction passes (memories.h, forget). What is written passes the door (door.h):
// secrets stay out, and the row that is returned says so.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "store/database.h"

namespace selfmind::store {

Result<Session> new_session(Database& database, Id project);
// The one used last that has a turn or a draft.
Result<std::optional<Session>> last_session(Database& database, Id project);
Result<Session> session(Database& database, Id id);
Result<Session> session(Database& database, std::string_view uuid);
// Oldest first, from turn `from` on, with what each was given.
Result<std::vector<Turn>> turns(Database& database, Id session, Id from = no_id);

// In turns as `turns` gives them. newest_message: null when there is none. A message can be sent again when it is
// unanswered, or when its newest reply broke off: interrupted, stopped, or at its limit of tokens.
const Turn* newest_message(const std::vector<Turn>& log);
bool can_be_sent_again(const Turn& message, const std::vector<Turn>& log);

// What was said in [from, to) in a project, and in no project; with `all` in every one. Oldest first.
Result<std::vector<Turn>> turns_between(Database& database, Id project, bool all, Time from, Time to);

Result<void> keep_draft(Database& database, Id session, std::string_view draft);

// The user's message, before any request leaves; what is returned has the text as it is stored. Clears the session's
// draft and gives it a title when it has none.
Result<Turn> keep_message(Database& database, Id session, std::string_view text);

// What `turn` (a user's, not yet answered) is sent with, exactly; replaces what an earlier try was sent with.
// ErrorKind::not_found when one of the memories was forgotten since it was recalled: its words must not be kept or
// sent.
Result<void> keep_recall(Database& database, Id turn, std::string_view memory_block, const std::vector<Given>& given);

// What has come so far of the reply under `reply.parent`, written by the process `owner` (base/process.h): one row in
// state streaming, which grows with each call until keep_reply of the same owner completes it.
Result<void> keep_partial(Database& database, Turn reply, std::string_view owner);

// Replies of a chat whose writer is gone, or silent for limits::reply_lease, become interrupted, with what had come of
// them. Their messages stay unanswered: they can be sent again, and are learned from with the next reply.
Result<void> settle_replies(Database& database, Id session);

// The reply under `reply.parent`; the id, session and time are filled in. Completes what `owner` kept of it before. The
// messages in `answered` (the parent, and those that were sent along with it unanswered) become answered when the state
// is done, stopped or interrupted with text; otherwise they stay unanswered and can be sent again. With `learn_at` they
// are queued to be learned from in the same transaction (queue.h). Where the log is not what was sent and answered,
// because a secret was kept out of the message or the reply, the chat's thinking blocks up to here are not sent again.
Result<Turn> keep_reply(Database& database, Turn reply, const std::vector<Id>& answered, std::string_view owner = {},
                        const std::optional<LearnAt>& learn_at = {});

// Both only move forward: what another editor's forget has moved meanwhile is not moved back.
Result<void> keep_history_cut(Database& database, Id session, Id history_from, Id thinking_from);

// Memories that the blocks of this chat's history (from history_from on) name, as they stand now: one changed or
// archived since is corrected in the next block. A forgotten one is not listed; its words are cut from the blocks.
Result<std::vector<Memory>> memories_given(Database& database, Id session);

}  // namespace selfmind::store

// The queue of turns not yet learned from. Entries are leased, so that of several editors one learns a turn, once.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "store/memories.h"
#include "store/statement.h"

namespace selfmind::store {

// A part of a larger change; `turn` is a user's message, which is the caller's to know. Queued already: nothing.
void enqueue(Transaction& transaction, Id turn, const LearnAt& at, Time now);

// The oldest entry for this endpoint that is not parked and that no living process holds; held for limits::learn_lease.
// Another memory model may take it, another server never.
Result<std::optional<QueueEntry>> lease(Database& database, std::string_view endpoint);

// What was learned, what it cost, and the end of the entry, in one transaction. ErrorKind::busy when the lease has
// passed to another.
Result<std::vector<Added>> keep_learned(Database& database, const QueueEntry& entry,
                                        const std::vector<MemoryDraft>& drafts, const Compare& compare,
                                        const Spent& spent = {});

// Gives the entry back. `counts` adds an attempt (a failure of ours or the server's; not a stop or a quit); at
// limits::learn_attempts it is parked.
Result<void> release(Database& database, const QueueEntry& entry, bool counts, std::string_view failure,
                     const Spent& spent = {});

// Tokens that learning has cost on the user's own day that `now` is in.
Result<std::int64_t> learning_tokens(Database& database, Time now);

}  // namespace selfmind::store

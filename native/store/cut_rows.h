// Cutting turns of the log, and what follows from it for their chat. For whoever changes rows that are over: erase.cpp,
// restore.cpp, import.cpp, stray_secrets.cpp. Each is a part of the caller's transaction.
#pragma once
#include "store/statement.h"

namespace selfmind::store {

// A turn whose day is over may be changed between the two; the row that says so stays. `reason`: forget, secret.
void open_redaction(Database& database, Transaction& transaction, Id turn, const char* reason);
void close_redaction(Transaction& transaction, Id turn);

// A title is the start of a message, perhaps cut off in the middle of what went; made anew it cannot hold any of it.
Result<void> retitle(Database& database, Transaction& transaction, Id session);

// Thinking is bound to the words before it: none of what is there so far is sent again.
void leave_thinking_out(Transaction& transaction, Id session);

}  // namespace selfmind::store

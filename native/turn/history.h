// Which earlier turns are sent with a message. Pure. The history only ever grows at its end, so that the prompt cache
// holds; when it is over its budget it is cut once, down to history_turns, and grows again from there.
#pragma once
#include <vector>

#include "claude/types.h"
#include "store/records.h"
#include "turn/events.h"

namespace selfmind::turn {

// The session with history_from and thinking_from as this message is sent. Both move when the history is over
// limits::history_tokens (estimated) or 4 × history_turns exchanges; thinking_from alone when the model has changed.
store::Session plan_history(store::Session session, const std::vector<store::Turn>& log, const store::Turn& message,
                            const Settings& settings);

// The turns that go into the request, oldest first, without `message`: messages (answered or not, but not declined
// ones) and their replies.
std::vector<const store::Turn*> sent(const store::Session& session, const std::vector<store::Turn>& log,
                                     const store::Turn& message);

std::vector<store::Id> sent_turns(const store::Session& session, const std::vector<store::Turn>& log);
std::vector<store::Given> sent_memories(const store::Session& session, const std::vector<store::Turn>& log,
                                        const store::Turn& message);

// The messages that the next reply is the first to answer: `message`, and before it those sent along unanswered.
std::vector<store::Id> unanswered(const store::Session& session, const std::vector<store::Turn>& log,
                                  const store::Turn& message);

}  // namespace selfmind::turn

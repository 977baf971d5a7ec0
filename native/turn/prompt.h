// A chat as a request to the model. Pure, and deterministic to the byte: the persona in front never changes, the
// history is repeated as it was sent, and what is new stands at the end.
#pragma once
#include <string>
#include <vector>

#include "claude/types.h"
#include "store/records.h"
#include "turn/events.h"

namespace selfmind::turn {

claude::Request prompt(const store::Session& session, const std::vector<store::Turn>& log, const store::Turn& message,
                       const Settings& settings);

// One line for a declined reply.
std::string refusal_notice(const claude::Reply& reply);

}  // namespace selfmind::turn

#include "turn/history.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"

namespace selfmind::turn {
namespace {

bool is_sendable_reply(const store::Turn& turn) {
  return turn.role == store::Role::assistant &&
         (turn.state == store::TurnState::done || turn.state == store::TurnState::stopped ||
          turn.state == store::TurnState::interrupted);
}

// The reply that stands under `message`: the last one that can be sent. Null when there is none.
const store::Turn* reply_to(const store::Turn& message, const std::vector<store::Turn>& log) {
  const store::Turn* found = nullptr;
  for (const auto& turn : log) {
    if (turn.parent == message.id && is_sendable_reply(turn)) found = &turn;
  }
  return found;
}

bool was_declined(const store::Turn& message, const std::vector<store::Turn>& log) {
  return std::any_of(log.begin(), log.end(), [&](const store::Turn& turn) {
    return turn.parent == message.id && turn.state == store::TurnState::refused;
  });
}

// Four bytes a token is near enough for a budget; nothing is billed by it.
std::size_t estimated_tokens(const store::Turn& turn) {
  return (turn.text.size() + turn.memory_block.size() + turn.content.size() / 2) / 4;
}

// Where a cut history starts: its newest exchanges, `count` at most and in half of the budget, so that it can grow
// again before the next cut. One exchange stays whatever its size.
store::Id start_after_cut(const std::vector<const store::Turn*>& turns, int count) {
  store::Id start = store::no_id;
  std::size_t tokens = 0;
  bool replied = false;
  for (auto turn = turns.rbegin(); turn != turns.rend() && count > 0; ++turn) {
    tokens += estimated_tokens(**turn);
    if ((*turn)->role == store::Role::assistant) {
      replied = true;
      continue;
    }
    if (start != store::no_id && tokens > limits::history_tokens / 2) break;
    start = (*turn)->id;
    if (std::exchange(replied, false)) --count;  // a message without reply is no exchange of its own
  }
  return start;
}

}  // namespace

std::vector<const store::Turn*> sent(const store::Session& session, const std::vector<store::Turn>& log,
                                     const store::Turn& message) {
  std::vector<const store::Turn*> turns;
  for (const auto& turn : log) {
    if (turn.role != store::Role::user || turn.id == message.id || turn.id < session.history_from) continue;
    const store::Turn* reply = reply_to(turn, log);
    if (!reply && was_declined(turn, log)) continue;
    turns.push_back(&turn);
    if (reply) turns.push_back(reply);
  }
  return turns;
}

store::Session plan_history(store::Session session, const std::vector<store::Turn>& log, const store::Turn& message,
                            const Settings& settings) {
  const auto turns = sent(session, log, message);
  std::size_t tokens = 0;
  int messages = 0;
  const store::Turn* last_reply = nullptr;
  for (const auto* turn : turns) {
    tokens += estimated_tokens(*turn);
    if (turn->role == store::Role::user) ++messages;
    if (turn->role == store::Role::assistant) last_reply = turn;
  }
  if (tokens > limits::history_tokens || messages > 4 * settings.history_turns) {
    const store::Id start = start_after_cut(turns, settings.history_turns);
    if (start != turns.front()->id) {
      session.history_from = start;
      session.thinking_from = message.id;
    }
  }
  // Another model drops foreign thinking blocks or refuses them.
  if (last_reply && last_reply->model != settings.model) session.thinking_from = message.id;
  return session;
}

std::vector<store::Id> sent_turns(const store::Session& session, const std::vector<store::Turn>& log) {
  std::vector<store::Id> ids;
  for (const auto& turn : log) {
    if (turn.id >= session.history_from) ids.push_back(turn.id);
  }
  return ids;
}

std::vector<store::Given> sent_memories(const store::Session& session, const std::vector<store::Turn>& log,
                                        const store::Turn& message) {
  std::vector<store::Given> given;
  for (const auto* turn : sent(session, log, message))
    given.insert(given.end(), turn->given.begin(), turn->given.end());
  return given;
}

std::vector<store::Id> unanswered(const store::Session& session, const std::vector<store::Turn>& log,
                                  const store::Turn& message) {
  std::vector<store::Id> ids;
  for (const auto* turn : sent(session, log, message)) {
    if (turn->role == store::Role::user && turn->state == store::TurnState::unanswered) ids.push_back(turn->id);
  }
  // One that is sent again because its reply broke off was answered, and queued to be learned from, before.
  if (message.state != store::TurnState::answered) ids.push_back(message.id);
  return ids;
}

}  // namespace selfmind::turn

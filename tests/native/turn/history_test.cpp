// The history under its budget of tokens; the golden turns have the budget of messages.
#include "turn/history.h"

#include "support/catch.h"

using namespace selfmind;

namespace {

void add_exchange(std::vector<store::Turn>& log, std::size_t bytes) {
  store::Turn message;
  message.id = static_cast<store::Id>(log.size()) + 1;
  message.state = store::TurnState::answered;
  message.text = std::string(bytes, 'x');
  store::Turn reply;
  reply.id = message.id + 1;
  reply.parent = message.id;
  reply.role = store::Role::assistant;
  reply.state = store::TurnState::done;
  reply.text = "Yes.";
  reply.model = "claude-opus-4-8";
  log.push_back(message);
  log.push_back(reply);
}

turn::Settings settings() {
  turn::Settings settings;
  settings.model = "claude-opus-4-8";
  return settings;
}

}  // namespace

TEST_CASE("a heavy history is cut once and then grows again, and thinking goes only with a cut") {
  std::vector<store::Turn> log;
  store::Session session;
  int cuts = 0;
  for (int i = 0; i < 40; ++i) {
    store::Turn message;
    message.id = static_cast<store::Id>(log.size()) + 1;
    const auto planned = turn::plan_history(session, log, message, settings());
    if (planned.history_from != session.history_from) {
      ++cuts;
      CHECK(planned.thinking_from == message.id);
    } else {
      CHECK(planned.thinking_from == session.thinking_from);
    }
    session = planned;
    std::size_t bytes = 0;
    for (const auto* turn : turn::sent(session, log, message)) bytes += turn->text.size();
    CHECK(bytes <= 60'000 * 4 + 30'100);
    add_exchange(log, 30'000);
  }
  CHECK(cuts >= 5);
  CHECK(cuts <= 10);
}

TEST_CASE("one exchange above the budget stays, and is not cut again and again") {
  std::vector<store::Turn> log;
  add_exchange(log, 400'000);
  store::Turn message;
  message.id = 3;
  const auto session = turn::plan_history({}, log, message, settings());
  CHECK(session.history_from == store::no_id);
  CHECK(session.thinking_from == store::no_id);
  CHECK(turn::sent(session, log, message).size() == 2);
}

TEST_CASE("messages without a reply do not push the exchanges out") {
  std::vector<store::Turn> log;
  for (int i = 0; i < 4; ++i) add_exchange(log, 10);
  for (int i = 0; i < 30; ++i) {
    store::Turn failed;
    failed.id = static_cast<store::Id>(log.size()) + 1;
    failed.text = "lost";
    log.push_back(failed);
  }
  auto few = settings();
  few.history_turns = 2;
  store::Turn message;
  message.id = static_cast<store::Id>(log.size()) + 1;
  const auto session = turn::plan_history({}, log, message, few);
  CHECK(session.history_from == 5);  // the third and fourth exchange, and what came after them
}

#include "store/records.h"

#include "support/catch.h"

using namespace selfmind::store;

TEST_CASE("every role and state reads back as it is written") {
  for (const auto role : {Role::user, Role::assistant}) CHECK(role_from(to_text(role)) == role);
  for (const auto state : {TurnState::unanswered, TurnState::answered, TurnState::streaming, TurnState::done,
                           TurnState::stopped, TurnState::interrupted, TurnState::refused, TurnState::offline}) {
    CHECK(turn_state_from(to_text(state)) == state);
  }
  CHECK_FALSE(role_from("system"));
  CHECK_FALSE(turn_state_from(""));
}

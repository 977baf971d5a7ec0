#include "store/records.h"

#include <array>
#include <string_view>

namespace selfmind::store {
namespace {

struct RoleName {
  Role role;
  const char* name;
};
constexpr std::array role_names = {RoleName{Role::user, "user"}, RoleName{Role::assistant, "assistant"}};

struct StateName {
  TurnState state;
  const char* name;
};
constexpr std::array state_names = {
    StateName{TurnState::unanswered, "unanswered"}, StateName{TurnState::answered, "answered"},
    StateName{TurnState::streaming, "streaming"},   StateName{TurnState::done, "done"},
    StateName{TurnState::stopped, "stopped"},       StateName{TurnState::interrupted, "interrupted"},
    StateName{TurnState::refused, "refused"},       StateName{TurnState::offline, "offline"},
};

}  // namespace

const char* to_text(Role role) {
  for (const auto& entry : role_names) {
    if (entry.role == role) return entry.name;
  }
  return "";
}

const char* to_text(TurnState state) {
  for (const auto& entry : state_names) {
    if (entry.state == state) return entry.name;
  }
  return "";
}

std::optional<Role> role_from(std::string_view text) {
  for (const auto& entry : role_names) {
    if (text == entry.name) return entry.role;
  }
  return std::nullopt;
}

std::optional<TurnState> turn_state_from(std::string_view text) {
  for (const auto& entry : state_names) {
    if (text == entry.name) return entry.state;
  }
  return std::nullopt;
}

}  // namespace selfmind::store

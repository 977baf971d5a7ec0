// The JSON form of a turn: {"name of the event": {its members}}. `--record` writes it, `--replay` reads it, and golden
// turns are told in it. Pure.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "turn/events.h"

namespace selfmind::turn {

nlohmann::ordered_json to_json(const Settings& settings);
nlohmann::ordered_json to_json(const Event& event);
nlohmann::ordered_json to_json(const Commands& commands);

// ErrorKind::invalid: it is none, or one of another version.
Result<Settings> settings_from(const nlohmann::ordered_json& json);
Result<Event> event_from(const nlohmann::ordered_json& json);

}  // namespace selfmind::turn

// The JSON form of what learning goes through, as turn/json.h has it for a turn. Pure.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "learn/events.h"

namespace selfmind::learn {

nlohmann::ordered_json to_json(const Settings& settings);
nlohmann::ordered_json to_json(const Event& event);
nlohmann::ordered_json to_json(const Commands& commands);

// ErrorKind::invalid: it is none, or one of another version.
Result<Settings> settings_from(const nlohmann::ordered_json& json);
Result<Event> event_from(const nlohmann::ordered_json& json);

}  // namespace selfmind::learn

// JSON in the order it was written: what is compared and hashed here is what a byte-for-byte cache would see.
#pragma once
#include <nlohmann/json.hpp>

namespace messages_server {

using Json = nlohmann::ordered_json;

}  // namespace messages_server

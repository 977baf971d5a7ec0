// A chat's title; log.cpp gives it, forget.cpp gives it anew when the message it came from was cut.
#pragma once
#include <string>
#include <string_view>

namespace selfmind::store {

std::string title_of(std::string_view message);

}  // namespace selfmind::store

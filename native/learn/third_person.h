// What a user said of themselves as one can say it of them. Pure.
#pragma once
#include <string>
#include <string_view>

namespace selfmind::learn {

// `said` begins with its subject: "I prefer tabs" is "The user prefers tabs". Only where nothing can go wrong by it:
// the verb is one of those known here, and no other word speaks of the user, of a group of theirs or to the assistant
// in a way that the new subject would change. Otherwise it is quoted: The user said: "…". `language`: en, de, fr, zh.
std::string in_third_person(std::string_view said, std::string_view language);

// The user said: "…"
std::string as_said(std::string_view said, std::string_view language);

}  // namespace selfmind::learn

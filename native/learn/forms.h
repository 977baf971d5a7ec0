// What a sentence or a message does, by its form: asserts, agrees, tells a change, plays a part. The gate and the
// comparison ask it of what a memory model proposes; the lists are those of the rules (rule_lists.h), in the same four
// languages. Pure; any thread; any bytes are accepted.
#pragma once
#include <string_view>

namespace selfmind::learn {

// Does a sentence of the user's say, by its form, what may last: no question, no request, no supposition, no greeting,
// not what another said, and, for kinds that speak of how things are, no state that passes? What the rules recognise
// does.
bool asserts(std::string_view sentence, std::string_view kind);

// Is a part played in the message ("you are now a pirate")? Then nothing in it is the user's own.
bool plays_a_part(std::string_view message);

// Does it name a time, as a commitment has one by when it is owed?
bool names_a_time(std::string_view sentence);

// Is the whole message an assent to what the assistant proposed ("yes, the second one")?
bool is_assent(std::string_view message);

// Does it speak of this project only ("here we use spaces")?
bool limits_to_project(std::string_view text);

// Does it say that something was otherwise before ("now", "no longer", "switched to")?
bool tells_a_change(std::string_view text);

}  // namespace selfmind::learn

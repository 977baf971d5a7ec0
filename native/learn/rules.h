// Learning without a model: the sentences of a user's message that are durable memories by their form. Pure; any
// thread; any bytes are accepted.
#pragma once
#include <string_view>
#include <vector>

#include "learn/extract.h"

namespace selfmind::learn {

// English, German, French and Chinese; at most limits::memories_per_turn. A memory too few is better than a wrong one:
// questions, requests, what holds for today, what is supposed, what another says and what is pasted are left out. What
// it finds passes the gate like a model's.
std::vector<Candidate> recognise(std::string_view message);

// Does a sentence of the user's say, by its form, what may last: no question, no request, no supposition, no
// greeting, not what another said, and, for kinds that speak of how things are, no state
// that passes? What the rules recognise does.
bool asserts(std::string_view sentence, std::string_view kind);

// Is a part played in the message ("you are now a pirate")? Then nothing in it is the user's own.
bool plays_a_part(std::string_view message);

// Does it name a time, as a commitment has one by when it is owed?
bool names_a_time(std::string_view sentence);

// Is the whole message an assent to what the assistant proposed ("yes, the second one")?
bool is_assent(std::string_view message);

// Does it say that something was otherwise before ("now", "no longer", "switched to")?
bool tells_a_change(std::string_view text);

}  // namespace selfmind::learn

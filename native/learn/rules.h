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

}  // namespace selfmind::learn

// The question to the memory model, and its answer as candidates. Pure.
#pragma once
#include <string>
#include <vector>

#include "claude/types.h"
#include "learn/events.h"
#include "store/records.h"

namespace selfmind::learn {

struct Candidate {
  std::string text;
  std::string kind;
  std::string quote;
};

// Shows the user's words and, as context only, the start of the reply; never a memory block. `date` is today's real
// date.
claude::Request extraction(const store::QueueEntry& entry, const std::string& date, const Settings& settings);

// ErrorKind::protocol when the answer is no such JSON, or longer than max_tokens can be: a model that thinks is given
// more room than that (claude/encode). Servers without structured outputs may put a fence or words around it.
Result<std::vector<Candidate>> read_extraction(const claude::Reply& reply, int max_tokens);

}  // namespace selfmind::learn

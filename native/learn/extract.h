// The question to the memory model, and its answer as candidates. Pure.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "claude/types.h"
#include "learn/events.h"
#include "store/records.h"

namespace selfmind::learn {

// What the model proposes, as it said it; gate.h decides.
struct Candidate {
  enum class Relation { none, same, replaces };

  std::string text;
  std::string kind;
  std::string quote;       // the user's words
  std::string reason;      // a decision's "because", the user's words
  std::string assents_to;  // the assistant's words, where the user only agrees
  std::string track;
  std::string scene;
  bool everywhere = false;  // not only in this project
  std::optional<store::Scores> scores;
  std::string valid_from, valid_to;  // YYYY-MM-DD
  Relation relation = Relation::none;
  std::vector<store::Id> known;  // to which of the memories it was shown
};

// Shows the user's words and, as context only, the start of the reply, the known memories with their ids, and, where
// the message may be mere assent, the end of the reply that it answers; never a memory block. `date` is today's real
// date.
claude::Request extraction(const store::QueueEntry& entry, const std::vector<store::Memory>& known,
                           const std::string& date, const Settings& settings);

// ErrorKind::protocol when the answer is no such JSON, or longer than max_tokens can be: a model that thinks is given
// more room than that (claude/encode). Servers without structured outputs may put a fence or words around it. Of an
// answer that its limit cut, what is complete.
Result<std::vector<Candidate>> read_extraction(const claude::Reply& reply, int max_tokens);

}  // namespace selfmind::learn

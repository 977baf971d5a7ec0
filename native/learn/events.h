// What can happen while a turn is learned from, and what learning can ask for. Plain values.
#pragma once
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "claude/types.h"
#include "learn/duplicate.h"
#include "store/records.h"

namespace selfmind::learn {

struct Settings {
  std::string model;
  std::string endpoint;
  int max_tokens = 1024;  // of the JSON itself
  double dedupe_threshold = default_dedupe_threshold;
  bool review = false;            // what is learned waits for the user
  std::int64_t budget = 500'000;  // tokens a day
};

// Events
struct Woken {};  // a turn of the user's has just succeeded
struct Leased {
  std::optional<store::QueueEntry> entry;  // nothing: the queue is empty
  std::string date;                        // today, YYYY-MM-DD
  std::int64_t spent = 0;                  // tokens that learning has cost today
};
struct Known {
  std::vector<store::Memory> memories;  // that are nearest to the message
};
struct Extracted {
  claude::Reply reply;
};
struct ExtractFailed {
  Error error;
};
struct Kept {
  std::vector<store::Added> added;
};
struct Released {};
struct StoreFailed {
  Error error;
};
using Event = std::variant<Woken, Leased, Known, Extracted, ExtractFailed, Kept, Released, StoreFailed>;

// Commands
struct Lease {};
struct FindKnown {
  store::QueueEntry entry;
};
struct Ask {
  claude::Request request;
};
struct KeepLearned {
  store::QueueEntry entry;
  std::vector<store::MemoryDraft> drafts;
  store::Spent spent;
};
struct Release {
  store::QueueEntry entry;
  bool counts = true;  // towards limits::learn_attempts
  std::string failure;
  store::Spent spent;
};
struct ShowLearned {
  store::Id turn;
  std::vector<store::Added> added;
};
struct ShowFailed {
  store::Id turn;
  std::string notice;
};
using Command = std::variant<Lease, FindKnown, Ask, KeepLearned, Release, ShowLearned, ShowFailed>;
using Commands = std::vector<Command>;

}  // namespace selfmind::learn

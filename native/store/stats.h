// Counts of the store, for `stats` and :checkhealth.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "store/memories.h"

namespace selfmind::store {

struct Stats {
  std::map<std::string, std::int64_t> memories;  // by state
  std::map<std::string, std::int64_t> kinds;     // active ones, by kind
  std::map<std::string, std::int64_t> scopes;    // active ones: project, global
  std::int64_t turns = 0;
  std::int64_t sessions = 0;
  std::int64_t queue = 0;
  std::int64_t parked = 0;
  std::int64_t bytes = 0;  // of the file
  // Tokens by model: of all replies, and of learning, which is counted for the whole store.
  std::map<std::string, Usage> chat, learning;
  std::int64_t learning_calls = 0;
  std::int64_t learning_today = 0;  // tokens, of the user's own day
  int schema = 0;
  std::string sqlite;
  std::string journal;
};

Usage total(const std::map<std::string, Usage>& by_model);

// The version of the SQLite library in use.
std::string sqlite_version();

// Counts what `view` may see; turns, sessions, queue, bytes and tokens of the whole store when view.all, else of the
// project.
Result<Stats> stats(Database& database, const View& view);

}  // namespace selfmind::store

// What a Database is made of. Only database.cpp and statement.cpp include this.
#pragma once
#include <sqlite3.h>

#include <chrono>
#include <string>
#include <unordered_map>
#include <vector>

#include "store/database.h"

namespace selfmind::store {

struct Database::State {
  State(Clock& the_clock, Ids& the_ids) : clock(&the_clock), ids(&the_ids) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();

  // What went wrong last, as a sentence. `doing` completes "could not be …".
  Error error(std::string_view doing) const;

  // SQLite calls this while somebody else has the lock: 1 tries again, 0 gives up.
  static int wait_for_lock(void* state, int tries);

  sqlite3* handle = nullptr;
  Clock* clock;
  Ids* ids;
  std::string path;
  std::string queue;  // the file beside the store in which writers queue; empty where there is no file
  std::chrono::milliseconds patience{0};
  std::chrono::steady_clock::time_point waiting_since;
  std::string key;  // of the tombstones, once it was needed (key.h)
  text::SecretPatterns patterns;
  std::unordered_map<Id, std::vector<text::Known>> secrets_said;  // by chat
  int newer_schema = 0;                                           // of a file this program may only read; else 0
  // Statements nobody uses now, by their text. More than one when a text is used within itself.
  std::unordered_map<std::string, std::vector<sqlite3_stmt*>> idle;
};

}  // namespace selfmind::store

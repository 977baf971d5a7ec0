// What the store's tests share: a store to try things on, and short words for setting the scene.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "store/database.h"
#include "store/log.h"
#include "store/memories.h"
#include "store/projects.h"
#include "store/queue.h"
#include "store/statement.h"
#include "support/catch.h"
#include "support/fakes.h"
#include "support/temporary.h"

namespace selfmind::store {

template <class T>
T must(Result<T> result) {
  if (!result) FAIL(result.error().message);
  return std::move(*result);
}
inline void must(const Result<void>& result) {
  if (!result) FAIL(result.error().message);
}

template <class T>
ErrorKind kind_of(const Result<T>& result) {
  if (result) FAIL("this should have failed");
  return result.error().kind;
}

struct TestStore {
  TestStore() : database(must(Database::in_memory(clock, ids))) {}
  explicit TestStore(const std::string& path) : database(must(Database::open(path, clock, ids))) {}

  Id project(const std::string& path) { return must(resolve(database, ProjectFacts{path, {}}, /*create=*/true)).id; }

  Memory remember(std::string_view text, Id project = no_id, std::vector<Evidence> evidence = {}) {
    MemoryDraft draft;
    draft.text = text;
    draft.project = project;
    draft.evidence = std::move(evidence);
    return must(add_memory(database, draft, nullptr)).memory;
  }

  Turn say(Id session, std::string_view text) { return must(keep_message(database, session, text)); }

  Turn answer(Id message, std::string_view text, TurnState state = TurnState::done, std::string_view content = {}) {
    Turn reply;
    reply.parent = message;
    reply.state = state;
    reply.text = text;
    reply.content = content;
    return must(keep_reply(database, reply, {message}));
  }

  void queue_message(Id message, const LearnAt& at) {
    auto transaction = must(Transaction::write(database));
    enqueue(transaction, message, at, clock.now());
    must(transaction.commit());
  }

  Turn turn(Id session, Id id) {
    for (auto& turn : must(turns(database, session))) {
      if (turn.id == id) return turn;
    }
    FAIL("no such turn");
    return {};
  }

  std::int64_t count(std::string_view sql) { return must(number(query(database, sql))); }

  test::FakeClock clock;
  test::CountingIds ids;
  Database database;
};

}  // namespace selfmind::store

#include "store.h"

#include <algorithm>

#include "measure.h"
#include "store/projects.h"
#include "store/statement.h"

namespace selfmind::bench {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t memory_words = 18, message_words = 40, reply_words = 250;
constexpr auto a_year = std::chrono::milliseconds(365 * 24h);

// A year of chats, written in one transaction.
class Year {
 public:
  Year(store::Database& database, Kind kind, std::size_t items)
      : database_(database),
        kind_(kind),
        items_(items),
        writer_(words_in(kind, items), /*seed=*/items),
        random_(/*seed=*/items + 1),
        transaction_(must(store::Transaction::write(database))),
        at_(database.clock().now() - a_year),
        step_(a_year / static_cast<std::int64_t>(items)) {}

  Contents write() {
    while (written_ + 1 < items_) chat();
    const std::string last = "This came at the very end: " + std::string(last_word);
    if (kind_ == Kind::memories) {
      memory(last, store::no_id);
    } else {
      turn("user", "answered", last);
    }
    must(transaction_.commit());
    return {written_, chats_, writer_.vocabulary()};
  }

 private:
  void chat() {
    const auto topic = writer_.topic();
    const auto turns = 10 + random_.below(31);
    if (kind_ != Kind::memories) {
      transaction_.run("INSERT INTO session (uuid, project, created_at, updated_at) VALUES (?, ?, ?3, ?3)", uuid(),
                       the_project, to_millis(at_));
      chat_ = database_.last_insert_id();
      ++chats_;
    }
    for (std::size_t i = 0; i < turns && written_ + 1 < items_; ++i) {
      const bool replies = kind_ == Kind::mixed && i % 2 == 1;
      if (replies) {
        turn("assistant", "done", writer_.text(reply_words, topic, /*asks=*/false));
        continue;
      }
      store::Id message = store::no_id;
      if (kind_ != Kind::memories) {
        const auto words = kind_ == Kind::brief ? memory_words : message_words;
        message = turn("user", "answered", writer_.text(words, topic, random_.chance(0.3)));
      }
      if (written_ + 1 < items_) memory(writer_.text(memory_words, topic, /*asks=*/false), message);
    }
  }

  store::Id turn(const char* role, const char* state, const std::string& text) {
    transaction_.run("INSERT INTO turn (uuid, session, role, state, text, created_at) VALUES (?, ?, ?, ?, ?, ?)",
                     uuid(), chat_, role, state, text, to_millis(at_));
    next();
    return database_.last_insert_id();
  }

  void memory(const std::string& text, store::Id message) {
    const auto project = random_.chance(0.2) ? store::no_id : the_project;
    transaction_.run(
        "INSERT INTO memory (uuid, text, kind, origin, made_by, project, created_at, updated_at) "
        "VALUES (?, ?, 'fact', 'user', 'learn', ?, ?4, ?4)",
        uuid(), text, store::or_null(project), to_millis(at_));
    if (message != store::no_id) {
      transaction_.run("INSERT INTO memory_source (memory, turn, quote) VALUES (?, ?, '')", database_.last_insert_id(),
                       message);
    }
    next();
  }

  void next() {
    ++written_;
    at_ += step_;
  }
  std::string uuid() { return database_.ids().uuid(at_); }

  store::Database& database_;
  Kind kind_;
  std::size_t items_;
  Writer writer_;
  Random random_;
  store::Transaction transaction_;
  Time at_;
  std::chrono::milliseconds step_;
  store::Id chat_ = store::no_id;
  std::size_t written_ = 0;
  std::size_t chats_ = 0;
};

}  // namespace

double words_in(Kind kind, std::size_t items) {
  const auto of_each = kind == Kind::mixed ? (memory_words + message_words + reply_words) / 3.0 : memory_words;
  return of_each * static_cast<double>(items);
}

Contents write_store(const std::string& path, Kind kind, std::size_t items) {
  SystemClock clock;
  RandomIds ids;
  auto database = must(store::Database::open(path, clock, ids));
  const auto project = must(store::resolve(database, {path, {}}, /*create=*/true));
  if (project.id != the_project) fail("the bench's project is not the store's first");
  return Year(database, kind, items).write();
}

}  // namespace selfmind::bench

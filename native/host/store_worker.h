// StoreWorker owns the store: the database lives on its one thread, and jobs come back to the loop with their results.
// The private chats live there too, beside it: what is done in one changes nothing that is passed on.
// After every job it passes on what has changed in the store, by this editor or another, before the job's own result:
// who kept a message and then recalls, recalls over all that was there when the message was kept. While nothing is
// asked of it, it looks now and then whether another editor has written. Loop thread, but for what is said to be
// otherwise.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/scheduler.h"
#include "host/worker.h"
#include "store/database.h"
#include "store/feed.h"
#include "store/private_chats.h"
#include "store/stats.h"

namespace selfmind::host {

class StoreWorker {
 public:
  // A part of what can be recalled; `loading`: a later part of the first load, which nobody waits for.
  using OnFeed = std::function<void(store::Feed feed, bool loading)>;

  // `on_feed` is called on the worker's thread. The references outlive the worker.
  StoreWorker(Scheduler& scheduler, Clock& clock, Ids& ids, OnFeed on_feed)
      : scheduler_(scheduler), clock_(clock), ids_(ids), on_feed_(std::move(on_feed)) {}

  struct Opened {
    std::string path;
    std::string journal;
    std::string sqlite;     // its version
    std::string read_only;  // why it can only be read, or empty
    bool loaded = true;     // false: of what can be recalled there is more, which comes in the background
  };

  // Opens the store and loads what can be recalled: of a large store the first part, the rest in the background. What
  // `keep_out` finds is never written into it.
  void open(std::string path, text::SecretPatterns keep_out, std::function<void(Result<Opened>)> then) {
    run_raw<Opened>(
        Priority::user,
        [this, path = std::move(path), keep_out = std::move(keep_out)] { return open_now(path, keep_out); },
        [this, then = std::move(then)](Result<Opened> opened) {
          if (opened && !opened->loaded) load_on();
          then(std::move(opened));
        });
  }

  // `job` on the worker's thread, `then` on the loop.
  template <class T>
  void run(Priority priority, std::function<Result<T>(store::Database&)> job, std::function<void(Result<T>)> then) {
    run_raw<T>(
        priority,
        [this, job = std::move(job)]() -> Result<T> {
          if (!database_) return Error{ErrorKind::io, "The memory store is not open; see :checkhealth selfmind."};
          Result<T> result = job(*database_);
          if (result || result.error().kind != ErrorKind::busy) {
            refresh();
          } else {
            version_.reset();  // who has waited for the store in vain does not wait again; the next look does it
          }
          return result;
        },
        std::move(then));
  }

  // As run(), with the private chats beside the store.
  template <class T>
  void run_beside(std::function<Result<T>(store::Database&, store::PrivateChats&)> job,
                  std::function<void(Result<T>)> then) {
    run<T>(
        Priority::user,
        [this, job = std::move(job)](store::Database& database) { return job(database, private_chats_); },
        std::move(then));
  }

  // As run(), in the store that `chat` is in. A private chat's job does not touch the other one, and waits for nobody
  // who has locked it.
  template <class T>
  void run_in(store::Id chat, std::function<Result<T>(store::Database&)> job, std::function<void(Result<T>)> then) {
    if (!store::is_private(chat)) return run<T>(Priority::user, std::move(job), std::move(then));
    run_raw<T>(
        Priority::user,
        [this, chat, job = std::move(job)]() -> Result<T> {
          const auto log = private_chats_.log_of(chat);
          if (!log) return log.error();
          return job(**log);
        },
        std::move(then));
  }

  // As run_in(), where the memories `given` and those that the chat was given before have to be at hand.
  template <class T>
  void run_with_memories(store::Id chat, std::vector<store::Id> given, std::function<Result<T>(store::Database&)> job,
                         std::function<void(Result<T>)> then) {
    if (!store::is_private(chat)) return run<T>(Priority::user, std::move(job), std::move(then));
    run_beside<T>(
        [chat, given = std::move(given), job = std::move(job)](store::Database& database,
                                                               store::PrivateChats& chats) -> Result<T> {
          if (auto followed = chats.follow(database, chat, given); !followed) return followed.error();
          const auto log = chats.log_of(chat);
          if (!log) return log.error();
          return job(**log);
        },
        std::move(then));
  }

  // From now on changes that others made are taken in while the editor is idle, and `on_memories` is called on the loop
  // when memories have changed, by whoever: once for all that was found together, after the job that found it.
  void watch(std::function<void()> on_memories);
  void rest();

  // `then` on the loop once every user's job before it is done.
  void barrier(std::function<void()> then) {
    worker_.add(Priority::user, [this, then = std::move(then)] { scheduler_.post(then); });
  }

  void drop_background() { worker_.drop_background(); }

 private:
  template <class T>
  void run_raw(Priority priority, std::function<Result<T>()> job, std::function<void(Result<T>)> then) {
    ++jobs_;
    worker_.add(priority, [this, job = std::move(job), then = std::move(then)] {
      Result<T> result = job();
      const bool changed = std::exchange(memories_changed_, false);
      scheduler_.post([this, then, result = std::move(result), changed]() mutable {
        then(std::move(result));
        job_done(changed);
      });
    });
  }

  void look_later();
  void load_on();
  void job_done(bool memories_changed);

  // Worker thread only.
  Result<Opened> open_now(const std::string& path, const text::SecretPatterns& keep_out);
  bool load(bool loading);
  void refresh();
  void look();
  std::optional<std::int64_t> data_version();

  Scheduler& scheduler_;
  Clock& clock_;
  Ids& ids_;
  OnFeed on_feed_;
  std::function<void()> on_memories_;  // empty: not watching
  std::unique_ptr<Timer> alarm_;
  int jobs_ = 0;  // not done yet
  // Worker thread only.
  std::optional<store::Database> database_;
  store::PrivateChats private_chats_;
  store::FeedPosition position_;
  std::optional<std::int64_t> version_;  // SQLite's count of what others have committed; none: look again
  bool memories_changed_ = false;
  Worker worker_;
};

}  // namespace selfmind::host

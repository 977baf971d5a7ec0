// StoreWorker owns the store: the database lives on its one thread, and jobs come back to the loop with their results.
// After every job it passes on what has changed in the store, by this editor or another, before the job's own result:
// who kept a message and then recalls, recalls over all that was there when the message was kept.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "base/scheduler.h"
#include "host/worker.h"
#include "store/database.h"
#include "store/feed.h"
#include "store/stats.h"

namespace selfmind::host {

class StoreWorker {
 public:
  // `on_feed` is called on the worker's thread. The references outlive the worker.
  StoreWorker(Scheduler& scheduler, Clock& clock, Ids& ids, std::function<void(store::Feed)> on_feed)
      : scheduler_(scheduler), clock_(clock), ids_(ids), on_feed_(std::move(on_feed)) {}

  struct Opened {
    std::string path;
    std::string journal;
    std::string sqlite;     // its version
    std::string read_only;  // why it can only be read, or empty
  };

  // Opens the store and loads everything that can be recalled.
  void open(std::string path, std::function<void(Result<Opened>)> then) {
    run_raw<Opened>(
        Priority::user, [this, path = std::move(path)] { return open_now(path); }, std::move(then));
  }

  // `job` on the worker's thread, `then` on the loop.
  template <class T>
  void run(Priority priority, std::function<Result<T>(store::Database&)> job, std::function<void(Result<T>)> then) {
    run_raw<T>(
        priority,
        [this, job = std::move(job)]() -> Result<T> {
          if (!database_) return Error{ErrorKind::io, "The memory store is not open; see :checkhealth selfmind."};
          Result<T> result = job(*database_);
          refresh();
          return result;
        },
        std::move(then));
  }

  // `then` on the loop once every user's job before it is done.
  void barrier(std::function<void()> then) {
    worker_.add(Priority::user, [this, then = std::move(then)] { scheduler_.post(then); });
  }

  void drop_background() { worker_.drop_background(); }

 private:
  template <class T>
  void run_raw(Priority priority, std::function<Result<T>()> job, std::function<void(Result<T>)> then) {
    worker_.add(priority, [this, job = std::move(job), then = std::move(then)] {
      scheduler_.post([then, result = job()]() mutable { then(std::move(result)); });
    });
  }

  Result<Opened> open_now(const std::string& path);
  void refresh();

  Scheduler& scheduler_;
  Clock& clock_;
  Ids& ids_;
  std::function<void(store::Feed)> on_feed_;
  std::optional<store::Database> database_;  // worker thread only
  std::int64_t position_ = 0;                // worker thread only
  Worker worker_;
};

}  // namespace selfmind::host

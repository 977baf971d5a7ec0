// Worker: one thread that does jobs in order, the user's before the background's. add() and drop_background() from any
// thread. The destructor lets the running job finish, drops the rest and joins.
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace selfmind::host {

enum class Priority { user, background };

class Worker {
 public:
  using Job = std::function<void()>;
  Worker();
  ~Worker();
  void add(Priority priority, Job job);
  void drop_background();

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> user_;
  std::deque<Job> background_;
  bool ending_ = false;
  std::thread thread_;  // last: it starts when everything it uses is there
};

}  // namespace selfmind::host

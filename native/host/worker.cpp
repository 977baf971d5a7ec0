#include "host/worker.h"

#include <utility>

namespace selfmind::host {

Worker::Worker() : thread_([this] { work(); }) {}

Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Worker::add(Priority priority, Job job) {
  {
    const std::lock_guard lock(mutex_);
    (priority == Priority::user ? user_ : background_).push_back(std::move(job));
  }
  wake_.notify_one();
}

void Worker::drop_background() {
  std::deque<Job> dropped;  // destroyed outside the lock
  const std::lock_guard lock(mutex_);
  dropped.swap(background_);
}

void Worker::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return ending_ || !user_.empty() || !background_.empty(); });
    if (ending_) return;
    auto& queue = user_.empty() ? background_ : user_;
    Job job = std::move(queue.front());
    queue.pop_front();
    lock.unlock();
    job();
    job = nullptr;  // what it holds goes before the next wait
    lock.lock();
  }
}

}  // namespace selfmind::host

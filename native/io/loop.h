// Loop: the libuv loop and what hangs on it: posts from other threads, timers, signals. It owns the uv handles; each is
// freed in its close callback and nowhere else. All but post() on the loop thread.
#pragma once
#include <chrono>
#include <functional>
#include <memory>

#include "base/scheduler.h"

struct uv_loop_s;

namespace selfmind::io {

class Loop final : public Scheduler {
 public:
  Loop();
  ~Loop() override;  // every Timer, stdio and curl object on it is gone by then
  // Runs until stop().
  void run();
  void stop();
  void post(std::function<void()> work) override;
  std::unique_ptr<Timer> after(std::chrono::milliseconds delay, std::function<void()> work) override;
  // SIGTERM, SIGINT and SIGHUP; SIGPIPE is ignored.
  void on_signal(std::function<void(int signal)> work);
  uv_loop_s* raw();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace selfmind::io

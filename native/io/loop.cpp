#include "io/loop.h"

#include <array>
#include <cassert>
#include <csignal>
#include <mutex>
#include <utility>
#include <vector>

#include <uv.h>

namespace selfmind::io {
namespace {

template <class Handle>
void close_and_delete(Handle* handle) {
  uv_close(reinterpret_cast<uv_handle_t*>(handle),
           [](uv_handle_t* closed) { delete reinterpret_cast<Handle*>(closed); });
}

class UvTimer final : public Timer {
 public:
  UvTimer(uv_loop_t* loop, std::chrono::milliseconds delay, std::function<void()> work)
      : handle_(new uv_timer_t), work_(std::move(work)) {
    uv_timer_init(loop, handle_);
    handle_->data = this;
    // Delays count from the loop's idea of now, which is old when the loop was busy.
    uv_update_time(loop);
    uv_timer_start(handle_, &UvTimer::on_time, static_cast<std::uint64_t>(delay.count() > 0 ? delay.count() : 0), 0);
  }
  ~UvTimer() override {
    uv_timer_stop(handle_);
    close_and_delete(handle_);
  }

 private:
  static void on_time(uv_timer_t* handle) {
    // The work may destroy the timer, so it must not live in it while it runs.
    const auto work = std::exchange(static_cast<UvTimer*>(handle->data)->work_, nullptr);
    work();
  }

  uv_timer_t* handle_;
  std::function<void()> work_;
};

constexpr std::array<int, 3> ending_signals = {SIGTERM, SIGINT, SIGHUP};

}  // namespace

struct Loop::State {
  uv_loop_t loop;
  uv_async_t* wake = new uv_async_t;
  std::mutex mutex;
  std::vector<std::function<void()>> posted;  // under mutex
  std::vector<uv_signal_t*> signals;
  std::function<void(int)> on_signal;

  void run_posted() {
    std::vector<std::function<void()>> batch;
    {
      const std::lock_guard lock(mutex);
      batch.swap(posted);
    }
    for (auto& work : batch) work();
  }
};

Loop::Loop() : state_(std::make_unique<State>()) {
#ifdef SIGPIPE
  // A peer that has gone is an error of write(), not the end of the program.
  std::signal(SIGPIPE, SIG_IGN);
#endif
  uv_loop_init(&state_->loop);
  uv_async_init(&state_->loop, state_->wake,
                [](uv_async_t* handle) { static_cast<State*>(handle->data)->run_posted(); });
  state_->wake->data = state_.get();
}

Loop::~Loop() {
  {
    // What was posted and not run may own timers; those must be closed before the loop is.
    std::vector<std::function<void()>> dropped;
    const std::lock_guard lock(state_->mutex);
    dropped.swap(state_->posted);
  }
  for (auto* handle : state_->signals) close_and_delete(handle);
  close_and_delete(state_->wake);
  while (uv_run(&state_->loop, UV_RUN_DEFAULT) != 0) {
  }
  [[maybe_unused]] const int closed = uv_loop_close(&state_->loop);
  assert(closed == 0);
}

void Loop::run() { uv_run(&state_->loop, UV_RUN_DEFAULT); }

void Loop::stop() { uv_stop(&state_->loop); }

void Loop::post(std::function<void()> work) {
  // The wake-up is sent under the lock: otherwise the loop could run the work, end and be gone before it is sent.
  const std::lock_guard lock(state_->mutex);
  state_->posted.push_back(std::move(work));
  uv_async_send(state_->wake);
}

std::unique_ptr<Timer> Loop::after(std::chrono::milliseconds delay, std::function<void()> work) {
  return std::make_unique<UvTimer>(&state_->loop, delay, std::move(work));
}

void Loop::on_signal(std::function<void(int signal)> work) {
  state_->on_signal = std::move(work);
  if (!state_->signals.empty()) return;
  for (const int number : ending_signals) {
    auto* handle = new uv_signal_t;
    uv_signal_init(&state_->loop, handle);
    handle->data = state_.get();
    uv_signal_start(
        handle,
        [](uv_signal_t* raised, int raised_number) { static_cast<State*>(raised->data)->on_signal(raised_number); },
        number);
    state_->signals.push_back(handle);
  }
}

uv_loop_s* Loop::raw() { return &state_->loop; }

}  // namespace selfmind::io

// Outbox gathers a reply's text, so that the editor gets it in pieces worth a redraw: the first at once, then at most
// one every limits::flush_interval. Loop thread only.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "base/limits.h"
#include "base/scheduler.h"

namespace selfmind::host {

class Outbox {
 public:
  Outbox(Scheduler& scheduler, std::function<void(std::string text)> send)
      : scheduler_(scheduler), send_(std::move(send)) {}

  void add(std::string_view text) {
    waiting_ += text;
    if (!timer_) flush_and_wait();
  }

  // Sends what is there now; before anything that has to stand behind it.
  void flush() {
    if (!waiting_.empty()) send_(std::exchange(waiting_, {}));
  }

 private:
  void flush_and_wait() {
    flush();
    timer_ = scheduler_.after(limits::flush_interval, [this] {
      timer_.reset();
      if (!waiting_.empty()) flush_and_wait();
    });
  }

  Scheduler& scheduler_;
  std::function<void(std::string)> send_;
  std::string waiting_;
  std::unique_ptr<Timer> timer_;
};

}  // namespace selfmind::host

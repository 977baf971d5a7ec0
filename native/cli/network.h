// What a subcommand needs that asks a server: main has the real one, tests a played one. The rest of cli/ touches no
// network.
#pragma once
#include <functional>

#include "base/scheduler.h"
#include "http/http.h"

namespace selfmind::cli {

struct Network {
  Scheduler& loop;
  http::Client& http;
  std::function<void()> run;  // turns the loop until stop(), or until a signal wants the program to end
  std::function<void()> stop;
};

// Makes a network for as long as `use` takes.
using WithNetwork = std::function<void(const std::function<void(Network&)>& use)>;

}  // namespace selfmind::cli

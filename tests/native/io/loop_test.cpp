#include "io/loop.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <thread>
#include <vector>

#include "support/catch.h"

namespace selfmind::io {
namespace {

using namespace std::chrono_literals;

// Runs the loop until the test stops it; a test that forgets to is ended by the limit, and fails.
bool run(Loop& loop) {
  bool in_time = true;
  const auto limit = loop.after(60s, [&] {
    in_time = false;
    loop.stop();
  });
  loop.run();
  return in_time;
}

}  // namespace

TEST_CASE("work posted by another thread runs on the loop, in order") {
  Loop loop;
  std::vector<int> seen;
  std::thread::id ran_on;
  std::thread poster([&] {
    for (int i = 0; i < 1000; ++i) {
      loop.post([&seen, &ran_on, i] {
        ran_on = std::this_thread::get_id();
        seen.push_back(i);
      });
    }
    loop.post([&loop] { loop.stop(); });
  });
  CHECK(run(loop));
  poster.join();
  REQUIRE(seen.size() == 1000);
  CHECK(std::is_sorted(seen.begin(), seen.end()));
  CHECK(ran_on == std::this_thread::get_id());
}

TEST_CASE("posted work never runs inside post") {
  Loop loop;
  std::string log;
  loop.post([&] {
    loop.post([&] {
      log += "second;";
      loop.stop();
    });
    log += "first;";
  });
  CHECK(log.empty());
  CHECK(run(loop));
  CHECK(log == "first;second;");
}

TEST_CASE("timers fire once, in the order of their times, and not early") {
  Loop loop;
  std::string log;
  const auto begin = std::chrono::steady_clock::now();
  auto elapsed = 0ms;
  const auto late = loop.after(30ms, [&] {
    log += "late;";
    elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin);
    loop.stop();
  });
  const auto early = loop.after(1ms, [&] { log += "early;"; });
  const auto past = loop.after(-5ms, [&] { log += "past;"; });
  CHECK(run(loop));
  CHECK(log == "past;early;late;");
  CHECK(elapsed >= 29ms);
}

TEST_CASE("a timer that is destroyed does not fire, and may be destroyed by its own work") {
  Loop loop;
  bool fired = false;
  auto never = loop.after(1ms, [&] { fired = true; });
  never.reset();
  std::unique_ptr<Timer> own;
  const std::string kept(100, 'x');
  std::string seen;
  own = loop.after(5ms, [&own, &loop, &seen, kept] {
    own.reset();
    seen = kept;  // the work outlives its timer
    loop.stop();
  });
  CHECK(run(loop));
  CHECK_FALSE(fired);
  CHECK(seen == kept);
}

TEST_CASE("work that was never run is dropped with what it owns") {
  const auto owned = std::make_shared<int>(7);
  {
    Loop loop;
    auto timer = std::make_shared<std::unique_ptr<Timer>>(loop.after(1h, [owned] {}));
    loop.post([timer, owned] {});
    timer.reset();
    CHECK(owned.use_count() == 3);
  }
  CHECK(owned.use_count() == 1);
}

TEST_CASE("the signals that end a program are told") {
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
    Loop loop;
    int seen = 0;
    loop.on_signal([&](int signal) {
      seen = signal;
      loop.stop();
    });
    loop.post([number] { ::raise(number); });
    CHECK(run(loop));
    CHECK(seen == number);
  }
}

TEST_CASE("writing to somebody who has gone is an error, not the end of the program") {
  const Loop loop;
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  ::close(ends[0]);
  CHECK(::write(ends[1], "x", 1) == -1);
  CHECK(errno == EPIPE);
  ::close(ends[1]);
}

}  // namespace selfmind::io

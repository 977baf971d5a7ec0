// writers-soak: ten processes write to one store in a tight loop, first as SQLite alone lets them, then in turn
// (ticket.h), then in turn while others come and are killed; two more read. Prints a table; fails when somebody in the
// queue got an error or less than half of the median, or the store is damaged.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <random>
#include <vector>

#include "base/log.h"
#include "store/feed.h"
#include "store/statement.h"
#include "support/temporary.h"

namespace {

using namespace selfmind;
using std::chrono::steady_clock;

constexpr int readers = 2;

// What one process did: the time each success took, and how often it failed.
struct Work {
  std::vector<double> ms;
  std::size_t errors = 0;
};

using Step = std::function<Result<void>(store::Database&)>;

constexpr const char* insert =
    "INSERT INTO memory (uuid, text, kind, origin, made_by, created_at, updated_at) "
    "VALUES (?, 'The port of staging is 5433, as the user said.', 'fact', 'user', 'learn', 1, 1)";

Result<void> write_in_turn(store::Database& database) {
  auto transaction = store::Transaction::write(database);
  if (!transaction) return transaction.error();
  transaction->run(insert, database.ids().uuid(database.clock().now()));
  return transaction->commit();
}

// As it was before there was a queue: SQLite's own wait, five seconds of it.
Result<void> write_at_random(store::Database& database) {
  static const auto set = database.execute("PRAGMA busy_timeout = 5000");
  if (!set) return set;
  if (auto begun = database.execute("BEGIN IMMEDIATE"); !begun) return begun;
  auto done = store::run(database, insert, database.ids().uuid(database.clock().now()));
  if (done) done = database.execute("COMMIT");
  if (!done) static_cast<void>(database.execute("ROLLBACK"));
  return done;
}

Result<void> read_newest(store::Database& database) {
  const auto newest = store::number(store::query(database, "SELECT coalesce(max(seq), 0) FROM change"));
  if (!newest) return newest.error();
  store::FeedPosition position;
  position.change = std::max<std::int64_t>(*newest - 1, 1);
  const auto feed = store::changes(database, position, 10);
  return feed ? Result<void>() : feed.error();
}

Work work(const std::string& path, const Step& step, steady_clock::time_point start, steady_clock::time_point end) {
  SystemClock clock;
  RandomIds ids;
  Work done;
  auto database = store::Database::open(path, clock, ids);
  if (!database) return {{}, 1};
  while (steady_clock::now() < start) ::usleep(1000);
  while (steady_clock::now() < end) {
    const auto before = steady_clock::now();
    if (const auto result = step(*database)) {
      done.ms.push_back(std::chrono::duration<double, std::milli>(steady_clock::now() - before).count());
    } else {
      ++done.errors;
    }
  }
  return done;
}

// Runs `step` in a process of its own; what it did comes through the pipe that is returned.
int spawn(const std::string& path, const Step& step, steady_clock::time_point start, steady_clock::time_point end) {
  int ends[2];
  if (::pipe(ends) != 0) std::abort();
  if (::fork() != 0) {
    ::close(ends[1]);
    return ends[0];
  }
  const Work done = work(path, step, start, end);
  FILE* out = ::fdopen(ends[1], "w");
  std::fwrite(&done.errors, sizeof done.errors, 1, out);
  std::fwrite(done.ms.data(), sizeof(double), done.ms.size(), out);
  std::fclose(out);
  ::_exit(0);
}

Work result_of(int pipe) {
  FILE* in = ::fdopen(pipe, "r");
  Work done;
  if (std::fread(&done.errors, sizeof done.errors, 1, in) != 1) done.errors = 1;  // it died
  for (double ms = 0; std::fread(&ms, sizeof ms, 1, in) == 1;) done.ms.push_back(ms);
  std::fclose(in);
  return done;
}

double at(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
}

struct Sum {
  std::size_t errors = 0;
  std::vector<double> counts;  // successes of each process, sorted
  std::vector<double> ms;      // sorted
};

Sum sum_up(const std::vector<Work>& all) {
  Sum sum;
  for (const auto& done : all) {
    sum.errors += done.errors;
    sum.counts.push_back(static_cast<double>(done.ms.size()));
    sum.ms.insert(sum.ms.end(), done.ms.begin(), done.ms.end());
  }
  std::sort(sum.counts.begin(), sum.counts.end());
  std::sort(sum.ms.begin(), sum.ms.end());
  return sum;
}

void print(const char* name, const Sum& sum, double seconds) {
  std::printf("%-16s %7zu %8.0f %6.0f %6.0f %6.0f %8.1f %8.1f %8.1f\n", name, sum.errors,
              static_cast<double>(sum.ms.size()) / seconds, sum.counts.front(), at(sum.counts, 0.5), sum.counts.back(),
              at(sum.ms, 0.5), at(sum.ms, 0.99), at(sum.ms, 1));
  std::fflush(stdout);
}

// Writers that are killed wherever they are after 1 to 60 ms: waiting, writing, or not there yet. Returns how many.
int kill_writers(const std::string& path, steady_clock::time_point end) {
  std::minstd_rand random(1);
  int killed = 0;
  for (; steady_clock::now() < end; ++killed) {
    const pid_t child = ::fork();
    if (child == 0) {
      static_cast<void>(work(path, write_in_turn, steady_clock::now(), end + std::chrono::hours(1)));
      ::_exit(0);
    }
    ::usleep(1000 * std::uniform_int_distribution<useconds_t>(1, 60)(random));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  return killed;
}

bool is_whole(const std::string& path) {
  SystemClock clock;
  RandomIds ids;
  auto database = store::Database::open(path, clock, ids);
  if (!database) return false;
  const auto said = store::first(store::query(*database, "PRAGMA integrity_check"),
                                 [](const store::Statement& row) { return row.text(0); });
  return said && *said == "ok";
}

Sum measure(const char* name, const Step& step, int processes, int seconds, bool kills) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "memory.db";
  {
    SystemClock clock;
    RandomIds ids;
    auto made = store::Database::open(path, clock, ids);
    if (!made || !write_in_turn(*made)) std::abort();
  }
  const auto start = steady_clock::now() + std::chrono::seconds(1);  // all are up by then
  const auto end = start + std::chrono::seconds(seconds);
  std::vector<int> pipes;
  for (int i = 0; i < processes; ++i) pipes.push_back(spawn(path, step, start, end));
  for (int i = 0; i < readers; ++i) pipes.push_back(spawn(path, read_newest, start, end));
  const int killed = kills ? kill_writers(path, end) : 0;
  std::vector<Work> wrote;
  std::vector<Work> read;
  for (const int pipe : pipes) {
    (wrote.size() < static_cast<std::size_t>(processes) ? wrote : read).push_back(result_of(pipe));
  }
  while (::wait(nullptr) > 0) continue;
  Sum sum = sum_up(wrote);
  print(name, sum, seconds);
  print("  its readers", sum_up(read), seconds);
  if (kills) std::printf("  %d more were killed\n", killed);
  if (!is_whole(path)) {
    std::printf("  the store is damaged\n");
    ++sum.errors;
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  int processes = 10;
  int seconds = 10;
  CLI::App app{"Writers on one store, with and without the queue"};
  app.add_option("--processes", processes, "how many write")->check(CLI::Range(1, 100));
  app.add_option("--seconds", seconds, "for how long, each way")->check(CLI::Range(1, 3600));
  CLI11_PARSE(app, argc, argv);
  std::printf("%d writers and %d readers for %d s each way\n", processes, readers, seconds);
  std::printf("%-16s %7s %8s %6s %6s %6s %8s %8s %8s\n", "", "errors", "per s", "least", "median", "most", "p50 ms",
              "p99 ms", "max ms");
  const auto good = [](const Sum& sum) { return sum.errors == 0 && sum.counts.front() * 2 >= at(sum.counts, 0.5); };
  measure("SQLite alone", write_at_random, processes, seconds, /*kills=*/false);
  const bool fair = good(measure("in turn", write_in_turn, processes, seconds, /*kills=*/false));
  const bool robust = good(measure("with killed ones", write_in_turn, processes, seconds, /*kills=*/true));
  if (!fair || !robust) std::printf("The queue failed: an error, or a writer that starved.\n");
  return fair && robust ? 0 : 1;
}

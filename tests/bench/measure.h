// Measuring: time, memory, percentiles, and a process of its own for each part, so that no part's leftovers change
// another's figures.
#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/result.h"

namespace selfmind::bench {

using Watch = std::chrono::steady_clock;
inline double ms_since(Watch::time_point start) {
  return std::chrono::duration<double, std::milli>(Watch::now() - start).count();
}

struct Percentiles {
  double p50 = 0, p95 = 0, p99 = 0;
};
Percentiles percentiles(std::vector<double> values);
double median(std::vector<double> values);

// Bytes; 0 where the system does not tell.
struct Memory {
  double heap = 0;      // handed out by malloc and not given back
  double resident = 0;  // of the process
};
Memory memory();
inline Memory operator-(Memory a, Memory b) { return {a.heap - b.heap, a.resident - b.resident}; }
double peak_resident();

// Keeps the compiler from leaving out what made `value`.
void keep(std::size_t value);

[[noreturn]] void fail(const std::string& why);

// A bench has nobody to hand an error to.
template <class T>
T must(Result<T> result) {
  if (!result) fail(result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

// What `work` returns, worked out in a process of its own.
template <class Work>
auto in_own_process(Work work) -> decltype(work()) {
  using Figures = decltype(work());
  static_assert(std::is_trivially_copyable_v<Figures>);
  int ends[2];
  if (::pipe(ends) != 0) fail("no pipe could be made");
  std::fflush(stdout);
  const auto child = ::fork();
  if (child < 0) fail("no process could be started");
  if (child == 0) {
    const Figures figures = work();
    std::fflush(stdout);
    ::_exit(::write(ends[1], &figures, sizeof figures) == static_cast<ssize_t>(sizeof figures) ? 0 : 1);
  }
  ::close(ends[1]);
  Figures figures;
  const bool whole = ::read(ends[0], &figures, sizeof figures) == static_cast<ssize_t>(sizeof figures);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!whole || status != 0) fail("a part of the bench ended before it was done");
  return figures;
}

}  // namespace selfmind::bench

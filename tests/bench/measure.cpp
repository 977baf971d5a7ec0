#include "measure.h"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#if defined(__GLIBC__)
#include <malloc.h>
#elif defined(__APPLE__)
#include <mach/mach.h>
#include <malloc/malloc.h>
#endif

namespace selfmind::bench {

Percentiles percentiles(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    const auto place = std::ceil(share * static_cast<double>(values.size()));
    return values[static_cast<std::size_t>(std::max(place, 1.0)) - 1];
  };
  return {at(0.50), at(0.95), at(0.99)};
}

double median(std::vector<double> values) { return percentiles(std::move(values)).p50; }

Memory memory() {
  Memory now;
#if defined(__GLIBC__)
  const auto info = ::mallinfo2();
  now.heap = static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
#elif defined(__APPLE__)
  malloc_statistics_t info;
  malloc_zone_statistics(nullptr, &info);
  now.heap = static_cast<double>(info.size_in_use);
  mach_task_basic_info task;
  mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
  task_info(mach_task_self(), MACH_TASK_BASIC_INFO, reinterpret_cast<task_info_t>(&task), &count);
  now.resident = static_cast<double>(task.resident_size);
#endif
#if defined(__linux__)
  if (auto* file = std::fopen("/proc/self/statm", "r")) {
    long all = 0, resident = 0;
    if (std::fscanf(file, "%ld %ld", &all, &resident) == 2) {
      now.resident = static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE));
    }
    std::fclose(file);
  }
#endif
  return now;
}

double peak_resident() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
#if defined(__APPLE__)
  return static_cast<double>(usage.ru_maxrss);
#else
  return static_cast<double>(usage.ru_maxrss) * 1024;
#endif
}

void keep(std::size_t value) {
  static volatile std::size_t kept = 0;
  kept = kept + value;
}

void fail(const std::string& why) {
  std::fflush(stdout);
  std::fprintf(stderr, "bench: %s\n", why.c_str());
  std::_Exit(1);
}

}  // namespace selfmind::bench

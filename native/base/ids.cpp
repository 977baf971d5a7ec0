#include "base/ids.h"

#include <cstdint>
#include <random>

#include <fmt/format.h>

namespace selfmind {

std::string uuid7(Time now, std::uint64_t random_high, std::uint64_t random_low) {
  const auto millis = static_cast<std::uint64_t>(to_millis(now)) & 0xffff'ffff'ffffULL;
  const std::uint64_t version_and_a = 0x7000 | (random_high & 0x0fff);
  const std::uint64_t variant_and_b = (0x8000'0000'0000'0000ULL) | (random_low & 0x3fff'ffff'ffff'ffffULL);
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", millis >> 16, millis & 0xffff, version_and_a,
                     variant_and_b >> 48, variant_and_b & 0xffff'ffff'ffffULL);
}

std::string RandomIds::uuid(Time now) {
  // std::random_device reads the system's generator; an id is rare enough not to need a generator of our own.
  thread_local std::random_device device;
  const auto word = [] { return (static_cast<std::uint64_t>(device()) << 32) | device(); };
  return uuid7(now, word(), word());
}

}  // namespace selfmind

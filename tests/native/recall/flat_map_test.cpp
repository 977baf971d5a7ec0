#include "recall/flat_map.h"

#include <random>
#include <unordered_map>

#include "support/catch.h"

using selfmind::recall::FlatMap;

TEST_CASE("a flat map holds what was put and not erased, whatever shares a place", "[recall]") {
  std::mt19937 random(7);
  FlatMap<std::uint64_t> map;
  std::unordered_map<std::uint64_t, std::uint32_t> expected;
  for (std::uint32_t step = 0; step < 20'000; ++step) {
    const std::uint64_t key = random() % 500;
    if (random() % 3 == 0) {
      map.erase(key);
      expected.erase(key);
    } else {
      const auto [value, fresh] = map.try_emplace(key, step);
      const auto [place, is_new] = expected.try_emplace(key, step);
      REQUIRE(fresh == is_new);
      REQUIRE(value == place->second);
    }
    if (step % 100 != 0) continue;
    REQUIRE(map.size() == expected.size());
    for (std::uint64_t asked = 0; asked < 500; ++asked) {
      const auto found = expected.find(asked);
      REQUIRE(map.find(asked) == (found == expected.end() ? map.none : found->second));
    }
  }
}

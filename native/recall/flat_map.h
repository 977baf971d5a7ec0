// FlatMap: numbers by key, where each word of each text, or each text of a recall, is looked up. Open addressing in one
// array. One thread at a time.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace selfmind::recall {

template <class Key>
class FlatMap {
 public:
  static constexpr std::uint32_t none = 0xFFFF'FFFF;  // no value

  std::size_t size() const { return size_; }

  // Brings what a call for this key will look at into the cache.
  void prefetch(Key key) const {
    if (!places_.empty()) __builtin_prefetch(&places_[first_place(key)]);
  }

  std::uint32_t find(Key key) const { return places_.empty() ? none : places_[place(key)].value; }

  // The key's value, `fresh` when it has none yet. Valid until the next call.
  std::pair<std::uint32_t&, bool> try_emplace(Key key, std::uint32_t fresh) {
    if (2 * (size_ + 1) > places_.size()) grow();
    auto& found = places_[place(key)];
    const bool is_new = found.value == none;
    if (is_new) {
      found = {key, fresh};
      ++size_;
    }
    return {found.value, is_new};
  }

  void erase(Key key) {
    if (find(key) == none) return;
    --size_;
    // What came after it because its place was taken moves up.
    const auto mask = places_.size() - 1;
    auto gap = place(key);
    for (auto at = (gap + 1) & mask; places_[at].value != none; at = (at + 1) & mask) {
      const auto from_home = (at - first_place(places_[at].key)) & mask;
      if (from_home < ((at - gap) & mask)) continue;
      places_[gap] = places_[at];
      gap = at;
    }
    places_[gap] = Place{};
  }

  template <class Each>
  void for_each_value(Each each) {
    for (auto& place : places_) {
      if (place.value != none) each(place.value);
    }
  }

 private:
  struct Place {
    Key key{};
    std::uint32_t value = none;
  };

  std::size_t first_place(Key key) const {  // Fibonacci hashing
    return (std::uint64_t{key} * 0x9E37'79B9'7F4A'7C15) >> 32 & (places_.size() - 1);
  }
  std::size_t place(Key key) const {
    const auto mask = places_.size() - 1;
    auto at = first_place(key);
    while (places_[at].value != none && places_[at].key != key) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    const auto before = std::exchange(places_, std::vector<Place>(std::max<std::size_t>(places_.size() * 2, 64)));
    for (const auto& old : before) {
      if (old.value != none) places_[place(old.key)] = old;
    }
  }

  std::vector<Place> places_;  // a power of two
  std::size_t size_ = 0;
};

}  // namespace selfmind::recall

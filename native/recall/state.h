// The inside of Index: read by rank(), written by Index, seen by nobody else.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "recall/index.h"

namespace selfmind::recall {

// An item's place among all entries. A later item has a higher one, so it is also the log order.
using Slot = std::uint32_t;

struct Posting {
  Slot slot;
  std::uint32_t count;  // how often the word stands in that item
};

// One project's items, or the global ones. Apart, so that what is known in one project is neither found from another
// nor changes a score there.
struct Shard {
  std::size_t items = 0;
  std::uint64_t words = 0;                                         // of all its items together
  std::unordered_map<std::string, std::vector<Posting>> postings;  // each list by slot
};

struct Entry {
  store::Item item;
  std::uint32_t words = 0;
  bool alive = false;
};

struct Index::State {
  explicit State(text::Splitter splitter) : split(std::move(splitter)) {}

  void link(Slot slot);    // enters the words of the item that stands there
  void unlink(Slot slot);  // takes them out again
  void compact();          // closes the gaps that erased items left

  text::Splitter split;
  std::vector<Entry> entries;
  std::unordered_map<std::uint64_t, Slot> slots;  // by kind and id
  std::map<store::Id, Shard> shards;              // by project
};

}  // namespace selfmind::recall

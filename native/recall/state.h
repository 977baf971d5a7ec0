// The inside of Index: read by the ranking, written by Index, seen by nobody else.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "recall/flat_map.h"
#include "recall/index.h"

namespace selfmind::recall {

// An item's place among all entries; it stays until compact(). A later item has a higher one.
using Slot = std::uint32_t;
inline constexpr Slot no_slot = 0xFFFF'FFFF;

// What an item is to the ranking: each sort has texts of its own length.
enum class Sort : std::uint8_t { memory, typed, reply };
inline constexpr std::size_t sorts = 3;

// Eight bytes, and all that the first pass over a list needs. `count` and `words` are cut at what fits; the candidates
// that are left after it are counted exactly.
struct Posting {
  Slot slot;
  std::uint16_t words;  // of the item
  std::uint8_t count;   // how often the term stands in it
  Sort sort;
};

using Speaker = std::uint32_t;  // a number for a name
inline constexpr Speaker no_speaker = 0;

// The lists of a shard, by term: a project has few of all terms.
class PostingLists {
 public:
  // The number of a term's list, a new one when it has none.
  std::uint32_t number(Term term) {
    const auto [number, fresh] = numbers_.try_emplace(term, static_cast<std::uint32_t>(lists_.size()));
    if (fresh) lists_.emplace_back();
    __builtin_prefetch(&lists_[number]);
    return number;
  }
  std::vector<Posting>& list(std::uint32_t number) { return lists_[number]; }
  void prefetch(Term term) const { numbers_.prefetch(term); }
  const std::vector<Posting>* find(Term term) const {  // null when there is none
    const auto number = numbers_.find(term);
    return number == numbers_.none ? nullptr : &lists_[number];
  }

  template <class Each>
  void for_each(Each each) {
    for (auto& list : lists_) each(list);
  }

 private:
  FlatMap<Term> numbers_;
  std::vector<std::vector<Posting>> lists_;
};

// One project's items, or the global ones. Apart, so that what is known in one project is neither found from another
// nor changes a score there.
struct Shard {
  std::array<std::size_t, sorts> items{};
  std::array<std::uint64_t, sorts> words{};  // of all its items together
  PostingLists postings;                     // each list by slot
  // Who speaks in it: by each word of a name the items that are theirs.
  std::unordered_map<std::string, std::unordered_map<Speaker, std::size_t>> speakers;
};

using SessionSlot = std::uint32_t;
inline constexpr SessionSlot no_session = 0xFFFF'FFFF;

struct SessionEntry {
  std::vector<Slot> turns;  // in log order
  std::uint64_t words = 0;  // of all its turns together
};

struct Entry {
  store::Item item;
  std::vector<Term> terms;  // in order, an identifier before its parts
};

// What is asked of thousands of entries for each recall; apart from the rest, so that it stays in the cache.
struct Sketch {
  std::uint32_t words = 0;
  Sort sort = Sort::memory;
  bool alive = false;
  bool asks = false;    // there is a question in it
  bool is_key = false;  // a turn: it established memories
  Speaker speaker = no_speaker;
  Slot before = no_slot;  // turns next to it in its session
  Slot after = no_slot;
};

struct Index::State {
  explicit State(Analysis analysis) : vocabulary(analysis) {}

  void put(store::Item item, const Split& split);
  void link(Slot slot, const Split& split);  // enters the words of the item that stands there
  void unlink(Slot slot);                    // takes them out again
  void compact();                            // closes the gaps that erased items left

  Slot slot_of(store::ItemKind kind, store::Id id) const;  // no_slot: not there
  const std::vector<Slot>* memories_of(store::Id turn) const;

  mutable Vocabulary vocabulary;  // a question is taken apart by it and adds nothing
  std::vector<Entry> entries;
  std::vector<Sketch> sketches;         // of the entries
  std::vector<SessionSlot> session_of;  // by slot; apart from the entries, because every posting asks for it
  FlatMap<std::uint64_t> slots;         // by kind and id
  std::map<store::Id, Shard> shards;    // by project
  std::vector<SessionEntry> sessions;
  std::unordered_map<store::Id, SessionSlot> session_slots;
  std::unordered_map<store::Id, std::vector<Slot>> told_by;  // turn -> the memories that it established
  std::unordered_map<std::string, Speaker> speakers;         // the numbers of all names that have ever been here
  Time newest{};                                             // of all items that have ever been here

 private:
  void join_session(Slot slot);
  void leave_session(Slot slot);
  void join_turns(Slot slot);
  void leave_turns(Slot slot);

  std::vector<Term> reading_;
  std::vector<std::uint32_t> numbers_;  // of the lists of the item being linked
};

}  // namespace selfmind::recall

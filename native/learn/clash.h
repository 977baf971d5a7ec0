// Does a new memory change or contradict one that stands? Pure; any thread.
#pragma once
#include <optional>
#include <span>

#include "store/memories.h"

namespace selfmind::learn {

struct Clash {
  store::Id memory = store::no_id;
  bool certain = false;  // a changed value; otherwise both may be true, and the user is asked
};

// The memory of the draft's own scope that says the same of the same thing with another value: another number at the
// end ("listens on port 5433"), a negation more or less ("no longer"), the other side of a comparison ("tabs over
// spaces"). Another name at the end ("lives in Berlin") is no certain change. What differs in what it speaks of, or in
// a plain word, is another memory.
std::optional<Clash> find_clash(const store::MemoryDraft& draft, std::span<const store::Memory> existing);

// Could two memories be one in other words? Not where a number, a name, a negation or the order of a comparison
// differs, and not where they have no word in common.
bool may_be_same(std::string_view a, std::string_view b);

// The same for two that a model has made of one quotation, which needs less: the same numbers, names and negations, and
// most of the other words.
bool are_one_telling(std::string_view a, std::string_view b);

// What the store asks when it keeps what was learned: known (duplicate.h), a clash, or new. What the memory model takes
// it for (same_as, replaces) counts only where the words allow it: one it takes for the same may_be_same(); what it
// would have replaced is, where something in common is spoken of and the user tells a change ("now", "no longer"); else
// the user is asked.
store::Compare comparer(double threshold);

}  // namespace selfmind::learn

// Is it known already? Pure; any thread.
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "store/memories.h"

namespace selfmind::learn {

// With the guard below every threshold from 0.3 to 0.9 takes no pair of tests/extraction/pairs.jsonl for one that
// is not; this is the highest that finds as many of those that are one as the lowest does (eval-extract prints both).
inline constexpr double default_dedupe_threshold = 0.6;

// The existing memory that says the same as the draft. Word overlap of at least `threshold` (Jaccard, 0 to 1) only
// proposes one; a difference in a number, a negation, the order of a comparison, a name or any other word that carries
// meaning makes it another memory. In doubt it is none: a memory too many can be forgotten, a change that was dropped
// is lost. The caller passes the memories of the draft's own scope.
std::optional<store::Id> find_duplicate(const store::MemoryDraft& draft, std::span<const store::Memory> existing,
                                        double threshold);

// The share of words that two texts have in common (Jaccard, 0 to 1).
double word_overlap(std::string_view a, std::string_view b);

// The same as the store asks for it when it adds a memory.
store::Compare duplicate_finder(double threshold);

}  // namespace selfmind::learn

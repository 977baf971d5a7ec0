// What was recalled, as text: the block that goes with the newest message, and the answer when no model can be asked.
// Pure.
#pragma once
#include <string>
#include <vector>

#include "recall/rank.h"
#include "store/records.h"

namespace selfmind::turn {

struct MemoryBlock {
  std::string text;  // empty when there is nothing to say
  std::vector<store::Given> given;
};

// Memories that stand in the history with other words than they have now.
std::vector<store::Memory> corrections(const std::vector<store::Memory>& now, const std::vector<store::Given>& sent);

// Delimited, marked as data, one line an item; the delimiter cannot be forged by an item's text. `date` is today.
MemoryBlock memory_block(const std::vector<recall::Hit>& hits, const std::vector<store::Memory>& corrected,
                         const std::string& date);

// The offline answer: what is known, where it is from, and why no model was asked.
std::string from_memory(const std::vector<recall::Hit>& hits, const std::string& why);

}  // namespace selfmind::turn

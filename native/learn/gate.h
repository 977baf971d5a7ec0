// The gate: what the memory model proposes becomes a memory only if the user's own words say it. Pure.
#pragma once
#include <vector>

#include "learn/extract.h"
#include "store/records.h"

namespace selfmind::learn {

// Drops a candidate without a quotation that stands in what the user says in the message themselves (white space,
// quotation marks and case apart; nothing out of pasted code, logs, mails or lines behind ">"), with a kind we do not
// know, blank or longer than limits::memory_bytes, and what is over limits::memories_per_turn.
std::vector<store::MemoryDraft> gate(const std::vector<Candidate>& candidates, const store::QueueEntry& entry);

}  // namespace selfmind::learn

// The gate: what the memory model proposes becomes a memory only if the user's own words say it. Pure.
#pragma once
#include <vector>

#include "learn/extract.h"
#include "store/records.h"

namespace selfmind::learn {

// Drops a candidate
// - without a quotation that stands in what the user says in the message themselves (white space, quotation marks and
//   case apart; nothing out of pasted code, logs, mails or lines behind ">");
// - whose quotation asks, wants something done, supposes, tells what another said, or a state that passes;
// - that says something else than the user's words: too few of its words, or a number, were not said;
// - of a kind we do not know, blank, longer than limits::memory_bytes, over limits::memories_per_turn, over already
// when
//   it was said, or one that by the model's own scores will not last or help.
// Lets wait for the user what rests on mere assent (both sentences are quoted), names what was not named, is unsure, or
// very private. A time of validity counts only where the user named a time. `known`: what the model was shown.
std::vector<store::MemoryDraft> gate(const std::vector<Candidate>& candidates, const store::QueueEntry& entry,
                                     const std::vector<store::Memory>& known = {});

}  // namespace selfmind::learn

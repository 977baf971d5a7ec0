// Upkeep: memories that have ended, or that nobody has needed for long, are archived, as anybody could do it by hand: a
// change that history shows and undo takes back. Nothing is erased here.
#pragma once
#include <vector>

#include "store/memories.h"

namespace selfmind::store {

struct Upkeep {
  enum class Why {
    ended,   // valid_to is over; verb "expire"
    unused,  // a passing one that was learned, and neither changed nor recalled for limits::unused_for; verb "disuse"
  };
  Why why = Why::ended;
  std::vector<Memory> archived;  // as they are now; empty: there was nothing to do
};

// One change at most, so that one undo brings back what it archived: what has ended, or, when there is none, what is
// unused. Of the memories in view; with `all`, every project's. What was over already when it was told is history and
// stays, and what stands again after it was expired stays, until it is given another end. What the user remembered by
// hand is never unused. Reads only, when there is nothing to do.
Result<Upkeep> keep_up(Database& database, const View& view);
// What it would archive because it has ended, by id.
Result<std::vector<Memory>> ended(Database& database, const View& view);

}  // namespace selfmind::store

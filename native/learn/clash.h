// What is a new memory to those that stand: known, a change, a contradiction, or new? Pure; any thread.
#pragma once
#include "store/memories.h"

namespace selfmind::learn {

// What the store asks when it keeps what was learned. Known is what find_duplicate() or are_alike() says. What the
// memory model takes it for (same_as, replaces) counts only where the words allow it: one it takes for the same
// may_be_same(); what it would have replaced is, where something in common is spoken of and the user tells a change
// ("now", "no longer"); else the user is asked. With a memory that is replaced goes whatever says its old value in
// other words; where that is not plain, the user is asked about all of them.
//
// What holds everywhere and what holds in a project meet, too, unless one of them says that it is limited to it
// ("here", "in this project"). A change that the user tells keeps the scope of what it changes, and one that holds
// everywhere changes what was known in any project; what they do not tell as a change is asked about.
store::Compare comparer(double threshold);

}  // namespace selfmind::learn

// What of the log may be recalled: the user's own words, and replies without what they repeat of anything else. What
// stood in a pasted file, a log, a mail or a quotation is in the log and is found by nobody who asks the memory: given
// to the model as "said" by the user, an instruction in it would be the user's. Pure; any thread.
#pragma once
#include "store/feed.h"

namespace selfmind::learn {

// A turn of which nothing is left is gone.
void keep_own_words(store::Feed& feed);

}  // namespace selfmind::learn

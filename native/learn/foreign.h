// What of the log may be recalled: what was said there, but for instructions and claims in a pasted file, a mail or a
// quotation. Given to the model as "said" by the user, they would be the user's. They stay in the log. Pure; any
// thread.
#pragma once
#include "store/feed.h"

namespace selfmind::learn {

// A turn of which nothing is left is gone.
void cut_foreign_claims(store::Feed& feed);

}  // namespace selfmind::learn

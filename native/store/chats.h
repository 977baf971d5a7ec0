// The chats of a project, and those in which something was said. Titles and the log alone; memories have a list of
// their own (memories.h).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "store/database.h"

namespace selfmind::store {

struct FoundChat {
  Id id = no_id;
  std::string uuid;
  std::string title;
  Time updated_at{};
  std::int64_t messages = 0;  // the user's
  Id turn = no_id;            // the newest message that has the words, or whose reply has; no_id: the title alone has
  std::string excerpt;        // the line with the first of them
};

// The newest first, those alone in which something was said or is being typed. With `words`, blank separated, those
// that have all of them in one message or reply, or in the title, whatever their case. Reads the project's whole log
// then: not for the thread of an editor.
Result<std::vector<FoundChat>> find_chats(Database& database, Id project, std::string_view words);

}  // namespace selfmind::store

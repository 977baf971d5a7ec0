// PrivateChats: chats of which nothing is kept. Each has a store of its own in memory, with the same tables, so that
// every verb of log.h works in it; it is gone when the chat is closed or the process ends, and no file ever has a byte
// of it. Recalled memories are the real store's; what a chat was given of them is copied into it, and follows what
// becomes of them there. One thread at a time, as Database.
#pragma once
#include <map>
#include <string_view>
#include <vector>

#include "store/database.h"
#include "store/memories.h"
#include "store/projects.h"

namespace selfmind::store {

class PrivateChats {
 public:
  // A new chat, in the project that the folder belongs to, if there is one: none is made for it. Returns its number.
  Result<Id> begin(Database& store, const ProjectFacts& where);
  Result<Id> find(std::string_view uuid) const;

  // Where the verbs of log.h find the chat. ErrorKind::not_found when it was closed, or was another process's.
  Result<Database*> log_of(Id chat);

  // Before the chat is asked anything: its project, and the memories that it was given and `given` now, are as the
  // store has them. One that is gone there is forgotten here, and after any forgetting all that the chat was given is
  // taken out of it, since that may have been excerpts with the same words.
  Result<void> follow(Database& store, Id chat, const std::vector<Id>& given = {});

  // store::forget(), with the words of the memories cut from the private chats too. They are not counted.
  Result<Forgotten> forget(Database& store, const std::vector<Id>& ids, bool dry_run);

  bool close(Id chat);  // false: there was none

 private:
  struct Chat {
    Database log;
    std::string uuid;
    ProjectFacts where;
    std::int64_t forgotten;  // how often the store had forgotten when this was last looked at
  };
  static Result<void> follow(Database& store, Id id, Chat& chat, const std::vector<Id>& given);

  std::map<Id, Chat> chats_;
  Id last_id_ = first_private_id;
};

}  // namespace selfmind::store

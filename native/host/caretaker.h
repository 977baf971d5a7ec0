// Caretaker runs the store's upkeep (store/upkeep.h) where a chat is opened or a turn is over, behind all that the user
// waits for, once a day for each project, and tells the editor what was archived. Loop thread only.
#pragma once
#include <functional>
#include <map>
#include <memory>

#include "host/editor.h"
#include "host/store_worker.h"

namespace selfmind::host {

class Caretaker {
 public:
  // The references outlive it.
  Caretaker(StoreWorker& store, Editor& editor, Clock& clock) : store_(store), editor_(editor), clock_(clock) {}

  // Looks after the project of this chat and the global memories.
  void visit(store::Id chat);

 private:
  StoreWorker& store_;
  Editor& editor_;
  Clock& clock_;
  // When each project was looked after last; the store's thread only.
  std::shared_ptr<std::map<store::Id, Time>> last_ = std::make_shared<std::map<store::Id, Time>>();
};

}  // namespace selfmind::host

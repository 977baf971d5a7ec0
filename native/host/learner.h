// Learner performs the commands of learn/manager: it is the manager's hands. It owns the running call to the memory
// model. Loop thread only.
#pragma once
#include <memory>
#include <vector>

#include "claude/client.h"
#include "host/editor.h"
#include "host/recaller.h"
#include "host/recorder.h"
#include "host/settings.h"
#include "host/store_worker.h"
#include "learn/manager.h"

namespace selfmind::host {

class Learner {
 public:
  Learner(StoreWorker& store, Recaller& recaller, claude::Client& claude, Editor& editor, Settings settings,
          Clock& clock, Recorder* recorder);

  // Where a turn's messages are queued for; nothing when learning is off.
  std::optional<store::LearnAt> queue_at() const;
  // A turn of the user's has succeeded, so background calls may follow.
  void wake();
  // The editor quits: the call is dropped and the entry given back.
  void end();
  void use_key(const claude::Endpoint& endpoint) { settings_.endpoint = endpoint; }

 private:
  std::string server() const;
  void feed(learn::Event event);
  void give_back(const store::QueueEntry& held);
  void perform(learn::Lease command);
  void perform(learn::FindKnown command);
  void perform(learn::Ask command);
  void perform(learn::KeepLearned command);
  void perform(learn::Release command);
  void perform(learn::ShowLearned command);
  void perform(learn::ShowFailed command);

  StoreWorker& store_;
  Recaller& recaller_;
  claude::Client& claude_;
  Editor& editor_;
  Settings settings_;
  Clock& clock_;
  Recorder* recorder_;  // null: nothing is recorded
  learn::Manager manager_;
  std::unique_ptr<claude::Call> call_;
  store::Id chat_ = store::no_id;  // where the entry in hand was said
  bool ended_ = false;
};

}  // namespace selfmind::host

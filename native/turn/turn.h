// Turn decides what happens next in one exchange: events in, commands out. It does no I/O and reads no clock; host/runner
// performs its commands and brings the results back as events. One object per exchange; loop thread only.
#pragma once
#include <string>
#include <vector>

#include "turn/events.h"

namespace selfmind::turn {

class Turn {
 public:
  explicit Turn(Settings settings) : settings_(std::move(settings)) {}

  Commands on(const Event& event);
  bool finished() const { return finished_; }
  store::Id message() const { return message_.id; }

 private:
  Commands on(const Started& event);
  Commands on(const SentAgain& event);
  Commands on(const MessageKept& event);
  Commands on(const Recalled& event);
  Commands on(const Thinking& event);
  Commands on(const TextDelta& event);
  Commands on(const ReplyDone& event);
  Commands on(const ReplyFailed& event);
  Commands on(const Stopped& event);
  Commands on(const ReplyKept& event);
  Commands on(const StoreFailed& event);

  Commands answer_from_memory(const Recalled& event);
  Commands keep(store::TurnState state, const claude::Reply& reply, std::string notice);
  Commands end(ShowDone done);

  Settings settings_;
  store::Turn message_;
  store::Session session_;
  std::vector<store::Turn> log_;
  std::vector<store::Memory> given_;
  std::string date_;
  std::vector<store::Id> answers_;  // the messages the reply will answer
  std::string notice_;
  bool keeping_ = false;  // the reply is on its way to the disk; nothing can change it any more
  bool finished_ = false;
};

}  // namespace selfmind::turn

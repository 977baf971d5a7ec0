// Turn decides what happens next in one exchange: events in, commands out. It does no I/O and reads no clock;
// host/runner performs its commands and brings the results back as events. One object per exchange; loop thread only.
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
  Commands handle(const Started& event);
  Commands handle(const SentAgain& event);
  Commands handle(const MessageKept& event);
  Commands handle(const Recalled& event);
  Commands handle(const RecallKept& event);
  Commands handle(const RecallStale& event);
  Commands handle(const Thinking& event);
  Commands handle(const TextDelta& event);
  Commands handle(const ReplyDone& event);
  Commands handle(const ReplyFailed& event);
  Commands handle(const PauseOver& event);
  Commands handle(const Tick& event);
  Commands handle(const Stopped& event);
  Commands handle(const ReplyKept& event);
  Commands handle(const StoreFailed& event);

  Commands recall() const;
  Commands ask() const;
  store::Turn as_typed() const;
  Commands answer_from_memory();
  store::Turn reply_turn(store::TurnState state, std::string text) const;
  Commands keep(store::TurnState state, const claude::Reply& reply, std::string notice);
  Commands end(ShowDone done);

  Settings settings_;
  store::Turn message_;
  std::string typed_;  // the message as it was typed, secrets and all; in no file. Empty: as it is in the log
  store::Session session_;
  std::vector<store::Turn> log_;
  std::vector<store::Memory> given_;
  std::string date_;
  Recalled recalled_;
  std::vector<store::Id> answers_;  // the messages the reply will answer
  std::string notice_;
  std::string partial_;   // of the reply, as it was kept last
  int silent_ticks_ = 0;  // since then
  int retries_ = 0;
  bool pausing_ = false;  // before the next try
  bool shown_ = false;    // some of a reply's text: from then on nothing is asked again by itself
  bool told_ = false;     // what was recalled
  bool stopped_ = false;  // before the message was on disk
  bool stale_ = false;    // the recall was done again once
  bool keeping_ = false;  // the reply is on its way to the disk; nothing can change it any more
  bool finished_ = false;
};

}  // namespace selfmind::turn

// Runner performs the commands of turn/ and brings the results back to it as events. It owns the running exchanges, one
// a chat at most, with their calls to Claude. That a chat is private turn/ does not know: here its commands go to the
// store that it is in, and nothing of it to the learner or into a recording. Loop thread only.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <random>

#include "claude/client.h"
#include "host/editor.h"
#include "host/learner.h"
#include "host/outbox.h"
#include "host/recaller.h"
#include "host/recorder.h"
#include "host/settings.h"
#include "host/store_worker.h"
#include "turn/turn.h"

namespace selfmind::host {

class Runner {
 public:
  // Called once: the message is kept, or why nothing was started.
  using Accepted = std::function<void(Result<TurnResult>)>;

  Runner(Scheduler& scheduler, StoreWorker& store, Recaller& recaller, claude::Client& claude, Editor& editor,
         Learner& learner, Settings settings, Clock& clock, Recorder* recorder);

  void start(store::Id chat, std::string text, Accepted accepted);
  // The newest message, which has no reply or a broken one. A countdown to the next try is cut short instead.
  void send_again(store::Id chat, Accepted accepted);
  // Closes the connection; what had come is kept. False when nothing was running.
  bool stop(store::Id chat);
  bool busy(store::Id chat) const { return exchanges_.count(chat) != 0; }
  // Called when an exchange has come to its end and its reply is kept.
  void when_over(std::function<void(store::Id chat)> over) { over_ = std::move(over); }
  // The editor quits: every running reply is stopped and kept as it is.
  void end();
  void use_key(const claude::Endpoint& endpoint) { settings_.endpoint = endpoint; }

 private:
  struct Exchange {
    Exchange(std::int64_t number, turn::Settings settings, Accepted accepted, Outbox outbox)
        : serial(number), turn(std::move(settings)), accept(std::move(accepted)), text(std::move(outbox)) {}
    std::int64_t serial;  // a chat's next exchange must not get the late events of this one
    turn::Turn turn;
    Accepted accept;
    std::unique_ptr<claude::Call> call;
    std::unique_ptr<Timer> tick;   // while the call runs
    std::unique_ptr<Timer> pause;  // before the next try
    Outbox text;
  };
  // Brings an event to the exchange it belongs to, if that still runs.
  using Back = std::function<void(turn::Event)>;

  void begin(store::Id chat, turn::Event first, Accepted accepted);
  void feed(store::Id chat, std::int64_t serial, turn::Event event);
  Back back(store::Id chat, const Exchange& exchange);
  rpc::Map about(store::Id chat, const Exchange& exchange) const;

  void tick(store::Id chat, Exchange& exchange);
  void load(store::Id chat, Exchange& exchange, std::function<Result<store::Turn>(store::Database&)> message);
  void perform(store::Id chat, Exchange& exchange, turn::KeepMessage command);
  void perform(store::Id chat, Exchange& exchange, turn::LoadMessage command);
  void perform(store::Id chat, Exchange& exchange, turn::Accept command);
  void perform(store::Id chat, Exchange& exchange, turn::Recall command);
  void perform(store::Id chat, Exchange& exchange, turn::KeepRecall command);
  void perform(store::Id chat, Exchange& exchange, turn::Ask command);
  void perform(store::Id chat, Exchange& exchange, turn::Pause command);
  void perform(store::Id chat, Exchange& exchange, turn::KeepPartial command);
  void perform(store::Id chat, Exchange& exchange, turn::KeepReply command);
  void perform(store::Id chat, Exchange& exchange, turn::Learn command);
  void perform(store::Id chat, Exchange& exchange, turn::ShowRecalled command);
  void perform(store::Id chat, Exchange& exchange, turn::ShowThinking command);
  void perform(store::Id chat, Exchange& exchange, turn::ShowText command);
  void perform(store::Id chat, Exchange& exchange, turn::ShowNote command);
  void perform(store::Id chat, Exchange& exchange, turn::ShowDone command);
  void perform(store::Id chat, Exchange& exchange, turn::Refuse command);

  Scheduler& scheduler_;
  StoreWorker& store_;
  Recaller& recaller_;
  claude::Client& claude_;
  Editor& editor_;
  Learner& learner_;
  Settings settings_;
  Clock& clock_;
  Recorder* recorder_;  // null: nothing is recorded
  std::function<void(store::Id chat)> over_;
  std::map<store::Id, std::unique_ptr<Exchange>> exchanges_;
  std::int64_t serial_ = 0;
  std::minstd_rand chance_{std::random_device{}()};
};

}  // namespace selfmind::host

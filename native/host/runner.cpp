#include "host/runner.h"

#include <algorithm>

#include "base/limits.h"
#include "base/log.h"
#include "base/process.h"
#include "claude/retry.h"
#include "store/log.h"

namespace selfmind::host {

Runner::Runner(Scheduler& scheduler, StoreWorker& store, Recaller& recaller, claude::Client& claude, Editor& editor,
               Learner& learner, Settings settings, Clock& clock, Recorder* recorder)
    : scheduler_(scheduler),
      store_(store),
      recaller_(recaller),
      claude_(claude),
      editor_(editor),
      learner_(learner),
      settings_(std::move(settings)),
      clock_(clock),
      recorder_(recorder) {}

void Runner::start(store::Id chat, std::string text, Accepted accepted) {
  begin(chat, turn::Started{chat, std::move(text)}, std::move(accepted));
}

void Runner::send_again(store::Id chat, Accepted accepted) {
  const auto found = exchanges_.find(chat);
  if (found == exchanges_.end() || !found->second->pause) {
    return begin(chat, turn::SentAgain{chat}, std::move(accepted));
  }
  Exchange& exchange = *found->second;
  exchange.pause.reset();
  accepted(TurnResult{exchange.turn.message()});
  feed(chat, exchange.serial, turn::PauseOver{});
}

bool Runner::stop(store::Id chat) {
  const auto found = exchanges_.find(chat);
  if (found == exchanges_.end()) return false;
  Exchange& exchange = *found->second;
  claude::Reply partial = exchange.call ? exchange.call->partial() : claude::Reply{};
  exchange.call.reset();
  exchange.tick.reset();
  exchange.pause.reset();
  feed(chat, exchange.serial, turn::Stopped{std::move(partial)});
  return true;
}

void Runner::end() {
  std::vector<store::Id> running;
  for (const auto& [chat, exchange] : exchanges_) running.push_back(chat);
  for (const auto chat : running) stop(chat);
}

void Runner::begin(store::Id chat, turn::Event first, Accepted accepted) {
  if (busy(chat)) {
    return accepted(Error{ErrorKind::running, "A reply is still coming in this chat; wait for it or stop it first."});
  }
  const std::int64_t serial = ++serial_;
  Outbox outbox(scheduler_, [this, chat, serial](std::string text) {
    const auto found = exchanges_.find(chat);
    if (found == exchanges_.end() || found->second->serial != serial) return;
    auto payload = about(chat, *found->second);
    payload.emplace_back("text", std::move(text));
    editor_.event("turn/text", std::move(payload));
  });
  if (recorder_ != nullptr && !store::is_private(chat)) recorder_->begin_turn(serial, settings_.for_turn());
  exchanges_[chat] = std::make_unique<Exchange>(serial, settings_.for_turn(), std::move(accepted), std::move(outbox));
  feed(chat, serial, std::move(first));
}

void Runner::feed(store::Id chat, std::int64_t serial, turn::Event event) {
  const auto found = exchanges_.find(chat);
  if (found == exchanges_.end() || found->second->serial != serial) return;
  Exchange& exchange = *found->second;
  auto commands = exchange.turn.on(event);
  if (recorder_ != nullptr && !store::is_private(chat)) recorder_->step(serial, event, commands);
  for (auto& command : commands) {
    std::visit([&](auto& c) { perform(chat, exchange, std::move(c)); }, command);
  }
  if (exchange.turn.finished()) exchanges_.erase(chat);
}

Runner::Back Runner::back(store::Id chat, const Exchange& exchange) {
  return [this, chat, serial = exchange.serial](turn::Event event) { feed(chat, serial, std::move(event)); };
}

rpc::Map Runner::about(store::Id chat, const Exchange& exchange) const {
  return {{"chat", chat}, {"turn", exchange.turn.message()}};
}

// Reads the chat as it stands, around its newest message.
void Runner::load(store::Id chat, Exchange& exchange, std::function<Result<store::Turn>(store::Database&)> message) {
  store_.run_with_memories<turn::MessageKept>(
      chat, {},
      [chat, message = std::move(message),
       date = iso_date(clock_.now())](store::Database& database) -> Result<turn::MessageKept> {
        turn::MessageKept kept;
        // What an earlier host of this chat left unfinished must not look as if it still came.
        if (auto settled = store::settle_replies(database, chat); !settled) return settled.error();
        auto turn = message(database);
        if (!turn) return turn.error();
        auto session = store::session(database, chat);
        if (!session) return session.error();
        auto log = store::turns(database, chat, session->history_from);
        if (!log) return log.error();
        auto given = store::memories_given(database, chat);
        if (!given) return given.error();
        return turn::MessageKept{std::move(*turn), std::move(*session), std::move(*log), std::move(*given), date};
      },
      [back = back(chat, exchange)](Result<turn::MessageKept> kept) {
        if (kept) {
          back(std::move(*kept));
        } else {
          back(turn::StoreFailed{kept.error()});
        }
      });
}

void Runner::perform(store::Id chat, Exchange& exchange, turn::KeepMessage command) {
  load(chat, exchange, [command = std::move(command)](store::Database& database) {
    return store::keep_message(database, command.chat, command.text);
  });
}

void Runner::perform(store::Id chat, Exchange& exchange, turn::LoadMessage command) {
  load(chat, exchange, [command](store::Database& database) -> Result<store::Turn> {
    auto log = store::turns(database, command.chat);
    if (!log) return log.error();
    const auto* newest = store::newest_message(*log);
    if (newest == nullptr || !store::can_be_sent_again(*newest, *log)) {
      return Error{ErrorKind::invalid,
                   "The newest message of this chat has its reply; there is nothing to send again."};
    }
    return *newest;
  });
}

void Runner::perform(store::Id, Exchange& exchange, turn::Accept command) {
  if (auto accept = std::exchange(exchange.accept, nullptr)) accept(TurnResult{command.turn});
}

void Runner::perform(store::Id chat, Exchange& exchange, turn::Recall command) {
  recall::Context context;
  context.project = command.project;
  context.skip = [turns = std::move(command.turns_sent),
                  given = std::move(command.given_sent)](const store::Item& item) {
    const auto sent = [&turns](store::Id turn) { return std::find(turns.begin(), turns.end(), turn) != turns.end(); };
    if (item.kind == store::ItemKind::turn) return sent(item.id);
    // A memory whose words stand in the conversation already says nothing new; nor does one that was sent before.
    if (!item.turns.empty() && std::all_of(item.turns.begin(), item.turns.end(), sent)) return true;
    return std::any_of(given.begin(), given.end(), [&item](const store::Given& before) {
      return before.memory == item.id && before.revision == item.revision;
    });
  };
  recaller_.ask(std::move(command.query), std::move(context), static_cast<std::size_t>(command.k),
                std::chrono::milliseconds(settings_.recall_deadline),
                [back = back(chat, exchange)](std::vector<recall::Hit> hits, bool late) {
                  back(turn::Recalled{std::move(hits), late});
                });
}

void Runner::perform(store::Id chat, Exchange& exchange, turn::KeepRecall command) {
  std::vector<store::Id> given;
  for (const auto& one : command.given) given.push_back(one.memory);
  store_.run_with_memories<std::vector<store::Turn>>(
      chat, std::move(given),
      [command = std::move(command)](store::Database& database) -> Result<std::vector<store::Turn>> {
        if (auto kept = store::keep_recall(database, command.turn, command.memory_block, command.given); !kept)
          return kept.error();
        const auto& session = command.session;
        if (auto cut = store::keep_history_cut(database, session.id, session.history_from, session.thinking_from);
            !cut) {
          return cut.error();
        }
        return store::turns(database, session.id, session.history_from);
      },
      [back = back(chat, exchange)](Result<std::vector<store::Turn>> log) {
        if (log) {
          back(turn::RecallKept{std::move(*log)});
        } else if (log.error().kind == ErrorKind::not_found) {
          back(turn::RecallStale{});
        } else {
          back(turn::StoreFailed{log.error()});
        }
      });
}

void Runner::perform(store::Id chat, Exchange& exchange, turn::Ask command) {
  exchange.call =
      claude_.ask(command.request, settings_.endpoint,
                  [back = back(chat, exchange), thinking = false](claude::StreamEvent event) mutable {
                    if (auto* delta = std::get_if<claude::TextDelta>(&event)) {
                      back(turn::TextDelta{std::move(delta->text)});
                    } else if (std::holds_alternative<claude::ThinkingDelta>(event)) {
                      if (!std::exchange(thinking, true)) back(turn::Thinking{});
                    } else if (auto* done = std::get_if<claude::Done>(&event)) {
                      back(turn::ReplyDone{std::move(done->reply)});
                    } else if (auto* failed = std::get_if<claude::Failed>(&event)) {
                      back(turn::ReplyFailed{std::move(failed->error), std::move(failed->partial), failed->retry});
                    }
                  });
  tick(chat, exchange);
}

void Runner::tick(store::Id chat, Exchange& exchange) {
  exchange.tick = scheduler_.after(limits::partial_interval, [this, chat, &exchange] {
    tick(chat, exchange);
    feed(chat, exchange.serial, turn::Tick{exchange.call->partial()});
  });
}

void Runner::perform(store::Id chat, Exchange& exchange, turn::Pause command) {
  exchange.call.reset();
  exchange.tick.reset();
  const double chance = std::uniform_real_distribution<>()(chance_);
  const auto pause = claude::pause_before(command.attempt, command.retry, chance);
  auto payload = about(chat, exchange);
  payload.emplace_back("notice", command.reason.message);
  payload.emplace_back("milliseconds", pause.count());
  editor_.event("turn/pausing", std::move(payload));
  exchange.pause = scheduler_.after(pause, [this, chat, &exchange] {
    exchange.pause.reset();
    feed(chat, exchange.serial, turn::PauseOver{});
  });
}

void Runner::perform(store::Id chat, Exchange&, turn::KeepPartial command) {
  store_.run_in<bool>(
      chat,
      [reply = std::move(command.reply)](store::Database& database) -> Result<bool> {
        if (auto kept = store::keep_partial(database, reply, process_mark()); !kept) return kept.error();
        return true;
      },
      [](Result<bool> kept) {
        if (!kept) log::warning("what has come of a reply was not kept yet: " + kept.error().message);
      });
}

void Runner::perform(store::Id chat, Exchange& exchange, turn::KeepReply command) {
  const bool teaches = command.queue && !store::is_private(chat);
  store_.run_in<store::Turn>(
      chat,
      [command = std::move(command), at = teaches ? learner_.queue_at() : std::nullopt](store::Database& database) {
        return store::keep_reply(database, command.reply, command.answered, process_mark(), at);
      },
      [back = back(chat, exchange)](Result<store::Turn> kept) {
        if (kept) {
          back(turn::ReplyKept{std::move(*kept)});
        } else {
          back(turn::StoreFailed{kept.error()});
        }
      });
}

void Runner::perform(store::Id chat, Exchange&, turn::Learn) {
  if (!store::is_private(chat)) learner_.wake();
}

void Runner::perform(store::Id chat, Exchange& exchange, turn::ShowRecalled command) {
  auto payload = about(chat, exchange);
  payload.emplace_back("hits", encode_list(command.hits));
  payload.emplace_back("late", command.late);
  editor_.event("turn/recalled", std::move(payload));
}

void Runner::perform(store::Id chat, Exchange& exchange, turn::ShowThinking) {
  editor_.event("turn/thinking", about(chat, exchange));
}

void Runner::perform(store::Id, Exchange& exchange, turn::ShowText command) { exchange.text.add(command.text); }

void Runner::perform(store::Id chat, Exchange& exchange, turn::ShowNote command) {
  exchange.text.flush();  // the reply that it stands under
  auto payload = about(chat, exchange);
  payload.emplace_back("notice", std::move(command.text));
  payload.emplace_back("under", command.under_reply ? "reply" : "message");
  editor_.event("turn/note", std::move(payload));
}

void Runner::perform(store::Id chat, Exchange& exchange, turn::ShowDone command) {
  exchange.text.flush();
  auto payload = about(chat, exchange);
  payload.emplace_back("state", command.state);
  if (!command.notice.empty()) payload.emplace_back("notice", command.notice);
  if (command.reply != store::no_id) {
    payload.emplace_back("reply", command.reply);
    payload.emplace_back("usage", encode(command.usage));
    if (const auto dollars = cost_of({{command.model, command.usage}})) payload.emplace_back("cost_usd", *dollars);
  }
  if (!command.model.empty()) payload.emplace_back("model", command.model);
  editor_.event("turn/done", std::move(payload));
  if (over_) over_(chat);
}

void Runner::perform(store::Id, Exchange& exchange, turn::Refuse command) {
  if (auto accept = std::exchange(exchange.accept, nullptr)) accept(command.error);
}

}  // namespace selfmind::host

#include "turn/turn.h"

#include <iterator>

#include <fmt/format.h>

#include "base/utf8.h"
#include "claude/retry.h"
#include "text/secrets.h"
#include "turn/history.h"
#include "turn/memory_block.h"
#include "turn/prompt.h"

namespace selfmind::turn {
namespace {

// The word that is being written may be half a secret, which nothing would recognise.
std::string without_last_word(std::string text) {
  const auto end = text.find_last_of(" \t\n");
  text.resize(end == std::string::npos ? 0 : text.find_last_not_of(" \t\n", end) + 1);
  return text;
}

void append(Commands& commands, Commands more) {
  commands.insert(commands.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

ShowNote kept_out_note(const store::Turn& turn) {
  return {fmt::format("Kept out of the log: {}.", turn.kept_out), turn.role == store::Role::assistant};
}

// A commit id or a checksum is no secret, but a key of an unknown form looks the same.
Commands point_out_unusual(const std::string& message) {
  constexpr std::size_t shown = 12;  // bytes, enough to find the word by
  const auto words = text::unusual_words(message);
  if (words.empty()) return {};
  const auto more = words.size() > 1 ? fmt::format(" and {} more", words.size() - 1) : std::string();
  return {
      ShowNote{fmt::format("Kept in the log, though it looks like a key: {}…{}.", words[0].substr(0, shown), more)}};
}

}  // namespace

// In the order in which things happen. After the end nothing has an effect: a late event of a stopped reply is dropped.
Commands Turn::on(const Event& event) {
  if (finished_) return {};
  return std::visit([this](const auto& e) { return handle(e); }, event);
}

Commands Turn::handle(const Started& e) {
  typed_ = utf8::clean(e.text);
  return {KeepMessage{e.chat, e.text}};
}

Commands Turn::handle(const SentAgain& e) { return {LoadMessage{e.chat}}; }

Commands Turn::handle(const MessageKept& e) {
  const bool first = message_.id == store::no_id && !typed_.empty();
  // What was forgotten during a pause is sent no more, typed or not.
  if (!first && e.message.text != message_.text) typed_.clear();
  message_ = e.message;
  log_ = e.log;
  given_ = e.given;
  date_ = e.date;
  session_ = plan_history(e.session, log_, message_, settings_);
  answers_ = unanswered(session_, log_, message_);
  Commands commands{Accept{message_.id}};
  if (!message_.kept_out.empty()) commands.push_back(kept_out_note(message_));
  if (first) append(commands, point_out_unusual(message_.text));
  // A message whose reply broke off is sent as it was: what it was given stays.
  const bool as_it_was = message_.state == store::TurnState::answered && settings_.online;
  const auto next = stopped_ ? end({"stopped", "Stopped.", store::no_id, {}, {}}) : as_it_was ? ask() : recall();
  append(commands, next);
  return commands;
}

Commands Turn::handle(const Recalled& e) {
  recalled_ = e;
  if (!settings_.online) return answer_from_memory();
  const MemoryBlock block = memory_block(e.hits, corrections(given_, sent_memories(session_, log_, message_)), date_);
  message_.memory_block = block.text;
  message_.given = block.given;
  return {KeepRecall{message_.id, block.text, block.given, session_}};
}

// Only what is on disk is sent, so that the next request can repeat it byte for byte.
Commands Turn::handle(const RecallKept& e) {
  log_ = e.log;
  Commands commands;
  if (!std::exchange(told_, true)) commands.push_back(ShowRecalled{recalled_.hits, recalled_.late});
  append(commands, ask());
  return commands;
}

Commands Turn::handle(const RecallStale&) {
  if (std::exchange(stale_, true)) {
    return end(
        {"failed", "A memory was forgotten while the message was being sent; send it again.", store::no_id, {}, {}});
  }
  given_.clear();  // one of these may be the forgotten one
  return recall();
}

Commands Turn::handle(const Thinking&) { return {ShowThinking{}}; }

// A model may write a NUL, which no buffer line holds; whatever is shown or kept is clean text.
Commands Turn::handle(const TextDelta& e) {
  shown_ = true;
  return {ShowText{utf8::clean(e.text)}};
}

Commands Turn::handle(const ReplyDone& e) {
  switch (e.reply.stop_reason) {
    case claude::StopReason::refusal:
      return keep(store::TurnState::refused, e.reply, refusal_notice(e.reply));
    case claude::StopReason::max_tokens:
      return keep(store::TurnState::done, e.reply,
                  "The reply reached its limit of tokens (max_tokens) and is cut short; ask it to go on.");
    case claude::StopReason::context_exceeded:
      return keep(store::TurnState::done, e.reply,
                  "The chat has grown too long for the model, and the reply is cut short; start a new one.");
    case claude::StopReason::pause_turn:
      return keep(store::TurnState::done, e.reply, "The model paused in the middle of its reply; ask it to go on.");
    default:
      return keep(store::TurnState::done, e.reply, {});
  }
}

Commands Turn::handle(const ReplyFailed& e) {
  if (e.error.kind == ErrorKind::too_large) {
    answers_.clear();  // nothing is answered; but sent along with the next message it would be too large again
    return keep(store::TurnState::refused, {}, e.error.message);
  }
  if (!e.retry.worthwhile || shown_ || retries_ == claude::max_retries) {
    return keep(store::TurnState::interrupted, e.partial, e.error.message);
  }
  pausing_ = true;
  return {Pause{e.error, e.retry, ++retries_}};
}

// From the log on: what was forgotten during the pause must not be sent.
Commands Turn::handle(const PauseOver&) {
  if (!std::exchange(pausing_, false)) return {};
  return {LoadMessage{message_.session}};
}

// What the store has of the reply is never more than a moment old. One that pauses is written again now and then: its
// row says that its writer lives.
Commands Turn::handle(const Tick& e) {
  if (keeping_ || pausing_) return {};
  store::Turn turn = reply_turn(store::TurnState::streaming, without_last_word(utf8::clean(e.partial.text)));
  constexpr int sign_of_life = 5;
  const bool grown = turn.text.size() > partial_.size();
  if (turn.text.empty() || (!grown && ++silent_ticks_ < sign_of_life)) return {};
  silent_ticks_ = 0;
  partial_ = turn.text;
  return {KeepPartial{std::move(turn)}};
}

Commands Turn::handle(const Stopped& e) {
  if (keeping_) return {};
  if (message_.id == store::no_id) {
    stopped_ = true;  // the message is on its way to the disk, and its sender is told so first
    return {};
  }
  return keep(store::TurnState::stopped, e.partial, "Stopped.");
}

Commands Turn::handle(const ReplyKept& e) {
  Commands commands;
  const bool taught = e.reply.state == store::TurnState::done || e.reply.state == store::TurnState::offline;
  if (taught) commands.push_back(Learn{});
  if (!e.reply.kept_out.empty()) commands.push_back(kept_out_note(e.reply));
  const auto end_commands = end({store::to_text(e.reply.state), notice_, e.reply.id, e.reply.model, e.reply.usage});
  append(commands, end_commands);
  return commands;
}

Commands Turn::handle(const StoreFailed& e) {
  if (message_.id != store::no_id) return end({"failed", e.error.message, store::no_id, {}, {}});
  finished_ = true;
  return {Refuse{e.error}};
}

Commands Turn::ask() const { return {Ask{prompt(session_, log_, as_typed(), settings_)}}; }

// The log lacks the secrets of a message; Claude is asked with them, this once.
store::Turn Turn::as_typed() const {
  store::Turn message = message_;
  if (!typed_.empty()) message.text = typed_;
  return message;
}

Commands Turn::recall() const {
  return {Recall{message_.text, settings_.top_k, session_.project, sent_turns(session_, log_),
                 sent_memories(session_, log_, message_)}};
}

Commands Turn::answer_from_memory() {
  claude::Reply reply;
  reply.text = from_memory(recalled_.hits, settings_.offline_why);
  Commands commands{ShowRecalled{recalled_.hits, recalled_.late}, ShowText{reply.text}};
  const auto kept =
      keep(store::TurnState::offline, reply, "Answered from memory alone; your message is kept and can be sent again.");
  append(commands, kept);
  return commands;
}

store::Turn Turn::reply_turn(store::TurnState state, std::string text) const {
  store::Turn turn;
  turn.session = message_.session;
  turn.parent = message_.id;
  turn.role = store::Role::assistant;
  turn.state = state;
  turn.text = std::move(text);
  // As asked for, not as reported: a server may have another name for it, which is no other model.
  turn.model = state == store::TurnState::offline ? "" : settings_.model;
  return turn;
}

// A reply without text leaves nothing to keep but, after a refusal, that there was one.
Commands Turn::keep(store::TurnState state, const claude::Reply& reply, std::string notice) {
  if (utf8::trim(reply.text).empty() && state != store::TurnState::refused) {
    if (state == store::TurnState::done) notice = "The model answered with nothing; send the message again.";
    return end({state == store::TurnState::stopped ? "stopped" : "failed", notice, store::no_id, reply.model, {}});
  }
  store::Turn turn = reply_turn(state, {});
  // A declined reply's text is not kept: sent back, it would be declined again.
  if (state != store::TurnState::refused) {
    turn.text = utf8::clean(reply.text);
    turn.content = reply.content;
  }
  turn.stop_reason = state == store::TurnState::offline ? "" : claude::to_text(reply.stop_reason);
  turn.failure = notice;
  turn.usage = {reply.usage.input, reply.usage.output, reply.usage.cache_read, reply.usage.cache_write};
  notice_ = std::move(notice);
  keeping_ = true;
  // What was said offline teaches at once, by rules; the messages before it have had their turn.
  if (state == store::TurnState::offline) return {KeepReply{std::move(turn), {message_.id}, /*queue=*/true}};
  const bool queue =
      state == store::TurnState::done || state == store::TurnState::stopped || state == store::TurnState::interrupted;
  return {KeepReply{std::move(turn), answers_, queue}};
}

Commands Turn::end(ShowDone done) {
  finished_ = true;
  return {std::move(done)};
}

}  // namespace selfmind::turn

#include "turn/json.h"

#include <array>

#include "saved/values.h"

namespace selfmind::turn {

// In the order of the variants.
constexpr std::array<const char*, 15> variant_names(saved::Tag<Event>) {
  return {"started", "sent_again", "kept",       "recalled", "recall_kept", "recall_stale", "thinking",    "text",
          "done",    "failed",     "pause_over", "tick",     "stopped",     "reply_kept",   "store_failed"};
}

constexpr std::array<const char*, 16> variant_names(saved::Tag<Command>) {
  return {"keep_message", "load_message", "accept",     "recall", "keep_recall",   "ask",
          "pause",        "keep_partial", "keep_reply", "learn",  "show_recalled", "show_thinking",
          "show_text",    "show_note",    "show_done",  "refuse"};
}

template <class F>
void describe(F& f, Settings& s) {
  f("model", s.model);
  f("max_tokens", s.max_tokens);
  f("top_k", s.top_k);
  f("history_turns", s.history_turns);
  f("online", s.online);
  f("offline_why", s.offline_why);
}

// Events ----------------------------------------------------------------------------------------------------------

template <class F>
void describe(F& f, Started& e) {
  f("chat", e.chat);
  f("text", e.text);
}

template <class F>
void describe(F& f, SentAgain& e) {
  f("chat", e.chat);
}

template <class F>
void describe(F& f, MessageKept& e) {
  f("message", e.message);
  f("session", e.session);
  f("log", e.log);
  f("given", e.given);
  f("date", e.date);
}

template <class F>
void describe(F& f, Recalled& e) {
  f("hits", e.hits);
  f("late", e.late);
}

template <class F>
void describe(F& f, RecallKept& e) {
  f("log", e.log);
}

template <class F>
void describe(F&, RecallStale&) {}

template <class F>
void describe(F&, Thinking&) {}

template <class F>
void describe(F& f, TextDelta& e) {
  f("text", e.text);
}

template <class F>
void describe(F& f, ReplyDone& e) {
  f("reply", e.reply);
}

template <class F>
void describe(F& f, ReplyFailed& e) {
  f("error", e.error);
  f("partial", e.partial);
  f("retry", e.retry);
}

template <class F>
void describe(F&, PauseOver&) {}

template <class F>
void describe(F& f, Tick& e) {
  f("partial", e.partial);
}

template <class F>
void describe(F& f, Stopped& e) {
  f("partial", e.partial);
}

template <class F>
void describe(F& f, ReplyKept& e) {
  f("reply", e.reply);
}

template <class F>
void describe(F& f, StoreFailed& e) {
  f("error", e.error);
}

// Commands --------------------------------------------------------------------------------------------------------

template <class F>
void describe(F& f, KeepMessage& c) {
  f("chat", c.chat);
  f("text", c.text);
}

template <class F>
void describe(F& f, LoadMessage& c) {
  f("chat", c.chat);
}

template <class F>
void describe(F& f, Accept& c) {
  f("turn", c.turn);
}

template <class F>
void describe(F& f, Recall& c) {
  f("query", c.query);
  f("k", c.k);
  f("project", c.project);
  f("turns_sent", c.turns_sent);
  f("given_sent", c.given_sent);
}

template <class F>
void describe(F& f, KeepRecall& c) {
  f("turn", c.turn);
  f("memory_block", c.memory_block);
  f("given", c.given);
  f("session", c.session);
}

template <class F>
void describe(F& f, Ask& c) {
  f("request", c.request);
}

template <class F>
void describe(F& f, Pause& c) {
  f("reason", c.reason);
  f("retry", c.retry);
  f("attempt", c.attempt);
}

template <class F>
void describe(F& f, KeepPartial& c) {
  f("reply", c.reply);
}

template <class F>
void describe(F& f, KeepReply& c) {
  f("reply", c.reply);
  f("answered", c.answered);
  f("queue", c.queue);
}

template <class F>
void describe(F&, Learn&) {}

template <class F>
void describe(F& f, ShowRecalled& c) {
  f("hits", c.hits);
  f("late", c.late);
}

template <class F>
void describe(F&, ShowThinking&) {}

template <class F>
void describe(F& f, ShowText& c) {
  f("text", c.text);
}

template <class F>
void describe(F& f, ShowNote& c) {
  f("text", c.text);
  f("under_reply", c.under_reply);
}

template <class F>
void describe(F& f, ShowDone& c) {
  f("state", c.state);
  f("notice", c.notice);
  f("reply", c.reply);
  f("model", c.model);
  f("usage", c.usage);
}

template <class F>
void describe(F& f, Refuse& c) {
  f("error", c.error);
}

saved::Json to_json(const Settings& settings) { return saved::write(settings); }
saved::Json to_json(const Event& event) { return saved::write(event); }
saved::Json to_json(const Commands& commands) { return saved::write(commands); }

Result<Settings> settings_from(const saved::Json& json) {
  return saved::from_json<Settings>(json, "the settings of a turn");
}
Result<Event> event_from(const saved::Json& json) { return saved::from_json<Event>(json, "an event of a turn"); }

}  // namespace selfmind::turn

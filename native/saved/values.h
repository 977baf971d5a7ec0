// The members of the values that turns and learning share. A member that is added to one of these structs is added
// here, or a recording does not have it.
#pragma once
#include <algorithm>
#include <array>

#include "claude/types.h"
#include "recall/rank.h"
#include "saved/fields.h"
#include "store/records.h"

namespace selfmind {

template <class F>
void describe(F& f, Error& e) {
  f("kind", e.kind);
  f("message", e.message);
}

}  // namespace selfmind

namespace selfmind::claude {

constexpr const char* to_text(Thinking thinking) {
  constexpr std::array names{"unset", "adaptive", "disabled", "?"};
  return names[std::min(static_cast<std::size_t>(thinking), names.size() - 1)];
}

constexpr std::array<const char*, 2> variant_names(saved::Tag<std::variant<TextBlock, RawBlocks>>) {
  return {"text", "raw"};
}

template <class F>
void describe(F& f, TextBlock& b) {
  f("text", b.text);
  f("cache_here", b.cache_here);
}

template <class F>
void describe(F& f, RawBlocks& b) {
  f("json", b.json);
  f("without_thinking", b.without_thinking);
}

template <class F>
void describe(F& f, Message& m) {
  f("from_user", m.from_user);
  f("blocks", m.blocks);
}

template <class F>
void describe(F& f, Request& r) {
  f("model", r.model);
  f("max_tokens", r.max_tokens);
  f("system", r.system);
  f("cache_system", r.cache_system);
  f("thinking", r.thinking);
  f("output_schema", r.output_schema);
  f("messages", r.messages);
}

template <class F>
void describe(F& f, Usage& u) {
  f("input", u.input);
  f("output", u.output);
  f("cache_read", u.cache_read);
  f("cache_write", u.cache_write);
}

template <class F>
void describe(F& f, Reply& r) {
  f("id", r.id);
  f("model", r.model);
  f("text", r.text);
  f("content", r.content);
  f("stop_reason", r.stop_reason);
  f("refusal", r.refusal);
  f("usage", r.usage);
}

template <class F>
void describe(F& f, Retry& r) {
  f("worthwhile", r.worthwhile);
  f("after", r.after);
}

}  // namespace selfmind::claude

namespace selfmind::store {

constexpr const char* to_text(ItemKind kind) {
  constexpr std::array names{"memory", "turn", "?"};
  return names[std::min(static_cast<std::size_t>(kind), names.size() - 1)];
}

template <class F>
void describe(F& f, Usage& u) {
  f("input", u.input);
  f("output", u.output);
  f("cache_read", u.cache_read);
  f("cache_write", u.cache_write);
}

template <class F>
void describe(F& f, Given& g) {
  f("memory", g.memory);
  f("revision", g.revision);
  f("rank", g.rank);
  f("score", g.score);
}

template <class F>
void describe(F& f, Turn& t) {
  f("id", t.id);
  f("uuid", t.uuid);
  f("session", t.session);
  f("parent", t.parent);
  f("role", t.role);
  f("state", t.state);
  f("text", t.text);
  f("content", t.content);
  f("memory_block", t.memory_block);
  f("given", t.given);
  f("model", t.model);
  f("stop_reason", t.stop_reason);
  f("failure", t.failure);
  f("usage", t.usage);
  f("kept_out", t.kept_out);
  f("created_at", t.created_at);
}

template <class F>
void describe(F& f, Session& s) {
  f("id", s.id);
  f("uuid", s.uuid);
  f("project", s.project);
  f("title", s.title);
  f("draft", s.draft);
  f("history_from", s.history_from);
  f("thinking_from", s.thinking_from);
  f("created_at", s.created_at);
  f("updated_at", s.updated_at);
}

template <class F>
void describe(F& f, Scores& s) {
  f("utility", s.utility);
  f("durability", s.durability);
  f("urgency", s.urgency);
  f("identity", s.identity);
  f("confidence", s.confidence);
  f("sensitivity", s.sensitivity);
}

template <class F>
void describe(F& f, Memory& m) {
  f("id", m.id);
  f("uuid", m.uuid);
  f("text", m.text);
  f("reason", m.reason);
  f("kind", m.kind);
  f("scene", m.scene);
  f("track", m.track);
  f("state", m.state);
  f("origin", m.origin);
  f("made_by", m.made_by);
  f("project", m.project);
  f("project_name", m.project_name);
  f("revision", m.revision);
  f("turns", m.turns);
  f("scores", m.scores);
  f("valid_from", m.valid_from);
  f("valid_to", m.valid_to);
  f("created_at", m.created_at);
  f("updated_at", m.updated_at);
}

template <class F>
void describe(F& f, Evidence& e) {
  f("turn", e.turn);
  f("quote", e.quote);
}

template <class F>
void describe(F& f, MemoryDraft& d) {
  f("text", d.text);
  f("reason", d.reason);
  f("kind", d.kind);
  f("scene", d.scene);
  f("track", d.track);
  f("origin", d.origin);
  f("made_by", d.made_by);
  f("state", d.state);
  f("project", d.project);
  f("scores", d.scores);
  f("valid_from", d.valid_from);
  f("valid_to", d.valid_to);
  f("same_as", d.same_as);
  f("replaces", d.replaces);
  f("evidence", d.evidence);
}

template <class F>
void describe(F& f, Added& a) {
  f("duplicate", a.duplicate);
  f("memory", a.memory);
  f("replaces", a.replaces);
  f("contradicts", a.contradicts);
  f("kept_out", a.kept_out);
}

template <class F>
void describe(F& f, Spent& s) {
  f("model", s.model);
  f("usage", s.usage);
}

template <class F>
void describe(F& f, QueueEntry& e) {
  f("id", e.id);
  f("turn", e.turn);
  f("session", e.session);
  f("project", e.project);
  f("user_text", e.user_text);
  f("reply_text", e.reply_text);
  f("before", e.before);
  f("before_text", e.before_text);
  f("endpoint", e.endpoint);
  f("model", e.model);
  f("review", e.review);
  f("by_rules", e.by_rules);
  f("attempts", e.attempts);
  f("lease", e.lease);
  f("said_at", e.said_at);
}

template <class F>
void describe(F& f, Item& i) {
  f("kind", i.kind);
  f("id", i.id);
  f("project", i.project);
  f("session", i.session);
  f("role", i.role);
  f("speaker", i.speaker);
  f("text", i.text);
  f("memory_kind", i.memory_kind);
  f("revision", i.revision);
  f("turns", i.turns);
  f("at", i.at);
}

}  // namespace selfmind::store

namespace selfmind::recall {

template <class F>
void describe(F& f, ScorePart& p) {
  f("name", p.name);
  f("value", p.value);
}

template <class F>
void describe(F& f, Hit& h) {
  f("item", h.item);
  f("score", h.score);
  f("parts", h.parts);
  f("excerpt", h.excerpt);
}

}  // namespace selfmind::recall

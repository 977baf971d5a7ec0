#include "learn/json.h"

#include <array>

#include "saved/values.h"

namespace selfmind::learn {

// In the order of the variants.
constexpr std::array<const char*, 8> variant_names(saved::Tag<Event>) {
  return {"woken", "leased", "known", "extracted", "extract_failed", "kept", "released", "store_failed"};
}

constexpr std::array<const char*, 7> variant_names(saved::Tag<Command>) {
  return {"lease", "find_known", "ask", "keep_learned", "release", "show_learned", "show_failed"};
}

template <class F>
void describe(F& f, Settings& s) {
  f("model", s.model);
  f("endpoint", s.endpoint);
  f("max_tokens", s.max_tokens);
  f("dedupe_threshold", s.dedupe_threshold);
  f("review", s.review);
  f("budget", s.budget);
}

// Events

template <class F>
void describe(F&, Woken&) {}

template <class F>
void describe(F& f, Leased& e) {
  f("entry", e.entry);
  f("date", e.date);
  f("spent", e.spent);
}

template <class F>
void describe(F& f, Known& e) {
  f("memories", e.memories);
}

template <class F>
void describe(F& f, Extracted& e) {
  f("reply", e.reply);
}

template <class F>
void describe(F& f, ExtractFailed& e) {
  f("error", e.error);
}

template <class F>
void describe(F& f, Kept& e) {
  f("added", e.added);
}

template <class F>
void describe(F&, Released&) {}

template <class F>
void describe(F& f, StoreFailed& e) {
  f("error", e.error);
}

// Commands

template <class F>
void describe(F&, Lease&) {}

template <class F>
void describe(F& f, FindKnown& c) {
  f("entry", c.entry);
}

template <class F>
void describe(F& f, Ask& c) {
  f("request", c.request);
}

template <class F>
void describe(F& f, KeepLearned& c) {
  f("entry", c.entry);
  f("drafts", c.drafts);
  f("spent", c.spent);
}

template <class F>
void describe(F& f, Release& c) {
  f("entry", c.entry);
  f("counts", c.counts);
  f("failure", c.failure);
  f("spent", c.spent);
}

template <class F>
void describe(F& f, ShowLearned& c) {
  f("turn", c.turn);
  f("added", c.added);
}

template <class F>
void describe(F& f, ShowFailed& c) {
  f("turn", c.turn);
  f("notice", c.notice);
}

saved::Json to_json(const Settings& settings) { return saved::write(settings); }
saved::Json to_json(const Event& event) { return saved::write(event); }
saved::Json to_json(const Commands& commands) { return saved::write(commands); }

Result<Settings> settings_from(const saved::Json& json) {
  return saved::from_json<Settings>(json, "the settings of learning");
}
Result<Event> event_from(const saved::Json& json) { return saved::from_json<Event>(json, "an event of learning"); }

}  // namespace selfmind::learn

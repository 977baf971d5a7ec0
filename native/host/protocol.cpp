#include "host/protocol.h"

#include <fmt/format.h>

#include "claude/models.h"
#include "rpc/binder.h"

namespace selfmind::host {
namespace {

using rpc::Array;
using rpc::Fields;
using rpc::Map;
using rpc::Value;

template <class P>
Result<P> finished(const Fields& fields, P params) {
  if (auto done = fields.done(); !done) return done.error();
  return params;
}

std::optional<std::string> text_if_there(Fields& fields, std::string_view key) {
  std::string text = fields.text_or(key, {});
  if (text.empty()) return std::nullopt;
  return text;
}

Result<void> read_integer(Fields& fields, std::string_view key, std::optional<std::int64_t>& into) {
  const Value* value = fields.any(key);
  if (!value) return {};
  const auto* number = value->as_int();
  if (!number) return Error{ErrorKind::invalid, fmt::format("The setting \"{}\" must be a whole number.", key)};
  into = *number;
  return {};
}

Result<void> read_number(Fields& fields, const char* key, const std::string& name, std::optional<double>& into) {
  const Value* value = fields.any(key);
  if (!value) return {};
  // Lua writes 1.0 as an integer.
  if (const auto* real = value->as_double()) {
    into = *real;
  } else if (const auto* whole = value->as_int()) {
    into = static_cast<double>(*whole);
  } else {
    return Error{ErrorKind::invalid, fmt::format("The setting \"{}\" must be a number.", name)};
  }
  return {};
}

// A group of two: a switch, and the number that goes with it.
Result<void> read_switch(Fields& fields, const char* key, std::optional<bool>& enabled, const char* number,
                         std::optional<double>& into) {
  const Value* group = fields.any(key);
  if (!group) return {};
  const auto name = fmt::format("retrieval.{}", key);
  Fields own(*group);
  if (own.any("enabled")) enabled = own.flag_or("enabled", false);
  if (auto read = read_number(own, number, fmt::format("{}.{}", name, number), into); !read) return read;
  if (auto done = own.done(); !done) return rpc::in_method(name, done.error());
  return {};
}

Result<void> read_patterns(const Value& secrets, std::optional<std::vector<std::string>>& into) {
  Fields own(secrets);
  if (const Value* given = own.any("patterns")) {
    const auto wrong = Error{ErrorKind::invalid, "The setting \"secrets.patterns\" must be a list of strings."};
    const auto* list = given->as_array();
    if (!list) return wrong;
    into.emplace();
    for (const auto& item : *list) {
      const auto* pattern = item.as_string();
      if (!pattern) return wrong;
      into->push_back(*pattern);
    }
  }
  if (auto done = own.done(); !done) return rpc::in_method("secrets", done.error());
  return {};
}

Value id_or_nil(store::Id id) { return id == store::no_id ? Value() : Value(id); }

Value doubts_or_nil(const std::vector<store::Doubt>& doubts) {
  if (doubts.empty()) return {};
  Array list;
  for (const auto& doubt : doubts) list.push_back(Map{{"id", doubt.id}, {"text", doubt.text}});
  return list;
}

Value text_or_nil(const std::string& text) { return text.empty() ? Value() : Value(text); }

std::string scope(store::Id project) { return project == store::no_id ? "global" : "project"; }

std::string source(store::ItemKind kind) { return kind == store::ItemKind::memory ? "memory" : "turn"; }

Map encode_expected(const store::Expected& expected) {
  Map map{{"source", source(expected.kind)}, {"id", expected.id}, {"text", expected.text}};
  if (expected.kind == store::ItemKind::memory) map.emplace_back("state", expected.state);
  return map;
}

Map encode_probe(const store::Probe& probe, Array expect) {
  return Map{{"id", probe.id},
             {"uuid", probe.uuid},
             {"query", probe.query},
             {"scope", scope(probe.project)},
             {"expect", std::move(expect)},
             {"created_at", iso8601(probe.created_at)}};
}

Value encode_outcome(const ProbeOutcome& outcome) {
  Array expect;
  for (std::size_t i = 0; i < outcome.places.size(); ++i) {
    Map expected = encode_expected(outcome.probe.expect[i]);
    const auto& place = outcome.places[i];
    expected.emplace_back("place", place ? Value(static_cast<std::int64_t>(*place)) : Value());
    expect.push_back(std::move(expected));
  }
  Map map = encode_probe(outcome.probe, std::move(expect));
  map.emplace_back("first", outcome.first ? encode(*outcome.first) : Value());
  map.emplace_back("counted", outcome.counted);
  return map;
}

Value share(const std::optional<double>& mean) { return mean ? Value(*mean) : Value(); }

Value shares(const std::vector<std::size_t>& ks, const std::vector<std::optional<double>>& means) {
  Map map;
  for (std::size_t i = 0; i < ks.size(); ++i) map.emplace_back(std::to_string(ks[i]), share(means[i]));
  return map;
}

Value counts(const std::map<std::string, std::int64_t>& counts) {
  Map map;
  for (const auto& [name, count] : counts) map.emplace_back(name, count);
  return map;
}

Value time_or_nil(const std::optional<Time>& time) { return time ? Value(iso8601(*time)) : Value(); }

Value encode_scores(const std::optional<store::Scores>& scores) {
  if (!scores) return {};
  return Map{{"utility", scores->utility},   {"durability", scores->durability}, {"urgency", scores->urgency},
             {"identity", scores->identity}, {"confidence", scores->confidence}, {"sensitivity", scores->sensitivity}};
}

// Of several models together; the cost is nil where the price of one is unknown.
Map encode_usage(const std::map<std::string, store::Usage>& by_model) {
  Map map = *encode(store::total(by_model)).as_map();
  const auto dollars = cost_of(by_model);
  map.emplace_back("cost_usd", dollars ? Value(*dollars) : Value());
  return map;
}

Value encode_turn(const store::Turn& turn) {
  Map map{{"id", turn.id},
          {"role", store::to_text(turn.role)},
          {"state", store::to_text(turn.state)},
          {"text", turn.text},
          {"at", iso8601(turn.created_at)}};
  if (!turn.model.empty()) {
    map.emplace_back("model", turn.model);
    map.emplace_back("usage", encode(turn.usage));
    if (const auto dollars = cost_of({{turn.model, turn.usage}})) map.emplace_back("cost_usd", *dollars);
  }
  if (!turn.failure.empty()) map.emplace_back("notice", turn.failure);
  if (!turn.given.empty()) {
    Array given;
    for (const auto& memory : turn.given) given.push_back(memory.memory);
    map.emplace_back("given", std::move(given));
  }
  return map;
}

}  // namespace

Result<RetrievalParams> RetrievalParams::decode(const Value& value) {
  Fields fields(value);
  RetrievalParams params;
  params.preset = text_if_there(fields, "preset");
  const auto number = [&fields](const char* key, std::optional<double>& into) {
    return read_number(fields, key, fmt::format("retrieval.{}", key), into);
  };
  for (const auto& read :
       {number("text_weight", params.text_weight), number("vector_weight", params.vector_weight),
        number("min_score", params.min_score), number("candidate_multiplier", params.candidate_multiplier),
        read_switch(fields, "mmr", params.mmr, "lambda", params.mmr_lambda),
        read_switch(fields, "temporal_decay", params.temporal_decay, "half_life_days", params.half_life_days)}) {
    if (!read) return read.error();
  }
  if (auto done = fields.done(); !done) return rpc::in_method("retrieval", done.error());
  return params;
}

Result<SettingsParams> SettingsParams::decode(const Value& value) {
  Fields fields(value);
  SettingsParams params;
  params.chat_model = text_if_there(fields, "chat_model");
  params.memory_model = text_if_there(fields, "memory_model");
  params.base_url = text_if_there(fields, "base_url");
  params.db = text_if_there(fields, "db");
  params.learning = text_if_there(fields, "learning");
  for (const auto& read :
       {read_integer(fields, "top_k", params.top_k), read_integer(fields, "history_turns", params.history_turns),
        read_integer(fields, "max_tokens", params.max_tokens),
        read_integer(fields, "memory_max_tokens", params.memory_max_tokens),
        read_integer(fields, "recall_deadline", params.recall_deadline),
        read_integer(fields, "learning_budget", params.learning_budget),
        read_number(fields, "dedupe_threshold", "dedupe_threshold", params.dedupe_threshold)}) {
    if (!read) return read.error();
  }
  if (const Value* given = fields.any("retrieval")) {
    auto retrieval = RetrievalParams::decode(*given);
    if (!retrieval) return retrieval.error();
    params.retrieval = std::move(*retrieval);
  }
  if (const Value* given = fields.any("secrets")) {
    if (auto read = read_patterns(*given, params.secret_patterns); !read) return read.error();
  }
  return finished(fields, std::move(params));
}

Result<HelloParams> HelloParams::decode(const Value& value) {
  Fields fields(value);
  HelloParams params{fields.integer("protocol"), fields.text("plugin"), {}};
  if (const Value* given = fields.any("settings")) {
    auto settings = SettingsParams::decode(*given);
    if (!settings) return settings.error();
    params.settings = std::move(*settings);
  }
  return finished(fields, std::move(params));
}

Result<KeyParams> KeyParams::decode(const Value& value) {
  Fields fields(value);
  return finished(fields, KeyParams{fields.text("api_key")});
}

Result<ChatOpenParams> ChatOpenParams::decode(const Value& value) {
  Fields fields(value);
  return finished(
      fields, ChatOpenParams{fields.text("folder"), fields.integer_or("chat", store::no_id), fields.text_or("uuid", {}),
                             fields.flag_or("fresh", false), fields.flag_or("private", false)});
}

Result<ChatParams> ChatParams::decode(const Value& value) {
  Fields fields(value);
  return finished(fields, ChatParams{fields.integer("chat")});
}

Result<ChatTextParams> ChatTextParams::decode(const Value& value) {
  Fields fields(value);
  return finished(fields, ChatTextParams{fields.integer("chat"), fields.text("text")});
}

Result<RememberParams> RememberParams::decode(const Value& value) {
  Fields fields(value);
  return finished(fields, RememberParams{fields.text("folder"), fields.text("text"), fields.flag_or("global", false),
                                         fields.flag_or("force", false)});
}

Result<ForgetParams> ForgetParams::decode(const Value& value) {
  Fields fields(value);
  return finished(fields, ForgetParams{fields.integers("ids"), fields.flag_or("dry_run", false)});
}

Result<ForgetChatParams> ForgetChatParams::decode(const Value& value) {
  Fields fields(value);
  return finished(fields, ForgetChatParams{fields.integer("chat"), fields.flag_or("memories", false),
                                           fields.flag_or("dry_run", false)});
}

Result<ForgetProjectParams> ForgetProjectParams::decode(const Value& value) {
  Fields fields(value);
  return finished(fields, ForgetProjectParams{fields.text("folder"), fields.flag_or("memories", false),
                                              fields.flag_or("dry_run", false)});
}

Result<IdsParams> IdsParams::decode(const Value& value) {
  Fields fields(value);
  IdsParams params{fields.integers("ids"), {}};
  if (fields.any("old")) params.old = fields.integers("old");
  return finished(fields, std::move(params));
}

Result<ViewParams> ViewParams::decode(const Value& value) {
  Fields fields(value);
  return finished(fields,
                  ViewParams{fields.text("folder"), fields.flag_or("all", false), fields.flag_or("waiting", false)});
}

Result<RecallParams> RecallParams::decode(const Value& value) {
  Fields fields(value);
  RecallParams params{fields.text("folder"), fields.text("query"), fields.integer_or("k", 0)};
  if (params.k < 0 || params.k > 1000) return Error{ErrorKind::invalid, "memory.recall: \"k\" must be from 1 to 1000."};
  return finished(fields, std::move(params));
}

Result<AsOfParams> AsOfParams::decode(const Value& value) {
  Fields fields(value);
  return finished(fields, AsOfParams{fields.text("folder"), fields.text("date")});
}

Result<RollbackParams> RollbackParams::decode(const Value& value) {
  Fields fields(value);
  RollbackParams params{fields.text("folder"), fields.integer_or("chat", store::no_id), fields.text_or("since", ""),
                        fields.flag_or("dry_run", false)};
  if ((params.chat == store::no_id) == params.since.empty()) {
    return Error{ErrorKind::invalid, "memory.rollback: give one of \"chat\" and \"since\"."};
  }
  return finished(fields, std::move(params));
}

Result<LogParams> LogParams::decode(const Value& value) {
  Fields fields(value);
  return finished(fields, LogParams{fields.text("folder"), fields.text("date")});
}

Result<ChatListParams> ChatListParams::decode(const Value& value) {
  Fields fields(value);
  return finished(fields, ChatListParams{fields.text("folder"), fields.text_or("words", {})});
}

Result<ProbeParams> ProbeParams::decode(const Value& value) {
  Fields fields(value);
  ProbeParams params{fields.text("folder"), fields.text("query"), {}, {}, fields.flag_or("global", false)};
  if (fields.any("memories")) params.memories = fields.integers("memories");
  if (fields.any("turns")) params.turns = fields.integers("turns");
  return finished(fields, std::move(params));
}

Result<FolderParams> FolderParams::decode(const Value& value) {
  Fields fields(value);
  return finished(fields, FolderParams{fields.text("folder")});
}

Result<IdParams> IdParams::decode(const Value& value) {
  Fields fields(value);
  return finished(fields, IdParams{fields.integer("id")});
}

Value encode(const Nothing&) { return Map{}; }

Value encode(const HelloResult& r) {
  return Map{{"protocol", protocol_version},
             {"version", program_version},
             {"schema", store::schema_version},
             {"sqlite", r.sqlite},
             {"journal", r.journal},
             {"db", r.db},
             {"chat_model", r.chat_model},
             {"memory_model", r.memory_model},
             {"base_url", r.base_url},
             {"online", r.offline_why.empty()},
             {"offline_why", r.offline_why},
             {"read_only", r.read_only},
             {"settings", r.settings},
             {"useless", r.useless},
             {"lacking", r.lacking},
             {"key", r.key},
             {"network", r.network}};
}

Value encode(const ChatResult& r) {
  Array turns;
  for (const auto& turn : r.turns) turns.push_back(encode_turn(turn));
  return Map{{"chat", r.session.id},      {"uuid", r.session.uuid},
             {"title", r.session.title},  {"project", Map{{"id", r.project.id}, {"name", r.project.name}}},
             {"draft", r.session.draft},  {"busy", r.busy},
             {"turns", std::move(turns)}, {"private", store::is_private(r.session.id)}};
}

Value encode(const TurnResult& r) { return Map{{"turn", r.turn}}; }
Value encode(const StopResult& r) { return Map{{"stopped", r.stopped}}; }

Value encode(const RememberResult& r) {
  Map map{{"id", r.added.memory.id},
          {"state", r.added.duplicate ? "duplicate" : "stored"},
          {"text", r.added.memory.text},
          {"uuid", r.added.memory.uuid}};
  if (!r.added.kept_out.empty()) map.emplace_back("kept_out", r.added.kept_out);
  return map;
}

Value encode(const ForgetResult& result) {
  const auto& r = result.forgotten;
  return Map{{"memories", encode_list(r.memories)},
             {"kept", encode_list(r.kept)},
             {"name", r.name},
             {"chats", Array(r.chats.begin(), r.chats.end())},
             {"turns_gone", r.turns_gone},
             {"turns_cut", r.turns_cut},
             {"probes_gone", r.probes_gone},
             {"probes_cut", r.probes_cut},
             {"copies", r.copies},
             {"remains", !r.remains.empty()},
             {"remaining", Array(r.remains.begin(), r.remains.end())}};
}

Value encode(const MemoriesResult& r) { return Map{{"memories", encode_list(r.memories)}}; }
Value encode_change(const store::Change& change) {
  return Map{{"verb", change.verb},
             {"made_by", change.made_by},
             {"at", iso8601(change.at)},
             {"turn", id_or_nil(change.turn)},
             {"chat", id_or_nil(change.session)}};
}

Value encode(const HistoryResult& result) {
  const auto& history = result.history;
  Array revisions;
  for (const auto& one : history.revisions) {
    revisions.push_back(Map{{"revision", one.number},
                            {"text", one.text},
                            {"kind", one.kind},
                            {"state", one.state},
                            {"change", encode_change(one.change)}});
  }
  Array sources;
  for (const auto& one : history.sources) {
    sources.push_back(Map{{"turn", one.evidence.turn},
                          {"quote", one.evidence.quote},
                          {"chat", one.session},
                          {"at", iso8601(one.said_at)}});
  }
  return Map{{"memory", encode(history.memory)}, {"revisions", revisions}, {"sources", sources}};
}

Value encode(const UndoResult& result) {
  const auto& undone = result.undone;
  return Map{{"change", encode_change(undone.change)}, {"memories", encode_list(undone.memories)}};
}

Value encode(const RollbackResult& result) {
  const auto& rolled = result.rolled;
  return Map{{"memories", encode_list(rolled.memories)}, {"kept", encode_list(rolled.kept)}, {"turns", rolled.turns}};
}

Value encode(const ChatsResult& result) {
  Array chats;
  for (const auto& chat : result.chats) {
    chats.push_back(Map{{"chat", chat.id},
                        {"uuid", chat.uuid},
                        {"title", chat.title},
                        {"updated_at", iso8601(chat.updated_at)},
                        {"messages", chat.messages},
                        {"turn", id_or_nil(chat.turn)},
                        {"excerpt", chat.excerpt}});
  }
  return Map{{"chats", std::move(chats)}};
}

Value encode(const LogResult& result) { return Map{{"turns", encode_log(result.turns)}}; }

Value encode(const HitsResult& r) { return Map{{"hits", encode_list(r.hits)}}; }

std::optional<double> cost_of(const std::map<std::string, store::Usage>& by_model) {
  double all = 0;
  for (const auto& [model, usage] : by_model) {
    const auto dollars = claude::cost({usage.input, usage.output, usage.cache_read, usage.cache_write}, model);
    if (!dollars) return std::nullopt;
    all += *dollars;
  }
  return all;
}

Value encode(const StatsResult& result) {
  const auto& r = result.stats;
  Map learning = encode_usage(r.learning);
  learning.emplace_back("calls", r.learning_calls);
  learning.emplace_back("today", r.learning_today);
  return Map{{"memories", counts(r.memories)},
             {"kinds", counts(r.kinds)},
             {"scopes", counts(r.scopes)},
             {"turns", r.turns},
             {"sessions", r.sessions},
             {"queue", r.queue},
             {"parked", r.parked},
             {"bytes", r.bytes},
             {"tokens", Map{{"chat", encode_usage(r.chat)}, {"learning", std::move(learning)}}},
             {"schema", r.schema},
             {"sqlite", r.sqlite},
             {"journal", r.journal}};
}

Value encode(const ProbeResult& r) {
  Map map = *encode(r.added.probe).as_map();
  if (r.added.replaced != store::no_id) map.emplace_back("replaced", r.added.replaced);
  return map;
}

Value encode(const ProbesResult& r) { return Map{{"probes", encode_list(r.probes)}}; }

Value encode(const ProbeReport& r) {
  Array outcomes;
  for (const auto& outcome : r.outcomes) outcomes.push_back(encode_outcome(outcome));
  return Map{{"probes", std::move(outcomes)},
             {"n", static_cast<std::int64_t>(r.counted)},
             {"recall", shares(r.ks, r.recall)},
             {"any", shares(r.ks, r.any)},
             {"mrr", share(r.mrr)},
             {"none", share(r.none)}};
}

Value encode(const store::Memory& m) {
  return Map{{"id", m.id},
             {"uuid", m.uuid},
             {"text", m.text},
             {"kind", m.kind},
             {"scope", scope(m.project)},
             {"scene", text_or_nil(m.scene)},
             {"track", text_or_nil(m.track)},
             {"state", m.state},
             {"origin", m.origin},
             {"made_by", m.made_by},
             {"project", text_or_nil(m.project_name)},
             {"replaces", id_or_nil(m.replaces)},
             {"replaced_by", id_or_nil(m.replaced_by)},
             {"contradicts", doubts_or_nil(m.contradicts)},
             {"reason", text_or_nil(m.reason)},
             {"scores", encode_scores(m.scores)},
             {"valid_from", time_or_nil(m.valid_from)},
             {"valid_to", time_or_nil(m.valid_to)},
             {"created_at", iso8601(m.created_at)}};
}

Value encode(const recall::Hit& hit) {
  const auto& item = hit.item;
  Map map{{"source", source(item.kind)}, {"id", item.id},
          {"text", item.text},           {"excerpt", hit.excerpt.empty() ? item.text : hit.excerpt},
          {"score", hit.score},          {"created_at", iso8601(item.at)}};
  if (item.kind == store::ItemKind::memory) {
    map.emplace_back("kind", item.memory_kind);
    map.emplace_back("scope", scope(item.project));
    map.emplace_back("scene", Value());
    map.emplace_back("track", Value());
    map.emplace_back("state", "active");  // nothing else is indexed
  } else {
    map.emplace_back("role", store::to_text(item.role));
    map.emplace_back("session", item.session);
  }
  return map;
}

Value encode(const store::Usage& usage) {
  return Map{{"input", usage.input},
             {"output", usage.output},
             {"cache_read", usage.cache_read},
             {"cache_write", usage.cache_write}};
}

Value encode(const store::Probe& probe) {
  Array expect;
  for (const auto& expected : probe.expect) expect.push_back(encode_expected(expected));
  return encode_probe(probe, std::move(expect));
}

Value encode_list(const std::vector<store::Probe>& probes) {
  Array list;
  for (const auto& probe : probes) list.push_back(encode(probe));
  return list;
}

Value encode_list(const std::vector<store::Memory>& memories) {
  Array list;
  for (const auto& memory : memories) list.push_back(encode(memory));
  return list;
}

Value encode_log(const std::vector<store::Turn>& turns) {
  Array list;
  for (const auto& turn : turns) {
    list.push_back(Map{{"id", turn.id},
                       {"chat", turn.session},
                       {"role", store::to_text(turn.role)},
                       {"state", store::to_text(turn.state)},
                       {"text", turn.text},
                       {"created_at", iso8601(turn.created_at)}});
  }
  return list;
}

Value encode_list(const std::vector<recall::Hit>& hits) {
  Array list;
  for (const auto& hit : hits) list.push_back(encode(hit));
  return list;
}

}  // namespace selfmind::host

// Parameters and results of every method, and the version. doc/internals/protocol.md describes them and
// lua/selfmind/protocol.lua has the same classes.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "host/probe_run.h"
#include "recall/rank.h"
#include "rpc/message.h"
#include "store/chats.h"
#include "store/memories.h"
#include "store/revisions.h"
#include "store/stats.h"

namespace selfmind::host {

inline constexpr int protocol_version = 1;
inline constexpr const char* program_version = SELFMIND_VERSION;

// Parameters ------------------------------------------------------------------------------------------------------

struct RetrievalParams {  // each overrides what the preset has
  std::optional<std::string> preset;
  std::optional<double> text_weight, vector_weight, min_score, mmr_lambda, half_life_days, candidate_multiplier;
  std::optional<bool> mmr, temporal_decay;
  static Result<RetrievalParams> decode(const rpc::Value& value);
};
struct SettingsParams {
  std::optional<std::string> chat_model, memory_model, base_url, db, learning;
  std::optional<std::int64_t> top_k, history_turns, max_tokens, memory_max_tokens, recall_deadline, learning_budget;
  std::optional<double> dedupe_threshold;
  RetrievalParams retrieval;
  std::optional<std::vector<std::string>> secret_patterns;
  static Result<SettingsParams> decode(const rpc::Value& value);
};
struct HelloParams {
  std::int64_t protocol;
  std::string plugin;
  SettingsParams settings;
  static Result<HelloParams> decode(const rpc::Value& value);
};
struct KeyParams {
  std::string api_key;
  static Result<KeyParams> decode(const rpc::Value& value);
};
struct ChatOpenParams {
  std::string folder;
  store::Id chat;    // no_id: the one with `uuid`
  std::string uuid;  // empty too: the project's last one
  bool fresh;
  bool in_private;  // a new one of which nothing is kept; with `uuid` one of these that is open
  static Result<ChatOpenParams> decode(const rpc::Value& value);
};
struct ChatParams {  // turn.retry, turn.stop, chat.close
  store::Id chat;
  static Result<ChatParams> decode(const rpc::Value& value);
};
struct ChatTextParams {  // turn.start, chat.draft
  store::Id chat;
  std::string text;
  static Result<ChatTextParams> decode(const rpc::Value& value);
};
struct RememberParams {
  std::string folder;
  std::string text;
  bool global;
  bool force;
  static Result<RememberParams> decode(const rpc::Value& value);
};
struct ForgetParams {
  std::vector<store::Id> ids;
  bool dry_run;
  static Result<ForgetParams> decode(const rpc::Value& value);
};
struct ForgetChatParams {  // chat.forget
  store::Id chat;
  bool memories;  // what was learned only there goes as well
  bool dry_run;
  static Result<ForgetChatParams> decode(const rpc::Value& value);
};
struct ForgetProjectParams {  // project.forget
  std::string folder;
  bool memories;  // its memories go as well
  bool dry_run;
  static Result<ForgetProjectParams> decode(const rpc::Value& value);
};
struct IdsParams {  // memory.accept, memory.archive, memory.unarchive, memory.replace
  std::vector<store::Id> ids;
  std::vector<store::Id> old;  // memory.replace: which of what it contradicts; empty: all
  static Result<IdsParams> decode(const rpc::Value& value);
};
struct ViewParams {  // memory.list, stats
  std::string folder;
  bool all;
  bool waiting;  // memory.list: those that wait for the user
  static Result<ViewParams> decode(const rpc::Value& value);
};
struct RecallParams {
  std::string folder;
  std::string query;
  std::int64_t k;  // 0: top_k
  static Result<RecallParams> decode(const rpc::Value& value);
};

struct AsOfParams {  // memory.asof
  std::string folder;
  std::string date;
  static Result<AsOfParams> decode(const rpc::Value& value);
};
struct RollbackParams {  // memory.rollback; one of chat and since
  std::string folder;
  store::Id chat;
  std::string since;  // a date
  bool dry_run;
  static Result<RollbackParams> decode(const rpc::Value& value);
};
struct LogParams {  // log.day
  std::string folder;
  std::string date;
  static Result<LogParams> decode(const rpc::Value& value);
};
struct ChatListParams {  // chat.list
  std::string folder;
  std::string words;  // empty: all
  static Result<ChatListParams> decode(const rpc::Value& value);
};
struct ProbeParams {  // probe.add
  std::string folder;
  std::string query;
  std::vector<store::Id> memories, turns;  // what should be found; none: nothing should be
  bool global;
  static Result<ProbeParams> decode(const rpc::Value& value);
};
struct FolderParams {  // probe.list, probe.run, memory.undo
  std::string folder;
  static Result<FolderParams> decode(const rpc::Value& value);
};
struct IdParams {  // probe.remove, memory.history
  store::Id id;
  static Result<IdParams> decode(const rpc::Value& value);
};

// Results ---------------------------------------------------------------------------------------------------------

struct Nothing {};
struct HelloResult {
  std::string db, journal, sqlite, chat_model, memory_model, base_url, offline_why, read_only;
  rpc::Map settings;    // Settings::shown()
  rpc::Map useless;     // settings that were given and have no effect: why, by name
  std::string lacking;  // what the preset lacks so far, a sentence; empty: nothing
  std::string key;      // where the key comes from; empty: there is none
  rpc::Map network;     // network_variables()
};
struct ChatResult {
  store::Session session;
  store::Project project;
  std::vector<store::Turn> turns;
  bool busy = false;
};
struct TurnResult {
  store::Id turn;
};
struct StopResult {
  bool stopped;
};
struct RememberResult {
  store::Added added;
};
struct ForgetResult {
  store::Forgotten forgotten;
};
struct StatsResult {
  store::Stats stats;
};
struct MemoriesResult {
  std::vector<store::Memory> memories;
};
struct HistoryResult {
  store::History history;
};
struct UndoResult {
  store::Undone undone;
};
struct RollbackResult {
  store::RolledBack rolled;
};
struct ChatsResult {
  std::vector<store::FoundChat> chats;
};
struct LogResult {
  std::vector<store::Turn> turns;
};
struct HitsResult {
  std::vector<recall::Hit> hits;
};
struct ProbeResult {
  store::AddedProbe added;
};
struct ProbesResult {
  std::vector<store::Probe> probes;
};

rpc::Value encode(const Nothing& result);
rpc::Value encode(const HelloResult& result);
rpc::Value encode(const ChatResult& result);
rpc::Value encode(const TurnResult& result);
rpc::Value encode(const StopResult& result);
rpc::Value encode(const RememberResult& result);
rpc::Value encode(const ForgetResult& result);
rpc::Value encode(const MemoriesResult& result);
rpc::Value encode(const HistoryResult& result);
rpc::Value encode(const UndoResult& result);
rpc::Value encode(const RollbackResult& result);
rpc::Value encode(const ChatsResult& result);
rpc::Value encode(const LogResult& result);
rpc::Value encode(const HitsResult& result);
rpc::Value encode(const StatsResult& result);
rpc::Value encode(const ProbeResult& result);
rpc::Value encode(const ProbesResult& result);
rpc::Value encode(const ProbeReport& result);

// In US dollars; nothing where the price of one of the models is unknown.
std::optional<double> cost_of(const std::map<std::string, store::Usage>& by_model);

// Parts that events share
rpc::Value encode(const store::Memory& memory);
rpc::Value encode(const recall::Hit& hit);
rpc::Value encode(const store::Usage& usage);
rpc::Value encode(const store::Probe& probe);
rpc::Value encode_list(const std::vector<store::Memory>& memories);
rpc::Value encode_list(const std::vector<recall::Hit>& hits);
rpc::Value encode_log(const std::vector<store::Turn>& turns);
rpc::Value encode_list(const std::vector<store::Probe>& probes);

}  // namespace selfmind::host

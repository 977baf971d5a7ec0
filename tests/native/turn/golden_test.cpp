// Golden turns: each folder in tests/cases is a behaviour. `events` is what happens to a turn, one JSON object a line;
// `commands` is what it asks for, with the request to the model in full. `SELFMIND_GOLDEN=1 turn_test` rewrites
// `commands`; the difference is then read before it is committed.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "claude/encode.h"
#include "support/catch.h"
#include "turn/turn.h"

using namespace selfmind;
using nlohmann::ordered_json;

namespace {

claude::StopReason stop_reason(const std::string& text) {
  for (const auto reason : {claude::StopReason::end_turn, claude::StopReason::max_tokens, claude::StopReason::refusal,
                            claude::StopReason::context_exceeded}) {
    if (text == claude::to_text(reason)) return reason;
  }
  throw std::runtime_error("a case names the stop reason " + text);
}

claude::Reply reply(const ordered_json& j) {
  claude::Reply reply;
  reply.model = j.value("model", "claude-opus-4-8");
  reply.text = j.value("text", "");
  if (!reply.text.empty()) reply.content = ordered_json::array({{{"type", "text"}, {"text", reply.text}}}).dump();
  if (j.contains("content")) reply.content = j["content"].dump();
  reply.stop_reason = stop_reason(j.value("stop_reason", "end_turn"));
  reply.refusal = j.value("refusal", "");
  reply.usage.output = j.value("output", 0);
  return reply;
}

store::Turn turn(const ordered_json& j) {
  store::Turn turn;
  turn.id = j.at("id");
  turn.session = 1;
  turn.parent = j.value("parent", 0);
  turn.role = *store::role_from(j.value("role", "user"));
  turn.state = *store::turn_state_from(j.at("state").get<std::string>());
  turn.text = j.at("text");
  turn.memory_block = j.value("block", "");
  if (j.contains("content")) turn.content = j["content"].dump();
  if (turn.role == store::Role::assistant) turn.model = j.value("model", "claude-opus-4-8");
  for (const auto& given : j.value("given", ordered_json::array()))
    turn.given.push_back({given.at(0), given.at(1), 1, 1});
  return turn;
}

recall::Hit hit(const ordered_json& j) {
  recall::Hit hit;
  hit.item.kind = j.contains("memory") ? store::ItemKind::memory : store::ItemKind::turn;
  hit.item.id = j.contains("memory") ? j["memory"] : j.at("turn");
  hit.item.text = j.at("text");
  hit.item.memory_kind = j.value("kind", "fact");
  hit.item.revision = j.value("revision", 1);
  hit.item.at = *parse_iso8601(j.value("at", "2026-11-02"));
  hit.score = 1;
  return hit;
}

// `log` is the chat as the last "kept" had it.
turn::Event event(const ordered_json& j, std::vector<store::Turn>& log) {
  const auto& [name, body] = *j.items().begin();
  if (name == "started") return turn::Started{1, body};
  if (name == "sent_again") return turn::SentAgain{1};
  if (name == "kept") {
    turn::MessageKept kept;
    for (const auto& row : body.at("log")) kept.log.push_back(turn(row));
    kept.message = kept.log.back();
    for (const auto& row : kept.log) {
      if (row.id == body.value("message", store::Id{0})) kept.message = row;
    }
    kept.session.id = 1;
    kept.session.project = 1;
    kept.session.history_from = body.value("history_from", 0);
    kept.session.thinking_from = body.value("thinking_from", 0);
    for (const auto& row : body.value("given", ordered_json::array())) {
      store::Memory memory;
      memory.id = row.at("id");
      memory.revision = row.at("revision");
      memory.text = row.at("text");
      memory.state = row.value("state", "active");
      kept.given.push_back(memory);
    }
    kept.date = "2026-11-30";
    log = kept.log;
    return kept;
  }
  if (name == "recalled") {
    turn::Recalled recalled;
    for (const auto& row : body) recalled.hits.push_back(hit(row));
    return recalled;
  }
  if (name == "recall_late") return turn::Recalled{{}, true};
  if (name == "recall_kept") {
    turn::RecallKept kept{log};
    if (body.is_array()) kept.log.clear();
    for (const auto& row : body.is_array() ? body : ordered_json::array()) kept.log.push_back(turn(row));
    return kept;
  }
  if (name == "recall_stale") return turn::RecallStale{};
  if (name == "thinking") return turn::Thinking{};
  if (name == "text") return turn::TextDelta{body};
  if (name == "done") return turn::ReplyDone{reply(body)};
  if (name == "failed") {
    const claude::Retry retry{body.value("retry", false), std::nullopt};
    return turn::ReplyFailed{{ErrorKind::overloaded, body.at("message")}, reply(body), retry};
  }
  if (name == "pause_over") return turn::PauseOver{};
  if (name == "tick") return turn::Tick{reply(body)};
  if (name == "stopped") return turn::Stopped{reply(body)};
  if (name == "reply_kept") return turn::ReplyKept{turn(body)};
  if (name == "store_failed") return turn::StoreFailed{{ErrorKind::busy, body}};
  throw std::runtime_error("a case has the event " + name);
}

std::string ids(const std::vector<store::Id>& list) { return fmt::format("{}", fmt::join(list, ",")); }

std::string given(const std::vector<store::Given>& list) {
  std::string text;
  for (const auto& memory : list) text += fmt::format(" {}@{}", memory.memory, memory.revision);
  return text;
}

struct Print {
  std::string operator()(const turn::KeepMessage& c) { return "keep message: " + c.text; }
  std::string operator()(const turn::LoadMessage&) { return "load the newest message"; }
  std::string operator()(const turn::Accept& c) { return fmt::format("accept: turn {}", c.turn); }
  std::string operator()(const turn::Recall& c) {
    return fmt::format("recall {}: {} (without turns {}; memories{})", c.k, c.query, ids(c.turns_sent),
                       given(c.given_sent));
  }
  std::string operator()(const turn::KeepRecall& c) {
    return fmt::format("keep recall of turn {}: {} bytes, memories{}; history from {}, thinking from {}", c.turn,
                       c.memory_block.size(), given(c.given), c.session.history_from, c.session.thinking_from);
  }
  std::string operator()(const turn::Ask& c) {
    auto body = ordered_json::parse(claude::encode(c.request));
    body["system"] = "(the persona)";
    return "ask: " + body.dump(2);
  }
  std::string operator()(const turn::Pause& c) {
    return fmt::format("pause before try {}: {}", c.attempt, c.reason.message);
  }
  std::string operator()(const turn::KeepPartial& c) {
    return fmt::format("keep partial: {} ({}): {}", store::to_text(c.reply.state), c.reply.model, c.reply.text);
  }
  std::string operator()(const turn::KeepReply& c) {
    return fmt::format("keep reply: {} ({}, {}), answers {}: {}", store::to_text(c.reply.state), c.reply.model,
                       c.reply.stop_reason, ids(c.answered), c.reply.text);
  }
  std::string operator()(const turn::Enqueue& c) {
    return fmt::format("enqueue {}{}", ids(c.turns), c.learn_now ? ", learn now" : "");
  }
  std::string operator()(const turn::ShowRecalled& c) {
    return fmt::format("show recalled: {}{}", c.hits.size(), c.late ? ", late" : "");
  }
  std::string operator()(const turn::ShowThinking&) { return "show thinking"; }
  std::string operator()(const turn::ShowText& c) { return "show text: " + c.text; }
  std::string operator()(const turn::ShowDone& c) { return fmt::format("show done: {} [{}]", c.state, c.notice); }
  std::string operator()(const turn::Refuse& c) { return "refuse: " + c.error.message; }
};

std::string read(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// Plays the events; a line `{"settings": {…}}` in front changes the settings.
std::string play(const std::string& events) {
  turn::Settings settings;
  settings.model = "claude-opus-4-8";
  std::string out;
  std::optional<turn::Turn> turn;
  std::vector<store::Turn> log;
  std::istringstream lines(events);
  for (std::string line; std::getline(lines, line);) {
    const auto j = ordered_json::parse(line);
    if (j.contains("settings")) {
      settings.model = j["settings"].value("model", settings.model);
      settings.history_turns = j["settings"].value("history_turns", settings.history_turns);
      settings.online = j["settings"].value("online", true);
      settings.offline_why = settings.online ? "" : "there is no API key.";
      continue;
    }
    if (!turn) turn.emplace(settings);
    out += "> " + line + "\n";
    for (const auto& command : turn->on(event(j, log))) out += std::visit(Print{}, command) + "\n";
    if (turn->finished()) out += "(finished)\n";
  }
  return out;
}

}  // namespace

TEST_CASE("golden turns") {
  int played = 0;
  for (const auto& folder : std::filesystem::directory_iterator(SELFMIND_CASES)) {
    const auto events = folder.path() / "events";
    if (!std::filesystem::exists(events)) continue;
    ++played;
    INFO(folder.path().filename().string());
    const std::string commands = play(read(events));
    if (std::getenv("SELFMIND_GOLDEN")) std::ofstream(folder.path() / "commands") << commands;
    CHECK(commands == read(folder.path() / "commands"));
  }
  CHECK(played >= 10);
}

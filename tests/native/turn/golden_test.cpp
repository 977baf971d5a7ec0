// Golden turns: each folder in tests/cases is a behaviour. `events` is what happens to a turn, one JSON object a line;
// `commands` is what it asks for, with the request to the model in full. `SELFMIND_GOLDEN=1 turn_test` rewrites
// `commands`; the difference is then read before it is committed.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "claude/encode.h"
#include "support/catch.h"
#include "turn/json.h"
#include "turn/turn.h"

using namespace selfmind;
using nlohmann::ordered_json;

namespace {

// A case leaves out what it is not about; this fills it in, so that each line is the event's JSON form (turn/json.h).
ordered_json reply(const ordered_json& j) {
  ordered_json reply{{"model", j.value("model", "claude-opus-4-8")},
                     {"text", j.value("text", "")},
                     {"stop_reason", j.value("stop_reason", "end_turn")},
                     {"refusal", j.value("refusal", "")},
                     {"usage", {{"output", j.value("output", 0)}}}};
  const std::string text = reply["text"];
  if (!text.empty()) reply["content"] = ordered_json::array({{{"type", "text"}, {"text", text}}}).dump();
  if (j.contains("content")) reply["content"] = j["content"].dump();
  return reply;
}

ordered_json turn(const ordered_json& j) {
  ordered_json turn{{"id", j.at("id")},
                    {"session", 1},
                    {"parent", j.value("parent", 0)},
                    {"role", j.value("role", "user")},
                    {"state", j.at("state")},
                    {"text", j.at("text")},
                    {"memory_block", j.value("block", "")},
                    {"kept_out", j.value("kept_out", "")}};
  if (j.contains("content")) turn["content"] = j["content"].dump();
  if (turn["role"] == "assistant") turn["model"] = j.value("model", "claude-opus-4-8");
  for (const auto& given : j.value("given", ordered_json::array()))
    turn["given"].push_back({{"memory", given.at(0)}, {"revision", given.at(1)}, {"rank", 1}, {"score", 1}});
  return turn;
}

ordered_json hit(const ordered_json& j) {
  const bool memory = j.contains("memory");
  return {{"item",
           {{"kind", memory ? "memory" : "turn"},
            {"id", memory ? j["memory"] : j.at("turn")},
            {"text", j.at("text")},
            {"memory_kind", j.value("kind", "fact")},
            {"revision", j.value("revision", 1)},
            {"at", j.value("at", "2026-11-02")}}},
          {"score", 1}};
}

ordered_json kept(const ordered_json& j) {
  ordered_json kept{{"session",
                     {{"id", 1},
                      {"project", 1},
                      {"history_from", j.value("history_from", 0)},
                      {"thinking_from", j.value("thinking_from", 0)}}},
                    {"given", j.value("given", ordered_json::array())},
                    {"date", "2026-11-30"}};
  for (const auto& row : j.at("log")) {
    kept["log"].push_back(turn(row));
    if (!j.contains("message") || row.at("id") == j["message"]) kept["message"] = kept["log"].back();
  }
  for (auto& memory : kept["given"]) memory["state"] = memory.value("state", "active");
  return kept;
}

// `log` is the chat as the last "kept" had it.
turn::Event event(const ordered_json& j, ordered_json& log) {
  auto [name, body] = std::pair(j.begin().key(), j.begin().value());
  if (body == true) body = ordered_json::object();
  if (name == "started") body = {{"chat", 1}, {"text", body}};
  if (name == "sent_again") body = {{"chat", 1}};
  if (name == "kept") {
    body = kept(body);
    log = body["log"];
  }
  if (name == "recalled") {
    ordered_json hits = ordered_json::array();
    for (const auto& row : body) hits.push_back(hit(row));
    body = {{"hits", hits}};
  }
  if (name == "recall_late") std::tie(name, body) = std::pair("recalled", ordered_json{{"late", true}});
  if (name == "recall_kept") {
    if (body.is_array()) log = ordered_json::array();
    for (const auto& row : body.is_array() ? body : ordered_json::array()) log.push_back(turn(row));
    body = {{"log", log}};
  }
  if (name == "text") body = {{"text", body}};
  if (name == "done") body = {{"reply", reply(body)}};
  if (name == "failed") {
    body = {{"error", {{"kind", body.value("kind", "overloaded")}, {"message", body.at("message")}}},
            {"partial", reply(body)},
            {"retry", {{"worthwhile", body.value("retry", false)}}}};
  }
  if (name == "tick") body = {{"partial", reply(body)}};
  if (name == "stopped") body = {{"partial", reply(body)}};
  if (name == "reply_kept") body = {{"reply", turn(body)}};
  if (name == "store_failed") body = {{"error", {{"kind", "busy"}, {"message", body}}}};
  ordered_json form = ordered_json::object();
  form[name] = body;
  auto event = turn::event_from(form);
  if (!event) throw std::runtime_error(form.dump() + ": " + event.error().message);
  // Saved and read again it is the same, whatever it holds.
  const auto saved = turn::to_json(*event);
  CHECK(turn::to_json(*turn::event_from(saved)) == saved);
  return std::move(*event);
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
    return fmt::format("keep reply: {} ({}, {}), answers {}{}: {}", store::to_text(c.reply.state), c.reply.model,
                       c.reply.stop_reason, ids(c.answered), c.queue ? ", queued" : "", c.reply.text);
  }
  std::string operator()(const turn::Learn&) { return "learn"; }
  std::string operator()(const turn::ShowRecalled& c) {
    return fmt::format("show recalled: {}{}", c.hits.size(), c.late ? ", late" : "");
  }
  std::string operator()(const turn::ShowThinking&) { return "show thinking"; }
  std::string operator()(const turn::ShowText& c) { return "show text: " + c.text; }
  std::string operator()(const turn::ShowNote& c) {
    return fmt::format("show note under the {}: {}", c.under_reply ? "reply" : "message", c.text);
  }
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
  ordered_json log = ordered_json::array();
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

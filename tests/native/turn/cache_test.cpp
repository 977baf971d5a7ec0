// How much of a chat's input is read from the prompt cache: thirty turns through the history and the prompt of turn/,
// charged by the cache of the test server, beside the layout that puts the memories into the system prompt.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <random>

#include "claude/encode.h"
#include "support/catch.h"
#include "support/messages_server/cache.h"
#include "turn/history.h"
#include "turn/memory_block.h"
#include "turn/prompt.h"

using namespace selfmind;
using messages_server::Json;

namespace {

constexpr int turns_of_a_chat = 30;
constexpr std::int64_t minimum = 1024;  // claude-opus-4-8, tokens

std::string words(std::minstd_rand& random, int count) {
  static const char* const stems[] = {"branch", "query",  "release", "buffer", "deploy", "index",
                                      "window", "server", "cursor",  "schema", "worker", "token"};
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format("{}{} ", stems[random() % 12], random() % 900);
  return text;
}

struct Chat {
  Chat(int history_turns, int words_of_a_long_reply) : long_reply(words_of_a_long_reply) {
    settings.model = "claude-opus-4-8";
    settings.history_turns = history_turns;
    session.id = 1;
  }

  // The user says something, six memories come to mind.
  void say() {
    message = {};
    message.id = ++ids;
    message.text = words(random, 40);
    std::vector<recall::Hit> hits(6);
    for (auto& hit : hits) {
      hit.item.id = ++ids;
      hit.item.text = words(random, 18);
    }
    message.memory_block = turn::memory_block(hits, {}, "2026-11-30").text;
    log.push_back(message);
    const store::Id before = session.history_from;
    session = turn::plan_history(session, log, message, settings);
    if (session.history_from != before) ++cuts;
  }

  // Every fourth reply is a long one.
  void answer(int number) {
    store::Turn reply;
    reply.id = ++ids;
    reply.parent = message.id;
    reply.role = store::Role::assistant;
    reply.state = store::TurnState::done;
    reply.model = settings.model;
    reply.text = words(random, number % 4 == 0 ? long_reply : 250);
    log.back().state = store::TurnState::answered;
    log.push_back(reply);
  }

  int long_reply;
  turn::Settings settings;
  store::Session session;
  std::vector<store::Turn> log;
  store::Turn message;
  store::Id ids = 0;
  int cuts = 0;
  std::minstd_rand random{7};
};

// The first design's layout: the memories behind the persona, none in the messages.
Json in_system(Json body) {
  Json memories = body["messages"].back()["content"].front();
  for (auto& message : body["messages"]) {
    if (message["role"] == "user" && message["content"].size() > 1) message["content"].erase(0);
  }
  memories["cache_control"] = body["system"].front()["cache_control"];
  body["system"].push_back(memories);
  return body;
}

struct Bill {
  messages_server::Cache cache;
  std::int64_t read = 0;
  std::int64_t all = 0;

  void charge(const Json& body, int request) {
    messages_server::Model model;
    model.min_cacheable = minimum;
    const auto usage = cache.charge(body, model, static_cast<std::uint64_t>(request) * 60'000);  // a minute a turn
    const std::int64_t total = usage.input + usage.cache_read + usage.cache_write;
    if (request < 3 || total < minimum) return;
    read += usage.cache_read;
    all += total;
  }
  double share() const { return static_cast<double>(read) / static_cast<double>(all); }
};

}  // namespace

TEST_CASE("over a long chat with cuts in its history nine tenths of the input are read from the cache") {
  // The first chat is cut for its size, the second for the number of its turns.
  for (const auto& [history_turns, long_reply] : {std::pair(12, 2300), std::pair(6, 250)}) {
    Chat chat(history_turns, long_reply);
    Bill ours, theirs;
    for (int request = 1; request <= turns_of_a_chat; ++request) {
      chat.say();
      const Json body = Json::parse(claude::encode(turn::prompt(chat.session, chat.log, chat.message, chat.settings)));
      ours.charge(body, request);
      theirs.charge(in_system(body), request);
      chat.answer(request);
    }
    UNSCOPED_INFO(fmt::format("history_turns {}, {} cuts: {:.1f} % read from the cache; memories in system: {:.1f} %",
                              history_turns, chat.cuts, ours.share() * 100, theirs.share() * 100));
    CHECK(chat.cuts >= 1);
    CHECK(ours.share() >= 0.9);
    CHECK(theirs.share() < 0.5);
    if (std::getenv("SELFMIND_FIGURES")) {
      fmt::print("cache share, history_turns {}, {} cuts: {:.1f} %, with memories in system {:.1f} %\n", history_turns,
                 chat.cuts, ours.share() * 100, theirs.share() * 100);
    }
  }
}

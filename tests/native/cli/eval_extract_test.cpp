// `eval-extract` from the outside: what it prints, and how it fails.
#include "cli/eval_extract.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "http/fake.h"
#include "support/catch.h"
#include "support/fakes.h"
#include "support/manual_loop.h"
#include "support/temporary.h"

using namespace selfmind;

namespace {

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

// The server, played by the test, and the environment.
struct Played {
  using Exchange = http::FakeHttp::Exchange;

  test::ManualLoop loop;
  http::FakeHttp http;
  test::FakeClock clock;
  std::map<std::string, std::string> environment = {{"ANTHROPIC_API_KEY", "key-of-the-test"}};
  std::function<void(Exchange&, std::size_t number)> answer;
  std::size_t interrupt_at = 1'000;  // Ctrl-C instead of this answer
  std::size_t most_at_once = 0;
  bool stopped = false;

  void turn() {
    for (std::size_t next = 0; !stopped && next < interrupt_at;) {
      most_at_once = std::max(most_at_once, http.count() - next);
      if (next < http.count()) {
        answer(http.at(next), next);
        ++next;
      } else {
        loop.advance(std::chrono::seconds(1));
      }
    }
  }

  cli::ModelAccess access() {
    return {[this](const char* name) {
              const auto found = environment.find(name);
              return found == environment.end() ? nullptr : found->second.c_str();
            },
            [this](const std::function<void(cli::Network&)>& use) {
              cli::Network network{loop, http, [this] { turn(); }, [this] { stopped = true; }};
              use(network);
            },
            clock};
  }
};

// The memory model's answer, for 1,000 tokens read and 100 written.
void reply(Played::Exchange& exchange, const nlohmann::json& memories) {
  exchange.head(200, {{"content-type", "text/event-stream"}});
  const auto event = [&](const nlohmann::json& data) {
    exchange.body("event: " + data["type"].get<std::string>() + "\ndata: " + data.dump() + "\n\n");
  };
  event({{"type", "message_start"},
         {"message",
          {{"id", "msg_1"},
           {"type", "message"},
           {"role", "assistant"},
           {"model", "claude-haiku-4-5"},
           {"content", nlohmann::json::array()},
           {"stop_reason", nullptr},
           {"usage", {{"input_tokens", 1000}, {"output_tokens", 1}}}}}});
  event({{"type", "content_block_start"}, {"index", 0}, {"content_block", {{"type", "text"}, {"text", ""}}}});
  const auto text =
      memories.is_string() ? memories.get<std::string>() : nlohmann::json({{"memories", memories}}).dump();
  event({{"type", "content_block_delta"}, {"index", 0}, {"delta", {{"type", "text_delta"}, {"text", text}}}});
  event({{"type", "content_block_stop"}, {"index", 0}});
  event({{"type", "message_delta"},
         {"delta", {{"stop_reason", "end_turn"}, {"stop_sequence", nullptr}}},
         {"usage", {{"output_tokens", 100}}}});
  event({{"type", "message_stop"}});
  exchange.end();
}

void refuse(Played::Exchange& exchange, int status, const std::string& type) {
  exchange.head(status, {{"content-type", "application/json"}});
  exchange.body(R"({"type":"error","error":{"type":")" + type + R"(","message":"no"}})");
  exchange.end();
}

Outcome run(const cli::EvalExtractArguments& arguments, Played& played) {
  std::ostringstream out, err;
  const int code = cli::eval_extract_command(arguments, played.access(), out, err);
  return {code, out.str(), err.str()};
}

// Without a model, and so without a server.
Outcome run(const cli::EvalExtractArguments& arguments) {
  Played played;
  auto outcome = run(arguments, played);
  CHECK(played.http.count() == 0);
  return outcome;
}

nlohmann::json figures(const std::string& text) {
  const test::TemporaryFolder folder;
  cli::EvalExtractArguments arguments;
  arguments.files = {folder.write("set.jsonl", text)};
  arguments.json = true;
  const auto outcome = run(arguments);
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  return nlohmann::json::parse(outcome.out);
}

const std::string exchanges =
    R"({"id":"a","text":"I prefer tabs.","class":"durable","memories":[{"type":"preference","quote":"I prefer tabs."}]}
{"id":"b","text":"The release train is late by design.","class":"durable","memories":[{"type":"commitment","quote":"late by design"}]}
{"id":"c","text":"I live in Graz.","class":"transient","memories":[]}
{"id":"d","text":"Hello there!","class":"greeting","memories":[]}
{"id":"e","text":"I plan to learn Zig. Our CI runs on Debian.","class":"durable","memories":[{"type":"commitment","quote":"I plan to learn Zig"},{"type":"opinion"}]}
)";

}  // namespace

TEST_CASE("the JSON says what was kept where, of which kind, and that it cost nothing") {
  const auto json = figures(exchanges);
  CHECK(json["n"] == 5);
  CHECK(json["texts"]["precision"].get<double>() == Approx(2.0 / 3));  // a, e and wrongly c
  CHECK(json["texts"]["recall"].get<double>() == Approx(2.0 / 3));     // a and e, not b
  CHECK(json["quotes"]["precision"] == 1.0);                           // of the lines whose memories all have quotes
  CHECK(json["quotes"]["recall"] == 0.5);
  CHECK(json["memories"]["n"] == 2);
  CHECK(json["memories"]["precision"] == 0.5);
  CHECK(json["types"]["preference"] == nlohmann::json({{"n", 1}, {"found", 1}}));
  CHECK(json["types"]["commitment"] == nlohmann::json({{"n", 2}, {"found", 1}}));  // a plan is one
  CHECK(json["types"]["opinion"] == nlohmann::json({{"n", 1}, {"found", 0}}));
  CHECK(json["cost_usd"] == 0);
  CHECK(json["classes"]["durable"]["n"] == 3);
  CHECK(json["classes"]["durable"]["found"] == 2);
  CHECK(json["classes"]["transient"]["wrong"] == 1);
  CHECK(json["classes"]["greeting"]["texts"]["precision"].is_null());
  CHECK(json["missed"] == nlohmann::json({"b"}));
  CHECK(json["wrong"] == nlohmann::json({"c"}));
  CHECK_FALSE(json.contains("answers"));
  CHECK_FALSE(json.contains("pairs"));
}

TEST_CASE("scripted answers go through the gate and are counted apart") {
  const auto json = figures(
      exchanges +
      R"({"of":"a","answer":"{\"memories\":[{\"text\":\"The user prefers tabs.\",\"kind\":\"preference\",\"quote\":\"I prefer tabs\"},{\"text\":\"Invented.\",\"kind\":\"fact\",\"quote\":\"my cat\"}]}","memories":[{"type":"preference","quote":"I prefer tabs."}]}
{"of":"d","answer":"no JSON","unreadable":true,"memories":[]}
{"of":"c","answer":"{\"memories\":[{\"text\":\"The user lives in Graz.\",\"kind\":\"fact\",\"quote\":\"I live in Graz\"}]}","memories":[]}
)");
  CHECK(json["n"] == 5);
  CHECK(json["answers"]["n"] == 3);
  CHECK(json["answers"]["memories"]["precision"] == 0.5);
  CHECK(json["answers"]["memories"]["recall"] == 1.0);
  CHECK(json["answers"]["differ"] == nlohmann::json({"c"}));
}

TEST_CASE("pairs give a table of thresholds") {
  const auto json = figures(R"({"a":"The port is 5432","b":"The port is 5433","same":false}
{"a":"The user prefers tabs","b":"The user really prefers tabs","same":true}
)");
  CHECK(json["texts"]["precision"].is_null());
  CHECK(json["pairs"]["n"] == 2);
  const auto& at = json["pairs"]["thresholds"]["0.6"];
  CHECK(at["jaccard"]["precision"] == 0.5);
  CHECK(at["jaccard"]["recall"] == 1.0);
  CHECK(at["find_duplicate"]["precision"] == 1.0);
  CHECK(at["find_duplicate"]["recall"] == 1.0);
  CHECK(json["pairs"]["thresholds"].size() == 7);
}

TEST_CASE("the table names the classes, the types and the cost") {
  const test::TemporaryFolder folder;
  cli::EvalExtractArguments arguments;
  arguments.files = {folder.write("set.jsonl", exchanges)};
  const auto outcome = run(arguments);
  REQUIRE(outcome.code == 0);
  for (const char* word : {"precision", "66.7", "transient", "commitment", "cost: 0 USD"}) {
    CHECK(outcome.out.find(word) != std::string::npos);
  }
}

namespace {

const nlohmann::json tabs = {{{"text", "The user prefers tabs."}, {"kind", "preference"}, {"quote", "I prefer tabs."}},
                             {{"text", "The user has a cat."}, {"kind", "fact"}, {"quote", "my cat"}}};

// Learned from the first message and from no other.
void answer_well(Played::Exchange& exchange, std::size_t number) {
  if (number == 0) CHECK(exchange.request().body.find("I prefer tabs.") != std::string::npos);
  reply(exchange, number == 0 ? tabs : nlohmann::json::array());
}

struct ModelRun {
  test::TemporaryFolder folder;
  Played played;
  cli::EvalExtractArguments arguments;

  ModelRun() {
    arguments.files = {folder.write("set.jsonl", exchanges)};
    arguments.model = "claude-haiku-4-5";
    arguments.json = true;
    played.answer = answer_well;
  }
  Outcome run() { return ::run(arguments, played); }
};

}  // namespace

TEST_CASE("a run with a model says first what it will cost, then what was learned, and what it did cost") {
  ModelRun model;
  const auto outcome = model.run();
  INFO(outcome.err);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.err.find("claude-haiku-4-5 at https://api.anthropic.com: 5 messages, about ") == 0);
  CHECK(outcome.err.find(" USD by the prices of ") != std::string::npos);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["n"] == 5);
  CHECK(json["model"] == "claude-haiku-4-5");
  CHECK(json["texts"]["precision"] == 1.0);
  CHECK(json["texts"]["recall"].get<double>() == Approx(1.0 / 3));
  CHECK(json["memories"]["n"] == 1);  // the gate has kept the invented one out
  CHECK(json["types"]["preference"]["found"] == 1);
  CHECK(json["cost_usd"].get<double>() == Approx(5 * (1000 * 1.0 + 100 * 5.0) / 1e6));
  CHECK(json["usage"]["input"] == 5000);
  CHECK(json["usage"]["output"] == 500);
  CHECK(json["unreadable"].empty());
  // As learning asks: by a schema, with the key, and of one message only.
  const auto& request = model.played.http.at(1).request();
  CHECK(request.url == "https://api.anthropic.com/v1/messages");
  CHECK(*http::find(request.headers, "x-api-key") == "key-of-the-test");
  CHECK(request.body.find("json_schema") != std::string::npos);
  CHECK(request.body.find("I prefer tabs.") == std::string::npos);
  CHECK(request.body.find("1970-01-01") == std::string::npos);
  CHECK(model.played.http.count() == 5);
  CHECK(model.played.most_at_once == 4);
}

TEST_CASE("the table of a run with a model names it and the cost") {
  ModelRun model;
  model.arguments.json = false;
  const auto outcome = model.run();
  REQUIRE(outcome.code == 0);
  CHECK(outcome.out.find("claude-haiku-4-5 ") == 0);
  CHECK(outcome.out.find("cost: 0.0075 USD, 5,000 tokens read, 500 written") != std::string::npos);
  CHECK(outcome.out.find("without a model") == std::string::npos);
}

TEST_CASE("a dry run says what a run would cost, needs no key and asks nobody") {
  ModelRun model;
  model.played.environment.clear();
  model.arguments.dry_run = true;
  const auto outcome = model.run();
  CHECK(outcome.code == 0);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find("5 messages, about ") != std::string::npos);
  CHECK(model.played.http.count() == 0);
}

TEST_CASE("without a key a run with a model is one line and asks nobody; a server of one's own needs none") {
  ModelRun model;
  model.played.environment.clear();
  auto outcome = model.run();
  CHECK(outcome.code == 1);
  CHECK(outcome.out.empty());
  CHECK(outcome.err == "There is no API key; set ANTHROPIC_API_KEY in the environment.\n");
  CHECK(model.played.http.count() == 0);

  model.played.environment["ANTHROPIC_BASE_URL"] = "http://user:word@localhost:8080/";
  model.arguments.model = "some-local-model";
  outcome = model.run();
  CHECK(outcome.code == 0);
  CHECK(outcome.err.find("at a price that is not known here") != std::string::npos);
  CHECK(outcome.err.find("word@") == std::string::npos);
  CHECK(nlohmann::json::parse(outcome.out)["cost_usd"].is_null());
}

TEST_CASE("a key that is refused ends the run with one line, and nobody is asked again") {
  ModelRun model;
  model.played.answer = [](auto& exchange, std::size_t) { refuse(exchange, 401, "authentication_error"); };
  const auto outcome = model.run();
  CHECK(outcome.code == 1);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find("ANTHROPIC_API_KEY") != std::string::npos);
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 2);  // the cost, and this
  CHECK(model.played.http.count() == 1);
}

TEST_CASE("a server that is overloaded is asked again, and one that stays so ends the run with what it has cost") {
  ModelRun model;
  std::size_t refusals = 2;
  model.played.answer = [&](auto& exchange, std::size_t number) {
    if (number >= 1 && refusals > 0) {
      --refusals;
      return refuse(exchange, 529, "overloaded_error");
    }
    reply(exchange, nlohmann::json::array());
  };
  SECTION("for a moment") {
    const auto outcome = model.run();
    INFO(outcome.err);
    CHECK(outcome.code == 0);
    CHECK(model.played.http.count() == 7);
    CHECK(nlohmann::json::parse(outcome.out)["n"] == 5);
    CHECK(outcome.err.find(" of 5 answered\n") != std::string::npos);  // it took longer than a second
  }
  SECTION("for long") {
    refusals = 1'000;
    const auto outcome = model.run();
    CHECK(outcome.code == 1);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.find("\nAfter 1 of 5 messages and 0.0015 USD: ") != std::string::npos);
  }
}

TEST_CASE("a run that is interrupted prints what there is, and says of how many") {
  ModelRun model;
  model.played.interrupt_at = 2;
  const auto outcome = model.run();
  CHECK(outcome.code == 1);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["n"] == 2);
  CHECK(json["messages"] == 5);
  CHECK(json["cost_usd"].get<double>() == Approx(2 * 0.0015));
  CHECK(outcome.err.find("Stopped after 2 of 5 messages") != std::string::npos);
  for (std::size_t i = 2; i < model.played.http.count(); ++i) CHECK(model.played.http.at(i).cancelled());
}

TEST_CASE("an answer that is none counts as nothing kept, and is named") {
  ModelRun model;
  model.played.answer = [](auto& exchange, std::size_t number) {
    reply(exchange, number == 0 ? nlohmann::json("I would rather talk.") : nlohmann::json::array());
  };
  const auto outcome = model.run();
  REQUIRE(outcome.code == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["unreadable"] == nlohmann::json({"a"}));
  CHECK(json["missed"] == nlohmann::json({"a", "b", "e"}));
}

TEST_CASE("a model is asked nothing where the files have no messages") {
  ModelRun model;
  model.arguments.files = {model.folder.write("pairs.jsonl", R"({"a":"x y","b":"x z","same":false})")};
  const auto outcome = model.run();
  CHECK(outcome.code == 0);
  CHECK(nlohmann::json::parse(outcome.out)["cost_usd"] == 0.0);
  CHECK(model.played.http.count() == 0);
}

TEST_CASE("a file that fails is exit code 1 and one line that names the place") {
  const test::TemporaryFolder folder;
  for (const std::string bad : {"{", R"({"id":"x"})", R"({"id":"x","text":"t","memories":[3]})", R"({"a":"x","b":"y"})",
                                R"({"of":"nobody","answer":"","memories":[]})"}) {
    INFO(bad);
    cli::EvalExtractArguments arguments;
    arguments.files = {folder.write("bad.jsonl", exchanges + bad + "\n")};
    const auto outcome = run(arguments);
    CHECK(outcome.code == 1);
    CHECK(outcome.out.empty());
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    CHECK(outcome.err.find(bad.find("nobody") == std::string::npos ? "bad.jsonl:6:" : "nobody") != std::string::npos);
  }
  cli::EvalExtractArguments arguments;
  arguments.files = {"no/such/file.jsonl"};
  CHECK(run(arguments).code == 1);
}

TEST_CASE("the rules reach on the labelled exchanges what is asked of them") {
  const std::string file = GENERATE("exchanges", "more-exchanges", "hard-exchanges", "wide-exchanges");
  INFO(file);
  cli::EvalExtractArguments arguments;
  arguments.files = {SELFMIND_CASES "/../extraction/" + file + ".jsonl"};
  arguments.json = true;
  const auto json = nlohmann::json::parse(run(arguments).out);
  CHECK(json["n"].get<int>() >= 90);
  CHECK(json["texts"]["precision"].get<double>() >= 0.95);
  CHECK(json["memories"]["precision"].get<double>() >= 0.95);
  CHECK(json["texts"]["recall"].get<double>() >= 0.6);
  const auto& durable = json["classes"]["durable"];
  CHECK(durable["found"].get<double>() >= 0.6 * durable["wanted"].get<double>());
}

TEST_CASE("no scripted answer loses what has to survive, and no pair that differs is taken for the same") {
  cli::EvalExtractArguments arguments;
  for (const char* name : {"exchanges", "answers", "pairs"}) {
    arguments.files.push_back(SELFMIND_CASES "/../extraction/" + std::string(name) + ".jsonl");
  }
  arguments.json = true;
  const auto json = nlohmann::json::parse(run(arguments).out);
  CHECK(json["answers"]["n"].get<int>() >= 40);
  CHECK(json["answers"]["memories"]["recall"] == 1.0);
  CHECK(json["pairs"]["n"].get<int>() >= 150);
  for (const auto& at : json["pairs"]["thresholds"]) CHECK(at["find_duplicate"]["precision"] == 1.0);
}

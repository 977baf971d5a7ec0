// `eval-extract` from the outside: what it prints, and how it fails.
#include "cli/eval_extract.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/catch.h"
#include "support/temporary.h"

using namespace selfmind;

namespace {

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome run(const cli::EvalExtractArguments& arguments) {
  std::ostringstream out, err;
  const int code = cli::eval_extract_command(arguments, out, err);
  return {code, out.str(), err.str()};
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

TEST_CASE("a run with a real model says that there is none yet, rather than pretend") {
  cli::EvalExtractArguments arguments;
  arguments.files = {"any.jsonl"};
  arguments.model = "claude-opus-4-8";
  const auto outcome = run(arguments);
  CHECK(outcome.code == 1);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find("not available yet") != std::string::npos);
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

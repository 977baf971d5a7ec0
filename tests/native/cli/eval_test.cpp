// `eval` from the outside: what it prints, and how it fails.
#include "cli/eval.h"

#include <stdlib.h>
#include <unistd.h>  // mkdtemp on macOS

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/catch.h"

using namespace selfmind;

namespace {

// A folder that is gone after the test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "selfmind-eval-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome run(const cli::EvalArguments& arguments) {
  std::ostringstream out, err;
  const int code = cli::eval_command(arguments, out, err);
  return {code, out.str(), err.str()};
}

const std::string first = R"({"type":"turn","id":"a","session":"s","role":"user","text":"tabs"}
{"type":"memory","id":"m","text":"indentation","turns":["a"]}
{"type":"probe","id":"p","query":"tabs","expect":["a"],"category":"easy"}
{"type":"probe","id":"q","query":"indentation","expect":["a"],"category":"hard"}
)";
const std::string second = R"({"type":"turn","id":"a","session":"s","role":"user","text":"spaces"}
{"type":"probe","id":"p","query":"tabs","expect":["a"],"category":"hard"}
{"type":"probe","id":"q","query":"tabs","expect":[]}
)";

}  // namespace

TEST_CASE("the JSON has a set for each file and all of them pooled") {
  const Folder folder;
  cli::EvalArguments arguments;
  arguments.files = {folder.write("first.jsonl", first), folder.write("second.jsonl", second)};
  arguments.json = true;
  const auto outcome = run(arguments);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.err.empty());
  const auto json = nlohmann::json::parse(outcome.out);
  REQUIRE(json["sets"].size() == 2);
  CHECK(json["sets"][0]["set"] == "first");
  CHECK(json["sets"][0]["n"] == 2);
  CHECK(json["sets"][0]["recall"] == nlohmann::json({{"3", 1.0}, {"6", 1.0}, {"10", 1.0}}));
  CHECK(json["sets"][0]["none"].is_null());
  CHECK(json["sets"][1]["recall"]["3"] == 0.0);
  CHECK(json["sets"][1]["none"] == 1.0);
  CHECK(json["all"]["n"] == 4);
  CHECK(json["all"]["recall"]["3"].get<double>() == Approx(2.0 / 3));
  CHECK(json["all"]["any"]["10"].get<double>() == Approx(2.0 / 3));
  CHECK(json["all"]["mrr"].get<double>() == Approx(2.0 / 3));
  CHECK(json["all"]["categories"]["hard"]["n"] == 2);
  CHECK(json["all"]["categories"]["hard"]["recall"]["6"] == 0.5);
  CHECK(json["all"]["ms"]["p95"].is_number());
}

TEST_CASE("what other files ask is measured only when it is asked for") {
  const Folder folder;
  cli::EvalArguments arguments;
  arguments.files = {folder.write("first.jsonl", first), folder.write("second.jsonl", second)};
  arguments.preset = "selfmind";
  arguments.json = true;
  const auto plain = nlohmann::json::parse(run(arguments).out);
  for (const auto& set : {plain["sets"][0], plain["all"]}) CHECK_FALSE(set.contains("unrelated"));

  arguments.unrelated = true;
  auto json = nlohmann::json::parse(run(arguments).out);
  CHECK(json["sets"][0]["unrelated"]["n"] == 1);
  CHECK(json["sets"][0]["unrelated"]["none"] == 0.0);  // "tabs" stands in the first, too
  CHECK(json["sets"][1]["unrelated"]["n"] == 2);
  CHECK(json["sets"][1]["unrelated"]["none"] == 1.0);
  CHECK(json["all"]["unrelated"]["n"] == 3);
  CHECK(json["all"]["unrelated"]["none"].get<double>() == Approx(2.0 / 3));
  CHECK(json["all"]["unrelated"]["lost"] == nlohmann::json({{"3", 0.0}, {"6", 0.0}, {"10", 0.0}}));
  for (auto* set : {&json["sets"][0], &json["sets"][1], &json["all"]}) {
    set->erase("unrelated");
    set->erase("ms");
  }
  CHECK(json["sets"][1]["recall"] == plain["sets"][1]["recall"]);
  CHECK(json["all"]["none"] == plain["all"]["none"]);

  arguments.json = false;
  const auto table = run(arguments).out;
  CHECK(table.find("\nunrelated ") != std::string::npos);
  CHECK(table.find("lost@10\n") != std::string::npos);
  CHECK(table.find("66.7") != std::string::npos);
}

TEST_CASE("a single file is asked nothing by others") {
  const Folder folder;
  cli::EvalArguments arguments;
  arguments.files = {folder.write("first.jsonl", first)};
  arguments.unrelated = arguments.json = true;
  const auto json = nlohmann::json::parse(run(arguments).out);
  CHECK(json["all"]["unrelated"]["n"] == 0);
  CHECK(json["all"]["unrelated"]["none"].is_null());
}

TEST_CASE("memories are left out where only turns are asked for") {
  const Folder folder;
  cli::EvalArguments arguments;
  arguments.files = {folder.write("first.jsonl", first)};
  arguments.json = true;
  arguments.turns_only = true;
  arguments.ks = {2, 1, 2};
  const auto json = nlohmann::json::parse(run(arguments).out);
  CHECK(json["all"]["recall"] == nlohmann::json({{"1", 0.5}, {"2", 0.5}}));
}

TEST_CASE("the table fits into a hundred columns") {
  const Folder folder;
  cli::EvalArguments arguments;
  arguments.files = {folder.write(std::string(60, 'x') + ".jsonl", first), folder.write("second.jsonl", second)};
  const auto outcome = run(arguments);
  REQUIRE(outcome.code == 0);
  std::istringstream lines(outcome.out);
  std::vector<std::string> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(line);
  REQUIRE(rows.size() == 8);                              // a head, two sets, all; a gap, a head, two categories
  for (const auto& row : rows) CHECK(row.size() <= 102);  // "…" has three bytes
  CHECK(rows[0].find("R@10") != std::string::npos);
  CHECK(rows[3].find("all") == 0);
  CHECK(rows[3].find("66.7") != std::string::npos);
  CHECK(rows[6].find("easy") == 0);
}

TEST_CASE("wrong usage is exit code 2 and one line") {
  cli::EvalArguments arguments;
  CHECK(run(arguments).code == 2);
  arguments.files = {"any.jsonl"};
  arguments.ks = {3, 0};
  CHECK(run(arguments).code == 2);
  arguments.ks = {-1};
  CHECK(run(arguments).code == 2);
  arguments.ks = {};
  CHECK(run(arguments).code == 2);
  arguments.ks = {3};
  arguments.preset = "nonsense";
  const auto outcome = run(arguments);
  CHECK(outcome.code == 2);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find("selfmind") != std::string::npos);
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
}

TEST_CASE("a file that fails is exit code 1, and nothing is printed of the others") {
  const Folder folder;
  cli::EvalArguments arguments;
  arguments.files = {folder.write("first.jsonl", first), folder.write("broken.jsonl", first + "{")};
  const auto broken = run(arguments);
  CHECK(broken.code == 1);
  CHECK(broken.out.empty());
  CHECK(broken.err.find("broken.jsonl:5:") != std::string::npos);
  arguments.files = {"no/such/file.jsonl"};
  CHECK(run(arguments).code == 1);
}

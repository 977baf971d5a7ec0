// The command line from the outside, as a shell sees it: a store and two projects.
#pragma once
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "store/database.h"
#include "support/catch.h"
#include "support/temporary.h"

namespace selfmind::test {

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

struct Shell {
  Shell() {
    for (const auto* project : {"here", "there"}) std::filesystem::create_directories(folder / project);
  }

  Outcome run(std::vector<std::string> arguments, const std::string& project = "here") {
    arguments.insert(arguments.begin(), "selfmind-host");
    const bool global = std::find(arguments.begin(), arguments.end(), "--global") != arguments.end();
    arguments.insert(arguments.end(), {"--db", folder / "store/memory.db"});
    if (!global) arguments.insert(arguments.end(), {"--project", folder / project});
    std::vector<char*> argv;
    for (auto& argument : arguments) argv.push_back(argument.data());
    std::istringstream in;
    std::ostringstream out, err;
    const int code = cli::run(
        static_cast<int>(argv.size()), argv.data(), in, out, err, [](const std::string&) { return cli::exit_failed; },
        [](const std::function<void(cli::Network&)>&) { FAIL("no network is used here"); });
    return {code, out.str(), err.str()};
  }

  nlohmann::json parsed(std::vector<std::string> arguments, const std::string& project = "here") {
    arguments.emplace_back("--json");
    const auto outcome = run(std::move(arguments), project);
    INFO(outcome.err);
    REQUIRE(outcome.code == 0);
    return nlohmann::json::parse(outcome.out);
  }

  store::Database store() {
    auto database = store::Database::open(folder / "store/memory.db", clock, ids);
    REQUIRE(database.ok());
    return std::move(*database);
  }

  TemporaryFolder folder;
  SystemClock clock;
  RandomIds ids;
};

}  // namespace selfmind::test

// `probe` from the outside, as a shell sees it.
#include "cli/shell.h"
#include "store/log.h"

using namespace selfmind;
using nlohmann::json;
using test::Outcome;
using test::Shell;

namespace {

struct Remembered : Shell {
  Remembered() {
    run({"remember", "The staging database listens on port 5433."});
    run({"remember", "The user prefers tabs over spaces."});
  }
};

}  // namespace

TEST_CASE("a probe is added, found at its place, and summed up") {
  Remembered shell;
  CHECK(shell.run({"probe", "add", "which port does staging have", "1"}).out == "1\n");
  CHECK(shell.run({"probe", "add", "who reviews changes?", "2"}).out == "2\n");
  const auto outcome = shell.run({"probe", "run"});
  CHECK(outcome.code == 0);
  CHECK(outcome.out.find("    1  1            which port does staging have\n") != std::string::npos);
  CHECK(outcome.out.find("    2  missed       who reviews changes?\n") != std::string::npos);
  CHECK(outcome.out.find("expected     memory     2  The user prefers tabs over spaces.\n") != std::string::npos);
  CHECK(outcome.out.find("2 probes asked. In the first 3: 50 %, 6: 50 %, 10: 50 %; MRR 0.50.\n") != std::string::npos);
}

TEST_CASE("the JSON of a run has each probe and the figures under the names that eval has") {
  Remembered shell;
  const auto added = shell.parsed({"probe", "add", "which port does staging have", "1"});
  CHECK(added["id"] == 1);
  CHECK(added["scope"] == "project");
  shell.run({"probe", "add", "tabs", "1"});
  shell.run({"probe", "add", "best pizza in town", "--nothing"});
  const auto report = shell.parsed({"probe", "run", "--k", "1,5"});
  REQUIRE(report["probes"].size() == 3);
  CHECK(report["probes"][0]["uuid"] == added["uuid"]);
  CHECK(report["probes"][0]["expect"][0]["place"] == 1);
  CHECK(report["probes"][0]["expect"][0]["state"] == "active");
  CHECK(report["probes"][1]["expect"][0]["place"].is_null());
  CHECK(report["probes"][1]["first"]["id"] == 2);
  CHECK(report["probes"][2]["first"].is_null());
  CHECK(report["n"] == 3);
  CHECK(report["recall"] == json({{"1", 0.5}, {"5", 0.5}}));
  CHECK(report["any"] == json({{"1", 0.5}, {"5", 0.5}}));
  CHECK(report["mrr"] == 0.5);
  CHECK(report["none"] == 1.0);
}

TEST_CASE("a turn is expected by the id that recall prints") {
  Remembered shell;
  {
    auto database = shell.store();
    const auto chat = store::new_session(database, store::no_id);
    REQUIRE(store::keep_message(database, chat->id, "The gate is locked at ten.").ok());
  }
  const auto hit = shell.parsed({"recall", "when is the gate locked"})[0];
  CHECK(hit["source"] == "turn");
  const std::string id = "turn:" + std::to_string(hit["id"].get<int>());
  CHECK(shell.run({"probe", "add", "locked gate?", id}).code == 0);
  const auto expected = shell.parsed({"probe", "run"})["probes"][0]["expect"][0];
  CHECK(expected["source"] == "turn");
  CHECK(expected["place"] == 1);
  CHECK(shell.run({"probe", "add", "tabs", "turn:7"}).err.find("no turn 7") != std::string::npos);
}

TEST_CASE("what was superseded since is said and not counted as missed") {
  Remembered shell;
  shell.run({"probe", "add", "which port does staging have", "1"});
  shell.run({"probe", "add", "tabs?", "2"});
  {
    auto database = shell.store();
    REQUIRE(database.execute("UPDATE memory SET state = 'superseded' WHERE id = 1").ok());
  }
  CHECK(shell.run({"probe", "list"}).out.find("port 5433. (superseded)\n") != std::string::npos);
  const auto outcome = shell.run({"probe", "run"});
  CHECK(outcome.code == 0);
  CHECK(outcome.out.find("    1  superseded   which port does staging have\n") != std::string::npos);
  CHECK(outcome.out.find("1 probe asked. In the first 3: 100 %") != std::string::npos);
  CHECK(outcome.out.find("1 not asked: ") != std::string::npos);
  const auto report = shell.parsed({"probe", "run"});
  CHECK(report["n"] == 1);
  CHECK(report["probes"][0]["counted"] == false);
}

TEST_CASE("probes are the project's, and the global ones'") {
  Remembered shell;
  shell.run({"remember", "--global", "Reviews take two people."});
  CHECK(shell.run({"probe", "add", "tabs", "2"}).code == 0);
  CHECK(shell.run({"probe", "add", "reviews", "3", "--global"}).code == 0);
  CHECK(shell.parsed({"probe", "list"}).size() == 2);
  const auto there = shell.parsed({"probe", "list"}, "there");
  REQUIRE(there.size() == 1);
  CHECK(there[0]["query"] == "reviews");
  const auto refused = shell.run({"probe", "add", "tabs", "2"}, "there");
  CHECK(refused.code == 1);
  CHECK(refused.err.find("here") != std::string::npos);
}

TEST_CASE("the same question is asked once, for what was named last") {
  Remembered shell;
  shell.run({"probe", "add", "tabs", "1"});
  CHECK(shell.run({"probe", "add", "tabs", "2"}).out == "2  in the place of 1\n");
  CHECK(shell.parsed({"probe", "list"}).size() == 1);
}

TEST_CASE("a probe is removed by its id") {
  Remembered shell;
  shell.run({"probe", "add", "tabs", "2"});
  CHECK(shell.run({"probe", "remove", "2"}).code == 1);
  CHECK(shell.run({"probe", "remove", "1"}).out.find("tabs") != std::string::npos);
  CHECK(shell.run({"probe", "list"}).out == "There are no probes here.\n");
  CHECK(shell.parsed({"probe", "list"}) == json::array());
}

TEST_CASE("a run without probes fails and says how to add one") {
  Remembered shell;
  const auto outcome = shell.run({"probe", "run"});
  CHECK(outcome.code == 1);
  CHECK(outcome.err.find("probe add QUERY ID") != std::string::npos);
}

TEST_CASE("an unknown id changes nothing") {
  Remembered shell;
  const auto outcome = shell.run({"probe", "add", "tabs", "2", "99"});
  CHECK(outcome.code == 1);
  CHECK(outcome.err.find("99") != std::string::npos);
  CHECK(shell.parsed({"probe", "list"}).empty());
}

TEST_CASE("wrong usage of probe is told apart") {
  Remembered shell;
  CHECK(shell.run({"probe"}).code == 2);
  CHECK(shell.run({"probe", "add", "tabs"}).code == 2);
  CHECK(shell.run({"probe", "add", "tabs", "x"}).code == 2);
  CHECK(shell.run({"probe", "add", "tabs", "turn:"}).code == 2);
  CHECK(shell.run({"probe", "add", "tabs", "2", "--nothing"}).code == 2);
  CHECK(shell.run({"probe", "run", "--k", "0"}).code == 2);
  CHECK(shell.run({"probe", "run", "--preset", "guess"}).code == 2);
  CHECK(shell.run({"probe", "dance"}).code == 2);
}

TEST_CASE("forgetting says which probes go along") {
  Remembered shell;
  shell.run({"probe", "add", "which port?", "1"});
  shell.run({"probe", "add", "which port and which indentation?", "1", "2"});
  const auto would = shell.run({"forget", "1", "--dry-run"});
  CHECK(would.out.find("1 probe that asks for nothing else would go with them.\n") != std::string::npos);
  CHECK(would.out.find("They or their words would be cut from 1 probe.\n") != std::string::npos);
  const auto forgotten = shell.parsed({"forget", "1"});
  CHECK(forgotten["probes_gone"] == 1);
  CHECK(forgotten["probes_cut"] == 1);
  CHECK(shell.parsed({"probe", "list"}).size() == 1);
}

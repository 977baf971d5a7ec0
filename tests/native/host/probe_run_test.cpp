// What is asked for each probe, and what is counted, over answers that the test makes up.
#include "host/probe_run.h"

#include "support/catch.h"

using namespace selfmind;
using store::Expected;
using store::ItemKind;

namespace {

Expected memory_id(store::Id id, std::string state = "active") { return {ItemKind::memory, id, {}, std::move(state)}; }
Expected turn_id(store::Id id) { return {ItemKind::turn, id, {}, {}}; }

store::Probe probe(std::string query, std::vector<Expected> expect) {
  store::Probe made;
  made.query = std::move(query);
  made.expect = std::move(expect);
  return made;
}

recall::Hit memory_hit(store::Id id, std::vector<store::Id> turns = {}) {
  recall::Hit hit;
  hit.item.kind = ItemKind::memory;
  hit.item.id = id;
  hit.item.turns = std::move(turns);
  return hit;
}

recall::Hit turn_hit(store::Id id) {
  recall::Hit hit = memory_hit(id);
  hit.item.kind = ItemKind::turn;
  return hit;
}

// The memories 1, 2, 3, … as far as they were asked for.
std::vector<recall::Hit> first_memories(std::size_t k) {
  std::vector<recall::Hit> hits;
  for (std::size_t i = 1; i <= k; ++i) hits.push_back(memory_hit(static_cast<store::Id>(i)));
  return hits;
}

template <class Answer>
host::ProbeReport ran(std::vector<store::Probe> probes, Answer answer, std::vector<std::size_t> ks = {3, 6, 10}) {
  host::ProbeRun run(std::move(probes), std::move(ks));
  while (const auto question = run.next()) run.take(answer(question->k));
  return run.report();
}

}  // namespace

TEST_CASE("a probe is asked for longer lists until all that it expects is there") {
  std::vector<std::size_t> asked;
  const auto report = ran({probe("q", {memory_id(2), memory_id(9)})}, [&](std::size_t k) {
    asked.push_back(k);
    return first_memories(k);
  });
  CHECK(asked == std::vector<std::size_t>{3, 6, 10});
  REQUIRE(report.outcomes.size() == 1);
  CHECK(report.outcomes[0].places[0] == 2u);
  CHECK(report.outcomes[0].places[1] == 9u);
  CHECK(*report.recall[0] == Approx(0.5));
  CHECK(*report.recall[1] == Approx(0.5));
  CHECK(*report.recall[2] == Approx(1.0));
  CHECK(*report.any[0] == Approx(1.0));
  CHECK(*report.mrr == Approx(0.5));
  CHECK_FALSE(report.none);
}

TEST_CASE("what a list of three leaves out is not in the first three, wherever a longer list has it") {
  const auto report = ran({probe("q", {memory_id(7)})}, [](std::size_t k) {
    return k == 3 ? first_memories(3) : std::vector<recall::Hit>{memory_hit(7)};
  });
  CHECK(report.outcomes[0].places[0] == 4u);
  CHECK(*report.recall[0] == Approx(0));
  CHECK(*report.recall[1] == Approx(1));
}

TEST_CASE("what is not found is missed, with what came first instead") {
  const auto report = ran({probe("q", {memory_id(99)}), probe("r", {memory_id(1)})}, first_memories);
  CHECK_FALSE(report.outcomes[0].places[0]);
  REQUIRE(report.outcomes[0].first);
  CHECK(report.outcomes[0].first->item.id == 1);
  CHECK(*report.recall[2] == Approx(0.5));
  CHECK(*report.mrr == Approx(0.5));
}

TEST_CASE("places after the twentieth count for a cut-off behind them and not for MRR") {
  const auto report = ran({probe("q", {memory_id(25)})}, first_memories, {30, 3, 3});
  CHECK(report.ks == std::vector<std::size_t>{3, 30});
  CHECK(report.outcomes[0].places[0] == 25u);
  CHECK(*report.recall[1] == Approx(1));
  CHECK(*report.mrr == Approx(0));
}

TEST_CASE("a memory counts as the first three turns it came from, a turn never as its memory") {
  const auto list = [](std::size_t) { return std::vector<recall::Hit>{memory_hit(1, {11, 12, 13, 14}), turn_hit(2)}; };
  const auto report =
      ran({probe("q", {turn_id(13)}), probe("q", {turn_id(14)}), probe("q", {turn_id(1)}), probe("q", {memory_id(2)})},
          list);
  CHECK(report.outcomes[0].places[0] == 1u);
  CHECK_FALSE(report.outcomes[1].places[0]);
  CHECK_FALSE(report.outcomes[2].places[0]);
  CHECK_FALSE(report.outcomes[3].places[0]);
}

TEST_CASE("a probe that expects nothing is right when nothing came, and counts apart") {
  std::vector<std::size_t> asked;
  const auto report = ran({probe("pizza", {}), probe("q", {memory_id(1)})}, [&](std::size_t k) {
    asked.push_back(k);
    return asked.size() == 1 ? std::vector<recall::Hit>() : first_memories(k);
  });
  CHECK(asked == std::vector<std::size_t>{20, 3});
  CHECK(*report.none == Approx(1));
  CHECK(*report.recall[0] == Approx(1));
  CHECK(report.counted == 2);
  CHECK(*ran({probe("pizza", {})}, first_memories).none == Approx(0));
}

TEST_CASE("what is not recalled any more is said and not counted as missed") {
  int asked = 0;
  const auto report =
      ran({probe("gone", {memory_id(1, "superseded")}), probe("half", {memory_id(2), memory_id(3, "archived")}),
           probe("gone", {memory_id(4, "archived")})},
          [&](std::size_t k) {
            ++asked;
            return first_memories(k);
          });
  CHECK(asked == 1);
  CHECK(report.counted == 1);
  CHECK_FALSE(report.outcomes[0].counted);
  CHECK(report.outcomes[1].counted);
  CHECK(*report.recall[0] == Approx(1));
}

TEST_CASE("without probes nothing is asked and there are no figures") {
  const auto report = ran({}, first_memories);
  CHECK(report.counted == 0);
  CHECK_FALSE(report.recall[0]);
  CHECK_FALSE(report.mrr);
}

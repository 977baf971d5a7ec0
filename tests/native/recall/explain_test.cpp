// recall --explain: the same list, each score in its parts, and why the next ones are not in it.
#include <algorithm>
#include <filesystem>

#include "recall/sets.h"
#include "recall/small_store.h"
#include "support/catch.h"

using namespace selfmind;
using recall::Context;
using recall::Explanation;
using test::SmallStore;
using Names = std::vector<std::string>;

namespace {

Explanation explained(const SmallStore& store, std::string_view question, std::size_t k) {
  return recall::explain(store.index, question, store.context, k);
}

std::string why_not(const Explanation& explanation, std::string_view name) {
  for (const auto& missed : explanation.missed) {
    if (recall::name_of(missed.hit.item) == name) return missed.why;
  }
  return {};
}

// Those that `make eval` runs.
std::filesystem::path sets() { return std::filesystem::path(SELFMIND_FIXTURES) / "../../recall"; }

void check_parts(const recall::Hit& hit) {
  double sum = 0;
  for (const auto& part : hit.parts) {
    sum += part.value;
    CHECK_FALSE(part.name.empty());
    CHECK(part.value != 0);
  }
  CHECK(sum == Approx(hit.score).margin(1e-9));
}

}  // namespace

TEST_CASE("an explanation has the same list, and the parts of every score add up to it") {
  std::size_t asked = 0;
  for (const auto& file : std::filesystem::directory_iterator(sets())) {
    if (file.path().extension() != ".jsonl") continue;
    const auto set = recall::read_set(file.path().string(), false);
    REQUIRE(set);
    recall::Index index;
    for (const auto& item : set->items) index.put(item);
    for (const auto& probe : set->probes) {
      INFO(set->name << ": " << probe.query);
      Context context;
      context.project = probe.project;
      if (probe.at) context.now = *probe.at;
      const auto hits = recall::rank(index, probe.query, context, 6);
      const auto explanation = recall::explain(index, probe.query, context, 6);
      ++asked;
      REQUIRE(explanation.hits.size() == hits.size());
      for (std::size_t i = 0; i < hits.size(); ++i) {
        CHECK(explanation.hits[i].item.id == hits[i].item.id);
        CHECK(explanation.hits[i].item.kind == hits[i].item.kind);
        CHECK(explanation.hits[i].score == hits[i].score);
        if (i > 0) CHECK(hits[i].score <= hits[i - 1].score);
        check_parts(hits[i]);
      }
      CHECK(explanation.missed.size() <= 10);
      for (const auto& missed : explanation.missed) {
        check_parts(missed.hit);
        CHECK_FALSE(missed.why.empty());
      }
      CHECK(explanation.confidence >= 0);
      CHECK(explanation.confidence <= 1);
      if (!hits.empty()) CHECK(explanation.confidence >= explanation.needed_memory);
    }
  }
  CHECK(asked >= 110);
}

TEST_CASE("asking twice, and explaining in between, changes nothing") {
  const auto set = recall::read_set((sets() / "year.jsonl").string(), false);
  REQUIRE(set);
  recall::Index index;
  for (const auto& item : set->items) index.put(item);
  Context context;
  context.all_projects = true;
  std::vector<std::vector<double>> before;
  const auto ask_all = [&] {
    std::vector<std::vector<double>> all;
    for (const auto& probe : set->probes) {
      all.emplace_back();
      for (const auto& hit : recall::rank(index, probe.query, context, 10)) all.back().push_back(hit.score);
    }
    return all;
  };
  const auto first = ask_all();
  for (const auto& probe : set->probes) recall::explain(index, probe.query, context, 10);
  CHECK(ask_all() == first);
}

TEST_CASE("what is behind the first k is said to be so") {
  SmallStore store;
  for (store::Id id = 1; id <= 4; ++id) store.says(id, "the ledger port " + std::string(id, 'x'));
  const auto explanation = explained(store, "ledger port", 2);
  CHECK(explanation.hits.size() == 2);
  REQUIRE(explanation.missed.size() == 2);
  CHECK(explanation.missed[0].why.find("first 2") != std::string::npos);
  CHECK(explanation.missed[0].hit.score >= explanation.missed[1].hit.score);
}

TEST_CASE("no more than ten are said to be missed") {
  SmallStore store;
  for (store::Id id = 1; id <= 40; ++id) store.says(id, "the ledger port " + std::string(id, 'x'));
  CHECK(explained(store, "ledger port", 2).missed.size() == 10);
}

TEST_CASE("a turn that a memory stands for is said to be said by it") {
  SmallStore store;
  store.says(1, "staging listens on port 5433");
  store.keeps(7, "Staging listens on port 5433", {1});
  const auto explanation = explained(store, "staging port", 6);
  REQUIRE(explanation.hits.size() == 1);
  CHECK(why_not(explanation, "turn 1").find("memory 7") != std::string::npos);
}

TEST_CASE("what is missed for each other reason is told with it") {
  SmallStore store;
  store.says(1, "Which port does the ledger use?", {.session = 1});
  store.replies(2, "The ledger uses port 5433", {.session = 1});
  store.says(3, "The ledger port is in the wiki");
  store.context.skip = [](const store::Item& item) { return item.id == 3; };
  const auto explanation = explained(store, "Which port does the ledger use?", 6);
  CHECK(why_not(explanation, "turn 1").find("only asks the same") != std::string::npos);
  CHECK(why_not(explanation, "turn 3").find("conversation already") != std::string::npos);

  store.context.skip = nullptr;
  store.context.preset.min_score = 1.5;
  const auto floored = explained(store, "Which port does the ledger use?", 6);
  CHECK(floored.hits.empty());
  CHECK(why_not(floored, "turn 3").find("confidence is below 1.50") != std::string::npos);
  CHECK(floored.needed == 1.5);
}

TEST_CASE("words that nothing knows are marked, words that say nothing are not among them") {
  SmallStore store;
  store.says(1, "the staging ports");
  const auto words = explained(store, "Which port does the zanzibar staging use?", 6).words;
  CHECK(std::count(words.begin(), words.end(), "port") == 1);
  CHECK(std::count(words.begin(), words.end(), "staging") == 1);
  CHECK(std::count(words.begin(), words.end(), "zanzibar*") == 1);
  for (const auto* silent : {"which", "does", "the", "which*", "the*"}) {
    INFO(silent);
    CHECK(std::count(words.begin(), words.end(), silent) == 0);
  }
}

TEST_CASE("the times that a question names are shown as days") {
  SmallStore store;
  store.says(1, "the ledger");
  CHECK(explained(store, "the ledger in March", 6).times == Names{"2026-03-01 to 2026-03-31"});
  CHECK(explained(store, "the ledger yesterday", 6).times == Names{"2026-06-14 to 2026-06-14"});
  CHECK(explained(store, "the ledger", 6).times.empty());
}

TEST_CASE("of an empty store the question's words are shown all the same") {
  const SmallStore store;
  const auto explanation = explained(store, "ledger port", 6);
  CHECK(explanation.hits.empty());
  CHECK(explanation.missed.empty());
  CHECK(explanation.words == Names{"ledger*", "port*"});
}

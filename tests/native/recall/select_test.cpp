// What joins the list, and what a listed one makes needless.
#include "recall/select.h"

#include <algorithm>

#include "recall/small_store.h"
#include "support/catch.h"

using namespace selfmind;
using test::SmallStore;
using Names = std::vector<std::string>;

namespace {

std::size_t repeats(const SmallStore& store, std::string_view question) {
  std::size_t count = 0;
  for (const auto& hit : store.hits(question, 200)) {
    count +=
        std::any_of(hit.parts.begin(), hit.parts.end(), [](const auto& part) { return part.name.find("repeats") == 0; })
            ? 1
            : 0;
  }
  return count;
}

}  // namespace

TEST_CASE("three that say the same: one keeps its score, each of the others loses some once") {
  SmallStore store;
  for (store::Id id = 1; id <= 3; ++id) store.says(id, "The deploy of the ledger runs on Fridays");
  CHECK(store.found("deploy of the ledger").size() == 3);
  CHECK(repeats(store, "deploy of the ledger") == 2);
  CHECK(store.part("deploy of the ledger", "turn 1", "repeats") == 0);
  CHECK(store.score("deploy of the ledger", "turn 2") == Approx(0.8 * store.score("deploy of the ledger", "turn 1")));
}

TEST_CASE("what says the same goes behind what says something else") {
  SmallStore store;
  store.says(1, "The deploy of the ledger runs on Fridays");
  store.says(2, "The deploy of the ledger runs on Fridays!");
  store.says(3, "The deploy of the ledger runs by hand");
  REQUIRE(store.score("deploy of the ledger", "turn 3") > 0.8 * store.score("deploy of the ledger", "turn 1"));
  CHECK(store.found("deploy of the ledger") == Names{"turn 1", "turn 3", "turn 2"});
}

TEST_CASE("order, capitals and signs make no other statement, other words do") {
  SmallStore store;
  store.says(1, "Deploy the ledger on Fridays");
  store.says(2, "deploy THE ledger, on fridays!");
  CHECK(repeats(store, "ledger") == 1);
  store.says(3, "Deploy the ledger on Mondays");
  CHECK(repeats(store, "ledger") == 1);
}

TEST_CASE("a port, a version or a negation that differs is what changed") {
  for (const auto& [one, other] :
       {std::pair<const char*, const char*>{"The ledger listens on 5432", "The ledger listens on 5433"},
        {"The ledger needs v1.2.3", "The ledger needs v1.2.4"},
        {"We use tabs in the ledger", "We use no tabs in the ledger"},
        {"Wir nutzen Tabs im Ledger", "Wir nutzen nie Tabs im Ledger"},
        {"我喜欢账本的端口", "我不喜欢账本的端口"}}) {
    INFO(other);
    SmallStore store;
    store.says(1, one);
    store.says(2, other);
    CHECK(repeats(store, "ledger 账本 tabs") == 0);
  }
}

TEST_CASE("the first design lists what says the same twice") {
  SmallStore store;
  store.context.preset = *recall::preset("selfmind");
  store.says(1, "the ledger");
  store.says(2, "the ledger");
  CHECK(store.score("ledger", "turn 1") == store.score("ledger", "turn 2"));
  CHECK(store.found("ledger") == Names{"turn 1", "turn 2"});
}

TEST_CASE("of a memory and its turn the better one is listed, and the other makes room") {
  SmallStore store;
  store.says(1, "staging listens on port 5433");
  store.keeps(1, "Staging listens on port 5433", {1});
  store.says(2, "the staging port is forwarded by the proxy");
  store.says(3, "another port of staging is 80");
  CHECK(store.found("staging port", 3).size() == 3);
}

TEST_CASE("a memory of two turns is left out only when both are told") {
  SmallStore store;
  store.context.preset = *recall::preset("selfmind");  // no memory is lifted above its turns there
  store.says(1, "ledger ledger ledger");
  store.says(2, "ledger ledger");
  store.keeps(1, "The ledger is kept by a long sentence that says little of it", {1, 2});
  CHECK(store.found("ledger") == Names{"turn 1", "turn 2"});
  store.keeps(1, "The ledger is kept by a long sentence that says little of it", {1, 3});
  CHECK(store.found("ledger") == Names{"turn 1", "turn 2", "memory 1"});
}

TEST_CASE("two memories of one turn: the second one says nothing new") {
  SmallStore store;
  store.says(1, "We use postgres on staging, and nginx in front");
  store.keeps(1, "Staging uses postgres", {1});
  store.keeps(2, "Staging has nginx in front", {1});
  const auto found = store.found("What does staging use?");
  REQUIRE_FALSE(found.empty());
  CHECK(std::count(found.begin(), found.end(), "turn 1") == 0);
}

TEST_CASE("a question that the user asked before is told from a statement in the same words") {
  SmallStore store;
  store.says(1, "Does the ledger listen on 5433?");
  store.says(2, "The ledger does listen on 5433");
  CHECK(store.found("Does the ledger listen on 5433?") == Names{"turn 2"});
}

TEST_CASE("an earlier question about another number is no earlier question") {
  SmallStore store;
  store.says(1, "Why does the ledger not listen on port 5432?");
  CHECK(store.found("Why does the ledger not listen on port 5433?") == Names{"turn 1"});
}

TEST_CASE("what is asked before is left out of a list that is long, too") {
  SmallStore store;
  for (store::Id id = 1; id <= 80; ++id) store.says(id, "Where is the ledger?");
  store.replies(81, "The ledger is in the vault");
  CHECK(store.found("Where is the ledger?", 60) == Names{"turn 81"});
}

TEST_CASE("items are named as people are shown them") {
  CHECK(recall::name_of(SmallStore::of(store::ItemKind::memory, 12, "", {})) == "memory 12");
  CHECK(recall::name_of(SmallStore::of(store::ItemKind::turn, 40, "", {})) == "turn 40");
}

TEST_CASE("a reply that only says again what was said is left out, one that says more is not") {
  SmallStore store;
  store.says(1, "My staging database listens on port 5433", {.session = 1});
  store.replies(2, "Noted: your staging database listens on port 5433.", {.session = 1});
  store.says(3, "How should I reach the staging database from the office?", {.session = 2});
  store.replies(4, "Open a tunnel with ssh -L 5433 to the bastion host, then point psql of the office at localhost.",
                {.session = 2});
  const auto found = store.found("Which port does the staging database listen on, from the office?");
  CHECK(std::count(found.begin(), found.end(), "turn 1") == 1);
  CHECK(std::count(found.begin(), found.end(), "turn 2") == 0);
  CHECK(std::count(found.begin(), found.end(), "turn 4") == 1);
}

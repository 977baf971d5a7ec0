// An index that has seen thousands of changes answers as one that is made of what is left.
#include "recall/index.h"

#include <algorithm>
#include <random>

#include "recall/small_store.h"
#include "support/catch.h"

using namespace selfmind;
using recall::Context;
using recall::Index;
using store::Item;
using store::ItemKind;

namespace {

class Life {
 public:
  explicit Life(unsigned seed) : random_(seed) {}

  // Puts, replaces or erases one item.
  void step(std::size_t wanted) {
    const bool grow = items_.size() < wanted;
    const auto what = below(10);
    if (what < 3 && !items_.empty()) {
      auto& changed = items_[below(items_.size())];
      changed = like(changed.kind, changed.id);
      index.put(changed);
    } else if (grow ? what < 9 : what < 5) {
      put(any());
    } else if (!items_.empty()) {
      const auto gone = items_.begin() + static_cast<std::ptrdiff_t>(below(items_.size()));
      index.erase(gone->kind, gone->id);
      items_.erase(gone);
    }
  }

  // Of the items as they are left, in the order in which they came; all at once, as a store is loaded.
  Index fresh() const {
    Index made;
    made.put(recall::Batch(items_));
    return made;
  }

  std::string question() {
    auto question = text(5);
    if (below(3) == 0) question = "what did the " + speaker() + " say about " + question;
    if (below(3) == 0) question = "when was the " + question + " in march?";
    return question;
  }

  std::size_t below(std::size_t n) { return random_() % n; }
  std::size_t size() const { return items_.size(); }

  Index index;

 private:
  Item any() {
    const auto kind = below(3) == 0 ? ItemKind::memory : ItemKind::turn;
    // Of both kinds some come again that were erased.
    return like(kind, static_cast<store::Id>(1 + below(600)));
  }

  Item like(ItemKind kind, store::Id id) {
    Item item = test::SmallStore::of(kind, id, text(12), {});
    item.project = static_cast<store::Id>(below(3));
    item.at = *parse_iso8601("2026-01-01") + std::chrono::hours(below(4000));
    if (kind == ItemKind::turn) {
      item.session = static_cast<store::Id>(below(12));  // 0: of none
      item.role = below(3) == 0 ? store::Role::assistant : store::Role::user;
    } else {
      for (auto turns = below(4); turns > 0; --turns) {
        const auto turn = static_cast<store::Id>(1 + below(600));
        if (std::find(item.turns.begin(), item.turns.end(), turn) == item.turns.end()) item.turns.push_back(turn);
      }
    }
    return item;
  }

  void put(const Item& item) {
    const auto same = [&](const Item& other) { return other.kind == item.kind && other.id == item.id; };
    const auto known = std::find_if(items_.begin(), items_.end(), same);
    if (known == items_.end()) {
      items_.push_back(item);
    } else {
      *known = item;
    }
    index.put(item);
  }

  std::string speaker() { return below(2) == 0 ? "operator" : "reviewer"; }

  std::string text(std::size_t words_max) {
    static const std::vector<std::string> words = {
        "ledger",  "staging",  "port",    "database", "migration", "certificate", "proxy",   "nginx",  "deploy",
        "backup",  "parser",   "config",  "editor",   "theme",     "latency",     "queue",   "index",  "vector",
        "release", "rollback", "monitor", "cluster",  "tabs",      "5433",        "v1.2.3",  "march",  "the",
        "was",     "on 3 may", "loop",    "why?",     "kernel",    "watchdog",    "request", "socket", "没有端口"};
    std::string text;
    for (std::size_t count = 1 + below(words_max); count > 0; --count) {
      text += words[std::min(below(words.size()), below(words.size()))] + " ";
    }
    return text;
  }

  std::mt19937 random_;
  std::vector<Item> items_;
};

void check_same(Life& life, const char* preset, int questions) {
  const auto fresh = life.fresh();
  CHECK(fresh.size() == life.index.size());
  for (int round = 0; round < questions; ++round) {
    const auto question = life.question();
    Context context;
    context.preset = *recall::preset(preset);
    context.now = *parse_iso8601("2026-06-15");
    context.project = static_cast<store::Id>(life.below(4));
    context.all_projects = life.below(3) == 0;
    const auto expected = recall::explain(fresh, question, context, 8);
    const auto got = recall::explain(life.index, question, context, 8);
    INFO(preset << ": " << question << " of project " << context.project);
    CHECK(got.confidence == expected.confidence);
    CHECK(got.words == expected.words);
    REQUIRE(got.hits.size() == expected.hits.size());
    for (std::size_t i = 0; i < got.hits.size(); ++i) {
      CHECK(recall::name_of(got.hits[i].item) == recall::name_of(expected.hits[i].item));
      CHECK(got.hits[i].score == expected.hits[i].score);
      CHECK(got.hits[i].excerpt == expected.hits[i].excerpt);
    }
    REQUIRE(got.missed.size() == expected.missed.size());
    for (std::size_t i = 0; i < got.missed.size(); ++i) CHECK(got.missed[i].why == expected.missed[i].why);
  }
}

}  // namespace

TEST_CASE("after every few changes the index answers as a new one") {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    Life life(seed);
    for (int round = 0; round < 15; ++round) {
      for (int step = 0; step < 20; ++step) life.step(80);
      for (const auto& preset : recall::preset_names()) check_same(life, preset.c_str(), 3);
    }
  }
}

TEST_CASE("after thousands of changes, and the gaps closed, the index answers as a new one") {
  Life life(77);
  for (int step = 0; step < 9000; ++step) life.step(120);
  REQUIRE(life.size() > 50);
  for (const auto& preset : recall::preset_names()) check_same(life, preset.c_str(), 25);
  for (int step = 0; step < 300; ++step) life.step(120);
  check_same(life, "default", 25);
}

TEST_CASE("a turn that comes late stands where its number says") {
  test::SmallStore store;
  store.says(1, "the staging database", {.session = 1});
  store.says(9, "unheard of", {.session = 1});
  store.says(5, "listens on 5433", {.session = 1});
  const double near = store.part("staging database", "turn 5", "neighbours");
  const double far = store.part("staging database", "turn 9", "neighbours");
  CHECK(near > far);
  store.index.erase(ItemKind::turn, 5);
  CHECK(store.part("staging database", "turn 9", "neighbours") > far);
}

TEST_CASE("a turn that moves to another session takes its words along") {
  test::SmallStore store;
  store.says(1, "the staging database", {.session = 1});
  store.says(2, "listens on 5433", {.session = 1});
  store.says(3, "listens elsewhere", {.session = 2});
  CHECK(store.part("staging database", "turn 3", "neighbours") == 0);
  store.says(1, "the staging database", {.session = 2});
  CHECK(store.part("staging database", "turn 2", "neighbours") == 0);
  CHECK(store.part("staging database", "turn 3", "neighbours") > 0);
}

TEST_CASE("an item that is replaced is found by its new words only, in its new project only") {
  test::SmallStore store;
  store.context.project = 1;
  store.keeps(1, "Staging listens on port 5432", {}, {.project = 1});
  CHECK(store.first("staging") == "memory 1");
  store.keeps(1, "Production listens on port 5433", {}, {.project = 1});
  CHECK(store.first("staging") == "nothing");
  CHECK(store.first("production") == "memory 1");
  store.keeps(1, "Production listens on port 5433", {}, {.project = 2});
  CHECK(store.first("production") == "nothing");
}

TEST_CASE("a word's other language is found whatever other projects, and erased items, have said") {
  test::SmallStore store;
  store.context.project = 1;
  store.says(1, "Wir haben das Deployment mit dem Team besprochen", {.project = 1});
  REQUIRE(store.first("What about the deployment?") == "turn 1");
  SECTION("in another project") {
    store.says(2, "They deploy the thing on Mondays", {.project = 2});
    CHECK(store.first("What about the deployment?") == "turn 1");
  }
  SECTION("and erased again") {
    store.says(2, "They deploy the thing on Mondays", {.project = 1});
    store.index.erase(ItemKind::turn, 2);
    CHECK(store.first("What about the deployment?") == "turn 1");
  }
  SECTION("in an English text of the same project") {
    store.says(2, "They deploy the thing on Mondays", {.project = 1});
    const auto found = store.found("What about the deployment?");
    CHECK(std::find(found.begin(), found.end(), "turn 1") != found.end());
  }
}

TEST_CASE("showing an excerpt changes no later answer") {
  test::SmallStore store;
  std::string text = "The plan. They were baking it. ";
  while (text.size() < 2000) text += "Wir haben das und die und der nicht mit dem aber und. ";
  store.says(1, text);
  store.says(2, "Das Baking im Team ist nicht gut und das war es");
  const auto before = store.found("What about baking?");
  REQUIRE_FALSE(before.empty());
  store.hits("plan");
  CHECK(store.found("What about baking?") == before);
}

TEST_CASE("a word is one whichever of its spellings came first") {
  for (const bool camel_first : {true, false}) {
    INFO(camel_first);
    test::SmallStore store;
    store.says(1, camel_first ? "the WebSockets are closed" : "the websockets are closed");
    store.says(2, camel_first ? "the websockets are open" : "the WebSockets are open");
    for (const auto* question : {"websocket", "websockets", "WebSockets", "WebSocket"}) {
      INFO(question);
      CHECK(store.found(question).size() == 2);
    }
  }
}

TEST_CASE("a speaker who is gone, or of another project, is a word again") {
  test::SmallStore store;
  store.context.project = 1;
  store.says(1, "the build broke", {.project = 1});
  SECTION("of another project") { store.says(2, "hello", {.project = 2, .speaker = "build"}); }
  SECTION("gone") {
    store.says(2, "hello", {.project = 1, .speaker = "build"});
    store.index.erase(ItemKind::turn, 2);
  }
  CHECK(store.first("what is with the build?") == "turn 1");
}

TEST_CASE("a memory that names a turn twice is erased without harm") {
  test::SmallStore store;
  store.keeps(1, "the ledger", {5, 5});
  store.index.erase(ItemKind::memory, 1);
  CHECK(store.index.size() == 0);
}

// The floor: what is unrelated gets nothing, and what is related something.
#include "recall/confidence.h"

#include "recall/small_store.h"
#include "support/catch.h"

using namespace selfmind;
using recall::Evidence;
using test::SmallStore;
using Names = std::vector<std::string>;

namespace {

// Some weeks of a developer, as they are kept.
SmallStore weeks() {
  SmallStore store;
  store.with_floor();
  store.says(1, "The staging database listens on port 5433, not the usual one.", {.session = 1});
  store.says(2, "We settled on PostgreSQL because two services write at once.", {.session = 1});
  store.says(3, "Please keep answers short, with the code first.", {.session = 2});
  store.says(4, "The certificate of the proxy is renewed by certbot every sixty days.", {.session = 2});
  store.says(5, "The nightly backup goes to the second site and is kept for ninety days.", {.session = 3});
  store.keeps(1, "The staging database listens on port 5433.", {1});
  store.keeps(2, "The user wants short answers with the code first.", {3});
  store.keeps(3, "The user prefers tabs over spaces in C++ files.");
  store.says(10, "测试数据库的端口改成了5433，因为另一个容器占用了原来的端口。", {.session = 4});
  store.says(11, "我早上喜欢喝绿茶，不喜欢咖啡。", {.session = 4});
  return store;
}

}  // namespace

TEST_CASE("a question about what was said gets it") {
  const auto store = weeks();
  CHECK(store.first("Which port does the staging database listen on?") == "memory 1");
  CHECK(store.first("Why did we settle on PostgreSQL?") == "turn 2");
  CHECK(store.first("Who renews the certificate of the proxy?") == "turn 4");
  CHECK(store.first("Do I prefer tabs or spaces?") == "memory 3");
  CHECK(store.first("测试数据库的端口是多少？") == "turn 10");
  CHECK(store.first("我喜欢喝绿茶还是咖啡？") == "turn 11");
}

TEST_CASE("a question about something else gets nothing") {
  const auto store = weeks();
  for (const auto* question : {"How do I bake sourdough bread?", "What is the capital of Mongolia?",
                               "Who won the football match yesterday?", "Explain the theory of relativity",
                               "Wie backe ich ein Brot?", "怎么做红烧肉？", "週末の天気は？", "asdf qwer"}) {
    INFO(question);
    CHECK(store.found(question).empty());
  }
}

TEST_CASE("a question that shares only words of any talk gets nothing") {
  const auto store = weeks();
  CHECK(store.found("Can you remember which days are kept at my grandmother's bakery?").empty());
  CHECK(store.found("Which lawyer would you prefer for the divorce?").empty());
}

TEST_CASE("the floor can be switched off, and set") {
  auto store = weeks();
  const auto* question = "Which lawyer would you prefer for the divorce?";
  REQUIRE(store.found(question).empty());
  store.any_confidence();
  CHECK_FALSE(store.found(question).empty());
  store.context.preset.min_score = store.context.preset.min_score_memory = 1.1;
  CHECK(store.found("Which port does the staging database listen on?").empty());
}

TEST_CASE("a memory needs less confidence than a line of the log") {
  auto store = weeks();
  const auto* question = "Do I prefer tabs over spaces?";
  const double confidence = recall::explain(store.index, question, store.context, 6).confidence;
  CHECK(recall::floor_of_memories < recall::floor_of_turns);
  store.context.preset.min_score = confidence + 0.01;
  store.context.preset.min_score_memory = confidence - 0.01;
  const auto hits = store.hits(question);
  REQUIRE_FALSE(hits.empty());
  for (const auto& hit : hits) CHECK(hit.item.kind == store::ItemKind::memory);
  store.context.preset.min_score_memory = confidence + 0.01;
  CHECK(store.found(question).empty());
}

TEST_CASE("a name that stands nowhere makes a question doubtful, one that speaks does not") {
  SmallStore store;
  store.says(1, "The parser is rewritten in Lua.", {.speaker = "Reviewer"});
  store.says(2, "The backup runs at night.", {.speaker = "Operator"});
  const auto confidence = [&](const char* question) {
    return recall::explain(store.index, question, store.context, 6).confidence;
  };
  CHECK(confidence("Is the parser of Zanzibar rewritten?") < confidence("Is the parser rewritten?"));
  CHECK(confidence("What does the reviewer say of the parser?") >= confidence("Is the parser rewritten?"));
}

TEST_CASE("confidence lies between 0 and 1 and grows with each piece of evidence") {
  Evidence none;
  none.words = 4;
  Evidence all{1, 1, 1, 10, 4, true, false, true, false};
  CHECK(recall::confidence(none) > 0);
  CHECK(recall::confidence(none) < 0.1);
  CHECK(recall::confidence(all) > 0.9);
  CHECK(recall::confidence(all) < 1);
  for (const bool characters : {false, true}) {
    Evidence some{0.3, 0.4, 0.3, 1, 4, false, false, false, characters};
    const double before = recall::confidence(some);
    Evidence more = some;
    more.known = 0.8;
    CHECK(recall::confidence(more) > before);
  }
  Evidence some{0.3, 0.4, 0.3, 1, 4, false, false, false, false};
  const double before = recall::confidence(some);
  Evidence more = some;
  more.match = 0.6;
  CHECK(recall::confidence(more) > before);
  more = some;
  more.uncommon = 0.9;
  CHECK(recall::confidence(more) > before);
  more = some;
  more.in_memory = true;
  CHECK(recall::confidence(more) > before);
  more = some;
  more.unknown_name = true;
  CHECK(recall::confidence(more) < before);
}

TEST_CASE("a question that names a time and little else is surer where something was said then") {
  Evidence little;
  little.match = 0.1;
  little.known = 0.5;
  little.words = 3;
  auto of_that_time = little;
  of_that_time.asks_of_time = true;
  CHECK(confidence(of_that_time) > confidence(little));
}

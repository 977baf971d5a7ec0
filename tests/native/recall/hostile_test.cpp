// Questions that nobody means well, asked of every preset: each gets an answer, and soon.
#include "support/hostile.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/limits.h"
#include "base/utf8.h"
#include "recall/small_store.h"
#include "support/catch.h"

using namespace selfmind;
using test::SmallStore;

namespace {

// A store in which every hostile question meets something.
SmallStore met() {
  SmallStore store;
  store::Id id = 0;
  for (const auto& question : test::hostile_questions()) {
    if (question.size() > 1000) continue;
    ++id;
    const test::About about{.session = id / 7, .project = id % 3, .speaker = id % 5 == 0 ? "port" : ""};
    if (id % 4 == 0) {
      store.keeps(id, question + " port", {id - 1, id - 2}, about);
    } else if (id % 4 == 1) {
      store.replies(id, question, about);
    } else {
      store.says(id, question + (id % 2 == 0 ? " port database?" : " word17"), about);
    }
  }
  store.context.project = 1;
  return store;
}

void check_answer(const std::vector<recall::Hit>& hits, std::size_t k) {
  CHECK(hits.size() <= k);
  std::set<std::string> names;
  for (const auto& hit : hits) {
    CHECK(std::isfinite(hit.score));
    CHECK(hit.score >= 0);
    CHECK(hit.excerpt.size() <= limits::excerpt_bytes);
    CHECK(names.insert(recall::name_of(hit.item)).second);
    CHECK(hit.item.project != 2);
  }
}

}  // namespace

TEST_CASE("two hundred hostile questions are answered in every preset") {
  const auto questions = test::hostile_questions();
  CHECK(std::set<std::string>(questions.begin(), questions.end()).size() >= 200);
  auto store = met();
  for (const auto& preset : recall::preset_names()) {
    store.context.preset = *recall::preset(preset);
    for (const bool floor : {true, false}) {
      if (!floor) store.any_confidence();
      for (const auto& question : questions) {
        if (!floor && question.size() > 1000) continue;
        INFO(preset << ": " << question.substr(0, 60) << " (" << question.size() << " bytes)");
        check_answer(store.hits(question, 10), 10);
      }
    }
  }
}

TEST_CASE("hostile questions are explained as they are answered") {
  const auto store = met();
  for (const auto& question : test::hostile_questions()) {
    if (question.size() > 1000) continue;
    INFO(question);
    const auto explanation = recall::explain(store.index, question, store.context, 5);
    const auto hits = store.hits(question, 5);
    REQUIRE(explanation.hits.size() == hits.size());
    for (std::size_t i = 0; i < hits.size(); ++i) CHECK(explanation.hits[i].score == hits[i].score);
    CHECK(std::isfinite(explanation.confidence));
    for (const auto& word : explanation.words) CHECK(utf8::valid(word));
  }
}

TEST_CASE("questions that are signs only, or words that say nothing, find nothing by default") {
  SmallStore store;
  store.with_floor();
  store.says(1, "The staging database listens on port 5433");
  store.keeps(1, "Staging listens on port 5433", {1});
  for (const auto& question : {std::string("???"), std::string("''"), std::string("(){}[]"), std::string(1u << 20, '('),
                               std::string("what is it that you are"), test::repeated("the ", 1u << 20),
                               std::string("der die das und oder"), std::string("的 了 吗"), std::string(9, '\0')}) {
    INFO(question.substr(0, 40));
    CHECK(store.found(question).empty());
  }
}

TEST_CASE("signs around a word do not hide it") {
  SmallStore store;
  store.says(1, "The staging database listens on port 5433");
  for (const auto& question :
       {std::string("\"staging\""), std::string("staging*"), std::string("(staging"), std::string("staging AND"),
        std::string("'; DROP TABLE staging; --"), std::string("\xFFstaging\xED\xA0\x80"), std::string("\0staging\0", 9),
        std::string("\u202Estaging\u202C"), std::string("\uFEFFstaging"), std::string("sta\u00ADging"),
        std::string("ｓｔａｇｉｎｇ"), std::string(1u << 20, '(') + "staging"}) {
    INFO(question.substr(0, 40));
    CHECK(store.first(question) == "turn 1");
  }
}

TEST_CASE("hostile texts are kept, replaced and erased, and what is left is found") {
  auto store = met();
  const auto size = store.index.size();
  for (store::Id id = 1; id < 250; id += 2) {
    store.index.erase(store::ItemKind::turn, id);
    store.index.erase(store::ItemKind::memory, id);
  }
  CHECK(store.index.size() < size);
  store.says(1000, "the watchdog barks at midnight", {.project = 1});
  CHECK(store.first("watchdog") == "turn 1000");
}

TEST_CASE("an endless text of one piece is indexed beside the others") {
  for (const auto& text : {std::string(300'000, 'a'), std::string(300'000, '('), test::repeated("喜欢", 300'000),
                           test::repeated("\u0316\u0301", 300'000), test::repeated("a_", 300'000),
                           test::repeated("port ", 300'000), std::string(300'000, '\0')}) {
    SmallStore store;
    store.says(1, text, {.session = 1});
    store.says(2, "the watchdog barks", {.session = 1});
    INFO(text.substr(0, 10));
    CHECK(store.first("watchdog") == "turn 2");
    check_answer(store.hits("port 喜欢 a", 10), 10);
  }
}

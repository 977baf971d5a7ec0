// The presets: each true to the design that it is named after, and honest about what it lacks.
#include "recall/presets.h"

#include <algorithm>
#include <cmath>

#include "recall/small_store.h"
#include "support/catch.h"

using namespace selfmind;
using test::SmallStore;
using Names = std::vector<std::string>;

namespace {

SmallStore with(const char* preset) {
  SmallStore store;
  store.context.preset = *recall::preset(preset);
  return store;
}

double total(const recall::Hit& hit) {
  double sum = 0;
  for (const auto& part : hit.parts) sum += part.value;
  return sum;
}

}  // namespace

TEST_CASE("each preset is known by its name, and the default is one of them") {
  const auto names = recall::preset_names();
  CHECK(names.size() == 4);
  for (const auto& name : names) {
    INFO(name);
    REQUIRE(recall::preset(name));
    CHECK(recall::preset(name)->name == name);
  }
  CHECK(std::find(names.begin(), names.end(), recall::default_preset) != names.end());
  CHECK_FALSE(recall::preset(""));
  CHECK_FALSE(recall::preset("Default"));
}

TEST_CASE("a preset that lacks something of its design says so in one sentence") {
  CHECK(recall::lacking(*recall::preset("default")).empty());
  CHECK(recall::lacking(*recall::preset("selfmind")).empty());
  const auto anamnesis = recall::lacking(*recall::preset("anamnesis"));
  CHECK(anamnesis.find("vectors") != std::string::npos);
  CHECK(anamnesis.find("0.5") != std::string::npos);
  const auto scenes = recall::lacking(*recall::preset("scenes"));
  CHECK(scenes.find("newest memories") != std::string::npos);
  for (const auto& sentence : {anamnesis, scenes}) CHECK(sentence.back() == '.');
}

TEST_CASE("the first design has no floor and no neighbours") {
  auto store = with("selfmind");
  store.says(1, "the staging database", {.session = 1});
  store.says(2, "listens on 5433", {.session = 1});
  CHECK(store.found("staging of something unheard of") == Names{"turn 1"});
  CHECK(store.found("unheard of").empty());
}

TEST_CASE("anamnesis: half of the words' share is left after half a life, and in the end too little") {
  auto store = with("anamnesis");
  store.context.now = *parse_iso8601("2026-06-15");
  store.says(1, "the ledger port", {.at = "2026-06-15"});
  CHECK(store.score("ledger port", "turn 1") == Approx(0.5));
  CHECK(store.part("ledger port", "turn 1", "text") == Approx(0.5));
  store.context.now = *parse_iso8601("2026-06-15") + std::chrono::hours(24 * 45);
  CHECK(store.score("ledger port", "turn 1") == Approx(0.25));
  CHECK(store.part("ledger port", "turn 1", "age") == Approx(-0.25));
  store.context.now = *parse_iso8601("2026-06-15") + std::chrono::hours(24 * 70);
  CHECK(store.found("ledger port").empty());  // 0.17, and 0.2 is the least
  store.context.preset.min_score = 0.1;
  CHECK(store.found("ledger port") == Names{"turn 1"});
  store.context.preset.min_score = 0.2;
  store.context.preset.temporal_decay = false;
  CHECK(store.score("ledger port", "turn 1") == Approx(0.5));
}

TEST_CASE("anamnesis: what is dated after the question is not worth more for it") {
  auto store = with("anamnesis");
  store.says(1, "the ledger port", {.at = "2027-06-15"});
  CHECK(store.score("ledger port", "turn 1") == Approx(0.5));
}

TEST_CASE("anamnesis: the weaker match is dropped below the least score") {
  auto store = with("anamnesis");
  store.context.now = *parse_iso8601("2026-06-01");
  store.says(1, "the certbot timer renews the ledger certificate");
  for (store::Id id = 2; id < 12; ++id) {
    store.says(id, "the ledger is about money, and this is a long line about what else it is " + std::to_string(id));
  }
  CHECK(store.found("certbot timer renews ledger certificate", 50) == Names{"turn 1"});
}

TEST_CASE("anamnesis: another subject comes before the same one again") {
  auto store = with("anamnesis");
  store.context.now = *parse_iso8601("2026-06-01");
  store.says(1, "certificate renewal failed for the ledger proxy");
  store.says(2, "certificate renewal failed for the ledger proxy again");
  store.says(3, "certificate of the pizza oven renewal is a joke of ours");
  CHECK(store.found("certificate renewal") == Names{"turn 1", "turn 3", "turn 2"});
  store.context.preset.mmr_lambda = 1;
  CHECK(store.found("certificate renewal") == Names{"turn 1", "turn 2", "turn 3"});
  store.context.preset.mmr = false;
  CHECK(store.found("certificate renewal") == Names{"turn 1", "turn 2", "turn 3"});
}

TEST_CASE("anamnesis: only so many times k are looked at") {
  auto store = with("anamnesis");
  store.context.now = *parse_iso8601("2026-06-01");
  for (store::Id id = 1; id <= 10; ++id) store.says(id, "ledger port");
  store.context.preset.candidate_multiplier = 1;
  store.context.skip = [](const store::Item& item) { return item.id == 1; };
  CHECK(store.found("ledger port", 2) == Names{"turn 2"});
  store.context.preset.candidate_multiplier = 1.5;
  CHECK(store.found("ledger port", 2) == Names{"turn 2", "turn 3"});
}

TEST_CASE("scenes: where nothing matches, the newest memories are given") {
  auto store = with("scenes");
  store.context.project = 1;
  store.keeps(1, "Indent with tabs", {}, {.at = "2026-03-01"});
  store.keeps(2, "The ledger listens on 5433", {}, {.project = 1, .at = "2026-05-01"});
  store.keeps(3, "Secret of another project", {}, {.project = 2, .at = "2026-06-01"});
  store.keeps(4, "Answers are short", {}, {.at = "2026-04-01"});
  store.says(1, "a turn is no memory", {.at = "2026-06-01"});
  CHECK(store.found("zzz") == Names{"memory 2", "memory 4", "memory 1"});
  CHECK(store.found("zzz", 2) == Names{"memory 2", "memory 4"});
  CHECK(store.found("") == Names{"memory 2", "memory 4", "memory 1"});
  CHECK(store.found("indent") == Names{"memory 1"});
}

TEST_CASE("the published designs know one kind of text: an assistant's words count as a user's") {
  for (const auto* name : {"selfmind", "scenes"}) {
    INFO(name);
    auto store = with(name);
    store.replies(1, "the ledger port");
    store.says(2, "the ledger port");
    CHECK(store.score("ledger", "turn 1") == Approx(store.score("ledger", "turn 2")));
    CHECK(store.first("ledger") == "turn 1");
  }
}

TEST_CASE("in every preset the parts add up, the order falls and no project leaks") {
  for (const auto& name : recall::preset_names()) {
    INFO(name);
    auto store = with(name.c_str());
    store.context.project = 1;
    store.context.preset.min_score = store.context.preset.min_score_memory = 0;
    store.context.preset.mmr = false;  // variety is an order of its own
    for (store::Id id = 1; id <= 30; ++id) {
      const std::string text = "ledger " + std::string(id % 3 == 0 ? "port " : "") +
                               std::string(id % 5 == 0 ? "ü" : "x") +
                               (id % 4 == 0 ? " certificate of the proxy" : " of the staging database");
      const test::About about{.session = id / 6, .project = id % 3, .at = id % 2 == 0 ? "2026-05-01" : "2026-06-01"};
      if (id % 2 == 0) {
        store.says(id, text, about);
      } else {
        store.keeps(id, text, {id + 1}, about);
      }
    }
    const auto hits = store.hits("ledger port of the proxy", 20);
    REQUIRE(hits.size() > 3);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      CHECK(total(hits[i]) == Approx(hits[i].score));
      CHECK(hits[i].item.project != 2);
      if (i > 0) CHECK(hits[i].score <= hits[i - 1].score);
    }
  }
}

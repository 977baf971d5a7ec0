// Recall against the formula written out plainly, after whatever happened to the index.
#include "recall/rank.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "support/catch.h"

using namespace selfmind;
using recall::Analysis;
using recall::Context;
using recall::Index;
using store::Item;
using store::ItemKind;

namespace {

Item item(ItemKind kind, store::Id id, std::string text, store::Id project = store::no_id) {
  Item item;
  item.kind = kind;
  item.id = id;
  item.text = std::move(text);
  item.project = project;
  return item;
}

Item turn(store::Id id, std::string text, store::Id project = store::no_id) {
  return item(ItemKind::turn, id, std::move(text), project);
}

Item memory(store::Id id, std::string text, std::vector<store::Id> turns = {}) {
  auto memory = item(ItemKind::memory, id, std::move(text));
  memory.turns = std::move(turns);
  return memory;
}

// The first design's ranking, whose formula is written out below; default_test.cpp has the other one.
Context of_project(store::Id project) {
  Context context;
  context.project = project;
  context.preset = *recall::preset("selfmind");
  return context;
}

Context everything() {
  auto context = of_project(store::no_id);
  context.all_projects = true;
  return context;
}

std::vector<store::Id> ids(const std::vector<recall::Hit>& hits) {
  std::vector<store::Id> ids;
  for (const auto& hit : hits) ids.push_back(hit.item.id);
  return ids;
}
using IdList = std::vector<store::Id>;

struct Read {
  store::Id id;
  std::vector<std::string> words;
};

// The formula, with no index: everything visible is read for every query.
std::vector<std::pair<double, store::Id>> brute_force(const std::vector<Item>& items, const std::string& query,
                                                      const Context& context) {
  std::vector<Read> visible;
  for (const auto& item : items) {
    const bool seen = context.all_projects || item.project == store::no_id || item.project == context.project;
    if (seen) visible.push_back({item.id, text::words(item.text)});
  }
  const double n = static_cast<double>(visible.size());
  double average = 0;
  for (const auto& item : visible) average += static_cast<double>(item.words.size()) / n;
  const auto asked = text::words(query);
  const std::set<std::string> query_words(asked.begin(), asked.end());

  std::vector<std::pair<double, store::Id>> ranked;
  for (const auto& item : visible) {
    double score = 0;
    for (const auto& word : query_words) {
      const auto count = [&](const Read& read) { return std::count(read.words.begin(), read.words.end(), word); };
      const double tf = static_cast<double>(count(item));
      const double df = static_cast<double>(
          std::count_if(visible.begin(), visible.end(), [&](const Read& other) { return count(other) > 0; }));
      const double idf = std::log(1 + (n - df + 0.5) / (df + 0.5));
      score += idf * tf * 2.5 / (tf + 1.5 * (0.25 + 0.75 * static_cast<double>(item.words.size()) / average));
    }
    if (score > 0) ranked.emplace_back(score, item.id);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first + 1e-12; });
  return ranked;
}

class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return random_() % n; }
  std::string text(std::size_t words_max) {
    std::string text;
    for (std::size_t words = 1 + below(words_max); words > 0; --words) {
      const std::size_t a = below(60), b = below(60);
      text += "w" + std::to_string(std::min(a, b)) + " ";  // common words and rare ones
    }
    return text;
  }

 private:
  std::mt19937 random_;
};

void check_equal(const Index& index, const std::vector<Item>& items, const std::string& query, const Context& context) {
  const auto expected = brute_force(items, query, context);
  const auto hits = recall::rank(index, query, context, items.size() + 1);
  REQUIRE(hits.size() == expected.size());
  for (std::size_t i = 0; i < hits.size(); ++i) {
    CHECK(std::abs(hits[i].score - expected[i].first) < 1e-9);
    CHECK(hits[i].item.id == expected[i].second);
    REQUIRE(hits[i].parts.size() == 1);
    CHECK(hits[i].parts[0].name == "bm25");
    CHECK(hits[i].parts[0].value == hits[i].score);
  }
}

void check_all_equal(const Index& index, const std::vector<Item>& items, Writer& writer) {
  CHECK(index.size() == items.size());
  for (int round = 0; round < 3; ++round) {
    const auto query = writer.text(6);
    check_equal(index, items, query, everything());
    for (const store::Id project : {0, 1, 2, 9}) {
      check_equal(index, items, query, of_project(project));
    }
  }
}

}  // namespace

TEST_CASE("scores are the formula, whatever was put, replaced and erased") {
  Writer writer(1);
  Index index(Analysis::plain);
  std::vector<Item> items;
  for (store::Id id = 1; id <= 200; ++id) {
    items.push_back(turn(id, writer.text(20), static_cast<store::Id>(writer.below(4))));
    index.put(items.back());
  }
  check_all_equal(index, items, writer);

  SECTION("after replacing some, also into other projects") {
    for (int round = 0; round < 60; ++round) {
      auto& changed = items[writer.below(items.size())];
      changed = turn(changed.id, writer.text(30), static_cast<store::Id>(writer.below(4)));
      index.put(changed);
    }
    check_all_equal(index, items, writer);
  }
  SECTION("after erasing some") {
    for (int round = 0; round < 120; ++round) {
      const auto gone = items.begin() + static_cast<std::ptrdiff_t>(writer.below(items.size()));
      index.erase(ItemKind::turn, gone->id);
      items.erase(gone);
    }
    check_all_equal(index, items, writer);
  }
  SECTION("after all were erased and others came") {
    for (const auto& gone : items) index.erase(ItemKind::turn, gone.id);
    CHECK(index.size() == 0);
    CHECK(recall::rank(index, "w1 w2 w3", everything(), 5).empty());
    items = {turn(500, "w1 w2"), turn(501, "w2")};
    for (const auto& added : items) index.put(added);
    check_all_equal(index, items, writer);
  }
}

TEST_CASE("a long session of coming and going leaves the statistics and the order exact") {
  Writer writer(2);
  Index index(Analysis::plain);
  std::vector<Item> items;
  for (store::Id id = 1; id <= 6000; ++id) {
    items.push_back(turn(id, writer.text(5)));
    index.put(items.back());
    if (items.size() > 100) {
      const auto gone = items.begin() + static_cast<std::ptrdiff_t>(writer.below(items.size()));
      index.erase(ItemKind::turn, gone->id);
      items.erase(gone);
    }
  }
  check_all_equal(index, items, writer);
}

TEST_CASE("equal scores come in log order, and a replaced item keeps its place") {
  Index index(Analysis::plain);
  for (const store::Id id : {30, 10, 20}) index.put(turn(id, "port of the database"));
  CHECK(ids(recall::rank(index, "port", everything(), 9)) == IdList{30, 10, 20});
  index.put(turn(30, "the database of port"));
  CHECK(ids(recall::rank(index, "port", everything(), 9)) == IdList{30, 10, 20});
  CHECK(ids(recall::rank(index, "port", everything(), 2)) == IdList{30, 10});
}

TEST_CASE("a memory and a turn of one number are two items") {
  Index index(Analysis::plain);
  index.put(memory(1, "tabs"));
  index.put(turn(1, "tabs"));
  CHECK(index.size() == 2);
  index.erase(ItemKind::turn, 1);
  const auto hits = recall::rank(index, "tabs", everything(), 9);
  REQUIRE(hits.size() == 1);
  CHECK(hits[0].item.kind == ItemKind::memory);
}

TEST_CASE("an item of another project is not found and changes no score") {
  Index index(Analysis::plain);
  index.put(turn(1, "the port is open", 1));
  index.put(turn(2, "the global port rule"));
  const auto here = of_project(1);
  const auto before = recall::rank(index, "port", here, 9);
  index.put(turn(3, "port port port secret of another project", 2));
  const auto after = recall::rank(index, "port", here, 9);
  REQUIRE(after.size() == 2);
  CHECK(ids(after) == ids(before));
  CHECK(after[0].score == before[0].score);

  CHECK(ids(recall::rank(index, "port", of_project(store::no_id), 9)) == IdList{2});
  CHECK(recall::rank(index, "port", everything(), 9).size() == 3);
}

TEST_CASE("a word asked twice counts once") {
  Index index(Analysis::plain);
  index.put(turn(1, "tabs and spaces"));
  const auto once = recall::rank(index, "tabs", everything(), 1);
  const auto twice = recall::rank(index, "tabs Tabs TABS", everything(), 1);
  REQUIRE(twice.size() == 1);
  CHECK(twice[0].score == once[0].score);
}

TEST_CASE("a turn and the memory that it established are not both listed") {
  Index index(Analysis::plain);
  index.put(turn(1, "tabs tabs tabs"));
  index.put(turn(2, "tabs are what I want in this parser"));
  index.put(memory(1, "The user prefers tabs", {1}));

  const auto by_turn = recall::rank(index, "tabs", everything(), 3);
  REQUIRE(by_turn.size() == 2);
  CHECK(by_turn[0].item.kind == ItemKind::turn);
  CHECK(by_turn[0].item.id == 1);
  CHECK(by_turn[1].item.id == 2);

  const auto by_memory = recall::rank(index, "prefers tabs", everything(), 3);
  REQUIRE(by_memory.size() == 2);
  CHECK(by_memory[0].item.kind == ItemKind::memory);
  CHECK(by_memory[1].item.id == 2);
}

TEST_CASE("what is to be left out is left out, and the rest moves up") {
  Index index(Analysis::plain);
  for (store::Id id = 1; id <= 4; ++id) index.put(turn(id, "tabs"));
  Context context = everything();
  context.skip = [](const Item& item) { return item.id <= 2; };
  CHECK(ids(recall::rank(index, "tabs", context, 2)) == IdList{3, 4});
}

TEST_CASE("queries without words, and an index without items, find nothing") {
  Index index(Analysis::plain);
  CHECK(recall::rank(index, "tabs", everything(), 6).empty());
  index.put(turn(1, "tabs"));
  index.put(turn(2, ""));
  index.put(turn(3, "…"));
  for (const std::string query : {"", "   ", "?!", "\xFF\xFE", "'", "\"", "spaces"}) {
    INFO(query);
    CHECK(recall::rank(index, query, everything(), 6).empty());
  }
  CHECK(recall::rank(index, "tabs", everything(), 0).empty());
}

TEST_CASE("signs of query languages are only signs") {
  Index index(Analysis::plain);
  index.put(turn(1, "src/io/loop.cpp fails"));
  for (const std::string query :
       {"\"loop", "loop AND (", "loop* -fails NEAR/2", "loop:cpp^2", "'; DROP TABLE loop; --", "loop\xFF"}) {
    INFO(query);
    CHECK(recall::rank(index, query, everything(), 6).size() == 1);
  }
  CHECK(recall::rank(index, std::string(1u << 20, '(') + "loop", everything(), 6).size() == 1);
}

TEST_CASE("the analysis decides what a word is") {
  Index index(Analysis::ascii);
  index.put(turn(1, "喜欢茶 tea"));
  CHECK(recall::rank(index, "茶", everything(), 6).empty());
  CHECK(recall::rank(index, "tea", everything(), 6).size() == 1);
}

TEST_CASE("erasing what is not there does nothing") {
  Index index(Analysis::plain);
  index.put(turn(1, "tabs"));
  index.erase(ItemKind::turn, 2);
  index.erase(ItemKind::memory, 1);
  CHECK(index.size() == 1);
}

TEST_CASE("an unknown preset is refused with the known ones") {
  const auto known = recall::preset("selfmind");
  REQUIRE(known);
  CHECK(known->k1 == 1.5);
  CHECK(known->b == 0.75);
  const auto unknown = recall::preset("nonsense");
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().kind == ErrorKind::invalid);
  CHECK(unknown.error().message.find("selfmind") != std::string::npos);
}

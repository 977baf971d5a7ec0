// Eval over sets small enough to be counted by hand.
#include "recall/eval.h"

#include "support/catch.h"

using namespace selfmind;
using recall::Figures;

namespace {

// Words of one item only, so that the places are plain to see.
const std::string log_of_three = R"(
{"type":"turn","id":"t1","session":"s","role":"user","text":"tabs tabs tabs","at":"2026-01-01"}
{"type":"turn","id":"t2","session":"s","role":"assistant","text":"tabs are fine","at":"2026-01-02"}
{"type":"turn","id":"t3","session":"s","role":"user","text":"the port is open today","at":"2026-01-03"}
)";

recall::Set parse(const std::string& text, bool turns_only = false) {
  const auto set = recall::parse_set("folder/small.jsonl", text, turns_only);
  INFO((set ? std::string() : set.error().message));
  REQUIRE(set);
  return *set;
}

Figures measure(const std::string& text, std::vector<std::size_t> ks, bool turns_only = false) {
  const auto set = parse(text, turns_only);
  recall::EvalOptions options;
  options.preset = *recall::preset("selfmind");  // every word finds; eval itself is what is tested
  options.preset.analysis = recall::Analysis::ascii;
  options.ks = std::move(ks);
  return recall::figures(set.name, recall::ask(set, options), options.ks.size());
}

std::string why_not(const std::string& text) {
  const auto set = recall::parse_set("folder/small.jsonl", text, false);
  REQUIRE_FALSE(set);
  return set.error().message;
}

}  // namespace

TEST_CASE("recall, any and mrr are means over the probes that expect something") {
  const auto found = measure(log_of_three + R"(
{"type":"probe","id":"p1","query":"tabs","expect":["t1"],"category":"easy"}
{"type":"probe","id":"p2","query":"tabs","expect":["t2","t3"],"category":"hard"}
{"type":"probe","id":"p3","query":"nonsense","expect":["t1"],"category":"hard"}
{"type":"probe","id":"p4","query":"nonsense","expect":[]}
{"type":"probe","id":"p5","query":"port","expect":[]}
)",
                             {1, 2});
  CHECK(found.set == "small");
  CHECK(found.n == 5);
  CHECK(*found.recall[0] == Approx(1.0 / 3));        // 1, 0, 0
  CHECK(*found.recall[1] == Approx((1 + 0.5) / 3));  // 1, one of two, 0
  CHECK(*found.any[0] == Approx(1.0 / 3));
  CHECK(*found.any[1] == Approx(2.0 / 3));
  CHECK(*found.mrr == Approx((1 + 0.5) / 3));  // first, second, nowhere
  CHECK(*found.none == Approx(0.5));
  CHECK(found.categories.at("easy").n == 1);
  CHECK(*found.categories.at("easy").recall[0] == Approx(1));
  CHECK(found.categories.at("hard").n == 2);
  CHECK(*found.categories.at("hard").recall[1] == Approx(0.25));
  CHECK(found.categories.size() == 2);
  CHECK(found.p50.has_value());
  CHECK(*found.p50 <= *found.p99);
}

TEST_CASE("without a probe of its kind a figure is no number") {
  const auto only_empty = measure(log_of_three + R"({"type":"probe","id":"p","query":"x","expect":[]})", {3});
  CHECK_FALSE(only_empty.recall[0].has_value());
  CHECK_FALSE(only_empty.any[0].has_value());
  CHECK_FALSE(only_empty.mrr.has_value());
  CHECK(*only_empty.none == 1);
  const auto only_full = measure(log_of_three + R"({"type":"probe","id":"p","query":"x","expect":["t1"]})", {3});
  CHECK_FALSE(only_full.none.has_value());
  CHECK_FALSE(measure("", {3}).p50.has_value());
}

TEST_CASE("a recalled memory counts as the turns it came from") {
  const std::string set = log_of_three + R"(
{"type":"memory","id":"m1","text":"indentation","turns":["t1","t3"]}
{"type":"probe","id":"p1","query":"indentation","expect":["t1","t3"]}
)";
  CHECK(*measure(set, {1}).recall[0] == 1);
  CHECK(*measure(set, {1}).mrr == 1);
  CHECK(*measure(set, {1}, /*turns_only=*/true).recall[0] == 0);
}

TEST_CASE("a memory counts as itself where it is expected itself") {
  const auto found = measure(log_of_three + R"(
{"type":"memory","id":"m1","text":"indentation","turns":["t1"]}
{"type":"memory","id":"m2","text":"indentation of another kind"}
{"type":"probe","id":"p1","query":"indentation","expect":["m2"]}
)",
                             {1, 2});
  CHECK(*found.recall[0] == 0);
  CHECK(*found.recall[1] == 1);
  CHECK(*found.mrr == Approx(0.5));
}

TEST_CASE("each turn counts once, at its best place") {
  const auto found = measure(log_of_three + R"(
{"type":"memory","id":"m1","text":"indentation","turns":["t1"]}
{"type":"memory","id":"m2","text":"indentation again","turns":["t1","t2"]}
{"type":"probe","id":"p1","query":"indentation","expect":["t1","t2"]}
)",
                             {1, 2});
  CHECK(*found.recall[0] == Approx(0.5));
  CHECK(*found.recall[1] == 1);
  CHECK(*found.mrr == 1);
}

TEST_CASE("a memory of more than three turns counts as its first three, and hides no other") {
  const std::string turns = log_of_three + R"(
{"type":"turn","id":"t4","session":"s","role":"user","text":"a long talk on indentation in all of our projects"}
{"type":"memory","id":"m1","text":"indentation","turns":["t1","t2","t3","t4"]}
)";
  CHECK(*measure(turns + R"({"type":"probe","id":"p","query":"indentation","expect":["t3"]})", {1}).recall[0] == 1);
  const auto fourth = measure(turns + R"({"type":"probe","id":"p","query":"indentation","expect":["t4"]})", {1, 2});
  CHECK(*fourth.recall[0] == 0);
  CHECK(*fourth.recall[1] == 1);
}

TEST_CASE("a turn beside its memory takes no second place") {
  // Asked for two: the memory, which stands for t1, and t2; not the memory and t1.
  const auto found = measure(log_of_three + R"(
{"type":"memory","id":"m1","text":"tabs","turns":["t1"]}
{"type":"probe","id":"p1","query":"tabs","expect":["t1","t2"]}
)",
                             {2});
  CHECK(*found.recall[0] == 1);
}

TEST_CASE("mrr looks at the first twenty") {
  std::string set;
  for (int i = 1; i <= 21; ++i) {
    set += R"({"type":"turn","id":"t)" + std::to_string(i) + R"(","session":"s","role":"user","text":"tabs"})" + "\n";
  }
  const auto asked_for = [&](const std::string& id) {
    return measure(set + R"({"type":"probe","id":"p","query":"tabs","expect":[")" + id + R"("]})", {30});
  };
  CHECK(*asked_for("t20").mrr == Approx(1.0 / 20));
  CHECK(*asked_for("t21").mrr == 0);
  CHECK(*asked_for("t21").recall[0] == 1);
}

TEST_CASE("a probe sees what was there at its time") {
  const auto at = [](const std::string& time) {
    return measure(log_of_three + R"({"type":"probe","id":"p","query":"tabs port","expect":["t1","t2","t3"],"at":")" +
                       time + R"("})",
                   {9});
  };
  CHECK(*at("2025-12-31").recall[0] == 0);
  CHECK(*at("2026-01-01").recall[0] == Approx(1.0 / 3));
  CHECK(*at("2026-01-02T12:00:00Z").recall[0] == Approx(2.0 / 3));
  CHECK(*at("2027-01-01").recall[0] == 1);
}

TEST_CASE("probes of several times do not see each other's items") {
  const auto found = measure(log_of_three + R"(
{"type":"probe","id":"p1","query":"port","expect":["t3"]}
{"type":"probe","id":"p2","query":"port","expect":[],"at":"2026-01-02"}
{"type":"probe","id":"p3","query":"tabs","expect":["t1"],"at":"2026-01-01"}
)",
                             {3});
  CHECK(*found.recall[0] == 1);
  CHECK(*found.none == 1);
}

TEST_CASE("a line without a time is as old as what it builds on") {
  const std::string set = log_of_three + R"(
{"type":"turn","id":"t4","session":"s","role":"user","text":"late indentation"}
{"type":"memory","id":"m1","text":"early indentation","turns":["t1"]}
{"type":"probe","id":"p","query":"indentation","expect":["m1","t4"],"at":"2026-01-02"}
)";
  CHECK(*measure(set, {9}).recall[0] == Approx(0.5));
}

TEST_CASE("a probe sees its project and what belongs to none") {
  const std::string set = R"(
{"type":"turn","id":"a","session":"s","role":"user","text":"port","project":"one"}
{"type":"turn","id":"b","session":"s","role":"user","text":"port","project":"two"}
{"type":"turn","id":"c","session":"s","role":"user","text":"port"}
)";
  const auto one =
      measure(set + R"({"type":"probe","id":"p","query":"port","project":"one","expect":["a","b","c"]})", {9});
  CHECK(*one.recall[0] == Approx(2.0 / 3));
  const auto none = measure(set + R"({"type":"probe","id":"p","query":"port","expect":["a","b","c"]})", {9});
  CHECK(*none.recall[0] == Approx(1.0 / 3));
}

TEST_CASE("only the text is searched, as the first design's words") {
  const auto found = measure(R"(
{"type":"turn","id":"a","session":"s","role":"user","speaker":"gardener","text":"hello","at":"2026-05-05"}
{"type":"turn","id":"b","session":"s","role":"user","text":"喜欢茶"}
{"type":"probe","id":"p1","query":"gardener 2026 user","expect":[]}
{"type":"probe","id":"p2","query":"茶","expect":[]}
)",
                             {3});
  CHECK(*found.none == 1);
}

TEST_CASE("a bad line is named with its file and number") {
  const std::string first = R"({"type":"turn","id":"t1","session":"s","role":"user","text":"x"})";
  const auto check = [&](const std::string& bad, const std::string& why) {
    const auto message = why_not(first + "\r\n\n" + bad + "\n");
    INFO(bad << " -> " << message);
    CHECK(message.find("folder/small.jsonl:3:") == 0);
    CHECK(message.find(why) != std::string::npos);
  };
  check("{", "JSON");
  check("{\"a\":\"\xFF\"}", "JSON");
  check("[]", "object");
  check("null", "object");
  check(R"({"id":"x"})", "type");
  check(R"({"type":"summary","id":"x"})", "summary");
  check(R"({"type":"turn","id":7,"session":"s","role":"user","text":"x"})", "id");
  check(R"({"type":"turn","id":"t2","session":"s","role":"tool","text":"x"})", "tool");
  check(R"({"type":"turn","id":"t2","role":"user","text":"x"})", "session");
  check(R"({"type":"turn","id":"t1","session":"s","role":"user","text":"x"})", "t1");
  check(R"({"type":"turn","id":"t2","session":"s","role":"user","text":"x","at":"soon"})", "soon");
  check(R"({"type":"memory","id":"m","text":"x","turns":"t1"})", "turns");
  check(R"({"type":"probe","id":"p","query":"x"})", "expect");
  check(R"({"type":"probe","id":"p","query":"x","expect":[1]})", "expect");
}

TEST_CASE("a file that cannot be read is named") {
  const auto missing = recall::read_set("no/such/file.jsonl", false);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().message.find("no/such/file.jsonl") != std::string::npos);
  REQUIRE_FALSE(recall::read_set(".", false));
}

TEST_CASE("questions of other sets are asked too, and how many got nothing is counted") {
  const std::vector<recall::Set> sets = {parse(log_of_three), parse(R"(
{"type":"turn","id":"t1","session":"s","role":"user","text":"a train"}
{"type":"probe","id":"p1","query":"train","expect":["t1"]}
{"type":"probe","id":"p2","query":"port","expect":["t1"]}
{"type":"probe","id":"p3","query":"nonsense","expect":[]}
)"),
                                         parse(R"(
{"type":"turn","id":"t1","session":"s","role":"user","text":"a boat"}
{"type":"probe","id":"p1","query":"boat","expect":["t1"]}
)")};
  recall::EvalOptions options;
  options.preset = *recall::preset("selfmind");
  const auto floor = [&](std::size_t which) {
    const auto figures = recall::figures("", recall::ask(sets[which], options), options.ks.size());
    return recall::floor_figures(recall::try_floor(sets, which, options), figures, options.ks.size());
  };
  CHECK(floor(0).n == 3);  // what expects nothing in its own set is no question
  CHECK(*floor(0).none == Approx(2.0 / 3));
  CHECK_FALSE(floor(0).lost[0].has_value());
  CHECK(floor(1).n == 1);
  CHECK(*floor(1).none == 1);
  CHECK(floor(2).n == 2);
  CHECK(*floor(2).lost[0] == 0);
}

TEST_CASE("another set's question is asked of all projects, after everything") {
  const std::vector<recall::Set> sets = {parse(R"(
{"type":"turn","id":"a","session":"s","role":"user","text":"port","project":"one","at":"2026-01-01"}
{"type":"turn","id":"b","session":"s","role":"user","text":"backup","project":"two","at":"2026-09-01"}
)"),
                                         parse(R"(
{"type":"turn","id":"a","session":"s","role":"user","text":"hello","project":"three"}
{"type":"probe","id":"p","query":"port","expect":["a"],"project":"three"}
{"type":"probe","id":"q","query":"backup","expect":["a"],"at":"2025-01-01"}
)")};
  recall::EvalOptions options;
  options.preset = *recall::preset("selfmind");
  CHECK(recall::try_floor(sets, 0, options).nothing == std::vector<bool>{false, false});
}

TEST_CASE("what the floor takes from a set's own questions is counted") {
  const std::vector<recall::Set> sets = {parse(log_of_three + R"(
{"type":"probe","id":"p1","query":"tabs","expect":["t1"]}
{"type":"probe","id":"p2","query":"which port is open today?","expect":["t3"]}
)")};
  recall::EvalOptions options;
  options.preset.min_score = options.preset.min_score_memory = 1.1;
  const auto barred = recall::figures("", recall::ask(sets[0], options), options.ks.size());
  REQUIRE(*barred.recall[0] == 0);
  const auto floor = recall::floor_figures(recall::try_floor(sets, 0, options), barred, options.ks.size());
  CHECK(floor.n == 0);
  CHECK_FALSE(floor.none.has_value());
  REQUIRE(floor.lost.size() == 3);
  for (const auto& lost : floor.lost) CHECK(*lost == 1);
}

TEST_CASE("percentiles are values that occurred") {
  std::vector<recall::Answer> answers(100);
  for (std::size_t i = 0; i < answers.size(); ++i) answers[i].milliseconds = static_cast<double>(100 - i);
  const auto found = recall::figures("all", answers, 0);
  CHECK(*found.p50 == 50);
  CHECK(*found.p95 == 95);
  CHECK(*found.p99 == 99);
}

#include "store/cut.h"

#include "support/catch.h"

using namespace selfmind::store;

namespace {

std::string cut(std::vector<std::string> words, std::string text) {
  Cutter(words).cut(text);
  return text;
}

std::string cut_block(std::vector<std::string> words, std::string text) {
  Cutter(words).cut_block(text);
  return text;
}

std::string cut_json(std::vector<std::string> words, std::string text) {
  Cutter(words).cut_json(text);
  return text;
}

}  // namespace

TEST_CASE("words are cut wherever they stand, and nothing else is") {
  CHECK(cut({"my sister lives in Lund"}, "As my sister lives in Lund, my sister lives in Lund.") ==
        "As [forgotten], [forgotten].");
  CHECK(cut({"my sister lives in Lund"}, "My brother lives in Lund.") == "My brother lives in Lund.");
  CHECK(cut({}, "text") == "text");
  CHECK(cut({""}, "text") == "text");
  std::string text = "text";
  CHECK_FALSE(Cutter({"other"}).cut(text));
  CHECK(Cutter({"text"}).cut(text));
}

TEST_CASE("the longer of two overlapping words goes first") {
  CHECK(cut({"port 5432", "the port 5432 on loom"}, "use the port 5432 on loom") == "use [forgotten]");
}

TEST_CASE("words are found as a block may spell them") {
  CHECK(cut({"a < b && c\n  and more"}, "- a &lt; b &amp;&amp; c and more") == "- [forgotten]");
  CHECK(cut({"first line\nsecond line"}, "- first line second line (fact)") == "- [forgotten] (fact)");
}

TEST_CASE("an excerpt in a block that breaks off in the middle of the words is cut too") {
  const std::vector<std::string> words = {"the spare key is under the third flower pot"};
  CHECK(cut_block(words, "you said: the spare key is under the third…") == "you said: [forgotten]…");
  CHECK(cut_block(words, "the spare key… the spare…") == "the spare key… the spare…");
  CHECK(cut(words, "the spare key is under the third…") == "the spare key is under the third…");
}

TEST_CASE("a JSON document stays one, its keys in order") {
  CHECK(cut_json({"say \"no\"\nat once"}, R"([{"type":"text","text":"to say \"no\"\nat once is","n":1}])") ==
        R"([{"type":"text","text":"to [forgotten] is","n":1}])");
  // As text, the n of the line break and "orthern lights" would be the words.
  CHECK(cut_json({"northern lights"}, R"([{"text":"see\northern lights"}])") == R"([{"text":"see\northern lights"}])");
  CHECK(cut_json({"northern lights"}, R"({"a":[{"b":"northern lights"}]})") == R"({"a":[{"b":"[forgotten]"}]})");
}

TEST_CASE("JSON without the words stays byte for byte, and what is no JSON is cut as text") {
  const std::string document = R"([ {"text" : "é\u00e9", "n": 1.50} ])";
  CHECK(cut_json({"something else"}, document) == document);
  CHECK(cut_json({"northern lights"}, "[{northern lights") == "[{[forgotten]");
}

TEST_CASE("which words are too short to be cut everywhere") {
  CHECK(is_short("tabs"));
  CHECK(is_short(" eleven_byte "));
  CHECK_FALSE(is_short("a b"));
  CHECK_FALSE(is_short("twelve_bytes"));
}

TEST_CASE("when nothing is left of a text") {
  CHECK(nothing_left(""));
  CHECK(nothing_left(" [forgotten]\n[forgotten] "));
  CHECK_FALSE(nothing_left("[forgotten]!"));
}

TEST_CASE("excerpts of a text are known in lines that give it, whole or in part") {
  const Excerpts excerpts({"The first line of it\nand the second line, which is longer", "ok"});
  const auto cut = [&excerpts](std::string text) {
    excerpts.cut(text);
    return text;
  };
  CHECK(cut("- [said 2026-11-30, in an earlier chat] The first line of it and the second line, which is longer") ==
        "- [said 2026-11-30, in an earlier chat] [forgotten]");
  CHECK(cut("- [said 2026-11-30, in an earlier chat] … and the second line, which…\nmore") ==
        "- [said 2026-11-30, in an earlier chat] [forgotten]\nmore");
  CHECK(cut("- Claude answered on 2026-11-30: “ok”\n") == "- Claude answered on 2026-11-30: “[forgotten]”\n");
  for (const char* other : {"- [said 2026-11-30, in an earlier chat] The first line… of something else",
                            "- [memory 3, fact, 2026-11-30] The first line of it and the second line, which is longer",
                            "The first line of it and the second line, which is longer",
                            "- [said 2026-11-30, in an earlier chat] ok then", "- [said", "- You said on ”: “", ""}) {
    CHECK(cut(other) == other);
  }
}

// Excerpts: of a long text the place that the question is about, never longer than asked, never cut within a character.
#include "recall/excerpt.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "recall/small_store.h"
#include "support/catch.h"

using namespace selfmind;
using test::SmallStore;

namespace {

std::string repeat(const std::string& piece, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += piece;
  return text;
}

// The excerpt of one text in a store of its own, of `bytes` bytes.
std::string excerpt_of(const std::string& text, std::string_view question, std::size_t bytes) {
  SmallStore store;
  store.keeps(1, text);
  const auto& state = store.index.state();
  const auto view = recall::View::of(state, store.context);
  const auto understood = recall::understand(state, view, question, store.context.preset, store.context.now);
  return recall::excerpt(state.vocabulary, text, understood, bytes);
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

TEST_CASE("a short text is its own excerpt, without the space around it") {
  CHECK(excerpt_of("  The port is 5433.\n\n", "port", 600) == "The port is 5433.");
  CHECK(excerpt_of("", "port", 600).empty());
}

TEST_CASE("of a long text the excerpt shows what was asked for, wherever that stands") {
  const auto filler = repeat("Nothing is said here of any importance at all. ", 3000);
  const std::string answer = "The staging port is 5433.";
  for (const auto& text : {answer + " " + filler, filler + answer + " " + filler, filler + answer}) {
    const auto excerpt = excerpt_of(text, "which staging port", 200);
    CHECK(contains(excerpt, answer));
    CHECK(excerpt.size() <= 200);
  }
}

TEST_CASE("where something is left out stands an ellipsis, and nowhere else") {
  const auto filler = repeat("Nothing is said here of any importance. ", 1000);
  const auto first = excerpt_of("The port is 5433. " + filler, "port", 100);
  CHECK_FALSE(first.starts_with("…"));
  CHECK(first.ends_with("…"));
  const auto last = excerpt_of(filler + "The port is 5433.", "port", 100);
  CHECK(last.starts_with("…"));
  CHECK(last.ends_with("The port is 5433."));
  const auto middle = excerpt_of(filler + "The port is 5433. " + filler, "port", 100);
  CHECK(middle.starts_with("…"));
  CHECK(middle.ends_with("…"));
}

TEST_CASE("lines are found as sentences are, and in Chinese as well") {
  const auto log = repeat("[info] nothing happened\n", 2000) + "[error] E5108 in the parser\n" +
                   repeat("[info] nothing happened\n", 2000);
  CHECK(contains(excerpt_of(log, "E5108", 150), "[error] E5108 in the parser"));
  const auto chinese =
      repeat("今天没有什么重要的事情。", 2000) + "端口改成了5433。" + repeat("今天没有什么重要的事情。", 2000);
  CHECK(contains(excerpt_of(chinese, "端口", 150), "端口改成了5433"));
}

TEST_CASE("two things that were asked for and stand together are preferred to one of them") {
  const auto filler = repeat("Nothing is said here of any importance. ", 1000);
  const auto text = "The certificate is old. " + filler + "The certificate of nginx is renewed by certbot. " + filler +
                    "nginx again.";
  CHECK(contains(excerpt_of(text, "nginx certificate", 120), "renewed by certbot"));
}

TEST_CASE("no excerpt is longer than asked, nor cut within a character") {
  for (const std::string piece :
       {"喜欢喝茶", "👍🏽", "👩‍💻", "e\u0301", "é", "x", "wörter ohne ende ", "a. ", "。", "\n"}) {
    const auto text = "port" + repeat(piece, 1000) + "port";
    for (std::size_t bytes = 20; bytes < 60; bytes += 3) {
      const auto excerpt = excerpt_of(text, "port", bytes);
      INFO(piece << " in " << bytes << ": " << excerpt);
      CHECK(excerpt.size() <= bytes);
      CHECK(utf8::valid(excerpt));
      CHECK_FALSE(excerpt.empty());
    }
  }
}

TEST_CASE("a line of 100 KB without a space is cut to what was asked") {
  for (const std::string piece : {"x", "茶", "👍", "abc123+/"}) {
    INFO(piece);
    const auto excerpt = excerpt_of(repeat(piece, 100'000), "port", 600);
    CHECK(excerpt.size() <= 600);
    CHECK(excerpt.size() > 500);
    CHECK(utf8::valid(excerpt));
  }
}

TEST_CASE("hits carry excerpts within the bound of the program, memories their whole text beside") {
  SmallStore store;
  const auto text = repeat("Nothing is said here. ", 5000) + "The staging port is 5433.";
  store.says(1, text);
  const auto hits = store.hits("staging port");
  REQUIRE(hits.size() == 1);
  CHECK(hits[0].excerpt.size() <= limits::excerpt_bytes);
  CHECK(contains(hits[0].excerpt, "5433"));
  CHECK(hits[0].item.text == text);
}

TEST_CASE("the place is found in a single long sentence as well") {
  const auto text = repeat("nothing is said here of any importance, ", 3000) + "the staging port is 5433, " +
                    repeat("nothing is said here of any importance, ", 3000);
  CHECK(contains(excerpt_of(text, "staging port", 200), "5433"));
  const auto chinese =
      repeat("今天没有什么重要的事情，", 2000) + "端口改成了5433，" + repeat("今天没有什么重要的事情，", 2000);
  CHECK(contains(excerpt_of(chinese, "端口", 150), "端口改成了5433"));
}

TEST_CASE("a long text of short or empty lines has its excerpt at once") {
  CHECK(contains(excerpt_of(repeat("x\n", 1u << 20) + "tabs", "x tabs", 600), "tabs"));
  CHECK_FALSE(excerpt_of("tabs" + repeat("\n", 1u << 20) + "spaces", "tabs", 600).empty());
}

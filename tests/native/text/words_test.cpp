// Words out of text, in several scripts and out of bytes that are none.
#include "text/words.h"

#include <algorithm>
#include <chrono>
#include <random>

#include "base/utf8.h"
#include "support/catch.h"

using namespace selfmind;
using Words = std::vector<std::string>;

namespace {

std::string repeat(const std::string& piece, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += piece;
  return text;
}

bool has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

TEST_CASE("the first design's words are ASCII letters and digits") {
  CHECK(text::ascii_words("Port 5432, naïve café") == Words{"port", "5432", "na", "ve", "caf"});
  CHECK(text::ascii_words("don't snake_case") == Words{"don", "t", "snake", "case"});
  CHECK(text::ascii_words("我喜欢") == Words{});
  CHECK(text::ascii_words("") == Words{});
}

TEST_CASE("words are runs of letters, marks and digits, folded") {
  CHECK(text::words("Die Straße, ÜBER 42 Brücken") == Words{"die", "strasse", "über", "42", "brücken"});
  CHECK(text::words("Ｆｕｌｌ　ｗｉｄｔｈ ① ﬁne") == Words{"full", "width", "1", "fine"});
  CHECK(text::words("Привет, МИР") == Words{"привет", "мир"});
  CHECK(text::words("हिन्दी") == Words{"हिन्दी"});
  CHECK(text::words("snake_case a/b.c") == Words{"snake", "case", "a", "b", "c"});
}

TEST_CASE("one letter written in two ways is one word") {
  CHECK(text::words("cafe\u0301") == text::words("caf\u00E9"));
  CHECK(text::words("co\u00ADoperate") == Words{"cooperate"});  // soft hyphen
}

TEST_CASE("Chinese, Japanese and Korean are characters and pairs") {
  CHECK(text::words("喜欢茶") == Words{"喜", "欢", "喜欢", "茶", "欢茶"});
  CHECK(text::words("茶") == Words{"茶"});
  CHECK(text::words("茶，水") == Words{"茶", "水"});
  CHECK(text::words("テスト") == Words{"テ", "ス", "テス", "ト", "スト"});
  CHECK(text::words("한국") == Words{"한", "국", "한국"});
}

TEST_CASE("Latin letters glued to Chinese are words of their own") {
  CHECK(text::words("重跑gen-itgc后") == Words{"重", "跑", "重跑", "gen", "itgc", "后"});
  CHECK(text::words("用vim写") == Words{"用", "vim", "写"});
}

TEST_CASE("an apostrophe separates, and English endings are no words") {
  CHECK(text::words("don't can’t") == Words{"dont", "cant"});
  CHECK(text::words("the editor's port, it's") == Words{"the", "editor", "port", "it"});
  CHECK(text::words("we're I'll I'd") == Words{"we", "i", "i"});
  CHECK(text::words("l'utilisateur d’accord") == Words{"l", "utilisateur", "d", "accord"});
  CHECK(text::words("'quoted' rock 'n' roll") == Words{"quoted", "rock", "n", "roll"});
  CHECK(text::words("'s 't ''t") == Words{"s", "t", "t"});
}

TEST_CASE("bytes that are no text separate words") {
  CHECK(text::words("one\xFFtwo") == Words{"one", "two"});
  CHECK(text::words(std::string("one\0two", 7)) == Words{"one", "two"});
  CHECK(text::words("\xE4\xB8") == Words{});
  CHECK(text::fold("A\xFF") == "a\uFFFD");
  CHECK(text::fold("") == "");
}

TEST_CASE("any bytes give valid words") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string bytes(random() % 200, '\0');
    for (auto& byte : bytes) byte = static_cast<char>(random());
    for (const auto& word : text::words(bytes)) {
      CHECK(utf8::valid(word));
      CHECK_FALSE(word.empty());
    }
    CHECK(utf8::valid(text::fold(bytes)));
  }
}

TEST_CASE("a megabyte of anything does not hang") {
  // Without the bound on marks one of these takes hours. Seconds, because this also runs under sanitizers on a busy
  // machine; a release build needs a few hundredths.
  const auto limit = std::chrono::seconds(20);
  for (const std::string piece :
       {"plain words ", "喜欢喝茶", "e\u0301", "\u0316\u0301\u0327\u0300", "\xFF", "\uFDFA", "''"}) {
    const auto text = repeat(piece, 1u << 20);
    const auto start = std::chrono::steady_clock::now();
    text::words(text);
    INFO(piece);
    CHECK(std::chrono::steady_clock::now() - start < limit);
  }
}

TEST_CASE("marks without end do not hide the words around them") {
  const auto words = text::words("before a" + repeat("\u0316\u0301", 10'000) + " after");
  CHECK(has(words, "before"));
  CHECK(has(words, "after"));
}

#include "base/utf8.h"

#include "support/catch.h"

using namespace selfmind;

TEST_CASE("valid text stays as it is") {
  for (const std::string text : {"", "plain", "Straße", "日本語", "🙂 emoji", "\xF4\x8F\xBF\xBF"}) {
    CHECK(utf8::valid(text));
    CHECK(utf8::clean(text) == text);
  }
}

TEST_CASE("bytes that are no text become the replacement character, one each") {
  const std::string r = "\xEF\xBF\xBD";
  CHECK(utf8::clean("a\xFFz") == "a" + r + "z");
  CHECK(utf8::clean("\xC0\xAF") == r + r);                  // overlong
  CHECK(utf8::clean("\xED\xA0\x80") == r + r + r);          // a surrogate
  CHECK(utf8::clean("\xF4\x90\x80\x80") == r + r + r + r);  // above U+10FFFF
  CHECK(utf8::clean("\xE6\x97") == r + r);                  // cut
  CHECK(utf8::clean(std::string("a\0b", 3)) == "a" + r + "b");
}

TEST_CASE("cleaned text is valid whatever the bytes were") {
  std::string bytes;
  unsigned seed = 1;
  for (int i = 0; i < 20'000; ++i) {
    seed = seed * 1664525u + 1013904223u;
    bytes += static_cast<char>(seed >> 24);
  }
  CHECK(utf8::valid(utf8::clean(bytes)));
}

TEST_CASE("a prefix never splits a character") {
  const std::string text = "añ日🙂";
  for (std::size_t bytes = 0; bytes <= text.size(); ++bytes) {
    const auto cut = utf8::prefix(text, bytes);
    CHECK(cut.size() <= bytes);
    CHECK(utf8::valid(cut));
  }
  CHECK(utf8::prefix(text, 100) == text);
}

TEST_CASE("an excerpt ends at a word, and says that something was left out") {
  CHECK(utf8::excerpt("short", 10) == "short");
  CHECK(utf8::excerpt("one two three", 9) == "one two…");
  CHECK(utf8::excerpt("日本語日本語", 10) == "日本語…");
}

TEST_CASE("white space at both ends goes, also the wide ones") {
  CHECK(utf8::trim(" \t\n a b \xC2\xA0\xE3\x80\x80") == "a b");
  CHECK(utf8::trim("\xE3\x80\x80").empty());
  CHECK(utf8::trim("").empty());
}

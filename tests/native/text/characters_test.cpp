// Characters: what each is to a word, and text in one form.
#include "text/characters.h"

#include "base/utf8.h"
#include "support/catch.h"

using namespace selfmind;
using Class = text::CharacterClass;
using text::classify;

TEST_CASE("characters are told apart as words need it") {
  CHECK(classify('a') == Class::lower);
  CHECK(classify('Z') == Class::upper);
  CHECK(classify('7') == Class::digit);
  CHECK(classify('\'') == Class::apostrophe);
  CHECK(classify(U'\u2019') == Class::apostrophe);
  CHECK(classify('_') == Class::separator);
  CHECK(classify(0) == Class::separator);
  CHECK(classify(U'é') == Class::lower);
  CHECK(classify(U'É') == Class::upper);
  CHECK(classify(U'Я') == Class::upper);
  CHECK(classify(U'ש') == Class::lower);  // a script without case
  CHECK(classify(U'\u0301') == Class::mark);
  CHECK(classify(U'٣') == Class::digit);
}

TEST_CASE("Chinese, kana and Korean are ideographs, their signs are not") {
  for (const auto c : {U'茶', U'々', U'の', U'テ', U'ー', U'한', U'\U00020000', U'豈'}) {
    INFO(static_cast<int>(c));
    CHECK(classify(static_cast<text::CodePoint>(c)) == Class::ideograph);
  }
  for (const auto c : {U'，', U'。', U'「', U'・', U'？'}) {
    INFO(static_cast<int>(c));
    CHECK(classify(static_cast<text::CodePoint>(c)) == Class::separator);
  }
}

TEST_CASE("emoji are symbols, drawing and replacement signs are not") {
  CHECK(classify(U'👍') == Class::symbol);
  CHECK(classify(U'☕') == Class::symbol);
  CHECK(classify(U'🇩') == Class::symbol);
  CHECK(classify(U'─') == Class::separator);
  CHECK(classify(U'\uFFFD') == Class::separator);
  CHECK(classify(U'©') == Class::separator);
  CHECK(classify(U'€') == Class::separator);
}

TEST_CASE("no number beyond Unicode is a letter") {
  for (const text::CodePoint c : {-1, 0xD800, 0x10FFFF, 0x110000, 0x7FFFFFFF}) {
    INFO(c);
    CHECK(classify(c) == Class::separator);
  }
}

TEST_CASE("code points come one by one with the bytes they stand in") {
  text::CodePoints points("aé茶👍");
  std::string seen;
  std::vector<text::CodePoint> values;
  while (points.next()) {
    seen += points.bytes();
    values.push_back(points.value());
  }
  CHECK(seen == "aé茶👍");
  CHECK(values == std::vector<text::CodePoint>{'a', U'é', U'茶', U'👍'});
  CHECK(points.rest().empty());
}

TEST_CASE("bytes that are no text are gone through one by one") {
  std::size_t count = 0;
  for (text::CodePoints points("\xFF\xE4\xB8 x"); points.next();) ++count;
  CHECK(count == 5);
}

TEST_CASE("text that is alike becomes the same, and again the same") {
  for (const auto* piece :
       {"Straße", "ﬁ Ｆ ①", "e\u0301", "İstanbul ΣΑΣ", "co\u00ADop", "한국", "\xFF", "½", "\uFDFA"}) {
    INFO(piece);
    const auto once = text::normalise(piece, true);
    CHECK(utf8::valid(once));
    CHECK(text::normalise(once, true) == once);
  }
  CHECK(text::normalise("ÜBER", true) == "über");
  CHECK(text::normalise("Über ﬁn", false) == "Über fin");
  CHECK(text::normalise("PLAIN", true) == "plain");
  CHECK(text::normalise("PLAIN", false) == "PLAIN");
  CHECK(text::normalise("", true) == "");
}

// Tokens out of what developers and the rest of the world write.
#include "text/tokens.h"

#include <algorithm>
#include <random>

#include "base/utf8.h"
#include "support/catch.h"

using namespace selfmind;
using text::TokenKind;
using Words = std::vector<std::string>;

namespace {

struct Read {
  std::string text;
  TokenKind kind;
  bool name;
  std::uint32_t sentence;
};

std::vector<Read> read(std::string_view text) {
  text::Tokens tokens;
  std::vector<Read> list;
  for (const auto& token : tokens.split(text)) {
    list.push_back({std::string(tokens.text(token)), token.kind, token.name, token.sentence});
  }
  return list;
}

Words tokens(std::string_view text) {
  Words words;
  for (const auto& token : read(text)) words.push_back(token.text);
  return words;
}

Words of_kind(std::string_view text, TokenKind kind) {
  Words words;
  for (const auto& token : read(text)) {
    if (token.kind == kind) words.push_back(token.text);
  }
  return words;
}

Words names(std::string_view text) {
  Words words;
  for (const auto& token : read(text)) {
    if (token.name) words.push_back(token.text);
  }
  return words;
}

bool has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Every token of the question stands in the text.
bool has_all(std::string_view text, std::string_view question) {
  const auto words = tokens(text);
  const auto asked = tokens(question);
  return !asked.empty() && std::all_of(asked.begin(), asked.end(), [&](const auto& word) { return has(words, word); });
}

// As texts are searched: one token in common is enough to find, the most telling one decides.
bool shares(std::string_view text, std::string_view question, const std::string& token) {
  return has(tokens(text), token) && has(tokens(question), token);
}

std::string repeat(const std::string& piece, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += piece;
  return text;
}

// A bit of every script and of every kind of sign.
const std::string nasty =
    "naïve café's «Straße» L’été O'Neill don’t 喜欢gen-itgc后 한국어 テスト "
    "ｆｕｌｌ ﬁne co\u00ADop e\u0301\u0316 👍🏽 🇩🇪 ❤️ ½ ② "
    "\u202Eright-to-left\u202C שלום عربي हिन्दी "
    "v10.0.0 C++ a__b \xED\xA0\x80 \xFF\xFE \xC0\xAF 40,000 "
    "...?! \xF4\x90\x80\x80 end";

}  // namespace

TEST_CASE("an identifier stands whole and in its parts") {
  CHECK(tokens("parseConfig") == Words{"parseconfig", "parse", "config"});
  CHECK(tokens("ParseConfig") == Words{"parseconfig", "parse", "config"});
  CHECK(tokens("HTTPServer") == Words{"httpserver", "http", "server"});
  CHECK(tokens("snake_case_name") == Words{"snakecasename", "snake", "case", "name"});
  CHECK(tokens("kebab-case-name") == Words{"kebabcasename", "kebab", "case", "name"});
  CHECK(tokens("MAX_RETRY_COUNT") == Words{"maxretrycount", "max", "retry", "count"});
  CHECK(of_kind("parseConfig", TokenKind::whole) == Words{"parseconfig"});
  CHECK(of_kind("parseConfig", TokenKind::part) == Words{"parse", "config"});
  CHECK(of_kind("parse config", TokenKind::word) == Words{"parse", "config"});
}

TEST_CASE("one identifier written in four ways is one") {
  for (const auto* other : {"parse_config", "parse-config", "ParseConfig", "PARSE_CONFIG", "parse__config"}) {
    INFO(other);
    CHECK(tokens(other) == tokens("parseConfig"));
  }
}

TEST_CASE("an identifier is found by one of its words, and by itself when typed small") {
  CHECK(shares("call parseConfig() first", "where is the config read", "config"));
  CHECK(shares("call parseConfig() first", "parseconfig", "parseconfig"));
  CHECK(shares("class HTTPServer", "which server", "server"));
}

TEST_CASE("plural abbreviations stay in one piece") {
  CHECK(tokens("URLs") == Words{"urls"});
  CHECK(tokens("IDs") == Words{"ids"});
}

TEST_CASE("underscores around a name are no part of it") {
  CHECK(tokens("__init__") == Words{"init"});
  CHECK(tokens("_private and public_") == Words{"private", "and", "public"});
  CHECK(tokens("--no-verify") == Words{"noverify", "no", "verify"});
}

TEST_CASE("a path is found by its file, its stem and its folder") {
  const auto* path = "the loop lives in src/io/loop.cpp now";
  CHECK(has_all(path, "loop"));
  CHECK(has_all(path, "loop.cpp"));
  CHECK(shares(path, "src/io", "io"));
  CHECK(shares(path, "src/io", "src"));
  CHECK(has_all(path, "src/io/loop.cpp"));
  CHECK(has_all("~/.config/nvim/init.lua", "nvim"));
  CHECK(has_all("~/.config/nvim/init.lua", "init.lua"));
  CHECK(has_all("C:\\tools\\build\\make.exe", "make.exe"));
}

TEST_CASE("a name with dots or colons is found by what it is made of") {
  CHECK(tokens("vim.api") == Words{"vimapi", "vim", "api"});
  CHECK(tokens("std::vector") == Words{"stdvector", "std", "vector"});
  CHECK(has_all("std::vector<int> grows", "vector"));
  CHECK(has_all("std::vector<int> grows", "std::vector"));
  CHECK(tokens("label: value") == Words{"label", "value"});
}

TEST_CASE("a file that begins with a dot is found with and without it") {
  CHECK(has_all("see .clang-format", "clang-format"));
  CHECK(has_all("see .clang-format", ".clang-format"));
  CHECK(has_all("edit .nvimrc", "nvimrc"));
}

TEST_CASE("a version is found by itself and by its beginnings, with and without v") {
  for (const auto* question : {"v10", "10", "10.0", "v10.0", "10.0.0", "v10.0.0"}) {
    INFO(question);
    CHECK(has_all("upgraded to v10.0.0 today", question));
    CHECK(has_all("upgraded to 10.0.0 today", question));
  }
  CHECK(has_all("clang 1.2.3.", "1.2.3"));
  CHECK(has_all("clang 1.2.3.", "1.2"));
  CHECK_FALSE(has_all("clang 1.2.3", "2.3"));
  CHECK_FALSE(has_all("clang 1.2.3", "1.2.4"));
  CHECK_FALSE(has_all("clang 1.2.3", "1.20"));
}

TEST_CASE("an address is found with and without its port") {
  CHECK(has_all("listens on 127.0.0.1:5433", "127.0.0.1"));
  CHECK(has_all("listens on 127.0.0.1:5433", "5433"));
  CHECK(has_all("listens on localhost:5433", "localhost"));
}

TEST_CASE("an error code is found whole and by its number") {
  CHECK(tokens("E5108") == Words{"e5108", "5108"});
  CHECK(tokens("HTTP502") == Words{"http502", "http", "502"});
  CHECK(has_all("E5108: Error executing lua", "E5108"));
  CHECK(has_all("E5108: Error executing lua", "e5108"));
  CHECK(has_all("the proxy said HTTP502", "http 502"));
  CHECK(tokens("ERR_CONN_RESET") == Words{"errconnreset", "err", "conn", "reset"});
}

TEST_CASE("languages whose names end in signs are not the letter alone") {
  CHECK(tokens("C++") == Words{"c++"});
  CHECK(tokens("C#") == Words{"c#"});
  CHECK(tokens("g++") == Words{"g++"});
  CHECK(tokens("C") == Words{"c"});
  CHECK_FALSE(has(tokens("we write C++ here"), "c"));
  CHECK_FALSE(has(tokens("we write C here"), "c++"));
  CHECK(has(tokens("C++, C# and C."), "c++"));
  CHECK(has(tokens("C++, C# and C."), "c#"));
  CHECK(has(tokens("C++, C# and C."), "c"));
  CHECK(has(tokens("C/C++"), "c++"));
  CHECK(has(tokens("issue #12"), "12"));
}

TEST_CASE("a number is one, whatever stands between its thousands") {
  CHECK(tokens("40,000,000 rows") == Words{"40000000", "rows"});
  CHECK(tokens("1,000") == tokens("1000"));
  CHECK(tokens("1,2,3") == Words{"1", "2", "3"});
  CHECK(tokens("ports 5432,5433") == Words{"ports", "5432", "5433"});
  CHECK(has(tokens("$5.50"), "5.50"));
  CHECK(tokens("50%") == Words{"50"});
}

TEST_CASE("a date is found whole and by its day, with and without the zero") {
  CHECK(tokens("2026-05-07") == Words{"2026-05-07", "2026", "5", "7"});
  CHECK(has(tokens("7/5/2026"), "7"));
  CHECK(has(tokens("2026-5-7"), "7"));
  CHECK(has(tokens("2026/05/07"), "2026"));
}

TEST_CASE("an address of mail or of the web is found by its parts") {
  CHECK(has_all("write to team@example.org today", "example.org"));
  CHECK(has_all("write to team@example.org today", "team"));
  const auto* page = "see https://docs.example.org/guide/setup.html?lang=en#first";
  for (const auto* question : {"example", "setup.html", "guide", "docs", "https", "lang", "first"}) {
    INFO(question);
    CHECK(has_all(page, question));
  }
}

TEST_CASE("apostrophes: contractions are one word, endings none, names two") {
  CHECK(tokens("don't can't WON'T") == Words{"dont", "cant", "wont"});
  CHECK(tokens("the editor's port, it's") == Words{"the", "editor", "port", "it"});
  CHECK(tokens("we're we've we'll I'm I'd") == Words{"we", "we", "we", "i", "i"});
  CHECK(tokens("l'utilisateur d'accord") == Words{"l", "utilisateur", "d", "accord"});
  CHECK(tokens("O'Neill") == Words{"o", "neill"});
  CHECK(tokens("'quoted' rock 'n' roll") == Words{"quoted", "rock", "n", "roll"});
  CHECK(tokens("'s 't ''") == Words{"s", "t"});
}

TEST_CASE("a curly apostrophe is an apostrophe") {
  CHECK(tokens("don’t the editor’s l’utilisateur O’Neill") == tokens("don't the editor's l'utilisateur O'Neill"));
}

TEST_CASE("Chinese, Japanese and Korean give a token for each character and each pair") {
  CHECK(tokens("喜欢茶") == Words{"喜", "欢", "喜欢", "茶", "欢茶"});
  CHECK(of_kind("喜欢茶", TokenKind::pair) == Words{"喜欢", "欢茶"});
  CHECK(of_kind("喜欢茶", TokenKind::character) == Words{"喜", "欢", "茶"});
  CHECK(tokens("茶，水") == Words{"茶", "水"});
  CHECK(tokens("한국어") == Words{"한", "국", "한국", "어", "국어"});
  CHECK(has(tokens("テスト"), "テス"));
  CHECK(tokens("ﾃｽﾄ") == tokens("テスト"));  // half width
}

TEST_CASE("identifiers, versions and numbers glued to Chinese are found") {
  CHECK(tokens("重跑gen-itgc后") == Words{"重", "跑", "重跑", "genitgc", "gen", "itgc", "后"});
  CHECK(tokens("用vim写") == Words{"用", "vim", "写"});
  CHECK(has_all("改了parseConfig的默认值", "parseConfig"));
  CHECK(has_all("升级到v10.0.0了", "10.0"));
  CHECK(has(tokens("端口5433被占用"), "5433"));
  CHECK(has(tokens("서버port는"), "port"));
}

TEST_CASE("an emoji is found, whatever its skin, its company or its variant") {
  CHECK(tokens("👍") == Words{"👍"});
  CHECK(has_all("good 👍🏽", "👍"));
  CHECK(has_all("good 👍", "👍🏿"));
  CHECK(has_all("she is a 👩‍💻", "💻"));
  CHECK(tokens("❤️") == tokens("❤"));
  CHECK(has_all("holiday in 🇩🇪", "🇩🇪"));
  CHECK(has_all("ship it 🚀!", "🚀"));
  CHECK(tokens("┌──┐ │ ☐").size() <= 1);  // the lines of a table are no words
}

TEST_CASE("what looks alike is one word") {
  CHECK(tokens("Ｆｕｌｌ　ｗｉｄｔｈ") == Words{"full", "width"});
  CHECK(tokens("ﬁne oﬃce") == Words{"fine", "office"});
  CHECK(tokens("co\u00ADoperate") == Words{"cooperate"});
  CHECK(tokens("cafe\u0301") == tokens("CAFÉ"));
  CHECK(tokens("Straße STRASSE") == Words{"strasse", "strasse"});
  CHECK(tokens("zero\u200Bwidth") == tokens("zerowidth"));
  CHECK(tokens("５４３３") == tokens("5433"));
  CHECK(tokens("Привет, МИР") == Words{"привет", "мир"});
  CHECK(tokens("हिन्दी").size() == 1);
}

TEST_CASE("sentences are told apart, and which of them ask") {
  text::Tokens tokens;
  const auto list = tokens.split("The port is open. Which one? Tell me!\nAnd v1.2.3 too");
  const auto sentence_of = [&](std::string_view word) {
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const auto& token) { return tokens.text(token) == word; });
    REQUIRE(found != list.end());
    return found->sentence;
  };
  CHECK(sentence_of("open") == 0);
  CHECK(sentence_of("which") == 1);
  CHECK(sentence_of("me") == 2);
  CHECK(sentence_of("1.2.3") == 3);
  CHECK(sentence_of("too") == 3);
  CHECK_FALSE(tokens.is_question(0));
  CHECK(tokens.is_question(1));
  CHECK_FALSE(tokens.is_question(2));
  CHECK_FALSE(tokens.is_question(3));
  CHECK_FALSE(tokens.is_question(99));
}

TEST_CASE("a question is one in other scripts too, and dots without words are no sentences") {
  text::Tokens tokens;
  tokens.split("端口是多少？谢谢。");
  CHECK(tokens.is_question(0));
  CHECK_FALSE(tokens.is_question(1));
  const auto& list = tokens.split("??? ... !!! \n\n really?");
  REQUIRE(list.size() == 1);
  CHECK(list[0].sentence == 0);
  CHECK(tokens.is_question(0));
}

TEST_CASE("a name is a capital where no sentence begins") {
  CHECK(names("The server is Apollo.") == Words{"apollo"});
  CHECK(names("Apollo is a server.") == Words{});
  CHECK(names("It works. Then it fails") == Words{});
  CHECK(names("They said: Then it fails\nSo it goes") == Words{});
  CHECK(names("we moved to Berlin and Zürich") == Words{"berlin", "zürich"});
}

TEST_CASE("base64 of 100 KB is not taken for an identifier, and gives no more tokens for being long") {
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto blob = [&](std::size_t bytes) {
    std::mt19937 random(3);
    std::string text;
    while (text.size() < bytes) text += alphabet[random() % alphabet.size()];
    return text + "==";
  };
  const auto small = read(blob(10'000)), large = read(blob(100'000));
  CHECK(large.size() < 11 * small.size());
  CHECK(large.size() > 9 * small.size());
  for (const auto& token : large) {
    if (token.kind == TokenKind::whole) CHECK(token.text.size() <= 128);
  }
}

TEST_CASE("a long run of anything is read to its end, in tokens no more than bytes") {
  for (const std::string piece :
       {"a",       "a.",           "a_",   "_", "1,000,", "1.",  "a-b/", "aB", "喜",  "👍",
        "e\u0301", "\u0316\u0301", "\xFF", "'", "a'b",    "C++", "((",   "?",  "a? ", "\uFDFA"}) {
    INFO(piece);
    text::Tokens tokens;
    const auto text = repeat(piece, 200'000) + " end";
    const auto& list = tokens.split(text);
    REQUIRE_FALSE(list.empty());
    CHECK(tokens.text(list.back()) == "end");
    CHECK(list.size() <= text.size());
  }
}

TEST_CASE("marks without end do not hide the tokens around them") {
  const auto list = tokens("before a" + repeat("\u0316\u0301", 10'000) + " after");
  CHECK(has(list, "before"));
  CHECK(has(list, "after"));
}

TEST_CASE("bytes that are no text separate tokens") {
  CHECK(tokens("one\xFFtwo") == Words{"one", "two"});
  CHECK(tokens(std::string("one\0two", 7)) == Words{"one", "two"});
  CHECK(tokens(std::string("\0\0\0", 3)) == Words{});
  CHECK(tokens("\xED\xA0\xBD\xED\xB8\x80 smile") == Words{"smile"});  // surrogates as CESU-8 has them
  CHECK(tokens("\xE4\xB8") == Words{});
  CHECK(tokens("\xC0\xAF\xF8\x88\x80\x80\x80 x") == Words{"x"});
  CHECK(tokens("") == Words{});
  CHECK(tokens(" \t\r\n.,;:!?()[]{}<>\"'`~@#$%^&*+=|\\/-_") == Words{});
}

TEST_CASE("every beginning and every end of a nasty text gives valid words") {
  for (std::size_t cut = 0; cut <= nasty.size(); ++cut) {
    INFO(cut);
    for (const auto text : {std::string_view(nasty).substr(0, cut), std::string_view(nasty).substr(cut)}) {
      for (const auto& token : read(text)) {
        CHECK(utf8::valid(token.text));
        CHECK_FALSE(token.text.empty());
      }
    }
  }
}

TEST_CASE("any bytes give valid words in the order of their sentences") {
  std::mt19937 random(11);
  const std::string likely = "aB0._-/:'?+#, \n\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x91\x8D";
  for (int round = 0; round < 500; ++round) {
    std::string bytes(random() % 120, '\0');
    for (auto& byte : bytes) byte = random() % 8 == 0 ? static_cast<char>(random()) : likely[random() % likely.size()];
    std::uint32_t sentence = 0;
    for (const auto& token : read(bytes)) {
      CHECK(utf8::valid(token.text));
      CHECK_FALSE(token.text.empty());
      CHECK(token.sentence >= sentence);
      sentence = token.sentence;
    }
  }
}

TEST_CASE("a text is read the same after any other") {
  text::Tokens tokens;
  const auto list_of = [&](std::string_view text) {
    Words words;
    for (const auto& token : tokens.split(text)) words.emplace_back(tokens.text(token));
    return words;
  };
  const auto first = list_of("src/io/loop.cpp? Yes");
  list_of(nasty);
  list_of("ends in a joiner: a.b-");
  CHECK(list_of("src/io/loop.cpp? Yes") == first);
}

TEST_CASE("a day with a zero is the day without it") {
  CHECK(tokens("07") == Words{"7"});
  CHECK(tokens("on 07 May") == tokens("on 7 May"));
}

TEST_CASE("a path is found by its file's name though that has an underscore or a hyphen") {
  CHECK(has_all("tests/io/loop_test.cpp fails", "loop_test.cpp"));
  CHECK(has_all("look at src/app/my-view.tsx", "my-view.tsx"));
}

TEST_CASE("a standard of C++ is C++") {
  CHECK(has(tokens("we build with C++20"), "c++"));
  CHECK_FALSE(has(tokens("we build with C++20"), "c"));
}

TEST_CASE("a version is found in a release candidate, a description by git, and glued to its program's name") {
  CHECK(has(tokens("tagged 1.2.3-rc1"), "1.2.3"));
  CHECK(has(tokens("built v1.2.3-45-gabc"), "1.2.3"));
  CHECK(has(tokens("needs nvim-0.12"), "0.12"));
  CHECK(has(tokens("needs Python3.11"), "3.11"));
}

TEST_CASE("a question mark within an address ends no sentence") {
  text::Tokens tokens;
  const auto& list = tokens.split("See https://example.org/a?b=c for it");
  CHECK(list.back().sentence == 0);
  CHECK_FALSE(tokens.is_question(0));
}

TEST_CASE("a megabyte of curly apostrophes is read to its end") {
  std::string curly, straight;
  for (int i = 0; i < 130'000; ++i) curly += "don’t ", straight += "don't ";
  CHECK(tokens(curly) == tokens(straight));
}

// Questions that nobody means well, for whatever takes a question: each has to be answered without an error.
#pragma once
#include <random>
#include <string>
#include <vector>

namespace selfmind::test {

inline std::string repeated(const std::string& piece, std::size_t bytes) {
  std::string text;
  text.reserve(bytes + piece.size());
  while (text.size() < bytes) text += piece;
  return text;
}

// A megabyte each, of what could make a reader slow.
inline std::vector<std::string> endless_questions() {
  constexpr std::size_t megabyte = 1u << 20;
  std::vector<std::string> list;
  for (const char* piece : {"port ", "(", "喜欢", "\u0316\u0301", "'", "’", "a_", "a.", "?", "port? ", "aB", "the ",
                            "\xFF", "\n", "👍", "ü", "\u202E"}) {
    list.push_back(repeated(piece, megabyte));
  }
  list.push_back(std::string(megabyte, 'a'));
  list.push_back(std::string(megabyte, '\0'));
  std::string distinct;
  for (int i = 0; distinct.size() < megabyte; ++i) distinct += "word" + std::to_string(i) + " ";
  list.push_back(distinct);
  list.push_back(distinct + "\nWhich port does the database use?");
  return list;
}

// Two hundred and more, each another one.
inline std::vector<std::string> hostile_questions() {
  std::vector<std::string> list = {
      "",
      " ",
      "\n\t\r\v\f",
      std::string(1, '\0'),
      std::string("po\0rt", 5),
      std::string("port\0", 5),
      // Signs of query languages.
      "\"",
      "\"\"",
      "\"port",
      "port\"",
      "'",
      "''",
      "';",
      "'; DROP TABLE memory; --",
      "\" OR 1=1 --",
      "port*",
      "*",
      "*port",
      "^port",
      "-port",
      "+port",
      "port AND",
      "AND",
      "OR",
      "NOT",
      "NOT port",
      "port NEAR/2 database",
      "NEAR(port database, 5)",
      "{port database} : x",
      "text:port",
      "rowid:1",
      "port^2",
      "port~0.8",
      "[1 TO 5]",
      "(port",
      "port)",
      "((((port))))",
      ")(",
      "{}",
      "[]",
      "<>",
      "%",
      "_",
      "%port%",
      "port\\",
      "\\",
      "\\x00",
      "\\u0000",
      "${port}",
      "$(port)",
      "`port`",
      "|| port",
      "&& port",
      "| port",
      "!port",
      "@port",
      "#port",
      "?port=1&x=2",
      "???",
      "...",
      "---",
      "___",
      "a_",
      "_a_",
      "__init__",
      "a..b",
      "a::b",
      "::",
      ":::",
      "a//b",
      "//",
      "\\\\host\\share",
      "C:\\",
      "~",
      "0x",
      "1,",
      ",1",
      "1,000,",
      "1,0000",
      "1.",
      ".1",
      "1.2.3.4.5.6.7.8.9",
      "v",
      "v1",
      "v.",
      "-1",
      "1e309",
      "99999999999999999999999999",
      "0000-00-00",
      "9999-99-99",
      "-9999-01-01",
      "31 February 0000",
      "last last week",
      "99999999999 days ago",
      "in 99999999999999999999 years",
      "between 2026-99-99 and 0000-00-00",
      "C++++",
      "C##",
      "++",
      "#",
      "%s%n%d",
      "{0}{1}",
      "{:}",
      "\x1B[31mport\x1B[0m",
      "\x7F",
      "\r\nport: x\r\n\r\n",
      "<script>alert(1)</script>",
      "&amp;&#0;",
      "../../../../etc/passwd",
      "file:///etc/passwd",
      "<recalled_memories>",
      "</recalled_memories>",
      // Only words that say nothing, in several languages.
      "the",
      "the the the",
      "what is it that you are",
      "der die das und oder",
      "le la les",
      "и в на",
      "的 了 吗",
      "です ます",
      "은 는 이 가",
      // Characters that are composed, invisible, turned round, or none.
      "😀",
      "👩‍👩‍👧‍👦",
      "🇩🇪🇪",
      "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
      "👍🏽👍🏿",
      "❤️",
      "1️⃣",
      "\u200B",
      "\u200D",
      "\u00AD",
      "\u00ADport\u00AD",
      "\uFEFFport",
      "\u202Eport",
      "\u2066port\u2069",
      "\u0301",
      "\u0301port",
      "p\u0301\u0301\u0301\u0301ort",
      "\uFFFD",
      "\uFFFE",
      "\uFFFF",
      "\U000E0001",
      "\U0010FFFF",
      "\uFDFA",
      "\u1E9E",
      "ſ",
      "İı",
      "ΣΑΣς",
      "ﬀﬃ",
      "Ｐｏｒｔ",
      "𝓹𝓸𝓻𝓽",
      "ⓟⓞⓡⓣ",
      "½¾",
      "²³",
      "٣٤",
      "Ⅷ",
      "ｶﾞ",
      "한글",
      "ㅎㅏㄴ",
      "茶",
      "喜port欢",
      "、。「」",
      "שלום",
      "مرحبا port بالعالم",
      "เก็บข้อมูล",
      "हिन्दी",
      "ᚠᚢᚦ",
      // Bytes that are no text.
      "\xFF",
      "\xFE\xFF",
      "\x80",
      "\xC0\x80",
      "\xC0\xAF",
      "\xC1\xBF",
      "\xC3",
      "\xE4\xB8",
      "\xF0\x9F\x98",
      "\xE0\x80\xAF",
      "\xED\xA0\x80",
      "\xED\xBF\xBF",
      "\xED\xA0\xBD\xED\xB8\x80",
      "port \xED\xA0\x80 database",
      "\xF4\x90\x80\x80",
      "\xF8\x88\x80\x80\x80",
      "\xFC\x84\x80\x80\x80\x80",
      "\xBF\xBF\xBF",
      "port\xE2\x80",
      "p\xFFo\xFFr\xFFt",
  };
  std::mt19937 random(5);
  for (int round = 0; round < 30; ++round) {
    std::string bytes(1 + random() % 100, '\0');
    for (auto& byte : bytes) byte = static_cast<char>(random());
    list.push_back(std::move(bytes));
  }
  for (auto& question : endless_questions()) list.push_back(std::move(question));
  return list;
}

}  // namespace selfmind::test

// The words of dates: bytes become plain text (no accents, no full-width forms), plain text becomes tokens of a kind,
// by a lexicon of English, German, French, Chinese and Japanese. dates.cpp makes times of them. Pure; any thread, any
// bytes.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace selfmind::text::date_words {

// A kind of word is one character, so that a rule is a short string. Words are in lower case and without accents.
struct Lexeme {
  char kind = 'x';    // 'x': any other word
  int lo = 0;         // its value; of a vague number the least
  int hi = 0;         // of a vague number the most; of a unit 1: a plural
  bool weak = false;  // also an ordinary word: a date only where what stands around it says so
};
struct Token : Lexeme {
  std::string_view text;
};

// ASCII.
bool is_digit(char c);
bool is_letter(char c);
bool is_name(char c);  // a letter, a digit or "_"
char lower(char c);

// The head of the text without accents and full-width forms, in the case it was written in.
std::string plain(std::string_view text);

// Of a plain text, which outlives them.
std::vector<Token> tokens(std::string_view plain_text);

}  // namespace selfmind::text::date_words

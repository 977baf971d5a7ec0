#include "learn/content.h"

#include <algorithm>
#include <map>

#include "base/utf8.h"
#include "text/characters.h"
#include "text/words.h"

namespace selfmind::learn {
namespace {

// Words that change nothing. No preposition is among them ("works for" is not "works with"), no "and" or "or", no
// "only", "always" or "must", and no "was": what was is not what is.
const Texts fillers = {"a",         "actually",  "also",       "am",     "an",     "are",    "basically", "be",
                       "certainly", "currently", "definitely", "do",     "does",   "indeed", "is",        "just",
                       "now",       "of",        "please",     "really", "simply", "still",  "strongly",  "that",
                       "the",       "very",      "的",         "了",     "是"};

const std::map<std::string, std::string, std::less<>> number_words = {
    {"zero", "0"},     {"one", "1"},      {"two", "2"},        {"three", "3"},     {"four", "4"},
    {"five", "5"},     {"six", "6"},      {"seven", "7"},      {"eight", "8"},     {"nine", "9"},
    {"ten", "10"},     {"eleven", "11"},  {"twelve", "12"},    {"thirteen", "13"}, {"fourteen", "14"},
    {"fifteen", "15"}, {"sixteen", "16"}, {"seventeen", "17"}, {"eighteen", "18"}, {"nineteen", "19"},
    {"twenty", "20"}};

// Verbs that say the same about what follows, by the one that stands for them.
const std::map<std::string, std::string, std::less<>> interchangeable = {
    {"like", "prefer"},  {"love", "prefer"}, {"favor", "prefer"}, {"want", "prefer"},
    {"enjoy", "prefer"}, {"employ", "use"},  {"utilize", "use"}};

// Words that bind their neighbours by order. With one of them, as with a negation, nothing may have moved.
const Texts comparisons_and_directions = {"over",  "under",  "above", "below",  "than", "instead", "rather", "versus",
                                          "vs",    "before", "after", "from",   "to",   "into",    "until",  "better",
                                          "worse", "but",    "if",    "unless", "when", "by",      "statt",  "anstatt",
                                          "als",   "vor",    "nach",  "von",    "bis",  "aber",    "wenn",   "que",
                                          "avant", "mieux",  "pire",  "mais",   "si",   "比",      "从",     "到"};

const Texts negations = {"not",     "no",     "never", "nor",   "neither", "none",   "nothing", "nobody", "without",
                         "except",  "nicht",  "kein",  "keine", "keinen",  "keinem", "keiner",  "keines", "nie",
                         "niemals", "nichts", "ohne",  "weder", "ne",      "pas",    "jamais",  "sans",   "aucun",
                         "aucune",  "ni",     "rien",  "plus",  "不",      "没",     "别",      "无",     "非"};

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// Letters of any script, and nothing else.
bool plain(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
  });
}

// A token as its words: of what is written without spaces, each character is one.
std::vector<std::string> words_in(std::string_view token) {
  std::vector<std::string> words;
  bool joins = false;
  for (text::CodePoints points(token); points.next();) {
    const bool alone = text::classify(points.value()) == text::CharacterClass::ideograph;
    if (alone || !joins) {
      words.emplace_back(points.bytes());
    } else {
      words.back() += points.bytes();
    }
    joins = !alone;
  }
  return words;
}

std::string with_one_apostrophe(std::string_view text) {
  std::string out(text);
  for (auto at = out.find("’"); at != std::string::npos; at = out.find("’", at)) out.replace(at, 3, "'");
  return out;
}

// Drops punctuation of the sentence at both ends, and no sign that belongs to a word: C++, C#, .env, -1, ~/bin, 5%.
std::string_view without_punctuation(std::string_view token) {
  static constexpr std::string_view front[] = {"\"", "'", "(", "[", "{", "`", "“", "‘", "„", "«", "¿", "¡", "「", "（"};
  static constexpr std::string_view back[] = {"\"", "'", ")", "]", "}",  "`",  ".",  ",",  ";",  ":",  "!",  "?", "”",
                                              "“",  "’", "»", "…", "。", "，", "；", "：", "！", "？", "」", "）"};
  for (bool dropped = true; dropped;) {
    dropped = false;
    for (const auto sign : front) {
      if (!token.starts_with(sign)) continue;
      token.remove_prefix(sign.size());
      dropped = true;
    }
    for (const auto sign : back) {
      if (!token.ends_with(sign)) continue;
      token.remove_suffix(sign.size());
      dropped = true;
    }
  }
  return token;
}

bool ends_sentence(std::string_view token) {
  return token.ends_with('.') || token.ends_with('!') || token.ends_with('?') || token.ends_with(':');
}

// "doesn't" is "does" and "not".
std::vector<std::string> without_contraction(std::string word) {
  if (word == "cannot" || word == "can't") return {"can", "not"};
  if (word == "won't") return {"will", "not"};
  if (!word.ends_with("n't")) return {std::move(word)};
  return {word.substr(0, word.size() - 3), "not"};
}

// British and American as one, where it cannot be another word ("filling" and "filing" stay two).
std::string one_spelling(std::string word) {
  const auto replace = [&word](std::string_view from, std::string_view to, std::size_t length_min) {
    const auto at = word.find(from, 1);
    if (at != std::string::npos && word.size() >= length_min) word.replace(at, from.size(), to);
  };
  replace("our", "or", 6);
  replace("ll", "l", 8);
  replace("ise", "ize", 7);
  replace("ising", "izing", 8);
  replace("isation", "ization", 9);
  return word;
}

bool is_vowel(char c) { return std::string_view("aeiou").find(c) != std::string_view::npos; }

// "car", "star": their "-ing" has the last letter twice, so "caring" and "staring" are not theirs.
bool doubles_its_end(std::string_view stem) {
  const auto n = stem.size();
  return n >= 3 && n <= 4 && !is_vowel(stem[n - 1]) && is_vowel(stem[n - 2]) && !is_vowel(stem[n - 3]);
}

void add_forms_of_ing(const std::string& stem, Texts& forms) {
  const auto n = stem.size();
  forms.insert(stem + "e");
  if (n < 3) return;
  if (!doubles_its_end(stem)) forms.insert(stem);
  if (stem[n - 1] == stem[n - 2]) forms.insert(stem.substr(0, n - 1));
}

// The possible base forms of a word by its regular endings. Not of "-ed": what the user used is not what the user uses.
Texts base_forms(const std::string& written) {
  const auto word = one_spelling(written);
  const auto ends_in = [&word](std::string_view ending) { return word.size() >= 4 && word.ends_with(ending); };
  const auto cut = [&word](std::size_t n) { return word.substr(0, word.size() - n); };
  Texts forms = {word};
  if (ends_in("ies")) forms.insert(cut(3) + "y");
  if (ends_in("sses") || ends_in("xes") || ends_in("ches") || ends_in("shes")) forms.insert(cut(2));
  if (ends_in("s") && !ends_in("ss") && !ends_in("us")) forms.insert(cut(1));
  if (ends_in("ing") && word.size() >= 5) add_forms_of_ing(cut(3), forms);
  Texts known;
  for (const auto& form : forms) {
    const auto found = interchangeable.find(form);
    known.insert(found == interchangeable.end() ? form : found->second);
  }
  return known;
}

// Forms of a word begin with one letter; those that are interchangeable, or stand for others, with one of these.
bool may_begin_alike(char a, char b) {
  constexpr std::string_view interchangeable_begin = "lfweup";
  return a == b || (interchangeable_begin.find(a) != std::string_view::npos &&
                    interchangeable_begin.find(b) != std::string_view::npos);
}

}  // namespace

std::vector<std::string_view> split_at_space(std::string_view text) {
  std::vector<std::string_view> tokens;
  for (text = utf8::trim(text); !text.empty(); text = utf8::trim(text)) {
    const auto end =
        std::min({text.find_first_of(" \t\r\n\v\f"), text.find("\u00A0"), text.find("\u3000"), text.size()});
    tokens.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return tokens;
}

bool same(const ContentWord& a, const ContentWord& b) {
  if (a.text == b.text) return true;
  if (a.exact || b.exact || !may_begin_alike(a.text.front(), b.text.front())) return false;
  const auto of_a = base_forms(a.text);
  const auto of_b = base_forms(b.text);
  return std::any_of(of_a.begin(), of_a.end(), [&](const auto& form) { return of_b.count(form) > 0; });
}

bool same_in_order(const std::vector<ContentWord>& a, const std::vector<ContentWord>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

std::vector<ContentWord> content(std::string_view text) {
  std::vector<ContentWord> words;
  bool starts_sentence = true;
  for (const auto written : split_at_space(text)) {
    const auto token = without_punctuation(written);
    const bool capital = std::any_of(token.begin(), token.end(), is_upper);
    const bool may_fill = !capital || (starts_sentence && std::none_of(token.begin() + 1, token.end(), is_upper));
    starts_sentence = ends_sentence(written);
    for (const auto& part : words_in(with_one_apostrophe(text::fold(token)))) {
      for (auto& word : without_contraction(part)) {
        if (word.empty() || (may_fill && fillers.count(word) > 0)) continue;
        const auto number = number_words.find(word);
        if (number != number_words.end()) word = number->second;
        const bool exact = capital || !plain(word);
        words.push_back({std::move(word), exact});
      }
    }
  }
  return words;
}

bool binds_by_order(const ContentWord& word) {
  return comparisons_and_directions.count(word.text) > 0 || is_negation(word);
}

bool is_negation(const ContentWord& word) { return negations.count(word.text) > 0; }

bool is_number(const ContentWord& word) { return word.text.find_first_of("0123456789") != std::string::npos; }

}  // namespace selfmind::learn

#include "learn/support.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

#include "learn/content.h"
#include "text/dates.h"
#include "text/language.h"
#include "text/tokens.h"

namespace selfmind::learn {
namespace {

using Words = std::set<std::string, std::less<>>;

// "The user said": how a memory speaks of what was said.
bool frames_it(std::string_view word) {
  return text::names_the_user(word) || word == "said" || word == "says" || word == "sagt";
}

bool is_number(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool has_digit(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "4", "12", "2026": of a day within reach.
bool may_be_of_a_date(std::string_view number, Time said_at) {
  constexpr int years = 15;
  if (number.size() > 4) return false;
  const int value = std::atoi(std::string(number).c_str());
  if (number.size() <= 2) return value >= 1 && value <= 31;
  const auto day = std::chrono::floor<std::chrono::days>(said_at);
  const int year = static_cast<int>(std::chrono::year_month_day(day).year());
  return number.size() == 4 && std::abs(value - year) <= years;
}

// Every piece of it ("2026-12-04" is a whole and its parts).
bool is_of_a_date(std::string_view word, Time said_at) {
  if (is_number(word)) return may_be_of_a_date(word, said_at);
  std::size_t at = 0;
  while (at < word.size()) {
    const auto end = std::min(word.find_first_of("-./", at), word.size());
    if (!is_number(word.substr(at, end - at)) || !may_be_of_a_date(word.substr(at, end - at), said_at)) return false;
    at = end + 1;
  }
  return true;
}

// 2026-12-04
bool is_whole_date(std::string_view word) {
  return word.size() == 10 && word[4] == '-' && word[7] == '-' &&
         std::count_if(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; }) == 8;
}

// main.conf, parse_config: not "and/or" or "e.g.".
bool names_a_file(std::string_view word) {
  constexpr std::size_t piece_min = 2;
  for (auto at = word.find_first_of("._"); at != std::string_view::npos; at = word.find_first_of("._", at + 1)) {
    if (at >= piece_min && word.size() - at - 1 >= piece_min) return true;
  }
  return false;
}

text::Language language_of(text::Tokens& tokens, std::string_view text) {
  text::LanguageVotes votes;
  for (const auto& token : tokens.split(text)) votes.add(text::stop_word_in(tokens.text(token)));
  return votes.winner();
}

}  // namespace

Support support(std::string_view memory, std::string_view said, Time said_at) {
  text::Tokens tokens;
  text::Stemmer stemmer;
  const auto language = language_of(tokens, memory);
  Words words, stems;
  for (const auto& token : tokens.split(said)) {
    const std::string word(tokens.text(token));
    stems.insert(stemmer.stem(word, language));
    words.insert(word);
  }
  auto said_words = content(said);
  const auto memory_words = content(memory);
  const bool names_time = text::names_time(said);
  Support found;
  found.negated = std::any_of(memory_words.begin(), memory_words.end(), is_negation) &&
                  std::none_of(said_words.begin(), said_words.end(), is_negation);
  for (auto& word : said_words) words.insert(std::move(word.text));  // "five" is 5
  // Where the user writes dates out nothing has to be counted.
  const bool writes_dates =
      std::any_of(words.begin(), words.end(), [](const auto& word) { return is_whole_date(word); });
  for (const auto& word : memory_words) {
    if (writes_dates && is_whole_date(word.text) && words.count(word.text) == 0) found.number_invented = true;
  }
  found.name_invented = std::any_of(memory_words.begin(), memory_words.end(), [&](const ContentWord& word) {
    return names_a_file(word.text) && !is_number(word) && words.count(word.text) == 0;
  });
  std::size_t all = 0, was_said_of = 0;
  for (const auto& token : tokens.split(memory)) {
    const auto word = tokens.text(token);
    if (token.kind == text::TokenKind::pair || frames_it(word)) continue;
    const bool was_said = words.count(word) > 0 || stems.count(stemmer.stem(std::string(word), language)) > 0;
    const bool of_a_date = names_time && !was_said && is_of_a_date(word, said_at);
    if (!was_said && has_digit(word) && !of_a_date) found.number_invented = true;
    // Every German noun has a capital; a month's name is of a date.
    if (!was_said && token.name && !names_time && language != text::Language::german) found.name_invented = true;
    if (!was_said && (word == "assistant" || word == "assistent" || word == "assistenten")) found.of_the_chat = true;
    // Of "17.5" and its parts the first counts.
    if (token.kind == text::TokenKind::part) continue;
    if (of_a_date) ++found.carried;
    if (of_a_date || text::has(text::stop_word_in(word), language)) continue;
    ++all;
    if (was_said) ++was_said_of;
    if (!was_said && token.kind == text::TokenKind::word && !text::is_common(word)) ++found.added;
  }
  found.carried += was_said_of;
  found.share = all == 0 ? 0.0 : static_cast<double>(was_said_of) / static_cast<double>(all);
  return found;
}

}  // namespace selfmind::learn

// Content: the words of a memory that carry its meaning, for comparing what two of them say. Pure; any thread.
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace selfmind::learn {

using Texts = std::set<std::string, std::less<>>;

struct ContentWord {
  std::string text;    // folded
  bool exact = false;  // a name, a number or an identifier: no ending and no spelling of it is negligible
};

// In order, without what changes nothing ("now", "really", articles); contractions are two words, number words digits;
// of what is written without spaces each character is a word.
std::vector<ContentWord> content(std::string_view text);

// Do they say the same? Endings and spellings may differ, where neither is exact.
bool same(const ContentWord& a, const ContentWord& b);
bool same_in_order(const std::vector<ContentWord>& a, const std::vector<ContentWord>& b);

// A comparison, a direction, a condition: where one of them stands, nothing may have moved.
bool binds_by_order(const ContentWord& word);
bool is_negation(const ContentWord& word);
bool is_number(const ContentWord& word);  // has a digit, as a port, a version, an amount

std::vector<std::string_view> split_at_space(std::string_view text);

}  // namespace selfmind::learn

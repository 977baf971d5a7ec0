// What a text says is liked better than what: "prefers tabs over spaces", "likes tabs better than spaces", "lieber Tabs
// als Leerzeichen". In English, German, French and Chinese. Pure; any thread; any bytes are accepted.
#pragma once
#include <string_view>
#include <vector>

#include "learn/content.h"

namespace selfmind::learn {

struct Comparison {
  std::vector<ContentWord> more, less;  // what is liked better, and what less; neither is empty
  bool bounded = true;  // false: `more` may begin with words that are not of it ("it is tabs over spaces")
};

std::vector<Comparison> comparisons_in(std::string_view text);

// Does one of them like better what the other likes less? Then both cannot be true.
bool are_turned(const std::vector<Comparison>& a, const std::vector<Comparison>& b);

// Do both like the same better than the same?
bool are_alike(const std::vector<Comparison>& a, const std::vector<Comparison>& b);

}  // namespace selfmind::learn

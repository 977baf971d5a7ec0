#include "learn/comparison.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "learn/content.h"
#include "learn/phrase.h"
#include "text/words.h"

namespace selfmind::learn {
namespace {

using Content = std::vector<ContentWord>;

// What stands between the two, and a word that has to come before it, if any.
struct Connector {
  std::string_view words;
  std::string_view behind;
};
constexpr Connector connectors[] = {
    {" over ", ""},      {" better than ", ""}, {" more than ", ""},  {" rather than ", ""}, {" instead of ", ""},
    {" to ", "prefer"},  {" anstatt ", ""},     {" statt ", ""},      {" than ", "rather"},  {" lieber als ", ""},
    {" als ", "lieber"}, {" vor ", "vorzug"},   {" plutôt que ", ""}, {" plutôt qu'", ""},   {" mieux que ", ""},
    {" à ", "préfèr"},   {"胜过", ""},          {"而不是", ""},       {"多过", ""},
};

bool likes(const ContentWord& word) {
  static const Texts words = {"prefer",  "preference", "like",   "love",      "favor", "favorite",
                              "rather",  "mag",        "lieber", "bevorzugt", "nutzt", "bevorzuge",
                              "préfère", "aime",       "use",    "欢",        "好"};
  return std::any_of(words.begin(), words.end(), [&word](const auto& text) { return same(word, {text, false}); });
}

// A clause that says so; denied, it says nothing ("I no longer prefer tabs over spaces").
std::optional<Comparison> comparison_in(std::string_view clause) {
  for (const auto& connector : connectors) {
    const auto at = clause.find(connector.words);
    if (at == std::string_view::npos || clause.substr(0, at).find(connector.behind) == std::string_view::npos) continue;
    auto before = content(clause.substr(0, at));
    Comparison found;
    found.less = content(clause.substr(at + connector.words.size()));
    if (found.less.empty() || std::any_of(before.begin(), before.end(), is_negation)) return std::nullopt;
    const auto verb = std::find_if(before.rbegin(), before.rend(), likes).base();
    found.bounded = verb != before.begin();
    found.more.assign(verb, before.end());
    if (found.more.empty()) return std::nullopt;
    return found;
  }
  return std::nullopt;
}

// Is it this that the comparison likes better?
bool likes_better(const Comparison& comparison, const Content& what) {
  const auto& more = comparison.more;
  if (comparison.bounded) return same_in_order(more, what);
  return more.size() >= what.size() && std::equal(what.rbegin(), what.rend(), more.rbegin(), same);
}

template <class Holds>
bool any_two(const std::vector<Comparison>& a, const std::vector<Comparison>& b, const Holds& holds) {
  return std::any_of(a.begin(), a.end(), [&](const auto& one) {
    return std::any_of(b.begin(), b.end(), [&](const auto& other) { return holds(one, other); });
  });
}

}  // namespace

std::vector<Comparison> comparisons_in(std::string_view text) {
  std::vector<Comparison> all;
  const std::string folded = text::fold(text);
  const auto words = words_of(folded);
  for (std::size_t first = 0; first < words.size();) {
    std::size_t next = first + 1;
    while (next < words.size() && !words[next].begins_clause) ++next;
    const auto begin = words[first].begin;
    auto found = comparison_in(std::string_view(folded).substr(begin, words[next - 1].end - begin));
    if (found) all.push_back(std::move(*found));
    first = next;
  }
  return all;
}

bool are_turned(const std::vector<Comparison>& a, const std::vector<Comparison>& b) {
  return any_two(a, b, [](const Comparison& one, const Comparison& other) {
    return likes_better(one, other.less) && likes_better(other, one.less);
  });
}

bool are_alike(const std::vector<Comparison>& a, const std::vector<Comparison>& b) {
  return any_two(a, b, [](const Comparison& one, const Comparison& other) {
    return same_in_order(one.less, other.less) && (likes_better(one, other.more) || likes_better(other, one.more));
  });
}

}  // namespace selfmind::learn

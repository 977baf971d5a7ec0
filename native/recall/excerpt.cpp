#include "recall/excerpt.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/utf8.h"

namespace selfmind::recall {
namespace {

constexpr std::string_view ellipsis = "…";

// Cut after a line's end, or a sentence's that stands in a long line.
std::vector<std::string_view> sentences(std::string_view text) {
  std::vector<std::string_view> list;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool line = text[i] == '\n';
    const bool sentence =
        (text[i] == '.' || text[i] == '!' || text[i] == '?') && i + 1 < text.size() && text[i + 1] == ' ';
    const bool ideographic = text.substr(i, 3) == "。";
    if (!line && !sentence && !ideographic) continue;
    const std::size_t end = i + (ideographic ? 3 : 1);
    list.push_back(text.substr(begin, end - begin));
    begin = end;
    i = end - 1;
  }
  if (begin < text.size()) list.push_back(text.substr(begin));
  return list;
}

}  // namespace

std::string excerpt(Vocabulary& vocabulary, std::string_view text, const Question& question, std::size_t bytes) {
  text = utf8::trim(text);
  if (text.size() <= bytes) return std::string(text);

  std::unordered_map<Term, double> value;
  for (const auto& word : question.words) {
    for (const auto term : word.terms) value[term] = word.value();
  }
  const auto list = sentences(text);
  std::vector<std::vector<Term>> terms;
  for (const auto sentence : list) {
    terms.emplace_back();
    vocabulary.read(sentence, terms.back());
  }

  // The run of sentences that fits and says most; of equals the first.
  const std::size_t room = bytes - 2 * ellipsis.size() - 2;
  std::size_t best_begin = 0, best_end = 0;
  double best = -1;
  for (std::size_t begin = 0; begin < list.size(); ++begin) {
    std::unordered_set<Term> seen;
    double sum = 0;
    std::size_t size = 0, end = begin;
    while (end < list.size() && (end == begin || size + list[end].size() <= room)) {
      for (const auto term : terms[end]) {
        const auto found = value.find(term);
        if (found != value.end() && seen.insert(term).second) sum += found->second;
      }
      size += list[end].size();
      ++end;
    }
    if (sum > best + 1e-9) {
      best = sum;
      best_begin = begin;
      best_end = end;
    }
  }
  const auto* from = list[best_begin].data();
  const auto* to = list[best_end - 1].data() + list[best_end - 1].size();
  std::string result;
  if (from != text.data()) result = std::string(ellipsis) + " ";
  result += utf8::excerpt(utf8::trim(std::string_view(from, static_cast<std::size_t>(to - from))), room);
  if (to != text.data() + text.size() && !result.ends_with(ellipsis)) result += " " + std::string(ellipsis);
  return result;
}

}  // namespace selfmind::recall

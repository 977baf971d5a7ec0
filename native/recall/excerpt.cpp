#include "recall/excerpt.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/utf8.h"

namespace selfmind::recall {
namespace {

constexpr std::string_view ellipsis = "…";
constexpr std::size_t looked_at = 64u << 10;  // of a longer text its beginning

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
    std::size_t end = i + (ideographic ? 3 : 1);
    while (end < text.size() && (text[end] == '\n' || text[end] == ' ' || text[end] == '\t' || text[end] == '\r'))
      ++end;
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

  std::unordered_map<Term, std::size_t> word_of;
  for (std::size_t word = 0; word < question.words.size(); ++word) {
    for (const auto term : question.words[word].terms) word_of[term] = word;
  }
  const auto list = sentences(utf8::prefix(text, looked_at));
  std::vector<std::vector<std::size_t>> words(list.size());  // the question's, by sentence
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (const auto term : vocabulary.known(list[i])) {
      if (const auto found = word_of.find(term); found != word_of.end()) words[i].push_back(found->second);
    }
  }

  // The run of sentences that fits and says most; of equals the first. A window that slides.
  const std::size_t room = bytes - 2 * ellipsis.size() - 2;
  std::vector<std::size_t> count(question.words.size());
  double value = 0, best = -1;
  std::size_t begin = 0, size = 0, best_begin = 0, best_end = 1;
  for (std::size_t end = 0; end < list.size(); ++end) {
    size += list[end].size();
    for (const auto word : words[end]) value += count[word]++ == 0 ? question.words[word].value() : 0;
    for (; size > room && begin < end; ++begin) {
      size -= list[begin].size();
      for (const auto word : words[begin]) value -= --count[word] == 0 ? question.words[word].value() : 0;
    }
    if (value > best + 1e-9) {
      best = value;
      best_begin = begin;
      best_end = end + 1;
    }
  }
  // What follows helps to understand it, as far as there is room.
  std::size_t used = 0;
  for (std::size_t i = best_begin; i < best_end; ++i) used += list[i].size();
  while (best_end < list.size() && used + list[best_end].size() <= room) used += list[best_end++].size();

  const auto* from = list[best_begin].data();
  const auto* to = list[best_end - 1].data() + list[best_end - 1].size();
  std::string result;
  if (from != text.data()) result = std::string(ellipsis) + " ";
  result += utf8::excerpt(utf8::trim(std::string_view(from, static_cast<std::size_t>(to - from))), room);
  if (to != text.data() + text.size() && !result.ends_with(ellipsis)) result += " " + std::string(ellipsis);
  return result;
}

}  // namespace selfmind::recall

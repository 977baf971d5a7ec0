#include "recall/excerpt.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/utf8.h"

namespace selfmind::recall {
namespace {

constexpr std::string_view ellipsis = "…";
constexpr std::size_t looked_at = 64u << 10;  // of a longer text its beginning and its end

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

// The bytes of a mark that ends a sentence, 0 when `rest` starts with none.
std::size_t mark_bytes(std::string_view rest) {
  if (rest.front() == '\n') return 1;
  const bool mark = rest.front() == '.' || rest.front() == '!' || rest.front() == '?';
  if (mark && rest.size() > 1 && is_space(rest[1])) return 1;
  for (const std::string_view wide : {"\u3002", "\uFF01", "\uFF1F"}) {
    if (rest.starts_with(wide)) return wide.size();
  }
  return 0;
}

// Sentences and lines, with the white space after them; a longer one than `longest` in pieces, between words where
// there are any.
std::vector<std::string_view> sentences(std::string_view text, std::size_t longest) {
  std::vector<std::string_view> list;
  const auto add = [&](std::string_view sentence) {
    while (sentence.size() > longest) {
      auto piece = utf8::prefix(sentence, longest);
      const auto space = piece.find_last_of(" ,;");
      if (space != std::string_view::npos && space > longest / 2) piece = piece.substr(0, space + 1);
      list.push_back(piece);
      sentence.remove_prefix(piece.size());
    }
    if (!sentence.empty()) list.push_back(sentence);
  };
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto mark = mark_bytes(text.substr(i));
    if (mark == 0) {
      ++i;
      continue;
    }
    i += mark;
    while (i < text.size() && is_space(text[i])) ++i;
    add(text.substr(begin, i - begin));
    begin = i;
  }
  add(text.substr(begin));
  return list;
}

struct Window {
  double value = -1;
  const char* begin = nullptr;
  const char* end = nullptr;
};

// The run of sentences that fits and says most; of equals the first.
Window best_window(Vocabulary& vocabulary, std::string_view text, const Question& question, std::size_t room) {
  std::unordered_map<Term, std::size_t> word_of;
  for (std::size_t word = 0; word < question.words.size(); ++word) {
    for (const auto term : question.words[word].terms) word_of[term] = word;
  }
  const auto list = sentences(text, std::max<std::size_t>(room / 4, 16));
  std::vector<std::vector<std::size_t>> words(list.size());  // the question's, by sentence
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (const auto term : vocabulary.known(list[i])) {
      if (const auto found = word_of.find(term); found != word_of.end()) words[i].push_back(found->second);
    }
  }

  // A window that slides.
  std::vector<std::size_t> count(question.words.size());
  double value = 0, best = -1;
  std::size_t begin = 0, size = 0, best_begin = 0, best_end = 0;
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
  if (best_end == 0) return {};
  // From the first sentence that says something on; what follows helps to understand it, as far as there is room.
  while (best > 0 && best_begin + 1 < best_end && words[best_begin].empty()) ++best_begin;
  std::size_t used = 0;
  for (std::size_t i = best_begin; i < best_end; ++i) used += list[i].size();
  while (best_end < list.size() && used + list[best_end].size() <= room) used += list[best_end++].size();
  while (best_begin > 0 && used + list[best_begin - 1].size() <= room) used += list[--best_begin].size();
  return {best, list[best_begin].data(), list[best_end - 1].data() + list[best_end - 1].size()};
}

}  // namespace

std::string excerpt(Vocabulary& vocabulary, std::string_view text, const Question& question, std::size_t bytes) {
  text = utf8::trim(text);
  if (text.size() <= bytes) return std::string(text);
  if (bytes < 20) return std::string(utf8::prefix(text, bytes));

  const std::size_t room = bytes - 2 * ellipsis.size() - 2;
  auto window = best_window(vocabulary, utf8::prefix(text, looked_at), question, room);
  if (text.size() > looked_at) {
    const auto tail = text.substr(text.size() - std::min(looked_at, text.size() - looked_at));
    const auto line = tail.find_first_of(" \n");  // not in the middle of a character
    if (line != std::string_view::npos) {
      const auto later = best_window(vocabulary, tail.substr(line), question, room);
      if (later.value > window.value) window = later;
    }
  }
  const auto within = std::string_view(window.begin, static_cast<std::size_t>(window.end - window.begin));
  std::string result;
  if (window.begin != text.data()) result = std::string(ellipsis) + " ";
  result += utf8::excerpt(utf8::trim(within), room);
  if (window.end != text.data() + text.size() && !result.ends_with(ellipsis)) result += " " + std::string(ellipsis);
  return result;
}

}  // namespace selfmind::recall

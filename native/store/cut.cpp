#include "store/cut.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/utf8.h"

namespace selfmind::store {
namespace {

using Json = nlohmann::ordered_json;  // keys stay in the order in which the API gave them

constexpr std::size_t short_bytes = 12;
constexpr std::size_t excerpt_rest = 24;  // sentences start alike; less of one tells nothing
constexpr std::string_view ellipsis = "…";

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

std::string in_one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!is_space(c)) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

std::string with_entities(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// As memory_block.cpp puts a text in one line: no blank fewer.
std::string without_line_ends(std::string_view text) {
  std::string out(utf8::trim(text));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return out;
}

// What a line gives of the log: "- [said …, in an earlier chat] TEXT", "- You said on …: “TEXT”". Empty: nothing of it.
std::string_view given_in(std::string_view line) {
  constexpr std::string_view open = "“", close = "”";
  if (line.starts_with("- [said ") || line.starts_with("- [your own answer ")) {
    const auto end = line.find("] ");
    return end == std::string_view::npos ? std::string_view() : line.substr(end + 2);
  }
  if (!line.starts_with("- You said on ") && !line.starts_with("- Claude answered on ")) return {};
  const auto begin = line.find(open);
  const auto end = line.rfind(close);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin + open.size()) return {};
  return line.substr(begin + open.size(), end - begin - open.size());
}

bool replace_all(std::string& text, std::string_view needle, std::string_view mark) {
  bool found = false;
  for (auto at = text.find(needle); at != std::string::npos; at = text.find(needle, at + mark.size())) {
    text.replace(at, needle.size(), mark);
    found = true;
  }
  return found;
}

// Where an excerpt ends with "…" in the middle of the needle: the bytes of it that stand before `end`.
std::size_t cut_short_before(const std::string& text, std::size_t end, std::string_view needle) {
  for (std::size_t length = std::min(needle.size(), end); length >= excerpt_rest; --length) {
    if (std::string_view(text).substr(end - length, length) == needle.substr(0, length)) return length;
  }
  return 0;
}

bool replace_cut_short(std::string& text, std::string_view needle) {
  bool found = false;
  for (auto at = text.find(ellipsis); at != std::string::npos; at = text.find(ellipsis, at + ellipsis.size())) {
    const auto length = cut_short_before(text, at, needle);
    if (length == 0) continue;
    text.replace(at - length, length, forgotten_mark);
    at += forgotten_mark.size() - length;
    found = true;
  }
  return found;
}

bool cut_strings(Json& value, const Cutter& cutter) {
  if (value.is_string()) return cutter.cut(value.get_ref<std::string&>());
  bool found = false;
  if (value.is_structured()) {
    for (auto& part : value) found = cut_strings(part, cutter) || found;
  }
  return found;
}

}  // namespace

std::vector<std::string> spellings(std::string_view words) {
  std::vector<std::string> all = {std::string(words), in_one_line(words)};
  all.push_back(with_entities(all[0]));
  all.push_back(with_entities(all[1]));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  all.erase(std::remove(all.begin(), all.end(), std::string()), all.end());
  return all;
}

std::string json_escaped(std::string_view words) {
  const std::string quoted = Json(words).dump(-1, ' ', false, Json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

bool is_short(std::string_view words) {
  words = utf8::trim(words);
  return words.size() < short_bytes && std::none_of(words.begin(), words.end(), is_space);
}

bool nothing_left(std::string_view text) { return is_only(forgotten_mark, text); }

std::string without(std::string_view mark, std::string_view text) {
  std::string left(text);
  for (auto at = left.find(mark); at != std::string::npos; at = left.find(mark)) left.erase(at, mark.size());
  return left;
}

bool is_only(std::string_view mark, std::string_view text) { return utf8::trim(without(mark, text)).empty(); }

Cutter::Cutter(const std::vector<std::string>& words, std::string_view mark) : mark_(mark) {
  for (const auto& one : words) {
    for (auto& spelling : spellings(one)) needles_.push_back(std::move(spelling));
  }
  std::sort(needles_.begin(), needles_.end(),
            [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() > b.size() : a < b; });
  needles_.erase(std::unique(needles_.begin(), needles_.end()), needles_.end());
}

bool Cutter::cut(std::string& text) const {
  bool found = false;
  for (const auto& needle : needles_) found = replace_all(text, needle, mark_) || found;
  return found;
}

bool Cutter::cut_block(std::string& block) const {
  bool found = cut(block);
  for (const auto& needle : needles_) found = replace_cut_short(block, needle) || found;
  return found;
}

Excerpts::Excerpts(const std::vector<std::string>& texts) {
  for (const auto& text : texts) texts_.push_back(without_line_ends(text));
}

bool Excerpts::is_one(std::string_view given) const {
  // Between the marks of what was left out; a short piece stands in many texts.
  std::vector<std::string_view> pieces;
  for (auto rest = given; !rest.empty();) {
    const auto end = rest.find(ellipsis);
    const auto piece = utf8::trim(rest.substr(0, end));
    if (piece.size() >= excerpt_rest) pieces.push_back(piece);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + ellipsis.size());
  }
  return std::any_of(texts_.begin(), texts_.end(), [&](const std::string& text) {
    return text == given || std::any_of(pieces.begin(), pieces.end(),
                                        [&](std::string_view piece) { return text.find(piece) != std::string::npos; });
  });
}

bool Excerpts::cut(std::string& block) const {
  if (texts_.empty()) return false;
  bool found = false;
  std::string out;
  for (std::string_view rest = block; !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const auto line = rest.substr(0, end);
    const auto given = given_in(line);
    if (!given.empty() && given != forgotten_mark && is_one(given)) {
      const auto before = static_cast<std::size_t>(given.data() - line.data());
      out += line.substr(0, before);
      out += forgotten_mark;
      out += line.substr(before + given.size());
      found = true;
    } else {
      out += line;
    }
    if (end < rest.size()) out += '\n';
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (found) block = std::move(out);
  return found;
}

bool Cutter::cut_json(std::string& json) const {
  Json document = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  // Not JSON after all; then it is text.
  if (document.is_discarded()) return cut(json);
  if (!cut_strings(document, *this)) return false;
  json = document.dump(-1, ' ', false, Json::error_handler_t::replace);
  return true;
}

}  // namespace selfmind::store

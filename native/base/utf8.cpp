#include "base/utf8.h"

#include <algorithm>
#include <array>

namespace selfmind::utf8 {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

// Bytes of the valid character at the front of `text` (RFC 3629 table 3-7); 0 where there is none.
std::size_t valid_length(std::string_view text) {
  const auto at = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continues = [&](std::size_t i) { return i < text.size() && (at(i) & 0xC0) == 0x80; };
  const unsigned char first = at(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (!continues(1) || !continues(2)) return 0;
    if (first == 0xE0 && at(1) < 0xA0) return 0;
    if (first == 0xED && at(1) > 0x9F) return 0;  // surrogates
    return 3;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    if (first == 0xF0 && at(1) < 0x90) return 0;
    if (first == 0xF4 && at(1) > 0x8F) return 0;
    return 4;
  }
  return 0;
}

constexpr std::array<std::string_view, 8> spaces = {" ", "\t", "\n", "\r", "\v", "\f", "\xC2\xA0", "\xE3\x80\x80"};

}  // namespace

bool valid(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = valid_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string clean(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = valid_length(text);
    if (length == 0 || text.front() == '\0') {
      out += replacement;
      text.remove_prefix(1);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return out;
}

std::string_view prefix(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

std::string excerpt(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  std::string_view cut = prefix(text, bytes);
  const auto space = cut.find_last_of(" \n\t");
  // A script without spaces, or one very long word, is cut between characters.
  if (space != std::string_view::npos && space > bytes / 2) cut = cut.substr(0, space);
  return std::string(trim(cut)) + "…";
}

std::string_view trim(std::string_view text) {
  const auto at_front = [&text](std::string_view space) { return text.starts_with(space); };
  const auto at_back = [&text](std::string_view space) { return text.ends_with(space); };
  for (auto space = spaces.end(); (space = std::find_if(spaces.begin(), spaces.end(), at_front)) != spaces.end();) {
    text.remove_prefix(space->size());
  }
  for (auto space = spaces.end(); (space = std::find_if(spaces.begin(), spaces.end(), at_back)) != spaces.end();) {
    text.remove_suffix(space->size());
  }
  return text;
}

}  // namespace selfmind::utf8

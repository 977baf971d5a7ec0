// Characters of text, as words are made of them. Pure; any thread.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace selfmind::text {

using CodePoint = std::int32_t;

// What a character is to a word. `ideograph`: Chinese, kana, Thai and others that are written without spaces, and
// Korean, whose words are glued to their endings; `symbol`: emoji.
enum class CharacterClass { separator, lower, upper, digit, mark, ideograph, apostrophe, symbol };

CharacterClass classify_beyond_ascii(CodePoint c);

namespace detail {
constexpr std::array<CharacterClass, 0x80> ascii_classes() {
  std::array<CharacterClass, 0x80> classes{};
  for (char c = 'a'; c <= 'z'; ++c) classes[static_cast<std::size_t>(c)] = CharacterClass::lower;
  for (char c = 'A'; c <= 'Z'; ++c) classes[static_cast<std::size_t>(c)] = CharacterClass::upper;
  for (char c = '0'; c <= '9'; ++c) classes[static_cast<std::size_t>(c)] = CharacterClass::digit;
  classes['\''] = CharacterClass::apostrophe;
  return classes;
}
inline constexpr auto ascii = ascii_classes();
}  // namespace detail

inline CharacterClass classify(CodePoint c) {
  return c >= 0 && c < 0x80 ? detail::ascii[static_cast<std::size_t>(c)] : classify_beyond_ascii(c);
}

inline bool is_letter(CharacterClass c) { return c == CharacterClass::lower || c == CharacterClass::upper; }

// The code points of valid UTF-8, one by one, with the bytes they stand in.
class CodePoints {
 public:
  explicit CodePoints(std::string_view text) : rest_(text) {}

  bool next() {
    if (rest_.empty()) return false;
    if (static_cast<unsigned char>(rest_.front()) < 0x80) return take(rest_.front(), 1);
    return next_beyond_ascii();
  }

  CodePoint value() const { return value_; }
  std::string_view bytes() const { return bytes_; }
  std::string_view rest() const { return rest_; }

 private:
  bool next_beyond_ascii();
  bool take(CodePoint value, std::size_t length) {
    value_ = value;
    bytes_ = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return true;
  }

  std::string_view rest_;
  std::string_view bytes_;
  CodePoint value_ = 0;
};

bool is_ascii(std::string_view text);
inline char lower_ascii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// NFKC; with `fold_case` also case folded. Invalid bytes become U+FFFD, soft hyphens and the like go.
std::string normalise(std::string_view text, bool fold_case);

}  // namespace selfmind::text

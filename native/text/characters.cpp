// Characters of text: their classes, and text brought into one form.
#include "text/characters.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/utf8.h"

namespace selfmind::text {
namespace {

// No script stacks as many; putting marks into order takes quadratic time, so a run of a million would hang us.
constexpr int marks_in_a_row = 30;

bool is_ideograph(CodePoint c) {
  if (c < 0x0E01) return false;
  return (c >= 0x0E01 && c <= 0x0EDF) ||    // Thai, Lao
         (c >= 0x1000 && c <= 0x109F) ||    // Myanmar
         (c >= 0x1780 && c <= 0x17D3) ||    // Khmer
         (c >= 0x1100 && c <= 0x11FF) ||    // Hangul jamo
         (c >= 0x3005 && c <= 0x3007) ||    // 々 〆 〇
         (c >= 0x3041 && c <= 0x30FF) ||    // Hiragana, Katakana
         (c >= 0x3131 && c <= 0x318E) ||    // Hangul jamo as letters
         (c >= 0x31F0 && c <= 0x31FF) ||    // Katakana for Ainu
         (c >= 0x3400 && c <= 0x4DBF) ||    // Han
         (c >= 0x4E00 && c <= 0x9FFF) ||    // Han
         (c >= 0xA960 && c <= 0xA97C) ||    // Hangul jamo
         (c >= 0xAC00 && c <= 0xD7FB) ||    // Hangul syllables and jamo
         (c >= 0xF900 && c <= 0xFAFF) ||    // Han
         (c >= 0x1AFF0 && c <= 0x1B16F) ||  // kana
         (c >= 0x20000 && c <= 0x3FFFF);    // Han
}

bool is_mark(utf8proc_category_t category) {
  return category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_MC || category == UTF8PROC_CATEGORY_ME;
}

std::string without_endless_marks(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  int marks = 0;
  for (CodePoints points(text); points.next();) {
    marks = points.value() >= 0x300 && is_mark(utf8proc_category(points.value())) ? marks + 1 : 0;
    if (marks <= marks_in_a_row) kept += points.bytes();
  }
  return kept;
}

std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return text::lower_ascii(c); });
  return lower;
}

// Pictures that people write and look for; not the lines of a table, nor the sign for a byte that is no text.
bool is_emoji(CodePoint c, utf8proc_category_t category) {
  return category == UTF8PROC_CATEGORY_SO &&
         ((c >= 0x2600 && c <= 0x27BF) || (c >= 0x2B00 && c <= 0x2BFF) || (c >= 0x1F000 && c <= 0x1FAFF));
}

}  // namespace

CharacterClass classify_beyond_ascii(CodePoint c) {
  if (c == 0x2019 || c == 0x02BC) return CharacterClass::apostrophe;
  const auto category = utf8proc_category(c);
  if (is_mark(category)) return CharacterClass::mark;
  if (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO) {
    return is_ideograph(c) ? CharacterClass::ideograph : CharacterClass::digit;
  }
  if (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) {
    if (is_ideograph(c)) return CharacterClass::ideograph;
    const bool upper = category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT;
    return upper ? CharacterClass::upper : CharacterClass::lower;
  }
  return is_emoji(c, category) ? CharacterClass::symbol : CharacterClass::separator;
}

bool CodePoints::next_beyond_ascii() {
  utf8proc_int32_t value = 0;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(rest_.data());
  const auto length = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(rest_.size()), &value);
  if (length < 1) return take(0xFFFD, 1);  // cannot happen after clean(); a byte that separates words
  return take(value, static_cast<std::size_t>(length));
}

bool is_ascii(std::string_view text) {
  // Without a way out of the loop, so that the compiler takes many bytes at once.
  unsigned char all = 0;
  for (const char c : text) all = static_cast<unsigned char>(all | static_cast<unsigned char>(c));
  return all < 0x80;
}

std::string normalise(std::string_view text, bool fold_case) {
  const std::string clean = utf8::clean(text);
  if (is_ascii(clean)) return fold_case ? lower_ascii(clean) : clean;

  const std::string bounded = without_endless_marks(clean);
  auto options = static_cast<unsigned>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_IGNORE);
  if (fold_case) options |= UTF8PROC_CASEFOLD;
  utf8proc_uint8_t* mapped = nullptr;
  const auto length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(bounded.data()),
                   static_cast<utf8proc_ssize_t>(bounded.size()), &mapped, static_cast<utf8proc_option_t>(options));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  if (length < 0) return bounded;  // out of memory; valid text has no other failure
  return std::string(reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(length));
}

}  // namespace selfmind::text

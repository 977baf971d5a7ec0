// Words out of text: case folding, Unicode word runs, Chinese, Japanese and Korean as characters and pairs. Pure; any
// thread, any bytes.
#include "text/words.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/utf8.h"

namespace selfmind::text {
namespace {

using CodePoint = utf8proc_int32_t;

// No script stacks as many; putting marks into order takes quadratic time, so a run of a million would hang us.
constexpr int marks_in_a_row = 30;

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80; });
}

char lower_ascii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return lower_ascii(c); });
  return lower;
}

// The code points of valid UTF-8, one by one, with the bytes they stand in.
class CodePoints {
 public:
  explicit CodePoints(std::string_view text) : rest_(text) {}

  bool next() {
    if (rest_.empty()) return false;
    if (static_cast<unsigned char>(rest_.front()) < 0x80) return take(rest_.front(), 1);
    const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(rest_.data());
    const auto length = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(rest_.size()), &value_);
    if (length < 1) return take(0xFFFD, 1);  // cannot happen after clean(); a byte that separates words
    return take(value_, static_cast<std::size_t>(length));
  }

  CodePoint value() const { return value_; }
  std::string_view bytes() const { return bytes_; }

 private:
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

enum class Class { separator, letter, mark, cjk, apostrophe };

bool is_cjk(CodePoint c) {
  if (c < 0x1100) return false;
  return c <= 0x11FF ||                     // Hangul jamo
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

Class classify(CodePoint c) {
  if (c < 0x80) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z')) return Class::letter;
    return c == '\'' ? Class::apostrophe : Class::separator;
  }
  if (c == 0x2019 || c == 0x02BC) return Class::apostrophe;
  const auto category = utf8proc_category(c);
  if (is_mark(category)) return Class::mark;
  const bool letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
  const bool number = category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
  if (!letter && !number) return Class::separator;
  return is_cjk(c) ? Class::cjk : Class::letter;
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

// Takes folded code points in order and keeps the words. The bytes have to outlive it.
class Collector {
 public:
  explicit Collector(std::size_t bytes) { words_.reserve(bytes / 5); }  // an English word and the space after it

  void add(CodePoint c, std::string_view bytes) {
    switch (classify(c)) {
      case Class::letter:
        cjk_ = {};
        word_ += bytes;
        break;
      case Class::mark:  // belongs to the letter before it; alone it is no word
        if (!word_.empty()) word_ += bytes;
        break;
      case Class::cjk:
        end_word();
        words_.emplace_back(bytes);
        if (!cjk_.empty()) words_.emplace_back(cjk_) += bytes;
        cjk_ = bytes;
        break;
      case Class::apostrophe:
        cjk_ = {};
        apostrophe();
        break;
      case Class::separator:
        cjk_ = {};
        end_word();
        break;
    }
  }

  std::vector<std::string> take() && {
    end_word();
    return std::move(words_);
  }

 private:
  // An apostrophe separates (l'utilisateur, O'Neill), but two English endings are no words: "don't" is "dont", as it is
  // also typed, and "editor's" is "editor", or else neither finds the other.
  void apostrophe() {
    const bool glued = !word_.empty() && !after_apostrophe_;
    if (!glued) return end_word();
    words_.push_back(std::move(word_));
    word_.clear();
    after_apostrophe_ = true;
  }

  void end_word() {
    if (!word_.empty() && !is_ending()) words_.push_back(std::move(word_));
    word_.clear();
    after_apostrophe_ = false;
  }

  bool is_ending() {
    if (!after_apostrophe_) return false;
    if (word_ == "t" && words_.back().back() == 'n') {
      words_.back() += 't';
      return true;
    }
    static constexpr std::string_view endings[] = {"s", "m", "d", "re", "ve", "ll"};
    return std::find(std::begin(endings), std::end(endings), word_) != std::end(endings);
  }

  std::vector<std::string> words_;
  std::string word_;               // the run being read
  std::string_view cjk_;           // the character just before, for a pair
  bool after_apostrophe_ = false;  // word_ follows an apostrophe that follows words_.back()
};

}  // namespace

std::vector<std::string> ascii_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char byte : text) {
    const char c = lower_ascii(byte);
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

std::string fold(std::string_view text) {
  const std::string clean = utf8::clean(text);
  if (is_ascii(clean)) return lower_ascii(clean);

  const std::string bounded = without_endless_marks(clean);
  constexpr auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT |
                                                          UTF8PROC_CASEFOLD | UTF8PROC_IGNORE);
  utf8proc_uint8_t* mapped = nullptr;
  const auto length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(bounded.data()),
                                   static_cast<utf8proc_ssize_t>(bounded.size()), &mapped, options);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  if (length < 0) return lower_ascii(bounded);  // out of memory; valid text has no other failure
  return std::string(reinterpret_cast<const char*>(mapped), static_cast<std::size_t>(length));
}

std::vector<std::string> words(std::string_view text) {
  const std::string folded = fold(text);
  Collector collector(folded.size());
  for (CodePoints points(folded); points.next();) collector.add(points.value(), points.bytes());
  return std::move(collector).take();
}

}  // namespace selfmind::text

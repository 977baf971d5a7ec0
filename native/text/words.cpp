// The plain words of the first designs. Pure; any thread, any bytes.
#include "text/words.h"

#include <algorithm>

#include "text/characters.h"

namespace selfmind::text {
namespace {

// Takes folded code points in order and keeps the words. The bytes have to outlive it.
class Collector {
 public:
  explicit Collector(std::size_t bytes) { words_.reserve(bytes / 5); }  // an English word and the space after it

  void add(CodePoint c, std::string_view bytes) {
    switch (classify(c)) {
      case CharacterClass::lower:
      case CharacterClass::upper:
      case CharacterClass::digit:
        cjk_ = {};
        word_ += bytes;
        break;
      case CharacterClass::mark:  // belongs to the letter before it; alone it is no word
        if (!word_.empty()) word_ += bytes;
        break;
      case CharacterClass::ideograph:
        end_word();
        words_.emplace_back(bytes);
        if (!cjk_.empty()) words_.emplace_back(cjk_) += bytes;
        cjk_ = bytes;
        break;
      case CharacterClass::apostrophe:
        cjk_ = {};
        apostrophe();
        break;
      case CharacterClass::symbol:
      case CharacterClass::separator:
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

std::string fold(std::string_view text) { return normalise(text, /*fold_case=*/true); }

std::vector<std::string> words(std::string_view text) {
  const std::string folded = fold(text);
  Collector collector(folded.size());
  for (CodePoints points(folded); points.next();) collector.add(points.value(), points.bytes());
  return std::move(collector).take();
}

}  // namespace selfmind::text

#include "recall/splits.h"

#include <functional>

namespace selfmind::recall {

std::uint32_t hash(std::string_view word) { return static_cast<std::uint32_t>(std::hash<std::string_view>{}(word)); }

void Splits::add(std::string_view text) {
  const auto& tokens = tokens_.split(text);
  const auto before = static_cast<std::uint32_t>(bytes_.size());
  bytes_ += tokens_.bytes();
  for (const auto& token : tokens) {
    words_.push_back({before + token.begin, token.length, hash(tokens_.text(token)), token.kind});
  }
  ends_.push_back(words_.size());
}

void Splits::clear() {
  bytes_.clear();
  words_.clear();
  ends_.clear();
}

Split Splits::operator[](std::size_t i) const {
  const auto begin = i == 0 ? 0 : ends_[i - 1];
  return {std::span(words_).subspan(begin, ends_[i] - begin), bytes_};
}

}  // namespace selfmind::recall

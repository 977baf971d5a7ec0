// Words out of text. Pure; any bytes are accepted.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace selfmind::text {

using Splitter = std::function<std::vector<std::string>(std::string_view)>;

// The first design's words: runs of ASCII letters and digits, lower-cased. Everything else separates.
std::vector<std::string> ascii_words(std::string_view text);

// Unicode words: NFKC and case folded, runs of letters, marks and digits; Chinese, Japanese kana and Korean as single
// characters and as pairs, also when glued to other letters. Invalid bytes separate.
std::vector<std::string> words(std::string_view text);

// NFKC and case folding alone; invalid bytes become U+FFFD.
std::string fold(std::string_view text);

}  // namespace selfmind::text

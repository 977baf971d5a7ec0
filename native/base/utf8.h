// Text as valid UTF-8. Everything that is stored or sent passes through clean() once, at the door.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace selfmind::utf8 {

bool valid(std::string_view text);

// Invalid bytes, surrogates and NUL become U+FFFD; what is valid stays as it is.
std::string clean(std::string_view text);

// The longest prefix of at most `bytes` bytes that ends between two characters.
std::string_view prefix(std::string_view text, std::size_t bytes);

// As prefix(), on a word boundary where there is one, with "…" when something was left out.
std::string excerpt(std::string_view text, std::size_t bytes);

// Without white space at both ends (ASCII white space and U+00A0, U+3000).
std::string_view trim(std::string_view text);

}  // namespace selfmind::utf8

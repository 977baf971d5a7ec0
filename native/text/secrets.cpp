#include "text/secrets.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace selfmind::text {
namespace {

constexpr std::size_t secret_bytes_min = 6;  // below that a mask would hit ordinary words
constexpr std::size_t broken_off_bytes_min = 8;
constexpr std::size_t known_beginning_bytes = 8;  // so much of a known one is masked where the rest is missing
constexpr std::size_t known_secrets_max = 256;    // a text full of "token: …" lines must not slow everything down

constexpr std::string_view letters_and_digits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::string_view key_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
constexpr std::string_view value_ends = " \t\r\n\"'`\\,;<>(){}";

struct Beginning {
  std::string_view text;
  std::size_t bytes_min;  // of the whole key
};
constexpr std::array beginnings = {
    Beginning{"sk-", 12},     Beginning{"ghp_", 20},  Beginning{"gho_", 20},   Beginning{"ghu_", 20},
    Beginning{"ghs_", 20},    Beginning{"ghr_", 20},  Beginning{"glpat-", 16}, Beginning{"github_pat_", 20},
    Beginning{"xoxb-", 16},   Beginning{"xoxp-", 16}, Beginning{"xoxa-", 16},  Beginning{"xoxr-", 16},
    Beginning{"xapp-", 16},   Beginning{"AKIA", 20},  Beginning{"ASIA", 20},   Beginning{"AIza", 30},
    Beginning{"hf_", 20},     Beginning{"npm_", 20},  Beginning{"pypi-", 20},  Beginning{"pa-", 24},
    Beginning{"dop_v1_", 20}, Beginning{"eyJ", 24},
};

// What names a secret; a value follows after ":" or "=". In lower case.
constexpr std::array<std::string_view, 9> names = {"api_key", "api-key", "apikey",   "auth_token", "token",
                                                   "secret",  "passwd",  "password", "passphrase"};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool starts_with_any_case(std::string_view text, std::string_view beginning) {
  return text.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), text.begin(), [](char a, char b) { return a == lower(b); });
}

std::size_t end_of(std::string_view text, std::size_t at, std::string_view characters) {
  return std::min(text.find_first_not_of(characters, at), text.size());
}

std::size_t end_of_value(std::string_view text, std::size_t at) {
  return std::min(text.find_first_of(value_ends, at), text.size());
}

void cover(std::string& text, std::size_t from, std::size_t to) {
  constexpr std::string_view mark = "[secret]";
  const std::size_t size = to - from;
  std::string cover(size, '*');
  if (size >= mark.size()) {
    cover.replace(0, mark.size() - 1, mark.substr(0, mark.size() - 1));
    cover.back() = ']';
  }
  text.replace(from, size, cover);
}

struct Place {
  std::size_t from = 0;
  std::size_t to = 0;           // `from`: nothing here
  bool known_from_now = false;  // found by the words before it
};

Place key_at(std::string_view text, std::size_t at) {
  for (const auto& beginning : beginnings) {
    if (!text.substr(at).starts_with(beginning.text)) continue;
    std::size_t end = end_of(text, at, key_characters);
    while (beginning.text == "eyJ" && end + 1 < text.size() && text[end] == '.')  // a JWT's three parts
      end = end_of(text, end + 1, key_characters);
    // A text that broke off, also one in a JSON string, may end with the beginning of one.
    const bool broken_off = end == text.size() || text[end] == '"';
    if (end - at >= (broken_off ? broken_off_bytes_min : beginning.bytes_min)) return {at, end, false};
  }
  return {};
}

Place value_behind(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  if (starts_with_any_case(rest, "bearer ")) return {at + 7, end_of_value(text, at + 7), true};
  if (starts_with_any_case(rest, "authorization: basic ")) return {at + 21, end_of_value(text, at + 21), true};
  for (const auto name : names) {
    if (!starts_with_any_case(rest, name)) continue;
    // "password": "x", password = x, \"password\":\"x\"
    std::size_t next = std::min(text.find_first_not_of(" \t\"'`\\", at + name.size()), text.size());
    if (next == text.size() || (text[next] != ':' && text[next] != '=')) return {};
    next = std::min(text.find_first_not_of(" \t\"'`\\:=", next), text.size());
    const std::size_t end = end_of_value(text, next);
    // "token: yes" is prose; a password may be any word.
    const bool digits = text.substr(next, end - next).find_first_of("0123456789") != std::string_view::npos;
    if (name == "token" && !digits) return {};
    return {next, end, true};
  }
  return {};
}

Place user_in_url(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("://")) return {};
  const std::size_t end = std::min(text.find_first_of("/?# \t\r\n\"'<>\\", at + 3), text.size());
  const std::size_t user = text.substr(0, end).rfind('@');
  if (user == std::string_view::npos || user < at + 3) return {};
  return {at + 3, user, false};
}

Place private_key_at(std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("-----BEGIN ")) return {};
  const std::size_t head = text.find("-----", at + 11);
  if (head == std::string_view::npos || !text.substr(at, head - at).ends_with("PRIVATE KEY")) return {};
  return {head + 5, std::min(text.find("-----END", head), text.size()), false};
}

}  // namespace

void SecretMask::add(std::string secret) {
  const bool mask_already = secret.starts_with("[secret") || secret.find_first_not_of('*') == std::string::npos;
  if (secret.size() < secret_bytes_min || mask_already || known_.size() >= known_secrets_max) return;
  if (std::find(known_.begin(), known_.end(), secret) == known_.end()) known_.push_back(std::move(secret));
}

std::string SecretMask::mask(std::string_view text) {
  std::string masked(text);
  bool inside_word = false;
  for (std::size_t at = 0; at < masked.size(); ++at) {
    const char c = masked[at];
    Place place;
    if (c == ':') place = user_in_url(masked, at);
    if (c == '-') place = private_key_at(masked, at);
    if (place.to == place.from && !inside_word) place = key_at(masked, at);
    // x-api-key and ANTHROPIC_API_KEY end with a name.
    if (place.to == place.from) place = value_behind(masked, at);
    inside_word = letters_and_digits.find(c) != std::string_view::npos;
    if (place.to <= place.from) continue;
    if (place.known_from_now) add(masked.substr(place.from, place.to - place.from));
    cover(masked, place.from, place.to);
    at = place.to - 1;
    inside_word = true;
  }
  for (const auto& secret : known_) {
    // A text that broke off may end with half of one.
    const auto start = std::string_view(secret).substr(0, known_beginning_bytes);
    for (auto at = masked.find(start); at != std::string::npos; at = masked.find(start, at + start.size())) {
      const auto rest = std::string_view(masked).substr(at);
      const auto same = std::mismatch(rest.begin(), rest.end(), secret.begin(), secret.end()).first - rest.begin();
      cover(masked, at, at + static_cast<std::size_t>(same));
    }
  }
  return masked;
}

}  // namespace selfmind::text

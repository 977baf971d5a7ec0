#include "text/secrets.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/utf8.h"
#include "text/characters.h"

namespace selfmind::text {
namespace {

constexpr std::size_t secret_bytes_min = 6;       // below that a mask would hit ordinary words
constexpr std::size_t known_beginning_bytes = 8;  // so much of a known one is masked where the rest is missing
constexpr std::size_t known_secrets_max = 256;    // a text full of "token: …" lines must not slow everything down
constexpr std::size_t patterns_max = 100;
constexpr std::size_t pattern_bytes_max = 200;
constexpr std::size_t pattern_bytes_min = 4;  // without the "*": less would cut ordinary text to pieces
constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view word_ends = " \t\r\n\"'`<>()[]{},;";

bool is_blank(char c) { return blanks.find(c) != std::string_view::npos; }

// Letters and digits of any language: whatever is not ASCII counts as one.
bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
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

bool stands_alone(std::string_view text, std::size_t from, std::size_t to) {
  return (from == 0 || !is_word(text[from - 1]) || !is_word(text[from])) &&
         (to == text.size() || !is_word(text[to]) || !is_word(text[to - 1]));
}

// Whether a mark of ours stands here, in which no word is looked for.
bool inside_mark(std::string_view text, std::size_t at) {
  constexpr std::size_t mark_bytes_max = 48;
  const std::size_t from = at - std::min(at, mark_bytes_max);
  const auto before = text.substr(from, at + 1 - from);
  const auto open = before.rfind('[');
  if (open == std::string_view::npos || before.find(']', open) != std::string_view::npos) return false;
  const auto mark = text.substr(from + open, mark_bytes_max);
  return (mark.starts_with("[secret: ") || mark.starts_with("[private]")) && mark.find(']') != std::string_view::npos;
}

void find_known(std::string_view text, const std::vector<Known>& known, std::vector<Secret>& secrets) {
  for (const auto& [value, what] : known) {
    if (value.size() < secret_bytes_min) continue;
    for (auto at = text.find(value); at != std::string_view::npos; at = text.find(value, at + value.size())) {
      if (stands_alone(text, at, at + value.size()) && !inside_mark(text, at))
        secrets.push_back({at, at + value.size(), what, false});
    }
  }
}

std::string_view plural_end(std::string_view what) { return what == "login" || !what.ends_with("s") ? "s" : ""; }

struct PrivatePart {
  std::size_t from, to;  // with its tags
  std::string_view inside;
};

std::vector<PrivatePart> private_parts(std::string_view text) {
  constexpr std::string_view open = "<private>";
  constexpr std::string_view close = "</private>";
  const auto is = [&](std::size_t at, std::string_view tag) {
    const auto there = text.substr(at, tag.size());
    return there.size() == tag.size() &&
           std::equal(tag.begin(), tag.end(), there.begin(), [](char a, char b) { return a == lower_ascii(b); });
  };
  std::vector<PrivatePart> parts;
  std::size_t from = 0;
  int depth = 0;
  const auto inside = [&](std::size_t end) { return text.substr(from + open.size(), end - from - open.size()); };
  for (auto at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    if (is(at, open)) {
      if (depth++ == 0) from = at;
    } else if (depth > 0 && is(at, close) && --depth == 0) {
      parts.push_back({from, at + close.size(), inside(at)});
    }
  }
  if (depth > 0) parts.push_back({from, text.size(), inside(text.size())});
  return parts;
}

// A private key is known by the lines around it; said again without them, each of its own is known.
void add_lines(std::string_view body, std::string_view what, std::vector<Known>& values) {
  constexpr std::size_t line_bytes_min = 16;  // shorter ones are the rest of a key, and may be words
  while (!body.empty()) {
    const auto end = std::min(body.find_first_of("\n\\"), body.size());
    const auto line = utf8::trim(body.substr(0, end));
    if (line.size() >= line_bytes_min) values.push_back({std::string(line), std::string(what)});
    const bool written = body.substr(end).starts_with("\\n");  // a line end as two signs
    body.remove_prefix(std::min(end + (written ? 2 : 1), body.size()));
  }
}

// "45,000", a phone number: not a small one and not a year, which mean something else elsewhere.
bool is_telling_number(std::string_view word) {
  const auto digits = std::count_if(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
  const bool is_year = word.size() == 4 && (word.starts_with("19") || word.starts_with("20"));
  return digits >= 4 && !is_year;
}

// What a reply may repeat of a private part: its sentences, and its numbers, where they stand nowhere else in the
// message.
void add_pieces(std::string_view inside, std::string_view elsewhere, std::vector<Known>& values) {
  constexpr std::size_t sentence_bytes_min = 16;
  const auto add = [&](std::string_view piece) {
    if (elsewhere.find(piece) == std::string_view::npos) values.push_back({std::string(piece), "private part"});
  };
  const auto split = [](std::string_view text, std::string_view at, const auto& each) {
    while (!text.empty()) {
      const auto end = std::min(text.find_first_of(at), text.size());
      each(utf8::trim(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  };
  split(inside, ".!?;\n", [&](std::string_view sentence) {
    if (sentence.size() >= sentence_bytes_min) add(sentence);
  });
  split(inside, " \t\r\n", [&](std::string_view word) {
    while (!word.empty() && std::string_view(".,;:!?()\"'").find(word.back()) != std::string_view::npos)
      word.remove_suffix(1);
    while (!word.empty() && std::string_view("(\"'").find(word.front()) != std::string_view::npos)
      word.remove_prefix(1);
    if (is_telling_number(word)) add(word);
  });
}

Redacted redact_once(std::string_view text, const SecretPatterns& own, const std::vector<Known>& known) {
  auto secrets = find_secrets(text, own);
  const auto found = secrets.size();
  find_known(text, known, secrets);
  if (secrets.size() > found) {
    std::stable_sort(secrets.begin(), secrets.end(), [](const Secret& a, const Secret& b) { return a.from < b.from; });
  }
  Redacted result;
  std::size_t at = 0;
  for (const auto& secret : secrets) {
    if (secret.from < at) {  // begins inside another one
      at = std::max(at, secret.to);
      continue;
    }
    result.text += text.substr(at, secret.from - at);
    result.text += fmt::format("[secret: {}]", secret.what);
    add(result.found, secret.what);
    const auto value = text.substr(secret.from, secret.to - secret.from);
    if (secret.by_context) result.values.push_back({std::string(value), std::string(secret.what)});
    if (secret.what == "private key" && !secret.by_context) add_lines(value, secret.what, result.values);
    at = secret.to;
  }
  result.text += text.substr(at);
  return result;
}

}  // namespace

Result<SecretPatterns> SecretPatterns::from(const std::vector<std::string>& patterns) {
  SecretPatterns result;
  const auto refuse = [](std::string_view pattern, std::string_view why) {
    return Error{ErrorKind::invalid, fmt::format("The setting \"secrets.patterns\" has \"{}\", which {}.",
                                                 utf8::excerpt(utf8::clean(pattern), 60), why)};
  };
  if (patterns.size() > patterns_max) {
    return Error{ErrorKind::invalid, fmt::format("The setting \"secrets.patterns\" may have {} patterns; it has {}.",
                                                 patterns_max, patterns.size())};
  }
  for (const auto& text : patterns) {
    if (text.size() > pattern_bytes_max) return refuse(text, "is longer than 200 bytes");
    if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7F; })) {
      return refuse(text, "has a control character in it");
    }
    Pattern pattern{text.starts_with("*"), text.ends_with("*"), {}};
    std::size_t bytes = 0;
    for (std::size_t at = 0; at <= text.size();) {
      const auto end = std::min(text.find('*', at), text.size());
      if (end > at) pattern.parts.push_back(text.substr(at, end - at));
      for (std::size_t i = at; i < end; ++i) bytes += is_blank(text[i]) ? 0 : 1;
      at = end + 1;
    }
    if (bytes < pattern_bytes_min) return refuse(text, "needs at least 4 characters beside \"*\" and blanks");
    result.patterns_.push_back(std::move(pattern));
  }
  return result;
}

// Where a part is missing in the rest of a word, no later place in that word has it either, so the search goes on
// behind the word.
void SecretPatterns::find(std::string_view text, std::vector<Secret>& secrets) const {
  for (const auto& [open_start, open_end, parts] : patterns_) {
    std::size_t word_end = 0;
    std::size_t last_end = 0;
    for (auto at = text.find(parts.front()); at != std::string_view::npos;) {
      std::size_t end = at + parts.front().size();
      if (word_end < end) word_end = std::min(text.find_first_of(word_ends, end), text.size());
      bool whole = true;
      for (std::size_t i = 1; i < parts.size() && whole; ++i) {
        const auto found = text.substr(0, std::min(text.size(), word_end + parts[i].size())).find(parts[i], end);
        whole = found != std::string_view::npos;
        if (whole) end = found + parts[i].size();
      }
      if (!whole) {
        at = text.find(parts.front(), std::max(word_end, at + 1));
        continue;
      }
      std::size_t from = at;
      if (open_start) {
        while (from > last_end && word_ends.find(text[from - 1]) == std::string_view::npos) --from;
      }
      if (open_end) {
        const std::size_t least = end;
        end = std::max(end, std::min(text.find_first_of(word_ends, end), text.size()));
        while (end > least && std::string_view(".:!?").find(text[end - 1]) != std::string_view::npos) --end;
      }
      if (!inside_mark(text, at)) secrets.push_back({from, end, "own pattern", false});
      last_end = end;
      at = text.find(parts.front(), end);
    }
  }
}

void add(Findings& findings, std::string_view what, int count) {
  const auto found =
      std::find_if(findings.begin(), findings.end(), [&](const auto& finding) { return finding.first == what; });
  if (found == findings.end()) {
    findings.emplace_back(what, count);
  } else {
    found->second += count;
  }
}

std::string in_words(const Findings& findings) {
  std::string words;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const auto& [what, count] = findings[i];
    if (i > 0) words += i + 1 == findings.size() ? " and " : ", ";
    words += fmt::format("{} {}{}", count, what, count == 1 ? "" : plural_end(what));
  }
  return words;
}

// With a mark in its place a word may show its neighbour to be one too; then that goes as well.
Redacted redact(std::string_view text, const SecretPatterns& own, const std::vector<Known>& known) {
  constexpr int passes = 4;
  Redacted result = redact_once(text, own, known);
  bool more = !result.found.empty();
  for (int i = 1; i < passes && more; ++i) {
    auto next = redact_once(result.text, own, known);
    more = !next.found.empty();
    result.text = std::move(next.text);
    for (const auto& [what, count] : next.found) add(result.found, what, count);
    result.values.insert(result.values.end(), next.values.begin(), next.values.end());
  }
  return result;
}

Redacted without_private(std::string_view text) {
  Redacted result;
  std::size_t at = 0;
  for (const auto& part : private_parts(text)) {
    result.text += text.substr(at, part.from - at);
    result.text += "[private]";
    add(result.found, "private part");
    result.values.push_back({std::string(utf8::trim(part.inside)), "private part"});
    at = part.to;
  }
  result.text += text.substr(at);
  for (const auto& part : private_parts(text)) add_pieces(part.inside, result.text, result.values);
  return result;
}

void SecretMask::add(std::string secret) {
  const bool mask_already = secret.starts_with("[secret") || secret.find_first_not_of('*') == std::string::npos;
  if (secret.size() < secret_bytes_min || mask_already || known_.size() >= known_secrets_max) return;
  if (std::find(known_.begin(), known_.end(), secret) == known_.end()) known_.push_back(std::move(secret));
}

std::string SecretMask::mask(std::string_view text) {
  std::string masked(text);
  for (const auto& part : private_parts(text)) {
    if (part.inside.empty()) continue;
    const auto from = static_cast<std::size_t>(part.inside.data() - text.data());
    add(std::string(utf8::trim(part.inside)));
    cover(masked, from, from + part.inside.size());
  }
  const std::string seen = masked;
  text = seen;
  for (const auto& secret : find_secrets(text, own_)) {
    if (secret.by_context) add(std::string(text.substr(secret.from, secret.to - secret.from)));
    cover(masked, secret.from, secret.to);
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

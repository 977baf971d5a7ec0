#include "learn/spoken.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "base/limits.h"
#include "base/utf8.h"
#include "learn/phrase.h"
#include "learn/rule_lists.h"
#include "text/characters.h"

namespace selfmind::learn {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

template <class List>
bool starts_with_one(std::string_view text, const List& list) {
  return std::any_of(std::begin(list), std::end(list), [&](std::string_view start) { return text.starts_with(start); });
}

template <class List>
bool holds_one(std::string_view text, const List& list) {
  return std::any_of(std::begin(list), std::end(list),
                     [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

// "dddd-dd-dd" and the like: a digit stands for any.
bool has_shape(std::string_view text, std::string_view shape) {
  if (text.size() < shape.size()) return false;
  return std::equal(shape.begin(), shape.end(), text.begin(),
                    [](char wanted, char c) { return wanted == 'd' ? is_digit(c) : wanted == c; });
}

bool is_log(std::string_view line) {
  static constexpr std::array<std::string_view, 7> shapes = {
      "dddd-dd-ddTdd", "dddd-dd-dd dd:", "dddd/dd/dd dd:", "dd:dd:dd", "[dd:dd", "[dddd-dd-dd", "[dd/"};
  static constexpr std::array<std::string_view, 10> levels = {" ERROR ", " WARN ",  " WARNING ", " INFO ", " DEBUG ",
                                                              " FATAL ", "[ERROR]", "[WARN]",    "[INFO]", "[DEBUG]"};
  static constexpr std::array<std::string_view, 8> starts = {"ERROR:", "ERROR ", "WARN:",  "WARN ",
                                                             "INFO:",  "INFO ",  "DEBUG:", "FATAL:"};
  // syslog: "Jan  5 10:00:00 host app[123]: …"
  for (std::size_t at = 0; at < std::min<std::size_t>(line.size(), 16); ++at) {
    if (has_shape(line.substr(at), "dd:dd:dd")) return true;
  }
  const auto shaped = [line](std::string_view shape) { return has_shape(line, shape); };
  return std::any_of(shapes.begin(), shapes.end(), shaped) || holds_one(line, levels) || starts_with_one(line, starts);
}

// What compilers, shells and interpreters print: "make[1]: ***", "gcc: error:", "x.c:12:3:", "ValueError:".
bool is_program_output(std::string_view line) {
  static constexpr std::array<std::string_view, 16> starts = {
      "Traceback (", "File \"", "Exception in", "Caused by:", "make[", "make: ", "gcc: ",   "clang: ",
      "npm ERR",     "error[",  "error: ",      "warning: ",  "$ ",    "❯ ",     "panic: ", "fatal: "};
  if (starts_with_one(line, starts)) return true;
  const auto head = line.substr(0, line.find(' '));
  const bool ends = head.ends_with(':');
  if (ends && (head.find("Error:") != std::string_view::npos || head.find("Exception:") != std::string_view::npos)) {
    return true;
  }
  const auto colon = head.find(':');
  return colon != std::string_view::npos && colon > 0 && colon + 1 < head.size() && is_digit(head[colon + 1]) &&
         head.substr(0, colon).find('.') != std::string_view::npos;
}

bool is_code(std::string_view line) {
  static constexpr std::array<std::string_view, 19> starts = {
      "//",     "/*",      "#",     "--",  "|", "import ", "def ", "class ", "const ", "return ",
      "local ", "export ", "func ", "fn ", "{", "}",       "@",    "</",     "<"};
  static constexpr std::array<std::string_view, 5> ends = {"{", "}", ";", "});", "=>"};
  if (starts_with_one(line, starts)) return true;
  if (std::any_of(ends.begin(), ends.end(), [line](std::string_view end) { return line.ends_with(end); })) return true;
  // NAME=value, as in an .env file
  const auto sign = line.find('=');
  return sign != std::string_view::npos && sign > 2 &&
         std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(sign),
                     [](char c) { return is_upper(c) || is_digit(c) || c == '_'; });
}

bool is_mail_header(std::string_view line) {
  static constexpr std::array<std::string_view, 13> names = {
      "From: ", "To: ", "Cc: ",      "Subject: ", "Date: ",   "Sent: ",    "Reply-To: ",
      "Von: ",  "An: ", "Betreff: ", "De : ",     "Objet : ", "Received: "};
  return starts_with_one(line, names);
}

bool is_fence(std::string_view line) { return line.starts_with("```") || line.starts_with("~~~"); }

// The bullet or number in front of a list's entry, in bytes.
std::size_t bullet(std::string_view line) {
  static constexpr std::array<std::string_view, 4> bullets = {"- ", "* ", "• ", "+ "};
  for (const auto sign : bullets) {
    if (line.starts_with(sign)) return sign.size();
  }
  std::size_t digits = 0;
  while (digits < line.size() && digits < 3 && is_digit(line[digits])) ++digits;
  const bool numbered =
      digits > 0 && digits + 1 < line.size() && (line[digits] == '.' || line[digits] == ')') && line[digits + 1] == ' ';
  return numbered ? digits + 2 : 0;
}

// "Summarise the following:" and nothing behind it: what comes next is not the user's.
bool announces_text(std::string_view line) {
  return (line.ends_with(':') || line.ends_with("：")) && found_in(announcing_words(), words_of(line));
}

// "Can you translate the following text?", and then the text, which no sign tells from the user's own.
bool names_what_follows(std::string_view line) {
  static const std::set<std::string, std::less<>> words = {"following", "below",   "folgende", "folgenden", "folgendes",
                                                           "folgender", "suivant", "suivante", "suivants",  "以下"};
  if (!line.ends_with('?') && !line.ends_with('.')) return false;
  const auto found = words_of(line);
  return std::any_of(found.begin(), found.end(), [](const Word& word) { return words.count(word.folded) > 0; });
}

// "## Notes", as a README has them.
bool is_heading(std::string_view line) {
  const auto signs = line.find_first_not_of('#');
  return signs != std::string_view::npos && signs > 0 && signs <= 6 && line[signs] == ' ';
}

// Lines of a message, and which of them the user says.
class Lines {
 public:
  explicit Lines(std::string_view message) : message_(message) {}

  // Stretches of lines that the user says and that belong together: a paragraph, or an entry of a list.
  std::vector<std::string_view> paragraphs() && {
    for (std::size_t at = 0; at <= message_.size() && !rest_is_pasted_;) {
      const auto end = std::min(message_.find('\n', at), message_.size());
      take(message_.substr(at, end - at), at);
      at = end + 1;
    }
    close();
    return std::move(paragraphs_);
  }

 private:
  void take(std::string_view raw, std::size_t at) {
    const auto line = utf8::trim(raw);
    if (is_fence(line)) {
      if (fence_.empty()) {
        fence_ = line.substr(0, 3);
      } else if (line.starts_with(fence_)) {
        fence_ = {};
      }
      return close();
    }
    if (!fence_.empty()) return;
    if (line.empty()) {
      diff_ = false;
      headers_ = 0;
      return close();
    }
    if (pasted(raw, line)) return close();
    const auto sign = bullet(line);
    const auto begin = static_cast<std::size_t>(line.data() - message_.data()) + sign;
    const auto end = static_cast<std::size_t>(line.data() - message_.data()) + line.size();
    // A line that goes on in small letters is the same sentence, wrapped.
    const bool goes_on = open_ && sign == 0 && is_lower(line.front()) && end_ + 1 >= at;
    if (!goes_on) close();
    if (!open_) begin_ = begin;
    open_ = true;
    end_ = end;
    rest_is_pasted_ =
        (announces_text(line) || (names_what_follows(line) && ends_paragraph(line))) && !is_delimited(line);
  }

  std::string_view behind(std::string_view line) const {
    return message_.substr(static_cast<std::size_t>(line.data() - message_.data()) + line.size());
  }

  bool ends_paragraph(std::string_view line) const {
    const auto rest = behind(line);
    const auto next = rest.find('\n', rest.find('\n') + 1);
    return rest.find('\n') != std::string_view::npos && next != std::string_view::npos &&
           utf8::trim(rest.substr(0, next)).empty();
  }

  // A heading with another one behind it: this is a document.
  bool begins_document(std::string_view line) const {
    if (!is_heading(line)) return false;
    auto rest = behind(line);
    while (!rest.empty()) {
      const auto end = std::min(rest.find('\n'), rest.size());
      if (is_heading(utf8::trim(rest.substr(0, end)))) return true;
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
  }

  // What comes next says itself where it ends: a fence, lines behind ">".
  bool is_delimited(std::string_view line) const {
    const auto end = static_cast<std::size_t>(line.data() - message_.data()) + line.size();
    const auto next = utf8::trim(message_.substr(end));
    return next.starts_with("```") || next.starts_with("~~~") || next.starts_with('>');
  }

  bool pasted(std::string_view raw, std::string_view line) {
    if (!markup_.empty()) {
      if (line.find(markup_) != std::string_view::npos) markup_.clear();
      return true;
    }
    if (line.starts_with('<') && line.size() > 1 && is_lower(text::lower_ascii(line[1]))) {
      const auto name_end = std::min(line.find_first_of(" >/", 1), line.size());
      const auto closing = "</" + std::string(line.substr(1, name_end - 1));
      const auto rest = message_.substr(static_cast<std::size_t>(line.data() - message_.data()) + line.size());
      if (rest.find(closing) != std::string_view::npos && line.find(closing) == std::string_view::npos)
        markup_ = closing;
      return true;
    }
    if (begins_document(line)) {
      rest_is_pasted_ = true;
      return true;
    }
    if (is_mail_header(line)) {
      rest_is_pasted_ = ++headers_ >= 2;
      return true;
    }
    headers_ = 0;
    if (line.starts_with("diff --git") || line.starts_with("@@ ") || line.starts_with("+++ ")) diff_ = true;
    if (diff_ && std::string_view("+-@ \\di").find(raw.front()) != std::string_view::npos) return true;
    diff_ = false;
    const bool indented = (raw.starts_with("    ") || raw.starts_with('\t')) && !open_ && bullet(line) == 0;
    return indented || line.starts_with('>') || (bullet(line) == 0 && is_code(line)) || is_log(line) ||
           is_program_output(line);
  }

  void close() {
    if (open_) paragraphs_.push_back(message_.substr(begin_, end_ - begin_));
    open_ = false;
  }

  std::string_view message_;
  std::vector<std::string_view> paragraphs_;
  std::string_view fence_;
  std::string markup_;  // the tag that ends what is being left out
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  int headers_ = 0;
  bool open_ = false;
  bool diff_ = false;
  bool rest_is_pasted_ = false;
};

struct Marks {
  std::string_view open;
  std::string_view close;
};
constexpr std::array quotation_marks = {Marks{"\"", "\""}, Marks{"“", "”"},   Marks{"„", "“"},   Marks{"«", "»"},
                                        Marks{"「", "」"}, Marks{"『", "』"}, Marks{" '", "' "}, Marks{" ‘", "’"}};
// What is never closed within this many bytes is no quotation.
constexpr std::size_t quotation_bytes = 2000;

// The bytes of the quotation that opens at `at`, marks included; 0: none opens here.
std::size_t quotation_at(std::string_view text, std::size_t at) {
  for (const auto& marks : quotation_marks) {
    if (!text.substr(at).starts_with(marks.open)) continue;
    const auto inside = at + marks.open.size();
    const auto close = text.substr(0, std::min(text.size(), at + quotation_bytes)).find(marks.close, inside);
    if (close != std::string_view::npos) return close + marks.close.size() - at;
  }
  return 0;
}

// Abbreviations whose full stop ends no sentence.
bool is_abbreviation(std::string_view before) {
  static constexpr std::array<std::string_view, 17> list = {"e.g", "i.e", "etc",  "vs", "z.B",   "bzw",
                                                            "ca",  "d.h", "Nr",   "Dr", "Mr",    "Mrs",
                                                            "Ms",  "St",  "p.ex", "cf", "approx"};
  const auto space = before.find_last_of(" \n\t(");
  const auto word = space == std::string_view::npos ? before : before.substr(space + 1);
  if (word.size() == 1 && !is_digit(word.front())) return true;
  return std::find(list.begin(), list.end(), word) != list.end();
}

// The bytes of what ends a sentence at `at`; 0: nothing does.
std::size_t end_at(std::string_view text, std::size_t at) {
  static constexpr std::array<std::string_view, 5> wide = {"。", "！", "？", "；", "…"};
  for (const auto sign : wide) {
    if (text.substr(at).starts_with(sign)) return sign.size();
  }
  const char c = text[at];
  if (c != '.' && c != '!' && c != '?') return 0;
  std::size_t end = at + 1;
  while (end < text.size() && (text[end] == '.' || text[end] == '!' || text[end] == '?')) ++end;
  const bool space_behind =
      end == text.size() || text[end] == ' ' || text[end] == '\n' || text[end] == '\t' || text[end] == ')';
  if (!space_behind || (c == '.' && end < text.size() && is_abbreviation(text.substr(0, at)))) return 0;
  return end - at;
}

void split_sentences(std::string_view paragraph, std::vector<std::string_view>& sentences) {
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    const auto sentence = utf8::trim(paragraph.substr(begin, end - begin));
    if (!sentence.empty()) sentences.push_back(sentence);
    begin = end;
  };
  for (std::size_t at = 0; at < paragraph.size();) {
    if (const auto quoted = quotation_at(paragraph, at); quoted > 0) {
      at += quoted;
      continue;
    }
    const auto ending = end_at(paragraph, at);
    at += std::max<std::size_t>(ending, 1);
    if (ending > 0) add(at);
  }
  add(paragraph.size());
}

}  // namespace

std::vector<std::string_view> spoken_sentences(std::string_view message) {
  std::vector<std::string_view> sentences;
  for (const auto paragraph : Lines(message).paragraphs()) split_sentences(paragraph, sentences);
  return sentences;
}

namespace {

constexpr std::string_view left_out = "[…]";
constexpr std::size_t quoted_words_min = 3;

// Does a line that is not the user's tell somebody what to do, or speak as the user or of them? Taken for theirs, it
// would be an instruction or a memory. A log, a stack trace and most code do not.
bool speaks_for_the_user(std::string_view line) {
  const auto words = words_of(line);
  if (found_in(directing_words(), words)) return true;
  const bool is_code = line.find_first_of("(){}[];=") != std::string_view::npos;  // where `i` counts
  return !is_code && std::any_of(words.begin(), words.end(), [](const Word& word) { return word.folded == "i"; });
}

// A text in which what speaks for the user is replaced, and the words that went.
struct Redacted {
  std::string text;
  std::vector<std::string_view> cut;
};

void keep_foreign(std::string_view part, Redacted& into) {
  while (!part.empty()) {
    const auto end = std::min(part.find('\n'), part.size());
    const auto line = part.substr(0, end);
    if (speaks_for_the_user(line)) {
      into.cut.push_back(line);
      into.text += left_out;
    } else {
      into.text += line;
    }
    if (end < part.size()) into.text += '\n';
    part.remove_prefix(std::min(end + 1, part.size()));
  }
}

void keep_sentence(std::string_view sentence, Redacted& into) {
  for (std::size_t at = 0; at < sentence.size();) {
    const auto bytes = quotation_at(sentence, at);
    const auto quotation = sentence.substr(at, bytes);
    if (bytes > 0 && words_of(quotation).size() >= quoted_words_min && speaks_for_the_user(quotation)) {
      into.cut.push_back(quotation);
      into.text += sentence[at] == ' ' ? " " : "";
      into.text += left_out;
    } else {
      into.text += bytes > 0 ? quotation : sentence.substr(at, 1);
    }
    at += std::max<std::size_t>(bytes, 1);
  }
}

Redacted redact(std::string_view message) {
  Redacted redacted;
  std::size_t before = 0;  // where what was taken last ends
  for (const auto sentence : spoken_sentences(message)) {
    const auto begin = static_cast<std::size_t>(sentence.data() - message.data());
    keep_foreign(message.substr(before, begin - before), redacted);
    keep_sentence(sentence, redacted);
    before = begin + sentence.size();
  }
  keep_foreign(message.substr(before), redacted);
  return redacted;
}

// Most messages are a line without any quotation, and all of it is the user's.
bool is_all_own(std::string_view message) {
  static constexpr std::array<std::string_view, 9> signs = {"\n", "\"", "“", "„", "«", "「", "『", " '", " ‘"};
  return !utf8::trim(message).starts_with('>') && std::none_of(signs.begin(), signs.end(), [&](std::string_view sign) {
    return message.find(sign) != std::string_view::npos;
  });
}

// Stretches of this many words tell where one text repeats another.
constexpr std::size_t stretch = 5;

std::string stretch_at(const std::vector<Word>& words, std::size_t at) {
  std::string joined;
  for (std::size_t i = at; i < at + stretch; ++i) joined += words[i].folded + " ";
  return joined;
}

}  // namespace

std::string without_foreign_claims(std::string_view message) {
  return is_all_own(message) ? std::string(message) : redact(message).text;
}

std::string without_repeated_claims(std::string_view reply, std::string_view message) {
  std::set<std::string, std::less<>> foreign;
  const auto read = utf8::prefix(message, limits::question_bytes);
  if (!is_all_own(read)) {
    for (const auto cut : redact(read).cut) {
      const auto words = words_of(cut);
      for (std::size_t at = 0; at + stretch <= words.size(); ++at) foreign.insert(stretch_at(words, at));
    }
  }
  if (foreign.empty()) return std::string(reply);
  const auto words = words_of(reply);
  std::string out;
  std::size_t copied = 0;  // bytes of the reply
  for (std::size_t at = 0; at + stretch <= words.size();) {
    if (foreign.count(stretch_at(words, at)) == 0) {
      ++at;
      continue;
    }
    std::size_t end = at + stretch;
    while (end < words.size() && foreign.count(stretch_at(words, end + 1 - stretch)) > 0) ++end;
    out += reply.substr(copied, words[at].begin - copied);
    out += left_out;
    copied = words[end - 1].end;
    at = end;
  }
  out += reply.substr(copied);
  return out;
}

bool quotes_words(std::string_view sentence) {
  for (std::size_t at = 0; at < sentence.size();) {
    const auto bytes = quotation_at(sentence, at);
    if (bytes > 0 && words_of(sentence.substr(at, bytes)).size() >= quoted_words_min) return true;
    at += std::max<std::size_t>(bytes, 1);
  }
  return false;
}

}  // namespace selfmind::learn

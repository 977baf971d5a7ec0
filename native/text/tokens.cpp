// Tokens out of text: first chunks (atoms that are joined without a space), then what each chunk is.
#include "text/tokens.h"

#include <algorithm>

#include "text/characters.h"

namespace selfmind::text {
namespace {

using Class = CharacterClass;

// What is longer is no word and no identifier but data: base64, a minified file.
constexpr std::size_t identifier_bytes = 128;

bool separates_components(char joiner) { return joiner == '.' || joiner == '/' || joiner == '\\' || joiner == ':'; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool starts_word(std::string_view rest) {
  CodePoints points(rest);
  if (!points.next()) return false;
  const auto kind = classify(points.value());
  return is_letter(kind) || kind == Class::digit;
}

bool is_mark_behind(char c) { return c == ',' || c == '.' || c == ';' || c == ':' || c == '!' || c == '?'; }

// The bytes of the joiner that `rest` starts with, 0 when it starts with none. It joins only what follows at once.
std::size_t joiner_bytes(std::string_view rest) {
  if (rest.empty()) return 0;
  const auto joins = [&](std::size_t bytes) { return starts_word(rest.substr(bytes)) ? bytes : 0; };
  switch (rest.front()) {
    case '_': {  // one__two as well
      const auto end = std::min(rest.find_first_not_of('_'), rest.size());
      return joins(end);
    }
    case '.':
    case '/':
    case '\\':
    case '-':
      return joins(1);
    case ':':
      return rest.substr(0, 2) == "::" ? joins(2) : 0;
    default:
      return 0;
  }
}

// 1,000 and 40,000,000 are one number.
bool is_thousands_comma(std::string_view rest) {
  return rest.size() >= 4 && rest[0] == ',' && is_digit(rest[1]) && is_digit(rest[2]) && is_digit(rest[3]) &&
         (rest.size() == 4 || !is_digit(rest[4]));
}

// C++, g++, C#: the bytes of the suffix.
std::size_t sign_bytes(std::string_view rest, std::size_t atom_bytes) {
  const bool letter_follows = rest.size() > 2 && is_letter(classify(static_cast<unsigned char>(rest[2])));
  if (rest.substr(0, 2) == "++" && !letter_follows) return 2;  // C++20 too
  if (atom_bytes == 1 && rest.substr(0, 1) == "#" && !starts_word(rest.substr(1))) return 1;
  return 0;
}

// "don't" is "dont", as it is also typed; of "editor's" and "we'll" the first half is the word.
bool is_english_ending(std::string_view ending) {
  static constexpr std::string_view endings[] = {"s", "m", "d", "re", "ve", "ll", "S", "M", "D", "RE", "VE", "LL"};
  return std::find(std::begin(endings), std::end(endings), ending) != std::end(endings);
}

std::string with_plain_apostrophes(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (CodePoints points(text); points.next();) {
    const bool curly = points.value() == 0x2019 || points.value() == 0x02BC;
    plain += curly ? std::string_view("'") : points.bytes();
  }
  return plain;
}

// What closes a sentence after its mark: nothing more, a space, a quotation mark, a bracket. A mark in a URL does not.
bool closes(std::string_view rest) {
  if (rest.empty()) return true;
  if (std::string_view(" \t\r\n\"')]}*_`").find(rest.front()) != std::string_view::npos) return true;
  CodePoints points(rest);
  points.next();
  return points.value() >= 0x80;
}

}  // namespace

void Tokens::emit(std::string_view text, TokenKind kind, bool name) {
  Token token;
  token.begin = static_cast<std::uint32_t>(buffer_.size());
  token.kind = kind;
  token.name = name;
  token.sentence = static_cast<std::uint32_t>(questions_.size());
  if (is_ascii(text)) {
    for (const char c : text) {
      if (c != ',' && c != '\'') buffer_ += lower_ascii(c);
    }
  } else {
    buffer_ += normalise(text, /*fold_case=*/true);
  }
  token.length = static_cast<std::uint32_t>(buffer_.size()) - token.begin;
  if (token.length > 0) tokens_.push_back(token);
}

void Tokens::emit_joined(std::size_t first, std::size_t last, bool with_joiners) {
  std::string whole;
  for (std::size_t i = first; i < last; ++i) {
    if (with_joiners && i > first) whole += chunk_[i].before;
    whole += text_of(chunk_[i]);
  }
  if (whole.size() <= identifier_bytes) emit(whole, TokenKind::whole, false);
}

// One atom, with the parts that capitals and digits make of it.
void Tokens::atom(const Atom& atom, TokenKind kind) {
  const auto text = text_of(atom);
  const bool name = atom.capital && !sentence_start_;
  cuts_.clear();
  if (atom.ascii && !atom.digits) {
    for (std::size_t i = 1; i < text.size(); ++i) {
      const auto before = classify(text[i - 1]), here = classify(text[i]);
      const bool digits_change = (before == Class::digit) != (here == Class::digit);
      const bool hump = before == Class::lower && here == Class::upper;
      const bool last_of_capitals = before == Class::upper && here == Class::upper && i + 1 < text.size() &&
                                    classify(text[i + 1]) == Class::lower &&
                                    !(i + 2 == text.size() && text[i + 1] == 's');
      if (digits_change || hump || last_of_capitals) cuts_.push_back(i);
    }
  }
  if (text.size() > identifier_bytes) return;  // data; nobody looks for it
  // 07 is 7: a day or a month is written both ways.
  if (atom.digits && text.size() == 2 && text[0] == '0') return emit(text.substr(1), kind, name);
  if (cuts_.empty()) return emit(text, kind, name);

  emit(text, TokenKind::whole, name);
  cuts_.push_back(text.size());
  std::size_t begin = 0;
  for (const std::size_t end : cuts_) {
    // A single letter or digit says nothing: the 8 of utf8.
    if (end - begin >= 2) emit(text.substr(begin, end - begin), TokenKind::part, false);
    begin = end;
  }
}

// Digits joined by dots, anywhere in a chunk, are a version. 1.2.3 is found as 1.2.3, 1.2 and 1: who asks for v10 means
// 10.0.0 as well. Returns whether the chunk is nothing else.
bool Tokens::versions() {
  bool all = false;
  for (std::size_t first = 0; first + 1 < chunk_.size();) {
    std::size_t last = first + 1;
    while (last < chunk_.size() && chunk_[last].digits && chunk_[last].before == '.') ++last;
    const auto start = text_of(chunk_[first]);
    const auto letters = start.find_last_not_of("0123456789") + 1;  // v10, Python3
    if (last == first + 1 || letters == start.size()) {
      ++first;
      continue;
    }
    std::string version(start.substr(letters));
    std::vector<std::string> prefixes{version};
    for (std::size_t i = first + 1; i < last && prefixes.size() < 6; ++i) {
      prefixes.push_back(version += "." + std::string(text_of(chunk_[i])));
    }
    for (auto prefix = prefixes.rbegin(); prefix != prefixes.rend(); ++prefix) emit(*prefix, TokenKind::whole, false);
    const bool nothing_before = letters == 0 || start == "v" + prefixes.front() || start == "V" + prefixes.front();
    all = first == 0 && last == chunk_.size() && nothing_before;
    first = last;
  }
  return all;
}

// What stands between two of . / ::, such as the snake_case name in a path.
void Tokens::component(std::size_t first, std::size_t last) {
  const bool single = last - first == 1;
  if (!single) emit_joined(first, last, false);
  const auto kind = chunk_.size() == 1 ? TokenKind::word : TokenKind::part;
  for (std::size_t i = first; i < last; ++i) atom(chunk_[i], kind);
}

void Tokens::end_chunk() {
  if (chunk_.empty()) return;
  const bool all_digits = std::all_of(chunk_.begin(), chunk_.end(), [](const Atom& atom) { return atom.digits; });
  const auto only = text_of(chunk_.front());
  const bool short_version = chunk_.size() == 1 && only.size() > 1 && lower_ascii(only.front()) == 'v' &&
                             std::all_of(only.begin() + 1, only.end(), is_digit);
  if (short_version) {
    emit(only.substr(1), TokenKind::whole, false);  // v10 is 10, as 10.0.0 is
  } else if (versions()) {
    // all said
  } else if (all_digits && chunk_.size() > 1) {
    emit_joined(0, chunk_.size(), true);  // a date, a fraction
    for (const auto& part : chunk_) atom(part, TokenKind::part);
  } else {
    identifier();
  }
  chunk_.clear();
  sentence_start_ = false;
}

// A word, or a path, a dotted or a hyphenated name: whole, its file's name, its components, their parts.
void Tokens::identifier() {
  std::size_t components = 1, file = 0;
  for (std::size_t i = 1; i < chunk_.size(); ++i) {
    if (separates_components(chunk_[i].before)) ++components;
    if (chunk_[i].before == '/' || chunk_[i].before == '\\') file = i;
  }
  if (components > 1) emit_joined(0, chunk_.size(), false);
  if (file > 0 && file + 1 < chunk_.size()) emit_joined(file, chunk_.size(), false);
  std::size_t first = 0;
  for (std::size_t i = 1; i <= chunk_.size(); ++i) {
    if (i < chunk_.size() && !separates_components(chunk_[i].before)) continue;
    component(first, i);
    first = i;
  }
}

Tokens::Character Tokens::character() const {
  const auto first = static_cast<unsigned char>(source_[at_]);
  if (first < 0x80) return {classify(first), 1};
  CodePoints points(source_.substr(at_));
  points.next();
  return {classify(points.value()), points.bytes().size()};
}

// Letters, digits and the marks on them, from at_ on.
Tokens::Atom Tokens::read_atom() {
  Atom atom;
  atom.begin = at_;
  const bool capital = character().kind == Class::upper;
  while (at_ < source_.size()) {
    const auto [kind, bytes] = character();
    if (is_letter(kind) || kind == Class::digit || kind == Class::mark) {
      atom.digits = atom.digits && kind == Class::digit;
      atom.ascii = atom.ascii && bytes == 1;
      atom.capital = atom.capital || (capital && kind == Class::lower);  // an abbreviation is no name
      at_ += bytes;
    } else if (atom.digits && is_thousands_comma(source_.substr(at_))) {
      at_ += 1;  // emit() leaves it out
    } else {
      break;
    }
  }
  atom.end = at_;
  return atom;
}

// An apostrophe separates (l'utilisateur, O'Neill), but English endings are no words.
void Tokens::read_ending(Atom& atom) {
  if (source_.substr(at_, 1) != "'") return;
  const auto rest = source_.substr(at_ + 1);
  std::size_t letters = 0;
  while (letters < rest.size() && is_letter(classify(static_cast<unsigned char>(rest[letters])))) ++letters;
  const auto ending = rest.substr(0, letters);
  if (starts_word(rest.substr(letters))) return;
  if ((ending == "t" || ending == "T") && lower_ascii(source_[at_ - 1]) == 'n') {
    at_ += 1 + letters;
    atom.end = at_;
  } else if (is_english_ending(ending)) {
    at_ += 1 + letters;
  }
}

void Tokens::read_chunk() {
  char joiner = 0;
  while (true) {
    Atom atom = read_atom();
    atom.before = joiner;
    const auto sign = atom.ascii && !atom.digits ? sign_bytes(source_.substr(at_), atom.end - atom.begin) : 0;
    if (sign > 0) {
      at_ += sign;
      atom.end = at_;
    } else {
      read_ending(atom);
    }
    chunk_.push_back(atom);
    const auto joined = joiner_bytes(source_.substr(at_));
    if (joined == 0) return end_chunk();
    joiner = source_[at_];
    at_ += joined;
  }
}

void Tokens::end_sentence(std::string_view sign) {
  if (sign == ":") sentence_start_ = true;
  const bool mark = sign == "?" || sign == "!" || sign == ".";
  if (!(sign == "\n" || sign == "\u3002" || (mark && closes(source_.substr(at_))))) return;
  sentence_start_ = true;
  const bool empty = tokens_.empty() || tokens_.back().sentence < questions_.size();
  if (!empty) questions_.push_back(sign == "?");
}

// Most words are letters between blanks, with a mark behind them at most, and need none of the rest: they are read
// where they stand.
bool Tokens::read_plain_word() {
  const char* const begin = source_.data() + at_;
  const char* const stop = source_.data() + source_.size();
  const auto is_blank = [stop](const char* c) { return c >= stop || *c == ' ' || *c == '\n'; };
  const bool capital = *begin >= 'A' && *begin <= 'Z';
  const char* end = capital ? begin + 1 : begin;
  while (end < stop && *end >= 'a' && *end <= 'z') ++end;
  const auto length = static_cast<std::size_t>(end - begin);
  if (length < (capital ? 2u : 1u) || length > identifier_bytes) return false;
  if (!is_blank(end) && !(is_mark_behind(*end) && is_blank(end + 1))) return false;
  Token token;
  token.begin = static_cast<std::uint32_t>(at_);
  token.length = static_cast<std::uint32_t>(length);
  token.name = capital && !sentence_start_;
  token.sentence = static_cast<std::uint32_t>(questions_.size());
  tokens_.push_back(token);
  sentence_start_ = false;
  at_ += length;
  return true;
}

void Tokens::read() {
  std::string_view before;  // the ideograph just before, for a pair
  at_ = 0;
  while (at_ < source_.size()) {
    if (source_[at_] == ' ' || read_plain_word()) {
      before = {};
      if (at_ < source_.size() && source_[at_] == ' ') ++at_;
      continue;
    }
    const auto [kind, bytes] = character();
    const auto written = source_.substr(at_, bytes);
    if (kind == Class::ideograph) {
      emit(written, TokenKind::character, false);
      if (!before.empty()) {
        const auto* end = written.data() + written.size();
        emit({before.data(), static_cast<std::size_t>(end - before.data())}, TokenKind::pair, false);
      }
      before = written;
      sentence_start_ = false;
      at_ += bytes;
      continue;
    }
    if (kind == Class::mark && !before.empty()) {  // a vowel or a tone on it
      at_ += bytes;
      continue;
    }
    before = {};
    if (is_letter(kind) || kind == Class::digit) {
      read_chunk();
      continue;
    }
    if (kind == Class::symbol) emit(written, TokenKind::character, false);
    at_ += bytes;
    end_sentence(written);
  }
}

bool asks(std::string_view text) {
  if (text.find("\uFF1F") != std::string_view::npos) return true;
  for (auto at = text.find('?'); at != std::string_view::npos; at = text.find('?', at + 1)) {
    if (closes(text.substr(at + 1))) return true;
  }
  return false;
}

const std::vector<Token>& Tokens::split(std::string_view text) {
  tokens_.clear();
  chunk_.clear();
  questions_.clear();
  sentence_start_ = true;
  if (is_ascii(text)) {
    source_ = text;
  } else {
    normal_ = with_plain_apostrophes(normalise(text, /*fold_case=*/false));
    source_ = normal_;
  }
  buffer_.resize(source_.size());
  std::transform(source_.begin(), source_.end(), buffer_.begin(), lower_ascii);
  read();
  source_ = {};
  return tokens_;
}

}  // namespace selfmind::text

#include "learn/phrase.h"

#include <algorithm>

#include "text/characters.h"
#include "text/words.h"

namespace selfmind::learn {
namespace {

using text::CharacterClass;

// Signs that belong to a word when letters stand on both sides: snake_case, 3.8, src/io, well-known.
bool joins(std::string_view sign) {
  return sign.size() == 1 && std::string_view("-_./+#@\\:&").find(sign) != std::string_view::npos;
}

// Signs behind which another clause begins.
bool ends_clause(std::string_view sign) {
  static constexpr std::string_view signs[] = {",",  ";",  ":",  "(",  ")",  "–",  "—",  "…", "，",
                                               "；", "：", "、", "（", "）", "。", "！", "？"};
  return std::find(std::begin(signs), std::end(signs), sign) != std::end(signs);
}

std::string with_one_apostrophe(std::string word) {
  for (auto at = word.find("’"); at != std::string::npos; at = word.find("’", at)) word.replace(at, 3, "'");
  return word;
}

// French words that have lost their vowel: j'aime, qu'on.
constexpr std::string_view elided_words[] = {"j'", "l'", "d'", "n'", "s'", "c'", "m'", "t'", "qu'", "jusqu'"};

// How many bytes of it are such a word.
std::size_t elided(std::string_view folded) {
  for (const auto word : elided_words) {
    if (folded.size() > word.size() && folded.starts_with(word)) return word.size();
  }
  return 0;
}

bool is_elided(std::string_view folded) {
  return std::find(std::begin(elided_words), std::end(elided_words), folded) != std::end(elided_words);
}

class Reader {
 public:
  explicit Reader(std::string_view sentence) : sentence_(sentence) {}

  std::vector<Word> read() && {
    for (text::CodePoints points(sentence_); points.next();) {
      const auto at = static_cast<std::size_t>(points.bytes().data() - sentence_.data());
      take(text::classify(points.value()), points.bytes(), points.rest(), at);
    }
    end_word(sentence_.size());
    return std::move(words_);
  }

 private:
  void take(CharacterClass kind, std::string_view bytes, std::string_view rest, std::size_t at) {
    const bool inside = begin_ != none;
    switch (kind) {
      case CharacterClass::ideograph:
        end_word(at);
        add(at, at + bytes.size());
        return;
      case CharacterClass::symbol:
        return end_word(at);
      case CharacterClass::apostrophe:
      case CharacterClass::mark:
        return;  // they belong to the word they stand in
      case CharacterClass::separator:
        if (inside && joins(bytes) && begins_with_letter(rest)) return;
        end_word(at);
        // A hyphen with blanks around it is a dash.
        clause_ = clause_ || ends_clause(bytes) || (bytes == "-" && rest.starts_with(' '));
        return;
      default:
        if (!inside) begin_ = at;
    }
  }

  static bool begins_with_letter(std::string_view rest) {
    text::CodePoints points(rest);
    if (!points.next()) return false;
    const auto kind = text::classify(points.value());
    return text::is_letter(kind) || kind == CharacterClass::digit;
  }

  void end_word(std::size_t end) {
    if (begin_ == none) return;
    const auto begin = begin_;
    begin_ = none;
    for (bool cut = true; cut && end > begin;) {
      const auto word = sentence_.substr(begin, end - begin);
      if (is_elided(with_one_apostrophe(text::fold(word)))) break;
      cut = word.ends_with('\'') || word.ends_with("’");
      if (cut) end -= word.ends_with('\'') ? 1 : std::string_view("’").size();
    }
    const auto folded = with_one_apostrophe(text::fold(sentence_.substr(begin, end - begin)));
    const auto cut = elided(folded);
    if (cut == 0) return add(begin, end);
    const bool curly = sentence_[begin + cut - 1] != '\'';  // three bytes instead of one
    const auto middle = begin + cut + (curly ? 2 : 0);
    add(begin, middle);
    add(middle, end);
  }

  void add(std::size_t begin, std::size_t end) {
    words_.push_back(
        {with_one_apostrophe(text::fold(sentence_.substr(begin, end - begin))), begin, end, clause_ || words_.empty()});
    clause_ = false;
  }

  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::string_view sentence_;
  std::vector<Word> words_;
  std::size_t begin_ = none;
  bool clause_ = false;
};

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(at, begin), text.size());
    if (end > begin) parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace

std::vector<Word> words_of(std::string_view sentence) { return Reader(sentence).read(); }

Pattern::Item Pattern::item(std::string_view written, const Lists& named) {
  Item item;
  if (written == "," || written == ".") {
    item.kind = written == "," ? Item::Kind::clause : Item::Kind::end;
    return item;
  }
  if (const auto sign = written.front();
      written.size() > 1 && (sign == '*' || sign == '+' || sign == '~' || sign == '=')) {
    item.kind = Item::Kind::gap;
    item.most = static_cast<std::size_t>(std::stoul(std::string(written.substr(1))));
    item.least = sign == '+' ? 1 : sign == '=' ? item.most : 0;
    item.across = sign == '~' || sign == '=';
    return item;
  }
  if (written.ends_with('?')) {
    item.optional = true;
    written.remove_suffix(1);
  }
  std::string list;
  for (const auto& part : split(written, '|')) {
    const auto found = part.starts_with('@') ? named.find(part.substr(1)) : named.end();
    list += (list.empty() ? "" : "|") + (found == named.end() ? part : found->second);
  }
  for (auto& alternative : split(list, '|')) {
    std::replace(alternative.begin(), alternative.end(), '_', ' ');
    std::vector<std::string> words;
    for (auto& word : words_of(alternative)) words.push_back(std::move(word.folded));
    if (!words.empty()) item.alternatives.push_back(std::move(words));
  }
  return item;
}

Pattern::Pattern(std::string_view written, const Lists& named) {
  for (const auto& part : split(written, ' ')) {
    if (part == "…") {
      anywhere_ = true;
    } else {
      items_.push_back(item(part, named));
    }
  }
}

std::optional<std::size_t> Pattern::match(const std::vector<Word>& words, std::size_t from) const {
  return match(words, from, 0);
}

std::optional<std::size_t> Pattern::match_gap(const std::vector<Word>& words, std::size_t from, std::size_t at) const {
  const Item& gap = items_[at];
  for (std::size_t taken = 0; taken <= gap.most && from + taken <= words.size(); ++taken) {
    // Only a gap in front may itself begin with a clause.
    const bool crossed = !gap.across && taken > (at == 0 ? 1 : 0) && words[from + taken - 1].begins_clause;
    if (crossed) return std::nullopt;
    if (taken < gap.least) continue;
    if (const auto end = match(words, from + taken, at + 1)) return end;
  }
  return std::nullopt;
}

std::optional<std::size_t> Pattern::match(const std::vector<Word>& words, std::size_t from, std::size_t at) const {
  if (at == items_.size()) return from;
  const Item& item = items_[at];
  switch (item.kind) {
    case Item::Kind::gap:
      return match_gap(words, from, at);
    case Item::Kind::clause:
      return from < words.size() && words[from].begins_clause ? match(words, from, at + 1) : std::nullopt;
    case Item::Kind::end:
      return from == words.size() ? match(words, from, at + 1) : std::nullopt;
    case Item::Kind::words:
      break;
  }
  for (const auto& alternative : item.alternatives) {
    if (from + alternative.size() > words.size()) continue;
    const auto same = [](const std::string& wanted, const Word& word) { return wanted == word.folded; };
    if (!std::equal(alternative.begin(), alternative.end(), words.begin() + static_cast<std::ptrdiff_t>(from), same)) {
      continue;
    }
    if (const auto end = match(words, from + alternative.size(), at + 1)) return end;
  }
  return item.optional ? match(words, from, at + 1) : std::nullopt;
}

bool found_at(const std::vector<Pattern>& patterns, const std::vector<Word>& words, std::size_t from) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const Pattern& pattern) { return pattern.match(words, from).has_value(); });
}

bool found_in(const std::vector<Pattern>& patterns, const std::vector<Word>& words) {
  for (std::size_t from = 0; from < words.size(); ++from) {
    if (found_at(patterns, words, from)) return true;
  }
  return false;
}

}  // namespace selfmind::learn

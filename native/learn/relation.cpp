#include "learn/relation.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "learn/comparison.h"
#include "text/language.h"

namespace selfmind::learn {
namespace {

constexpr std::size_t shared_min = 3;        // words that both have: below that two sentences are not about the same
constexpr std::size_t behind_value_max = 1;  // a unit may follow a value; more, and the "value" names what is spoken of
constexpr std::size_t value_max = 3;         // words

using Words = std::span<const ContentWord>;

template <class Is>
bool any(Words words, const Is& is) {
  return std::any_of(words.begin(), words.end(), is);
}

bool has(Words words, const ContentWord& word) {
  return any(words, [&word](const ContentWord& other) { return same(word, other); });
}

Content only_in(const Content& one, const Content& other) {
  Content only;
  std::copy_if(one.begin(), one.end(), std::back_inserter(only), [&](const auto& word) { return !has(other, word); });
  return only;
}

// Where two sentences part and meet again.
struct Difference {
  std::size_t before = 0, behind = 0;  // words that both have
  Words a, b;                          // what stands between them
};

Difference difference_of(Words a, Words b) {
  Difference found;
  const auto shorter = std::min(a.size(), b.size());
  while (found.before < shorter && same(a[found.before], b[found.before])) ++found.before;
  while (found.before + found.behind < shorter &&
         same(a[a.size() - 1 - found.behind], b[b.size() - 1 - found.behind])) {
    ++found.behind;
  }
  found.a = a.subspan(found.before, a.size() - found.before - found.behind);
  found.b = b.subspan(found.before, b.size() - found.before - found.behind);
  return found;
}

// "not", "no longer", "nicht mehr", "ne … plus".
bool only_negates(Words words) {
  static const Texts beside = {"longer", "more", "anymore", "mehr"};
  return any(words, is_negation) && std::all_of(words.begin(), words.end(), [](const ContentWord& word) {
           return is_negation(word) || beside.count(word.text) > 0;
         });
}

bool is_unit(const ContentWord& word) {
  static const Texts units = {
      "b",    "kb",   "mb",     "gb",      "tb",     "kib",      "mib",      "gib",     "ms",     "s",       "%",
      "px",   "km",   "kg",     "mm",      "cm",     "second",   "minute",   "hour",    "day",    "week",    "month",
      "year", "euro", "dollar", "percent", "people", "sekunde",  "sekunden", "minuten", "stunde", "stunden", "tag",
      "tage", "jour", "jours",  "heure",   "heures", "secondes", "天",       "秒",      "年"};
  std::string_view base = word.text;
  if (base.size() > 2 && base.ends_with('s')) base.remove_suffix(1);
  return units.count(word.text) > 0 || units.count(base) > 0;
}

bool is_exact(const ContentWord& word) { return word.exact; }

// "tabs before spaces", "spaces before tabs".
bool swapped(const Content& a, const Content& b) {
  return a.size() >= shared_min && a.size() == b.size() && any(a, binds_by_order) && !same_in_order(a, b) &&
         std::is_permutation(a.begin(), a.end(), b.begin(), same);
}

// With the article: in English it is none of the words of content().
bool names_the_user(const ContentWord& word) { return text::names_the_user(word.text) || word.text == "der"; }

// Numbers, names and negations: what two memories cannot differ in and be one.
bool is_fixed(const ContentWord& word) {
  return (is_number(word) || is_negation(word) || word.exact) && !names_the_user(word);
}

// Do all fixed words of one stand in the other? A sentence begins with a capital, so names are compared by their text.
bool has_fixed_of(const Content& one, const Content& other) {
  return std::all_of(other.begin(), other.end(), [&](const ContentWord& word) {
    return !is_fixed(word) || any(one, [&](const auto& own) { return own.text == word.text; });
  });
}

// A name: exact, and not only because a sentence begins with it.
bool has_name(const Content& only, const Content& all) {
  return any(only, [&all](const ContentWord& word) {
    return word.exact && !is_number(word) && !is_unit(word) && word.text != all.front().text;
  });
}

// "Listens", "hosted": by its ending. What says it otherwise has another verb.
bool may_be_verb(const ContentWord& word) {
  return !word.exact && word.text.size() > 3 && (word.text.ends_with('s') || word.text.ends_with("ed"));
}

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

// 5432 and 11 are of one form, 12.6 and 14 are not, nor are 03:20 and 2026-05-04.
std::string form_of(const std::string& number) {
  std::string form;
  for (const char c : number) {
    const char sign = is_ascii_digit(c) ? '0' : c;
    if (form.empty() || form.back() != sign || sign != '0') form += sign;
  }
  return form;
}

bool has_number_of_form(const Content& words, const ContentWord& number) {
  return any(words,
             [&](const ContentWord& word) { return is_number(word) && form_of(word.text) == form_of(number.text); });
}

// Words that say what is spoken of, not those of any sentence ("runs", "uses", "looks").
bool says_what(const ContentWord& word) {
  std::string_view base = word.text;
  if (base.ends_with('s')) base.remove_suffix(1);
  const auto of_any = [](std::string_view text) { return text::stop_word_in(text) != 0 || text::is_common(text); };
  return !of_any(word.text) && !of_any(base) && !names_the_user(word);
}

// "The cache server runs on port 1371", "the test server runs on port 1658": word by word the same but for a number or
// a name and what has it.
bool differ_in_subject(const Content& a, const Content& b) {
  constexpr std::size_t verb_to_value = 2;  // "stands in Oslo": what is so near a value is the verb
  if (a.size() != b.size()) return false;
  std::vector<std::size_t> values, others;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (same(a[i], b[i])) continue;
    const bool is_value = a[i].exact && b[i].exact;
    if (!is_value && (!says_what(a[i]) || !says_what(b[i]) || has(b, a[i]) || has(a, b[i]))) return false;
    (is_value ? values : others).push_back(i);
  }
  return std::any_of(others.begin(), others.end(), [&](std::size_t other) {
    return !values.empty() && std::all_of(values.begin(), values.end(), [other](std::size_t value) {
      return (value > other ? value - other : other - value) > verb_to_value;
    });
  });
}

// "The cache server runs on port 1371", "the test server runs on port 1371": word by word the same but for what has it.
bool has_another_subject(const Content& a, const Content& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool verbs = may_be_verb(a[i]) && may_be_verb(b[i]);
    const bool moved = has(b, a[i]) || has(a, b[i]);
    if (!moved && !verbs && says_what(a[i]) && says_what(b[i])) return true;
  }
  return false;
}

// What of `said` the user names, its new value apart, and how much of that the memory speaks of.
struct Topic {
  double named = 0, shared = 0;  // by weight
  std::size_t words = 0;         // that are shared
};

// By which the two differ.
struct By {
  bool number, one_place;
};

Topic topic_of(const Content& said, const Content& known, const Content& quoted, By by) {
  constexpr double common_word = 0.5;  // "runs", "session": what such a word says weighs this
  Topic topic;
  for (const auto& word : said) {
    const bool shared = has(known, word);
    const bool is_value = is_number(word) || (!by.number && !shared && (word.exact || by.one_place));
    if (is_value || is_unit(word) || text::stop_word_in(word.text) != 0 || !has(quoted, word)) continue;
    const double weight = says_what(word) ? 1 : common_word;
    topic.named += weight;
    topic.shared += shared ? weight : 0;
    topic.words += shared ? 1 : 0;
  }
  return topic;
}

bool part_in_one_place(const Content& a, const Content& b) {
  const auto parted = difference_of(a, b);
  return !parted.a.empty() && !parted.b.empty() && parted.a.size() <= value_max && parted.b.size() <= value_max &&
         parted.before + parted.behind >= shared_min;
}

bool stands_in(const Content& words, const ContentWord& word) {
  return any(words, [&word](const ContentWord& other) { return other.text == word.text; });
}

// "The cache server" may have the value that the user names as the old one of "the test server", too.
bool name_two_things(const Content& new_words, const Content& old_words, const Content& quoted) {
  const auto is_thing = [](const ContentWord& word) {
    return !is_number(word) && !is_unit(word) && !may_be_verb(word) && says_what(word);
  };
  return any(new_words, [&](const auto& word) { return is_thing(word) && has(quoted, word); }) &&
         any(old_words, [&](const auto& word) { return is_thing(word) && !has(quoted, word); });
}

bool names_most_of(const Content& words, const Content& quoted) {
  std::size_t all = 0, named = 0;
  for (const auto& word : words) {
    all += says_what(word) ? 1 : 0;
    named += says_what(word) && has(quoted, word) ? 1 : 0;
  }
  return named > 0 && 2 * named >= all;
}

}  // namespace

Meaning meaning_of(const Content& a, const Content& b) {
  if (swapped(a, b)) return Meaning::changed;
  const auto found = difference_of(a, b);
  if (found.before + found.behind < shared_min) return Meaning::other;
  if ((found.a.empty() && only_negates(found.b)) || (found.b.empty() && only_negates(found.a))) return Meaning::changed;
  const bool values =
      !found.a.empty() && !found.b.empty() && found.a.size() <= value_max && found.b.size() <= value_max;
  if (!values) return Meaning::other;
  const auto is_value = [](Words words) { return words.size() == 1 && is_number(words.front()); };
  const bool numbers = is_value(found.a) && is_value(found.b);
  if (found.behind > behind_value_max) {  // it names what is spoken of; an amount may do so ("the 16 GB machine")
    return numbers && is_unit(a[a.size() - found.behind]) ? Meaning::doubtful : Meaning::other;
  }
  if (numbers) return Meaning::changed;
  const auto named_number = [](Words words) { return words.size() > 1 && any(words, is_number); };
  if (named_number(found.a) && named_number(found.b)) return Meaning::other;  // "Rust 1.80", "Node 20"
  return any(found.a, is_exact) && any(found.b, is_exact) && found.before >= shared_min ? Meaning::doubtful
                                                                                        : Meaning::other;
}

bool may_be_same(std::string_view a, std::string_view b) {
  const auto of_a = content(a);
  const auto of_b = content(b);
  if (!has_fixed_of(of_a, of_b) || !has_fixed_of(of_b, of_a) || in_common(of_a, of_b) == 0) return false;
  const auto binds = [](const ContentWord& word) { return binds_by_order(word) && !is_negation(word); };
  return (!any(of_a, binds) && !any(of_b, binds)) || same_in_order(of_a, of_b) ||
         are_alike(comparisons_in(a), comparisons_in(b));
}

bool are_one_telling(std::string_view a, std::string_view b) {
  const auto of_a = matter(content(a));
  const auto of_b = matter(content(b));
  const auto only_a = only_in(of_a, of_b);
  const auto only_b = only_in(of_b, of_a);
  // The first word has a capital in any case.
  const auto fixed = [](const Content& only, const Content& all) {
    return any(only, [&](const ContentWord& word) {
      return is_number(word) || is_negation(word) || (word.exact && word.text != all.front().text);
    });
  };
  if (fixed(only_a, of_a) || fixed(only_b, of_b)) return false;
  return 2 * (of_a.size() - only_a.size()) > std::min(of_a.size(), of_b.size());
}

std::size_t in_common(const Content& a, const Content& b) {
  return static_cast<std::size_t>(
      std::count_if(a.begin(), a.end(), [&](const auto& word) { return !names_the_user(word) && has(b, word); }));
}

Content matter(Content words) {
  static const Texts projects = {"project", "project's", "projekt", "projekts", "projet"};
  static const Texts reasons = {"because", "weil", "parce", "因"};
  const auto reason =
      std::find_if(words.begin(), words.end(), [](const ContentWord& word) { return reasons.count(word.text) > 0; });
  if (reason - words.begin() >= static_cast<std::ptrdiff_t>(shared_min)) words.erase(reason, words.end());
  std::erase_if(words, [](const auto& word) { return names_the_user(word) || projects.count(word.text) > 0; });
  return words;
}

Content without_denied(Content words) {
  const auto last = std::find_if(words.rbegin(), words.rend(), is_negation);
  if (last == words.rend()) return words;
  const auto denied = last.base();  // behind the negation
  const Words before(words.begin(), std::prev(denied)), behind(denied, words.end());
  const bool puts_right = any(before, is_exact) && any(behind, is_exact) && behind.size() <= value_max;
  if (puts_right) words.erase(std::prev(denied), words.end());
  return words;
}

Relation relation_of(const Content& said, const Content& known, const Content& quoted) {
  constexpr double share_min = 0.3;
  Relation relation;
  if (known.empty() || said.empty()) return relation;
  const auto new_words = only_in(said, known);
  const auto old_words = only_in(known, said);
  const bool numbers = any(new_words, is_number) && any(old_words, is_number);
  const bool names = has_name(new_words, said) && has_name(old_words, known);
  const bool of_one_form =
      any(new_words, [&](const auto& word) { return is_number(word) && has_number_of_form(old_words, word); });
  if (numbers && (names || !of_one_form)) return relation;  // "Rust 1.80", "Node 20"; a port and a time
  if (differ_in_subject(said, known)) return relation;

  const bool one_place = part_in_one_place(said, known);
  const bool turned = any(said, binds_by_order) && any(known, binds_by_order) && !same_in_order(said, known);
  const auto topic = topic_of(said, known, quoted, {numbers, one_place});
  const bool mostly_shared = 2 * topic.shared > topic.named;
  relation.by_value = (numbers || names || one_place || turned) && mostly_shared;
  relation.fixed = (numbers || names) && mostly_shared;
  relation.number = numbers && mostly_shared;
  relation.coverage = topic.named == 0 ? 0 : topic.shared / topic.named;
  relation.common = known.size() - old_words.size();

  const auto shorter = std::min(said.size(), known.size());
  const bool of_one_thing = relation.common >= 2 || (numbers && relation.common == 1 && shorter <= 3);
  relation.may_be = of_one_thing && (relation.by_value || (!numbers && topic.words >= 2)) && !new_words.empty() &&
                    !old_words.empty() &&
                    static_cast<double>(relation.common) >= share_min * static_cast<double>(shorter);
  const bool of_another = numbers && name_two_things(new_words, old_words, quoted);
  relation.names_old = relation.by_value && !of_another && any(old_words, [&](const ContentWord& word) {
                         return (numbers ? is_number(word) : word.exact) && stands_in(quoted, word);
                       });
  relation.names_them = names_most_of(old_words, quoted);
  return relation;
}

Meaning old_value_in(const Content& other, const Content& replaced, const Content& now) {
  if (has_another_subject(other, replaced)) return Meaning::other;
  std::size_t fixed = 0, plain = 0, plain_there = 0;
  for (const auto& word : only_in(replaced, now)) {
    const bool there = has(other, word);
    if (is_fixed(word) && word.text != replaced.front().text) {
      ++fixed;
      if (!there) return Meaning::other;
    } else if (says_what(word)) {
      ++plain;
      plain_there += there ? 1 : 0;
    }
  }
  if (fixed == 0 && (plain_there == 0 || 2 * plain_there < plain)) return Meaning::other;
  std::size_t topic = 0, topic_there = 0;
  for (const auto& word : replaced) {
    const bool opens = text::stop_word_in(word.text) != 0;  // "In the user's project …"
    if (opens || may_be_verb(word) || !has(now, word) || !(says_what(word) || is_fixed(word))) continue;
    ++topic;
    topic_there += has(other, word) ? 1 : 0;
  }
  // "Staging" and "production" have the rest in common. In plain words ("in the charge of") there is room for a
  // question.
  if (topic_there == topic && topic > 0) return fixed > 0 ? Meaning::changed : Meaning::doubtful;
  return fixed == 0 && 3 * topic_there >= 2 * topic && topic_there > 0 ? Meaning::doubtful : Meaning::other;
}

}  // namespace selfmind::learn

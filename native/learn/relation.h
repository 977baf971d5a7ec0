// How what two memories say stands to each other, two by two, by their words alone. Pure; any thread.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "learn/content.h"

namespace selfmind::learn {

using Content = std::vector<ContentWord>;

enum class Meaning { other, doubtful, changed };

// Do both say the same of the same thing with another value: another number at the end ("listens on port 5433"), a
// negation more or less ("no longer"), the same words with two of them exchanged ("tabs before spaces")? Another name
// at the end ("lives in Berlin") is no certain change. What differs in what it speaks of, or in a plain word, is
// another memory.
Meaning meaning_of(const Content& now, const Content& before);

// Could two memories be one in other words? Not where a number, a name, a negation or the order of a comparison
// differs, and not where they have no word in common.
bool may_be_same(std::string_view a, std::string_view b);

// The same for two that a model has made of one quotation, which needs less: the same numbers, names and negations, and
// most of the other words.
bool are_one_telling(std::string_view a, std::string_view b);

// Words that carry meaning and stand in both, the user apart.
std::size_t in_common(const Content& a, const Content& b);

// What a sentence speaks of and says of it, the user, their project and the reason apart.
Content matter(Content words);

// Without the value that is put right at its end: "listens on port 5433, not 5432" says what "… port 5433" says.
Content without_denied(Content words);

// How what is said now, by a user who tells a change, stands to a memory that it may change.
struct Relation {
  bool may_be = false;      // they speak of one thing, and differ
  bool by_value = false;    // in a number, a name, or in one place; else in plain words
  bool fixed = false;       // … in a number or a name
  bool number = false;      // … in a number
  bool names_old = false;   // the user names the old value ("from 5432 to 5433")
  bool names_them = false;  // they name what the memory says in plain words and the new one does not ("no longer …")
  double coverage = 0;      // the share of what the user names, the new value apart, that the memory speaks of, 0 to 1
  std::size_t common = 0;   // words that both have
};
Relation relation_of(const Content& said, const Content& known, const Content& quoted);

// Does `other` say in other words what `now` has replaced? It does where it speaks of the same and has the value that
// `now` has no more: certainly for a number or a name, while plain words are a doubt.
Meaning old_value_in(const Content& other, const Content& replaced, const Content& now);

}  // namespace selfmind::learn

#include "learn/clash.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

#include "learn/content.h"
#include "learn/duplicate.h"
#include "learn/forms.h"
#include "text/language.h"

namespace selfmind::learn {
namespace {

constexpr std::size_t shared_min = 3;        // words that both have: below that two sentences are not about the same
constexpr std::size_t behind_value_max = 1;  // a unit may follow a value; more, and the "value" names what is spoken of
constexpr std::size_t value_max = 3;         // words

using Words = std::span<const ContentWord>;

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
  return std::any_of(words.begin(), words.end(), is_negation) &&
         std::all_of(words.begin(), words.end(),
                     [](const ContentWord& word) { return is_negation(word) || beside.count(word.text) > 0; });
}

bool has_exact(Words words) {
  return std::any_of(words.begin(), words.end(), [](const ContentWord& word) { return word.exact; });
}

// "tabs over spaces", "spaces over tabs".
bool swapped(const std::vector<ContentWord>& a, const std::vector<ContentWord>& b) {
  return a.size() >= shared_min && a.size() == b.size() && std::any_of(a.begin(), a.end(), binds_by_order) &&
         !same_in_order(a, b) && std::is_permutation(a.begin(), a.end(), b.begin(), same);
}

enum class Meaning { other, doubtful, changed };

Meaning compare(const std::vector<ContentWord>& a, const std::vector<ContentWord>& b) {
  if (swapped(a, b)) return Meaning::changed;
  const auto found = difference_of(a, b);
  if (found.before + found.behind < shared_min) return Meaning::other;
  if ((found.a.empty() && only_negates(found.b)) || (found.b.empty() && only_negates(found.a))) return Meaning::changed;
  const bool values =
      !found.a.empty() && !found.b.empty() && found.a.size() <= value_max && found.b.size() <= value_max;
  if (!values || found.behind > behind_value_max) return Meaning::other;
  const auto is_value = [](Words words) { return words.size() == 1 && is_number(words.front()); };
  if (is_value(found.a) && is_value(found.b)) return Meaning::changed;
  return has_exact(found.a) && has_exact(found.b) && found.before >= shared_min ? Meaning::doubtful : Meaning::other;
}

}  // namespace

std::optional<Clash> find_clash(const store::MemoryDraft& draft, std::span<const store::Memory> existing) {
  const auto said = content(draft.text);
  std::optional<Clash> doubt;
  // The newest first: what replaced an older one is what stands.
  for (auto memory = existing.rbegin(); memory != existing.rend(); ++memory) {
    if (memory->project != draft.project || memory->state != "active") continue;
    const auto meaning = compare(said, content(memory->text));
    if (meaning == Meaning::changed) return Clash{memory->id, true};
    if (meaning == Meaning::doubtful && !doubt) doubt = Clash{memory->id, false};
  }
  return doubt;
}

namespace {

// With the article: in English it is none of the words of content().
bool names_the_user(const ContentWord& word) { return text::names_the_user(word.text) || word.text == "der"; }

// Numbers, names and negations: what two memories cannot differ in and be one.
bool is_fixed(const ContentWord& word) {
  return (is_number(word) || is_negation(word) || word.exact) && !names_the_user(word);
}

// Do all fixed words of one stand in the other? A sentence begins with a capital, so names are compared by their text.
bool has_fixed_of(const std::vector<ContentWord>& one, const std::vector<ContentWord>& other) {
  return std::all_of(other.begin(), other.end(), [&](const ContentWord& word) {
    return !is_fixed(word) ||
           std::any_of(one.begin(), one.end(), [&](const auto& own) { return own.text == word.text; });
  });
}

// Words that carry meaning and stand in both, the user apart.
std::size_t in_common(const std::vector<ContentWord>& a, const std::vector<ContentWord>& b) {
  return static_cast<std::size_t>(std::count_if(a.begin(), a.end(), [&](const ContentWord& word) {
    return !names_the_user(word) &&
           std::any_of(b.begin(), b.end(), [&](const ContentWord& other) { return same(word, other); });
  }));
}

const store::Memory* find(std::span<const store::Memory> existing, store::Id id) {
  const auto found = std::find_if(existing.begin(), existing.end(), [id](const auto& one) { return one.id == id; });
  return id == store::no_id || found == existing.end() ? nullptr : &*found;
}

// What the rules could only quote ("The user said: …") is better said in a sentence of its own.
bool says_it_better(const store::MemoryDraft& draft, const store::Memory& memory) {
  return memory.made_by == "rules" && draft.made_by == "learn" && memory.text != draft.text;
}

bool tells_a_change(const store::MemoryDraft& draft) {
  return draft.kind == "correction" ||
         std::any_of(draft.evidence.begin(), draft.evidence.end(),
                     [](const auto& evidence) { return learn::tells_a_change(evidence.quote); });
}

// What a sentence speaks of and says of it, the user and their project apart.
std::vector<ContentWord> matter(std::string_view text) {
  std::vector<ContentWord> words;
  for (auto& word : content(text)) {
    if (!names_the_user(word) && word.text != "project") words.push_back(std::move(word));
  }
  return words;
}

std::vector<ContentWord> only_in(const std::vector<ContentWord>& one, const std::vector<ContentWord>& other) {
  std::vector<ContentWord> only;
  std::copy_if(one.begin(), one.end(), std::back_inserter(only), [&](const auto& word) {
    return std::none_of(other.begin(), other.end(), [&](const auto& own) { return same(word, own); });
  });
  return only;
}

using Content = std::vector<ContentWord>;

bool any_same(const Content& words, const ContentWord& word) {
  return std::any_of(words.begin(), words.end(), [&word](const ContentWord& other) { return same(word, other); });
}

// A name: exact, and not only because a sentence begins with it.
bool has_name(const Content& only, const Content& all) {
  return std::any_of(only.begin(), only.end(), [&all](const ContentWord& word) {
    return word.exact && !is_number(word) && word.text != all.front().text;
  });
}

// How what is said now stands to a memory that it may change.
struct Relation {
  bool may_be = false;     // they speak of one thing, and differ
  bool by_value = false;   // in a number, a name, or in one place; else in plain words
  bool names_old = false;  // the user names the old value ("from 5432 to 5433")
  std::size_t common = 0;  // words that both have
};

Relation relation_of(const Content& said, const Content& known, const Content& quoted) {
  constexpr double share_min = 0.3;
  Relation relation;
  if (known.empty() || said.empty()) return relation;
  const auto new_words = only_in(said, known);
  const auto old_words = only_in(known, said);
  relation.common = known.size() - old_words.size();
  const auto differ_in = [&](const auto& is) {
    return std::any_of(new_words.begin(), new_words.end(), is) && std::any_of(old_words.begin(), old_words.end(), is);
  };
  const bool numbers = differ_in(is_number);
  if (numbers && has_name(new_words, said) && has_name(old_words, known)) return relation;  // "Rust 1.80", "Node 20"
  const auto parted = difference_of(said, known);
  const bool in_one_place = !parted.a.empty() && !parted.b.empty() && parted.a.size() <= value_max &&
                            parted.b.size() <= value_max && parted.before + parted.behind >= shared_min;
  const auto binds = [](const Content& words) { return std::any_of(words.begin(), words.end(), binds_by_order); };
  const bool turned = binds(said) && binds(known) && !same_in_order(said, known);
  relation.by_value =
      numbers || in_one_place || turned || differ_in([](const ContentWord& word) { return word.exact; });

  // What the user names, its new value apart: most of it has to be what the memory speaks of.
  std::size_t topic = 0, of_topic = 0;
  for (const auto& word : said) {
    const bool is_new = !any_same(known, word);
    const bool is_value = is_number(word) || (is_new && (word.exact || in_one_place));
    if (is_value || text::stop_word_in(word.text) != 0 || !any_same(quoted, word)) continue;
    ++topic;
    of_topic += is_new ? 0 : 1;
  }
  const auto shorter = std::min(said.size(), known.size());
  const bool of_one_thing = relation.common >= 2 || (numbers && relation.common == 1 && shorter <= 3);
  relation.by_value = relation.by_value && 2 * of_topic > topic;
  relation.may_be = of_one_thing && (relation.by_value || of_topic >= 2) && !new_words.empty() && !old_words.empty() &&
                    static_cast<double>(relation.common) >= share_min * static_cast<double>(shorter);
  relation.names_old = std::any_of(old_words.begin(), old_words.end(), [&](const ContentWord& word) {
    return (numbers ? is_number(word) : word.exact) &&
           std::any_of(quoted.begin(), quoted.end(), [&](const auto& own) { return own.text == word.text; });
  });
  return relation;
}

// The user tells a change, and the model has not said of what: the memory whose value they name, else the one that
// speaks of most of the same with another value, else with other words. Only the first is certain.
std::optional<Clash> find_changed(const store::MemoryDraft& draft, std::span<const store::Memory> existing) {
  if (!tells_a_change(draft)) return std::nullopt;
  Content quoted;
  for (const auto& evidence : draft.evidence) {
    for (auto& word : content(evidence.quote)) quoted.push_back(std::move(word));
  }
  const auto said = matter(draft.text);
  const auto order = [](const Relation& one) { return std::tuple(one.names_old, one.by_value, one.common); };
  std::optional<Clash> best;
  Relation of_best;
  for (auto memory = existing.rbegin(); memory != existing.rend(); ++memory) {
    if (memory->project != draft.project || memory->state != "active") continue;
    const auto relation = relation_of(said, matter(memory->text), quoted);
    if (!relation.may_be || (best && order(relation) <= order(of_best))) continue;
    best = Clash{memory->id, relation.names_old};
    of_best = relation;
  }
  return best;
}

}  // namespace

bool may_be_same(std::string_view a, std::string_view b) {
  const auto of_a = content(a);
  const auto of_b = content(b);
  if (!has_fixed_of(of_a, of_b) || !has_fixed_of(of_b, of_a) || in_common(of_a, of_b) == 0) return false;
  const auto binds = [](const std::vector<ContentWord>& words) {
    return std::any_of(words.begin(), words.end(),
                       [](const auto& word) { return binds_by_order(word) && !is_negation(word); });
  };
  return (!binds(of_a) && !binds(of_b)) || same_in_order(of_a, of_b);
}

bool are_one_telling(std::string_view a, std::string_view b) {
  const auto of_a = matter(a);
  const auto of_b = matter(b);
  const auto only_a = only_in(of_a, of_b);
  const auto only_b = only_in(of_b, of_a);
  // The first word has a capital in any case.
  const auto fixed = [](const std::vector<ContentWord>& only, const std::vector<ContentWord>& all) {
    return std::any_of(only.begin(), only.end(), [&](const ContentWord& word) {
      return is_number(word) || is_negation(word) || (word.exact && word.text != all.front().text);
    });
  };
  if (fixed(only_a, of_a) || fixed(only_b, of_b)) return false;
  return 2 * (of_a.size() - only_a.size()) > std::min(of_a.size(), of_b.size());
}

store::Compare comparer(double threshold) {
  return [threshold](const store::MemoryDraft& draft, std::span<const store::Memory> existing) -> store::Verdict {
    using store::Verdict;
    if (const auto known = find_duplicate(draft, existing, threshold)) {
      return {Verdict::same, *known, says_it_better(draft, *find(existing, *known))};
    }
    if (const auto* taken_for = find(existing, draft.same_as); taken_for && may_be_same(draft.text, taken_for->text)) {
      return {Verdict::same, taken_for->id, says_it_better(draft, *taken_for)};
    }
    const auto clash = find_clash(draft, existing);
    if (clash && clash->certain) return {Verdict::changed, clash->memory};
    if (const auto* old = find(existing, draft.replaces);
        old && old->project == draft.project && old->state == "active") {
      const bool of_one_thing = in_common(content(draft.text), content(old->text)) > 0;
      return {of_one_thing && tells_a_change(draft) ? Verdict::changed : Verdict::doubtful, old->id};
    }
    if (const auto changed = find_changed(draft, existing)) {
      return {changed->certain ? Verdict::changed : Verdict::doubtful, changed->memory};
    }
    if (clash) return {Verdict::doubtful, clash->memory};
    return {};
  };
}

}  // namespace selfmind::learn

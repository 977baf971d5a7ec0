// Deduplication in two stages with a guard: equal texts, then overlapping words whose meaning the guard compares.
#include "learn/duplicate.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "learn/content.h"
#include "text/words.h"

namespace selfmind::learn {
namespace {

bool is_foreign(char c) { return static_cast<unsigned char>(c) >= 0x80; }

// "For tests the user uses Catch2" and "The user uses Catch2 for tests": the one phrase with a preposition may stand in
// front or at the end. Any other change of place may be a change of roles ("the client calls the server").
bool same_but_moved(std::vector<ContentWord> a, const std::vector<ContentWord>& b) {
  static const Texts prepositions = {"at", "during", "for", "in", "on", "with"};
  const auto leads = [](const ContentWord& word) { return prepositions.count(word.text) > 0; };
  const auto binds = [](const ContentWord& word) {  // a foreign word may be a negation that the list does not have
    return binds_by_order(word) || std::any_of(word.text.begin(), word.text.end(), is_foreign);
  };
  if (a.size() != b.size() || a.empty() || (!leads(a.front()) && !leads(b.front()))) return false;
  if (std::count_if(a.begin(), a.end(), leads) != 1 || std::any_of(a.begin(), a.end(), binds)) return false;
  for (std::size_t turned = 1; turned < a.size(); ++turned) {
    std::rotate(a.begin(), a.begin() + 1, a.end());
    if (same_in_order(a, b)) return true;
  }
  return false;
}

bool same_meaning(std::string_view a, std::string_view b) {
  const auto of_a = content(a);
  const auto of_b = content(b);
  if (of_a.empty()) return false;
  return same_in_order(of_a, of_b) || same_but_moved(of_a, of_b);
}

// Equal in this form is equal at sight: case, white space and the final punctuation do not count.
std::string at_sight(std::string_view text) {
  std::string form;
  const auto folded = text::fold(text);
  for (const auto token : split_at_space(folded)) form += (form.empty() ? "" : " ") + std::string(token);
  while (!form.empty() && std::string_view(".!?,;:").find(form.back()) != std::string_view::npos) form.pop_back();
  while (form.ends_with("。")) form.resize(form.size() - std::string_view("。").size());
  return form;
}

Texts word_set(std::string_view text) {
  const auto words = text::words(text);
  return Texts(words.begin(), words.end());
}

double jaccard(const Texts& a, const Texts& b) {
  const auto common = std::count_if(a.begin(), a.end(), [&](const auto& word) { return b.count(word) > 0; });
  const auto all = static_cast<std::ptrdiff_t>(a.size() + b.size()) - common;
  return all == 0 ? 0.0 : static_cast<double>(common) / static_cast<double>(all);
}

}  // namespace

std::optional<store::Id> find_duplicate(const store::MemoryDraft& draft, std::span<const store::Memory> existing,
                                        double threshold) {
  const auto sight = at_sight(draft.text);
  if (sight.empty()) return std::nullopt;
  for (const auto& memory : existing) {
    if (at_sight(memory.text) == sight) return memory.id;
  }

  const auto words = word_set(draft.text);
  std::optional<store::Id> best;
  double best_overlap = 0;
  for (const auto& memory : existing) {
    const double overlap = jaccard(words, word_set(memory.text));
    if (overlap < threshold || overlap <= best_overlap || !same_meaning(draft.text, memory.text)) continue;
    best = memory.id;
    best_overlap = overlap;
  }
  return best;
}

double word_overlap(std::string_view a, std::string_view b) { return jaccard(word_set(a), word_set(b)); }

store::Compare duplicate_finder(double threshold) {
  return [threshold](const store::MemoryDraft& draft, std::span<const store::Memory> existing) -> store::Verdict {
    const auto known = find_duplicate(draft, existing, threshold);
    return known ? store::Verdict{store::Verdict::same, {*known}} : store::Verdict{};
  };
}

}  // namespace selfmind::learn

#include "learn/clash.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "learn/comparison.h"
#include "learn/duplicate.h"
#include "learn/forms.h"
#include "learn/relation.h"

namespace selfmind::learn {
namespace {

using store::Memory;
using store::MemoryDraft;
using store::Verdict;

// More memories that one may replace nobody wants to be asked about.
constexpr std::size_t doubts_max = 4;

// What the rules could only quote ("The user said: …") is better said in a sentence of its own.
bool says_it_better(const MemoryDraft& draft, const Memory& memory) {
  return memory.made_by == "rules" && draft.made_by == "learn" && memory.text != draft.text;
}

bool any_quote(const MemoryDraft& draft, bool (*is)(std::string_view)) {
  return std::any_of(draft.evidence.begin(), draft.evidence.end(),
                     [is](const auto& evidence) { return is(evidence.quote); });
}

// A memory that the draft could meet, taken apart once.
struct Standing {
  explicit Standing(const Memory& of) : memory(&of), words(content(of.text)), matter(learn::matter(words)) {}

  const Memory* memory;
  Content words, matter;
};

// One draft among the memories that it could meet.
class Meeting {
 public:
  Meeting(const MemoryDraft& draft, std::span<const Memory> existing, double threshold)
      : draft_(draft),
        threshold_(threshold),
        tells_a_change_(draft.kind == "correction" || any_quote(draft, tells_a_change)),
        limited_(any_quote(draft, limits_to_project)),
        words_(content(draft.text)),
        said_(matter(without_denied(words_))),
        compares_(comparisons_in(draft.text)) {
    for (const auto& memory : existing) {
      const bool own = memory.project == draft.project || memory.project == store::no_id;
      if (own) own_.push_back(memory);
      if ((own || draft.project == store::no_id) && memory.state == "active") standing_.emplace_back(memory);
    }
    for (const auto& evidence : draft.evidence) {
      for (auto& word : content(evidence.quote)) quoted_.push_back(std::move(word));
    }
  }

  Verdict verdict() {
    const auto* known = known_as();
    // What waits for the user is known; said as a change again, it needs no answer any more.
    const bool waits = known != nullptr && known->state != "active" && draft_.state == "active" && tells_a_change_;
    if (known != nullptr && !waits) return as_known(*known);
    find_changed();
    if (waits && changed_.empty()) return as_known(*known);
    if (changed_.empty()) return doubtful(doubts_);
    find_in_other_words();
    if (!doubts_of_change_.empty()) {
      auto all = changed_;
      all.insert(all.end(), doubts_of_change_.begin(), doubts_of_change_.end());
      return doubtful(all);
    }
    Verdict verdict{Verdict::changed, ids(changed_)};
    if (waits) verdict.memories.push_back(known->id);
    verdict.everywhere = std::any_of(changed_.begin(), changed_.end(),
                                     [](const Standing* one) { return one->memory->project == store::no_id; });
    return verdict;
  }

 private:
  using Found = std::vector<const Standing*>;

  static bool holds(const Found& found, const Standing& one) {
    return std::find(found.begin(), found.end(), &one) != found.end();
  }

  Verdict as_known(const Memory& known) const { return {Verdict::same, {known.id}, says_it_better(draft_, known)}; }

  const Memory* known_as() const {
    const auto by_id = [this](store::Id id) {
      const auto found = std::find_if(own_.begin(), own_.end(), [id](const auto& one) { return one.id == id; });
      return id == store::no_id || found == own_.end() ? nullptr : &*found;
    };
    if (const auto known = find_duplicate(draft_, own_, threshold_)) return by_id(*known);
    if (const auto* memory = by_id(draft_.same_as); memory && may_be_same(draft_.text, memory->text)) return memory;
    if (compares_.empty()) return nullptr;
    const auto alike = std::find_if(own_.begin(), own_.end(), [this](const auto& memory) {
      return are_alike(compares_, comparisons_in(memory.text));
    });
    return alike == own_.end() ? nullptr : &*alike;
  }

  // The newest first: what replaced an older one is what stands.
  void find_changed() {
    for (auto one = standing_.rbegin(); one != standing_.rend(); ++one) {
      const auto meaning = meaning_to(*one);
      if (meaning == Meaning::changed) changed_.push_back(&*one);
      if (meaning == Meaning::doubtful) doubts_.push_back(&*one);
    }
    if (tells_a_change_) find_what_is_told();
  }

  Meaning meaning_to(const Standing& one) const {
    const auto& memory = *one.memory;
    const bool other_scope = memory.project != draft_.project;
    if (other_scope && !may_reach(memory)) return Meaning::other;
    const bool turned = !compares_.empty() && are_turned(compares_, comparisons_in(memory.text));
    auto meaning = turned ? Meaning::changed : meaning_of(words_, one.words);
    const auto& replaces = draft_.replaces;
    if (std::find(replaces.begin(), replaces.end(), memory.id) != replaces.end()) {
      const bool of_one_thing = in_common(words_, one.words) > 0;
      meaning = std::max(meaning, of_one_thing && tells_a_change_ ? Meaning::changed : Meaning::doubtful);
    }
    return other_scope && meaning == Meaning::changed && !tells_a_change_ ? Meaning::doubtful : meaning;
  }

  // From everywhere into a project, or the other way round.
  bool may_reach(const Memory& memory) const {
    if (limited_ || (memory.project != store::no_id && limits_to_project(memory.text))) return false;
    return draft_.project != store::no_id || tells_a_change_;
  }

  // The user tells a change, and nobody has said of what: that whose value they name, else they are asked about those
  // that speak of most of the same with another value, else with other words.
  void find_what_is_told() {
    struct Likely {
      const Standing* standing;
      Relation relation;
    };
    std::vector<Likely> all;
    for (const auto& one : standing_) {
      const auto& memory = *one.memory;
      if (memory.project != draft_.project && (memory.project != store::no_id || !may_reach(memory))) continue;
      const auto relation = relation_of(said_, one.matter, quoted_);
      if (relation.may_be) all.push_back({&one, relation});
    }
    const auto order = [](const Likely& one) {
      const auto& relation = one.relation;
      return std::tuple(relation.names_old, relation.names_them, relation.fixed, relation.by_value, relation.coverage,
                        relation.common, one.standing->memory->id);
    };
    std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return order(a) > order(b); });
    for (const auto& one : all) {
      const auto& best = all.front();
      if (one.relation.names_old && !holds(changed_, *one.standing)) changed_.push_back(one.standing);
      // Beside one whose words the user names, or that has another number, those are not asked about that have not,
      // unless they say the same as that one.
      const bool as_likely =
          one.relation.names_them == best.relation.names_them && one.relation.number == best.relation.number;
      if (!as_likely && says_old_value_of(*one.standing, *best.standing) == Meaning::other) continue;
      if (!holds(doubts_, *one.standing)) doubts_.push_back(one.standing);
    }
  }

  void find_in_other_words() {
    const auto certain = changed_.size();
    for (const auto& one : standing_) {
      if (holds(changed_, one)) continue;
      auto meaning = Meaning::other;
      for (std::size_t i = 0; i < certain; ++i) meaning = std::max(meaning, says_old_value_of(one, *changed_[i]));
      if (meaning == Meaning::changed) changed_.push_back(&one);
      if (meaning == Meaning::doubtful) doubts_of_change_.push_back(&one);
    }
  }

  Meaning says_old_value_of(const Standing& one, const Standing& replaced) const {
    const bool elsewhere = one.memory->project != replaced.memory->project;  // another "staging database"
    return elsewhere ? Meaning::other : old_value_in(one.matter, replaced.matter, said_);
  }

  static std::vector<store::Id> ids(const Found& found) {
    std::vector<store::Id> list;
    for (const auto* one : found) list.push_back(one->memory->id);
    return list;
  }

  static Verdict doubtful(Found found) {
    if (found.empty()) return {};
    found.resize(std::min(found.size(), doubts_max));
    return {Verdict::doubtful, ids(found)};
  }

  const MemoryDraft& draft_;
  const double threshold_;
  const bool tells_a_change_, limited_;
  const Content words_, said_;  // all its words; those that say something
  const std::vector<Comparison> compares_;
  Content quoted_;
  std::vector<Memory> own_;         // of the draft's scope
  std::vector<Standing> standing_;  // also the others that it meets
  Found changed_, doubts_, doubts_of_change_;
};

}  // namespace

store::Compare comparer(double threshold) {
  return [threshold](const MemoryDraft& draft, std::span<const Memory> existing) {
    return Meeting(draft, existing, threshold).verdict();
  };
}

}  // namespace selfmind::learn

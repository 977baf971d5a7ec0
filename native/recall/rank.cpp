// rank(): Okapi BM25 over what the asker may see. Pure over an index.
#include "recall/rank.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "recall/state.h"

namespace selfmind::recall {
namespace {

struct Candidate {
  double score;
  Slot slot;
};

// For a heap: the worse one first, and of equals the later one.
bool worse(const Candidate& a, const Candidate& b) { return a.score != b.score ? a.score < b.score : a.slot > b.slot; }

std::vector<const Shard*> visible(const Index::State& state, const Context& context) {
  std::vector<const Shard*> shards;
  for (const auto& [project, shard] : state.shards) {
    if (context.all_projects || project == context.project || project == store::no_id) shards.push_back(&shard);
  }
  return shards;
}

std::vector<std::string> distinct(std::vector<std::string> words) {
  std::unordered_set<std::string> seen;
  std::vector<std::string> once;
  for (auto& word : words) {
    if (seen.insert(word).second) once.push_back(std::move(word));
  }
  return once;
}

// Every visible item with at least one of the words. All statistics are over the visible items.
std::vector<Candidate> score(const Index::State& state, const std::vector<const Shard*>& shards,
                             const std::vector<std::string>& words, const Preset& preset) {
  double n = 0;
  double length = 0;
  for (const auto* shard : shards) {
    n += static_cast<double>(shard->items);
    length += static_cast<double>(shard->words);
  }

  std::vector<double> scores(state.entries.size());
  std::vector<Slot> found;
  for (const auto& word : words) {
    std::vector<const std::vector<Posting>*> lists;
    double df = 0;
    for (const auto* shard : shards) {
      const auto postings = shard->postings.find(word);
      if (postings == shard->postings.end()) continue;
      lists.push_back(&postings->second);
      df += static_cast<double>(postings->second.size());
    }
    const double idf = std::log(1 + (n - df + 0.5) / (df + 0.5));
    for (const auto* list : lists) {
      for (const auto& [slot, count] : *list) {
        const double tf = count;
        const double relative = state.entries[slot].words * n / length;
        if (scores[slot] == 0) found.push_back(slot);  // idf is above 0, so each comes once
        scores[slot] += idf * tf * (preset.k1 + 1) / (tf + preset.k1 * (1 - preset.b + preset.b * relative));
      }
    }
  }

  std::vector<Candidate> candidates;
  candidates.reserve(found.size());
  for (const Slot slot : found) candidates.push_back({scores[slot], slot});
  return candidates;
}

// The list as it grows: a memory that joins it puts its turns out, those listed already and those to come.
class Picked {
 public:
  explicit Picked(const Index::State& state) : state_(state) {}

  void add(const Candidate& candidate) {
    const auto& item = state_.entries[candidate.slot].item;
    if (item.kind == store::ItemKind::turn) {
      if (told_.count(item.id) == 0) list_.push_back(candidate);
      return;
    }
    told_.insert(item.turns.begin(), item.turns.end());
    std::erase_if(list_, [&](const Candidate& listed) {
      const auto& other = state_.entries[listed.slot].item;
      return other.kind == store::ItemKind::turn && told_.count(other.id) > 0;
    });
    list_.push_back(candidate);
  }

  std::size_t size() const { return list_.size(); }

  std::vector<Hit> hits() const {
    std::vector<Hit> hits;
    for (const auto& [score, slot] : list_) hits.push_back({state_.entries[slot].item, score, {{"bm25", score}}});
    return hits;
  }

 private:
  const Index::State& state_;
  std::vector<Candidate> list_;
  std::unordered_set<store::Id> told_;
};

}  // namespace

std::vector<Hit> rank(const Index& index, std::string_view query, const Context& context, std::size_t k) {
  const auto& state = index.state();
  auto heap = score(state, visible(state, context), distinct(state.split(query)), context.preset);
  std::make_heap(heap.begin(), heap.end(), worse);

  Picked picked(state);
  while (picked.size() < k && !heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), worse);
    const Candidate best = heap.back();
    heap.pop_back();
    if (context.skip && context.skip(state.entries[best.slot].item)) continue;
    picked.add(best);
  }
  return picked.hits();
}

}  // namespace selfmind::recall

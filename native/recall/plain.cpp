#include "recall/plain.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "recall/scan.h"

namespace selfmind::recall {
namespace {

// The formula, exactly: the first pass has counted in floats.
double bm25(const Index::State& state, Slot slot, const View& view, const Question& question, const Preset& preset) {
  const Entry& entry = state.entries[slot];
  const Sketch& sketch = state.sketches[slot];
  const double relative = sketch.words / view.average[static_cast<std::size_t>(sketch.sort)];
  const double lower = preset.k1 * (1 - preset.b + preset.b * relative);
  double score = 0;
  for (const auto& word : question.words) {
    double count = 0;
    for (const auto term : word.terms) {
      count += static_cast<double>(std::count(entry.terms.begin(), entry.terms.end(), term));
    }
    if (count > 0) score += word.value() * count * (preset.k1 + 1) / (count + lower);
  }
  return score;
}

std::vector<Candidate> by_words(const Index::State& state, const View& view, const Question& question,
                                const Context& context, std::size_t n) {
  const auto first = scan(state, view, question, context.preset.k1, context.preset.b, /*with_sessions=*/false);
  std::vector<Candidate> list;
  for (const auto slot : best(state, first.items, {1, 1, 1}, n)) {
    const double score = bm25(state, slot, view, question, context.preset);
    list.push_back(candidate(slot, Part::bm25, score));
  }
  std::sort(list.begin(), list.end(), better);
  return list;
}

std::vector<Candidate> newest_memories(const Index::State& state, const Context& context, std::size_t n) {
  std::vector<Candidate> list;
  for (Slot slot = 0; slot < state.entries.size(); ++slot) {
    const auto& entry = state.entries[slot];
    const auto project = entry.item.project;
    const bool seen = context.all_projects || project == context.project || project == store::no_id;
    const auto& sketch = state.sketches[slot];
    if (sketch.alive && seen && sketch.sort == Sort::memory) list.push_back(candidate(slot, Part::bm25, 0));
  }
  std::stable_sort(list.begin(), list.end(), [&](const Candidate& a, const Candidate& b) {
    return state.entries[a.slot].item.at > state.entries[b.slot].item.at;
  });
  if (list.size() > n) list.resize(n);
  return list;
}

double overlap(const Entry& a, const Entry& b) {  // Jaccard's, of their terms
  const std::unordered_set<Term> first(a.terms.begin(), a.terms.end());
  const std::unordered_set<Term> second(b.terms.begin(), b.terms.end());
  std::size_t shared = 0;
  for (const auto term : first) shared += second.count(term);
  const std::size_t all = first.size() + second.size() - shared;
  return all == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(all);
}

// Maximal marginal relevance (Carbonell and Goldstein 1998): the next one is the best by
// lambda * score - (1 - lambda) * its overlap with what is listed.
std::vector<Candidate> varied(const Index::State& state, std::vector<Candidate> pool, double lambda) {
  std::vector<Candidate> list;
  std::vector<double> nearest(pool.size(), 0);
  const double top = pool.empty() ? 1 : std::max(pool.front().score(), 1e-9);
  while (!pool.empty()) {
    std::size_t next = 0;
    double most = -2;
    for (std::size_t i = 0; i < pool.size(); ++i) {
      const double value = lambda * pool[i].score() / top - (1 - lambda) * nearest[i];
      if (value > most) {
        most = value;
        next = i;
      }
    }
    list.push_back(std::move(pool[next]));
    pool.erase(pool.begin() + static_cast<std::ptrdiff_t>(next));
    nearest.erase(nearest.begin() + static_cast<std::ptrdiff_t>(next));
    for (std::size_t i = 0; i < pool.size(); ++i) {
      nearest[i] = std::max(nearest[i], overlap(state.entries[pool[i].slot], state.entries[list.back().slot]));
    }
  }
  return list;
}

std::vector<Candidate> anamnesis(const Index::State& state, std::vector<Candidate> list, const Preset& preset,
                                 Time now) {
  if (list.empty()) return list;
  const double best = list.front().score();
  for (auto& candidate : list) {
    const double text = preset.text_weight * candidate.score() / best;
    candidate = recall::candidate(candidate.slot, Part::text, text);
    if (!preset.temporal_decay) continue;
    const auto age = now - state.entries[candidate.slot].item.at;
    const double days = std::max(std::chrono::duration<double, std::ratio<86400>>(age).count(), 0.0);
    candidate.add(Part::age, text * std::exp2(-days / preset.half_life_days) - text);
  }
  std::erase_if(list, [&](const Candidate& candidate) { return candidate.score() < preset.min_score; });
  std::sort(list.begin(), list.end(), better);
  return preset.mmr ? varied(state, std::move(list), preset.mmr_lambda) : list;
}

}  // namespace

Candidates plain_candidates(const Index::State& state, const View& view, const Question& question,
                            const Context& context, Time now, std::size_t k) {
  const auto& preset = context.preset;
  Candidates result;
  if (preset.method == Method::anamnesis) {
    const auto n =
        static_cast<std::size_t>(std::ceil(std::max(preset.candidate_multiplier, 1.0) * static_cast<double>(k)));
    result.list = anamnesis(state, by_words(state, view, question, context, n), preset, now);
    return result;
  }
  // What is left out later, because it is told already, must not leave the list short.
  result.list = by_words(state, view, question, context, std::max<std::size_t>(300, 8 * k));
  if (result.list.empty() && preset.method == Method::scenes) result.list = newest_memories(state, context, k);
  return result;
}

}  // namespace selfmind::recall

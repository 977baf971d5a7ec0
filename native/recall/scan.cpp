#include "recall/scan.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "recall/weights.h"

namespace selfmind::recall {
namespace {

// How often one word stands in each session, and in which; reset after each word.
class SessionCounts {
 public:
  explicit SessionCounts(std::size_t sessions) : counts_(sessions, 0.0f) {}

  void add(SessionSlot session, float count) {
    if (counts_[session] == 0) touched_.push_back(session);
    counts_[session] += count;
  }

  // Calls each(session, count), and forgets.
  template <class Each>
  void drain(Each each) {
    for (const auto session : touched_) {
      each(session, counts_[session]);
      counts_[session] = 0;
    }
    touched_.clear();
  }

  std::size_t size() const { return touched_.size(); }

 private:
  std::vector<float> counts_;
  std::vector<SessionSlot> touched_;
};

}  // namespace

Scan scan(const Index::State& state, const View& view, const Question& question, double k1, double b,
          bool with_sessions) {
  Scan scan;
  scan.items.resize(state.entries.size());
  if (with_sessions) scan.sessions.resize(state.sessions.size());

  // BM25's lower half is count + fixed + per_word * words, with its own per_word for each sort.
  const auto fixed = static_cast<float>(k1 * (1 - b));
  std::array<float, sorts> per_word{};
  for (std::size_t sort = 0; sort < sorts; ++sort) per_word[sort] = static_cast<float>(k1 * b / view.average[sort]);
  const std::array<float, sorts> counts_for_session{0, 1, static_cast<float>(weights.reply)};

  double sessions = 0, session_words = 0;
  for (const auto& session : state.sessions) {
    if (with_sessions && !session.turns.empty()) {
      ++sessions;
      session_words += static_cast<double>(session.words);
    }
  }
  const double session_average = sessions > 0 ? std::max(session_words / sessions, 1.0) : 1;
  SessionCounts counts(with_sessions ? state.sessions.size() : 0);

  for (const auto& word : question.words) {
    const auto top = static_cast<float>(word.value() * (k1 + 1));
    for (const auto term : word.terms) {
      for (const auto* shard : view.shards) {
        const auto* list = shard->postings.find(term);
        if (list == nullptr) continue;
        for (const auto& posting : *list) {
          const auto sort = static_cast<std::size_t>(posting.sort);
          const float count = posting.count;
          scan.items[posting.slot] += top * count / (count + fixed + per_word[sort] * posting.words);
          if (!with_sessions || posting.sort == Sort::memory) continue;
          const auto session = state.session_of[posting.slot];
          if (session != no_session) counts.add(session, count * counts_for_session[sort]);
        }
      }
    }
    if (!with_sessions) continue;
    const double having = static_cast<double>(counts.size());
    const double value = word.weight * std::log(1 + (sessions - having + 0.5) / (having + 0.5));
    const double kb = weights.session_k1 * weights.session_b / session_average;
    const double kf = weights.session_k1 * (1 - weights.session_b);
    counts.drain([&](SessionSlot session, double count) {
      const double lower = count + kf + kb * static_cast<double>(state.sessions[session].words);
      scan.sessions[session] += static_cast<float>(value * count * (weights.session_k1 + 1) / lower);
    });
  }
  return scan;
}

std::vector<Slot> best(const Index::State& state, const std::vector<float>& items,
                       const std::array<float, sorts>& factor, std::size_t n) {
  using Scored = std::pair<float, Slot>;
  std::vector<Scored> kept;
  const auto better = [](const Scored& a, const Scored& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  };
  float threshold = 0;
  const float largest = *std::max_element(factor.begin(), factor.end());
  // Twice as many as wanted, then the worse half goes: few items are ever looked at twice.
  const auto halve = [&] {
    std::nth_element(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(n) - 1, kept.end(), better);
    kept.resize(n);
    threshold = kept.back().first;
  };
  for (Slot slot = 0; slot < items.size(); ++slot) {
    if (items[slot] * largest <= threshold) continue;
    const float score = items[slot] * factor[static_cast<std::size_t>(state.sketches[slot].sort)];
    if (score <= threshold) continue;
    kept.emplace_back(score, slot);
    if (kept.size() >= 2 * n) halve();
  }
  if (kept.size() > n) halve();
  std::vector<Slot> slots;
  slots.reserve(kept.size());
  for (const auto& [score, slot] : kept) slots.push_back(slot);
  return slots;
}

}  // namespace selfmind::recall

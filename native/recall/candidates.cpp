#include "recall/candidates.h"

#include <algorithm>
#include <cmath>

#include "recall/scan.h"
#include "recall/weights.h"

namespace selfmind::recall {
namespace {

// What is measured of one candidate, before it is scaled to the best.
struct Measured {
  Slot slot = no_slot;
  double own = 0;        // BM25 of its own words
  double with_near = 0;  // and of its neighbours' and memories'
  double phrase = 0;     // words side by side as in the question
  double factor = 1;     // of its sort and its speaker
  double session = 0;
  double fact = 0;      // of the best memory it established, scaled
  double uncommon = 0;  // weight of the uncommon words in it and in the user's turns around it
  double match() const { return with_near + weights.phrase * phrase; }
  double raw() const { return match() * factor; }
};

// The question's words in one text, counted.
class Counts {
 public:
  explicit Counts(std::size_t words) : counts_(words) {}
  void clear() { std::fill(counts_.begin(), counts_.end(), 0.0); }
  double& operator[](std::size_t word) { return counts_[word]; }
  double operator[](std::size_t word) const { return counts_[word]; }

 private:
  std::vector<double> counts_;
};

class Gauge {
 public:
  Gauge(const Index::State& state, const View& view, const Question& question)
      : state_(state),
        view_(view),
        question_(question),
        own_(question.words.size()),
        near_(question.words.size()),
        typed_(question.words.size()),
        word_of_(state.vocabulary.size(), 0) {
    for (std::size_t word = 0; word < question.words.size(); ++word) {
      for (const auto term : question.words[word].terms) word_of_[term] = static_cast<std::uint8_t>(word + 1);
    }
  }

  Measured measure(Slot slot) {
    const Entry& entry = state_.entries[slot];
    Measured measured;
    measured.slot = slot;
    own_.clear();
    near_.clear();
    typed_.clear();
    words_ = 0;
    const double full = add(slot, 1, own_);
    measured.own = bm25(own_, full / view_.average[sort(entry)]);
    near_ = own_;
    typed_ = own_;
    words_ = full;
    if (entry.sort == Sort::memory) {
      measured.with_near = measured.own;
    } else {
      add_neighbours(entry);
      const double width = 1 + weights.before + weights.after;
      measured.with_near = bm25(near_, words_ / (view_.average[sort(entry)] * width));
      add_memories(entry, measured, width);
    }
    measured.phrase = phrase(entry);
    measured.factor = entry.sort == Sort::reply ? weights.reply : 1;
    const auto& speakers = question_.speakers;
    if (std::find(speakers.begin(), speakers.end(), entry.speaker) != speakers.end())
      measured.factor *= weights.speaker;
    for (std::size_t word = 0; word < question_.words.size(); ++word) {
      if (typed_[word] > 0 && !question_.words[word].common) measured.uncommon += question_.words[word].weight;
    }
    return measured;
  }

 private:
  static std::size_t sort(const Entry& entry) { return static_cast<std::size_t>(entry.sort); }

  // Returns the text's share of words.
  double add(Slot slot, double share, Counts& counts) const {
    const Entry& entry = state_.entries[slot];
    for (const auto term : entry.terms) {
      if (word_of_[term] > 0) counts[word_of_[term] - 1u] += share;
    }
    return share * entry.words;
  }

  void add_neighbour(Slot slot, double typed_share, double reply_share) {
    if (slot == no_slot) return;
    const bool reply = state_.entries[slot].sort == Sort::reply;
    words_ += add(slot, reply ? reply_share : typed_share, near_);
    if (!reply) add(slot, 1, typed_);
  }

  void add_neighbours(const Entry& entry) {
    const auto next_but_one = [&](Slot slot, Slot Entry::*way) {
      return slot == no_slot ? no_slot : state_.entries[slot].*way;
    };
    const bool answers = entry.before != no_slot && text::asks(state_.entries[entry.before].item.text);
    add_neighbour(entry.before, weights.before + (answers ? weights.answers : 0), weights.reply_before);
    add_neighbour(entry.after, weights.after, weights.reply_after);
    add_neighbour(next_but_one(entry.before, &Entry::before), weights.second, weights.reply_second);
    add_neighbour(next_but_one(entry.after, &Entry::after), weights.second, weights.reply_second);
  }

  // A memory says in other words what its turn says.
  void add_memories(const Entry& entry, Measured& measured, double width) {
    const auto* memories = state_.memories_of(entry.item.id);
    if (memories == nullptr) return;
    for (const auto memory : *memories) words_ += add(memory, weights.fact_words, near_);
    measured.with_near = std::max(measured.with_near, bm25(near_, words_ / (view_.average[sort(entry)] * width)));
  }

  double bm25(const Counts& counts, double relative_length) const {
    const double lower = weights.k1 * (1 - weights.b + weights.b * relative_length);
    double score = 0;
    for (std::size_t word = 0; word < question_.words.size(); ++word) {
      const double count = counts[word];
      if (count > 0) score += question_.words[word].value() * count * (weights.k1 + 1) / (count + lower);
    }
    return score;
  }

  double phrase(const Entry& entry) const {
    double sum = 0;
    std::uint64_t counted = 0;  // a bit for each word: a pair counts once
    const Word* last = nullptr;
    std::size_t distance = 0;
    for (const auto term : entry.terms) {
      ++distance;
      if (word_of_[term] == 0) continue;
      const std::size_t index = word_of_[term] - 1u;
      const Word& word = question_.words[index];
      const bool follows = last != nullptr && word.position == last->position + 1 && distance <= 2;
      if (follows && ((counted >> index) & 1u) == 0) {
        sum += std::min(word.value(), last->value());
        counted |= std::uint64_t{1} << index;
      }
      last = &word;
      distance = 0;
    }
    return sum;
  }

  const Index::State& state_;
  const View& view_;
  const Question& question_;
  Counts own_, near_, typed_;
  double words_ = 0;                   // that near_ was counted in
  std::vector<std::uint8_t> word_of_;  // by term: the question's word, from 1
};

static_assert(question_words <= 64, "phrase() has a bit for each word, and Gauge a byte for its number");

class Pool {
 public:
  Pool(const Index::State& state, const Context& context) : state_(state), context_(context) {}

  void add(Slot slot) {
    if (slot == no_slot || place_.count(slot) > 0) return;
    const auto project = state_.entries[slot].item.project;
    if (!context_.all_projects && project != context_.project && project != store::no_id) return;
    place_.emplace(slot, slots_.size());
    slots_.push_back(slot);
  }

  // What stands beside them, and the turns that memories came from: they score by what is near.
  void add_around() {
    for (std::size_t i = 0, own = slots_.size(); i < own; ++i) {
      const Entry& entry = state_.entries[slots_[i]];
      add(entry.before);
      add(entry.after);
      for (const auto turn : entry.item.turns) add(state_.slot_of(store::ItemKind::turn, turn));
    }
  }

  const std::vector<Slot>& slots() const { return slots_; }
  // Where a turn stands among the slots, or their number.
  std::size_t place_of_turn(store::Id turn) const {
    const auto found = place_.find(state_.slot_of(store::ItemKind::turn, turn));
    return found == place_.end() ? slots_.size() : found->second;
  }

 private:
  const Index::State& state_;
  const Context& context_;
  std::vector<Slot> slots_;
  std::unordered_map<Slot, std::size_t> place_;
};

Evidence evidence_of(const Index::State& state, const Question& question, const std::vector<Measured>& pool) {
  Evidence evidence;
  evidence.words = question.asked;
  evidence.names_speaker = !question.speakers.empty();
  evidence.unknown_name = question.unknown_name;
  evidence.characters = question.characters;
  double known = 0;
  for (const auto& word : question.words) known += word.value();
  const double value = std::max(question.value, 1e-9);
  double match = 0, uncommon = 0;
  for (const auto& one : pool) {
    const auto sort = state.entries[one.slot].sort;
    if (sort == Sort::memory && one.own > 0) evidence.in_memory = true;
    if (sort == Sort::reply) continue;
    match = std::max(match, one.match());
    uncommon = std::max(uncommon, one.uncommon);
    evidence.phrase = std::max(evidence.phrase, one.phrase);
  }
  evidence.match = match / (value * (weights.k1 + 1));
  evidence.known = std::min(known / value, 1.0);
  evidence.uncommon = question.uncommon > 0 ? uncommon / question.uncommon : 1;
  return evidence;
}

double recent(Time at, Time now) {
  const double days = std::chrono::duration<double, std::ratio<86400>>(now - at).count();
  return weights.recent * std::exp2(-std::max(days, 0.0) / weights.half_life_days);
}

bool said_in(const std::vector<text::Span>& times, Time at) {
  return std::any_of(times.begin(), times.end(),
                     [at](const text::Span& span) { return span.from <= at && at < span.to; });
}

// What a candidate's score is made of; parts of 0 are left out.
class Sum {
 public:
  void add(const char* name, double value) {
    if (value == 0) return;
    parts_.push_back({name, value});
    score_ += value;
  }
  double score() const { return score_; }
  std::vector<ScorePart> take() && { return std::move(parts_); }

 private:
  std::vector<ScorePart> parts_;
  double score_ = 0;
};

}  // namespace

Candidates candidates(const Index::State& state, const View& view, const Question& question, const Context& context,
                      Time now, std::size_t k) {
  const auto first = scan(state, view, question, weights.k1, weights.b, /*with_sessions=*/true);
  Pool pool(state, context);
  const std::array<float, sorts> factor{1, 1, static_cast<float>(weights.reply)};
  for (const auto slot : best(state, first.items, factor, std::max(weights.pool, 4 * k))) pool.add(slot);
  pool.add_around();

  Gauge gauge(state, view, question);
  std::vector<Measured> measured;
  measured.reserve(pool.slots().size());
  const auto session_score = [&](Slot slot) {
    const auto session = slot == no_slot ? no_session : state.session_of[slot];
    return session == no_session ? 0.0 : static_cast<double>(first.sessions[session]);
  };
  double best_turn = 0, best_memory = 0, best_session = 0;
  for (const auto slot : pool.slots()) {
    auto one = gauge.measure(slot);
    const auto& entry = state.entries[slot];
    one.session = session_score(slot);
    for (const auto turn : entry.item.turns) {
      one.session = std::max(one.session, session_score(state.slot_of(store::ItemKind::turn, turn)));
    }
    auto& best = entry.sort == Sort::memory ? best_memory : best_turn;
    best = std::max(best, one.raw());
    best_session = std::max(best_session, one.session);
    measured.push_back(one);
  }

  // A memory is a key to its turns.
  for (const auto& one : measured) {
    for (const auto turn : state.entries[one.slot].item.turns) {
      const auto place = pool.place_of_turn(turn);
      if (place == measured.size() || best_memory == 0) continue;
      measured[place].fact = std::max(measured[place].fact, weights.fact * one.raw() / best_memory);
    }
  }

  std::vector<Sum> sums(measured.size());
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const auto& one = measured[i];
    const auto& item = state.entries[one.slot].item;
    const bool is_memory = item.kind == store::ItemKind::memory;
    const double scale =
        is_memory ? (best_memory > 0 ? weights.memory / best_memory : 0) : (best_turn > 0 ? 1 / best_turn : 0);
    const double sort_factor = state.entries[one.slot].sort == Sort::reply ? weights.reply : 1;
    auto& sum = sums[i];
    sum.add("words", one.own * sort_factor * scale);
    sum.add("neighbours", (one.with_near - one.own) * sort_factor * scale);
    sum.add("phrase", weights.phrase * one.phrase * sort_factor * scale);
    sum.add("speaker", one.match() * (one.factor - sort_factor) * scale);
    if (best_session > 0) sum.add("session", weights.session * one.session / best_session);
    sum.add("memory", one.fact);
    // Talk around a reply makes it no answer: most replies are long, and some say nothing.
    if (state.entries[one.slot].sort == Sort::reply && one.own == 0) {
      sum = Sum();
      continue;
    }
    if (sum.score() <= 0) continue;  // found by nothing of the question: no date makes it an answer
    if (!is_memory && question.asks_when && text::names_time(item.text)) sum.add("names a time", weights.names_time);
    if (said_in(question.times, item.at)) sum.add("in that time", weights.in_time);
    sum.add("recent", recent(item.at, now));
    if (item.project != store::no_id && item.project == context.project) sum.add("this project", weights.here);
  }

  // A memory takes its turn's place where it says as much.
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const auto& turns = state.entries[measured[i].slot].item.turns;
    if (turns.empty() || best_memory == 0) continue;
    double lifted = sums[i].score();
    for (const auto turn : turns) {
      const auto place = pool.place_of_turn(turn);
      if (place == measured.size() || best_turn == 0) continue;
      const bool says_it = measured[i].raw() / best_memory >= weights.stands_for * measured[place].raw() / best_turn;
      if (says_it) lifted = std::max(lifted, sums[place].score() + 1e-6);
    }
    sums[i].add("its turn", lifted - sums[i].score());
  }

  Candidates result;
  result.evidence = evidence_of(state, question, measured);
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (sums[i].score() <= 0) continue;
    const double score = sums[i].score();
    result.list.push_back({measured[i].slot, score, std::move(sums[i]).take()});
  }
  std::sort(result.list.begin(), result.list.end(), better);
  return result;
}

}  // namespace selfmind::recall

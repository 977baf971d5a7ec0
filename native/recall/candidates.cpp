#include "recall/candidates.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/utf8.h"
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

// A number for each slot it is told, from 0 on: each recall meets a thousand slots of millions.
class Numbers {
 public:
  // The slot's number, and whether it is new.
  std::pair<std::size_t, bool> add(Slot slot) {
    const auto [number, fresh] = numbers_.try_emplace(slot, static_cast<std::uint32_t>(slots_.size()));
    if (fresh) slots_.push_back(slot);
    return {number, fresh};
  }
  // The number of a slot, or size().
  std::size_t of(Slot slot) const {
    const auto number = numbers_.find(slot);
    return number == numbers_.none ? slots_.size() : number;
  }
  std::size_t size() const { return slots_.size(); }
  const std::vector<Slot>& slots() const { return slots_; }

 private:
  FlatMap<Slot> numbers_;
  std::vector<Slot> slots_;
};

// Which of the question's words stand in which text. Each text is read once, though it is its neighbours' neighbour.
class Texts {
 public:
  struct Found {
    std::uint8_t word;  // of the question
    std::uint8_t count;
  };

  Texts(const Index::State& state, const Question& question)
      : state_(state), word_of_(state.vocabulary.size(), 0), counts_(question.words.size()) {
    for (std::size_t word = 0; word < question.words.size(); ++word) {
      for (const auto term : question.words[word].terms) word_of_[term] = static_cast<std::uint8_t>(word + 1);
    }
  }

  // Calls each(word, count).
  template <class Each>
  void for_each(Slot slot, Each each) {
    const auto [number, fresh] = read_.add(slot);
    if (fresh) read(slot);
    for (auto i = begins_[number]; i < begins_[number] + lengths_[number]; ++i) each(found_[i].word, found_[i].count);
  }

  // The question's word that a term is, from 1; 0 for none.
  std::size_t word_of(Term term) const { return word_of_[term]; }

 private:
  void read(Slot slot) {
    begins_.push_back(static_cast<std::uint32_t>(found_.size()));
    for (const auto term : state_.entries[slot].terms) {
      if (word_of_[term] > 0 && counts_[word_of_[term] - 1u]++ == 0) {
        found_.push_back({static_cast<std::uint8_t>(word_of_[term] - 1u), 0});
      }
    }
    lengths_.push_back(static_cast<std::uint32_t>(found_.size()) - begins_.back());
    for (auto i = begins_.back(); i < found_.size(); ++i) {
      auto& count = counts_[found_[i].word];
      found_[i].count = static_cast<std::uint8_t>(std::min<std::uint32_t>(count, 255));
      count = 0;
    }
  }

  const Index::State& state_;
  std::vector<std::uint8_t> word_of_;  // by term
  std::vector<std::uint32_t> counts_;  // of the text being read, by word
  Numbers read_;
  std::vector<std::uint32_t> begins_, lengths_;  // by the text's number
  std::vector<Found> found_;
};

static_assert(question_words <= 64, "phrase() has a bit for each word, and Texts a byte for its number");

// A turn's neighbours, and how much their words count for it.
template <class Each>
void for_each_neighbour(const Index::State& state, const Sketch& sketch, Each each) {
  const auto visit = [&](Slot slot, double typed_share, double reply_share) {
    if (slot != no_slot) each(slot, state.sketches[slot].sort == Sort::reply ? reply_share : typed_share);
  };
  const bool answers = sketch.before != no_slot && state.sketches[sketch.before].asks;
  visit(sketch.before, weights.before + (answers ? weights.answers : 0), weights.reply_before);
  visit(sketch.after, weights.after, weights.reply_after);
  if (sketch.before != no_slot) visit(state.sketches[sketch.before].before, weights.second, weights.reply_second);
  if (sketch.after != no_slot) visit(state.sketches[sketch.after].after, weights.second, weights.reply_second);
}

class Gauge {
 public:
  Gauge(const Index::State& state, const View& view, const Question& question)
      : state_(state),
        view_(view),
        question_(question),
        texts_(state, question),
        near_(question.words.size()),
        typed_(question.words.size()) {}

  Measured measure(Slot slot) {
    const Sketch& sketch = state_.sketches[slot];
    const double average = view_.average[static_cast<std::size_t>(sketch.sort)];
    Measured measured;
    measured.slot = slot;
    std::fill(near_.begin(), near_.end(), 0.0);
    std::fill(typed_.begin(), typed_.end(), false);
    double words = sketch.words;
    add(slot, 1, /*typed=*/true);
    measured.own = bm25(words / average);
    measured.with_near = measured.own;
    if (sketch.sort != Sort::memory) {
      const double width = 1 + weights.before + weights.after;
      for_each_neighbour(state_, sketch, [&](Slot neighbour, double share) {
        words += share * state_.sketches[neighbour].words;
        add(neighbour, share, state_.sketches[neighbour].sort != Sort::reply);
      });
      measured.with_near = bm25(words / (average * width));
      if (sketch.is_key) {  // a memory says in other words what its turn says
        for (const auto memory : *state_.memories_of(state_.entries[slot].item.id)) {
          words += weights.fact_words * state_.sketches[memory].words;
          add(memory, weights.fact_words, false);
        }
        measured.with_near = std::max(measured.with_near, bm25(words / (average * width)));
      }
    }
    measured.phrase = phrase(state_.entries[slot]);
    measured.factor = sketch.sort == Sort::reply ? weights.reply : 1;
    const auto& speakers = question_.speakers;
    if (std::find(speakers.begin(), speakers.end(), sketch.speaker) != speakers.end())
      measured.factor *= weights.speaker;
    for (std::size_t word = 0; word < question_.words.size(); ++word) {
      if (typed_[word] && !question_.words[word].common) measured.uncommon += question_.words[word].weight;
    }
    return measured;
  }

 private:
  void add(Slot slot, double share, bool typed) {
    texts_.for_each(slot, [&](std::size_t word, std::size_t count) {
      near_[word] += share * static_cast<double>(count);
      if (typed) typed_[word] = true;
    });
  }

  double bm25(double relative_length) const {
    const double lower = weights.k1 * (1 - weights.b + weights.b * relative_length);
    double score = 0;
    for (std::size_t word = 0; word < question_.words.size(); ++word) {
      const double count = near_[word];
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
      const auto number = texts_.word_of(term);
      if (number == 0) continue;
      const Word& word = question_.words[number - 1];
      const bool follows = last != nullptr && word.position == last->position + 1 && distance <= 2;
      if (follows && ((counted >> (number - 1)) & 1u) == 0) {
        sum += std::min(word.value(), last->value());
        counted |= std::uint64_t{1} << (number - 1);
      }
      last = &word;
      distance = 0;
    }
    return sum;
  }

  const Index::State& state_;
  const View& view_;
  const Question& question_;
  Texts texts_;
  std::vector<double> near_;  // by word of the question
  std::vector<char> typed_;   // does it stand in the text, or in what the user typed around it?
};

// The candidates: the best by their own words, what stands beside them, and the turns that memories came from, which
// score by what is near. `places` are their numbers.
class Pool {
 public:
  Pool(const Index::State& state, const Context& context, const Scan& scan)
      : state_(state), context_(context), scan_(scan) {}

  void fill(std::size_t k) {
    const std::array<float, sorts> factor{1, 1, static_cast<float>(weights.reply)};
    for (const auto slot : best(state_, scan_.items, factor, std::max(weights.pool, 4 * k))) add(slot);
    for (std::size_t i = 0, own = places.size(); i < own; ++i) {
      const auto slot = places.slots()[i];
      add(state_.sketches[slot].before);
      add(state_.sketches[slot].after);
      for (const auto turn : state_.entries[slot].item.turns) add(state_.slot_of(store::ItemKind::turn, turn));
    }
    keep(std::max(weights.measured, 4 * k));
  }

  Numbers places;

 private:
  void add(Slot slot) {
    if (slot == no_slot) return;
    // What the first pass has scored is visible; a neighbour may be of another project, when its session was moved.
    const auto project = scan_.items[slot] > 0 ? context_.project : state_.entries[slot].item.project;
    if (context_.all_projects || project == context_.project || project == store::no_id) places.add(slot);
  }

  // About what the close look will find, from the first pass alone.
  double estimate(Slot slot) const {
    const Sketch& sketch = state_.sketches[slot];
    double score = scan_.items[slot];
    if (sketch.sort == Sort::memory) return score;
    for_each_neighbour(state_, sketch, [&](Slot neighbour, double share) { score += share * scan_.items[neighbour]; });
    if (sketch.sort == Sort::reply) score *= weights.reply;
    if (sketch.is_key) score *= 1 + weights.fact;
    const auto session = state_.session_of[slot];
    return session == no_session ? score : score * (1 + weights.session * scan_.sessions[session] / best_session_);
  }

  void keep(std::size_t n) {
    if (places.size() <= n) return;
    for (const auto session : scan_.sessions) best_session_ = std::max(best_session_, static_cast<double>(session));
    std::vector<std::pair<double, Slot>> order;
    for (const auto slot : places.slots()) order.emplace_back(-estimate(slot), slot);
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n), order.end());
    order.resize(n);
    std::sort(order.begin(), order.end());
    places = Numbers();
    for (const auto& [score, slot] : order) places.add(slot);
    for (std::size_t i = 0; i < n; ++i) {
      for (const auto turn : state_.entries[places.slots()[i]].item.turns)
        add(state_.slot_of(store::ItemKind::turn, turn));
    }
  }

  const Index::State& state_;
  const Context& context_;
  const Scan& scan_;
  double best_session_ = 1e-9;
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
    const auto sort = state.sketches[one.slot].sort;
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

// A question of a time has no more uncommon words.
constexpr double few_words = 1;

double recent(Time at, Time now) {
  const double days = std::chrono::duration<double, std::ratio<86400>>(now - at).count();
  return weights.recent * std::exp2(-std::max(days, 0.0) / weights.half_life_days);
}

bool said_in(const std::vector<text::Span>& times, Time at) {
  return std::any_of(times.begin(), times.end(),
                     [at](const text::Span& span) { return span.from <= at && at < span.to; });
}

// Turns that name a time. It takes a reading of the text, so only the best `n` are asked.
void add_times(const Index::State& state, std::vector<Candidate>& list, std::size_t n) {
  constexpr std::size_t looked_at = 1024;
  double least = 0;
  if (list.size() > n) {
    std::vector<double> scores;
    for (const auto& candidate : list) scores.push_back(candidate.score());
    std::nth_element(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(n), scores.end(), std::greater<>());
    least = scores[n];
  }
  for (auto& candidate : list) {
    const auto& item = state.entries[candidate.slot].item;
    const bool asked = candidate.score() > least && item.kind == store::ItemKind::turn;
    if (asked && text::names_time(utf8::prefix(item.text, looked_at))) {
      candidate.add(Part::names_time, weights.names_time);
    }
  }
}

}  // namespace

Candidates candidates(const Index::State& state, const View& view, const Question& question, const Context& context,
                      Time now, std::size_t k) {
  const auto first = scan(state, view, question, weights.k1, weights.b, /*with_sessions=*/true);
  Pool pool(state, context, first);
  pool.fill(k);
  const auto& places = pool.places;

  // The places of a candidate's turns, for a memory.
  std::vector<std::vector<std::size_t>> turns(places.size());
  Gauge gauge(state, view, question);
  std::vector<Measured> measured;
  measured.reserve(places.size());
  const auto session_score = [&](Slot slot) {
    const auto session = state.session_of[slot];
    return session == no_session ? 0.0 : static_cast<double>(first.sessions[session]);
  };
  double best_turn = 0, best_memory = 0, best_session = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto slot = places.slots()[i];
    auto one = gauge.measure(slot);
    one.session = session_score(slot);
    const bool is_memory = state.sketches[slot].sort == Sort::memory;
    if (is_memory) {
      for (const auto turn : state.entries[slot].item.turns) {
        const auto turn_slot = state.slot_of(store::ItemKind::turn, turn);
        if (turn_slot == no_slot) continue;
        one.session = std::max(one.session, session_score(turn_slot));
        if (const auto place = places.of(turn_slot); place < places.size()) turns[i].push_back(place);
      }
    }
    auto& best = is_memory ? best_memory : best_turn;
    best = std::max(best, one.raw());
    best_session = std::max(best_session, one.session);
    measured.push_back(one);
  }

  // A memory is a key to its turns.
  for (std::size_t i = 0; i < measured.size(); ++i) {
    for (const auto place : turns[i]) {
      if (best_memory > 0) {
        measured[place].fact = std::max(measured[place].fact, weights.fact * measured[i].raw() / best_memory);
      }
    }
  }

  std::vector<Candidate> list(measured.size());
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const auto& one = measured[i];
    const auto& item = state.entries[one.slot].item;
    const auto sort = state.sketches[one.slot].sort;
    const bool is_memory = sort == Sort::memory;
    auto& candidate = list[i];
    candidate.slot = one.slot;
    // Talk around a reply makes it no answer: most replies are long, and some say nothing.
    if (sort == Sort::reply && one.own == 0) continue;
    const double best = is_memory ? best_memory : best_turn;
    const double scale = best > 0 ? (is_memory ? weights.memory : 1) / best : 0;
    const double sort_factor = sort == Sort::reply ? weights.reply : 1;
    candidate.add(Part::words, one.own * sort_factor * scale);
    candidate.add(Part::neighbours, (one.with_near - one.own) * sort_factor * scale);
    candidate.add(Part::phrase, weights.phrase * one.phrase * sort_factor * scale);
    candidate.add(Part::speaker, one.match() * (one.factor - sort_factor) * scale);
    if (best_session > 0) candidate.add(Part::session, weights.session * one.session / best_session);
    candidate.add(Part::memory, one.fact);
    if (candidate.score() <= 0) continue;  // found by nothing of the question: no date makes it an answer
    if (said_in(question.times, item.at)) candidate.add(Part::in_time, weights.in_time);
    candidate.add(Part::recent, recent(item.at, now));
    if (item.project != store::no_id && item.project == context.project) candidate.add(Part::here, weights.here);
  }

  if (question.asks_when) add_times(state, list, std::max<std::size_t>(64, 4 * k));

  // A memory takes its turn's place where it says as much.
  for (std::size_t i = 0; i < measured.size(); ++i) {
    double lifted = list[i].score();
    for (const auto place : turns[i]) {
      if (best_memory == 0 || best_turn == 0) continue;
      const bool says_it = measured[i].raw() / best_memory >= weights.stands_for * measured[place].raw() / best_turn;
      if (says_it) lifted = std::max(lifted, list[place].score() + 1e-6);
    }
    list[i].add(Part::turn, lifted - list[i].score());
  }

  Candidates result;
  result.evidence = evidence_of(state, question, measured);
  result.evidence.asks_of_time =
      question.uncommon <= few_words && std::any_of(list.begin(), list.end(), [&](const Candidate& candidate) {
        return candidate.score() > 0 && said_in(question.times, state.entries[candidate.slot].item.at);
      });
  std::erase_if(list, [](const Candidate& candidate) { return candidate.score() <= 0; });
  std::sort(list.begin(), list.end(), better);
  result.list = std::move(list);
  return result;
}

}  // namespace selfmind::recall

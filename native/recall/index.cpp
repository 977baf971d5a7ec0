// Index: an inverted index with the turns' order beside it.
#include "recall/index.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "recall/state.h"

namespace selfmind::recall {
namespace {

// Below this many gaps closing them is not worth the time.
constexpr std::size_t gaps_min = 1024;

std::uint64_t key(store::ItemKind kind, store::Id id) {
  return static_cast<std::uint64_t>(id) << 1 | (kind == store::ItemKind::turn ? 1u : 0u);
}

Sort sort_of(const store::Item& item) {
  if (item.kind == store::ItemKind::memory) return Sort::memory;
  return item.role == store::Role::user ? Sort::typed : Sort::reply;
}

struct Count {
  Term term;
  std::uint32_t count;
};

// The distinct terms, and how often each stands there. Valid until the next call.
const std::vector<Count>& count_terms(const std::vector<Term>& terms) {
  thread_local std::vector<Term> sorted;
  thread_local std::vector<Count> counts;
  sorted = terms;
  std::sort(sorted.begin(), sorted.end());
  counts.clear();
  for (const auto term : sorted) {
    if (counts.empty() || counts.back().term != term) counts.push_back({term, 0});
    ++counts.back().count;
  }
  return counts;
}

auto find_slot(std::vector<Posting>& postings, Slot slot) {
  return std::lower_bound(postings.begin(), postings.end(), slot,
                          [](const Posting& posting, Slot wanted) { return posting.slot < wanted; });
}

}  // namespace

namespace {

template <class Small>
Small cut(std::uint64_t value) {
  return static_cast<Small>(std::min<std::uint64_t>(value, std::numeric_limits<Small>::max()));
}

}  // namespace

Slot Index::State::slot_of(store::ItemKind kind, store::Id id) const { return slots.find(key(kind, id)); }

const std::vector<Slot>* Index::State::memories_of(store::Id turn) const {
  const auto found = told_by.find(turn);
  return found == told_by.end() ? nullptr : &found->second;
}

void Index::State::join_session(Slot slot) {
  const auto& item = entries[slot].item;
  if (item.kind != store::ItemKind::turn || item.session == store::no_id) return;
  const auto [place, fresh] = session_slots.try_emplace(item.session, static_cast<SessionSlot>(sessions.size()));
  if (fresh) sessions.emplace_back();
  auto& session = sessions[place->second];
  // Ids grow along the log, so a turn nearly always joins at the end.
  auto at = session.turns.end();
  while (at != session.turns.begin() && entries[*(at - 1)].item.id > item.id) --at;
  session_of[slot] = place->second;
  auto& sketch = sketches[slot];
  sketch.before = at == session.turns.begin() ? no_slot : *(at - 1);
  sketch.after = at == session.turns.end() ? no_slot : *at;
  if (sketch.before != no_slot) sketches[sketch.before].after = slot;
  if (sketch.after != no_slot) sketches[sketch.after].before = slot;
  session.turns.insert(at, slot);
  session.words += sketch.words;
}

void Index::State::leave_session(Slot slot) {
  if (session_of[slot] == no_session) return;
  const auto& sketch = sketches[slot];
  auto& session = sessions[session_of[slot]];
  std::erase(session.turns, slot);
  session.words -= sketch.words;
  if (sketch.before != no_slot) sketches[sketch.before].after = sketch.after;
  if (sketch.after != no_slot) sketches[sketch.after].before = sketch.before;
  session_of[slot] = no_session;
}

// A memory is a key to its turns, which may come after it.
void Index::State::join_turns(Slot slot) {
  const auto& item = entries[slot].item;
  if (item.kind == store::ItemKind::turn) sketches[slot].is_key = told_by.count(item.id) > 0;
  for (const auto turn : item.turns) {
    told_by[turn].push_back(slot);
    if (const auto place = slot_of(store::ItemKind::turn, turn); place != no_slot) sketches[place].is_key = true;
  }
}

void Index::State::leave_turns(Slot slot) {
  for (const auto turn : entries[slot].item.turns) {
    const auto found = told_by.find(turn);
    std::erase(found->second, slot);
    if (!found->second.empty()) continue;
    told_by.erase(found);
    if (const auto place = slot_of(store::ItemKind::turn, turn); place != no_slot) sketches[place].is_key = false;
  }
}

void Index::State::link(Slot slot, const Split& split) {
  Entry& entry = entries[slot];
  Sketch& sketch = sketches[slot];
  sketch = Sketch{};
  reading_.clear();
  sketch.words = cut<std::uint32_t>(vocabulary.read(entry.item.text, split, reading_));
  entry.terms.assign(reading_.begin(), reading_.end());
  sketch.sort = sort_of(entry.item);
  sketch.asks = text::asks(entry.item.text);
  sketch.alive = true;
  newest = std::max(newest, entry.item.at);
  join_turns(slot);

  Shard& shard = shards[entry.item.project];
  if (!entry.item.speaker.empty()) {
    sketch.speaker = speakers.try_emplace(entry.item.speaker, static_cast<Speaker>(speakers.size() + 1)).first->second;
    for (const auto& word : text::words(entry.item.speaker)) ++shard.speakers[word][sketch.speaker];
  }
  const auto sort = static_cast<std::size_t>(sketch.sort);
  ++shard.items[sort];
  shard.words[sort] += sketch.words;
  // Each step asks for the memory of the next one: places, then lists, then their ends.
  const auto& counts = count_terms(entry.terms);
  for (const auto& [term, count] : counts) shard.postings.prefetch(term);
  numbers_.clear();
  for (const auto& [term, count] : counts) numbers_.push_back(shard.postings.number(term));
  for (const auto number : numbers_) {
    const auto& postings = shard.postings.list(number);
    __builtin_prefetch(postings.data() + postings.size(), /*rw=*/1);
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    auto& postings = shard.postings.list(numbers_[i]);
    const Posting posting{slot, cut<std::uint16_t>(sketch.words), cut<std::uint8_t>(counts[i].count), sketch.sort};
    if (postings.empty() || postings.back().slot < slot) {
      postings.push_back(posting);
    } else {
      postings.insert(find_slot(postings, slot), posting);
    }
  }
  join_session(slot);
}

void Index::State::unlink(Slot slot) {
  leave_session(slot);
  leave_turns(slot);
  Entry& entry = entries[slot];
  const auto shard = shards.find(entry.item.project);
  for (const auto& [term, count] : count_terms(entry.terms)) {
    auto& postings = shard->second.postings.list(shard->second.postings.number(term));
    postings.erase(find_slot(postings, slot));
  }
  for (const auto& word : text::words(entry.item.speaker)) {
    const auto named = shard->second.speakers.find(word);
    if (--named->second[sketches[slot].speaker] == 0) named->second.erase(sketches[slot].speaker);
    if (named->second.empty()) shard->second.speakers.erase(named);
  }
  const auto sort = static_cast<std::size_t>(sketches[slot].sort);
  shard->second.words[sort] -= sketches[slot].words;
  --shard->second.items[sort];
  if (shard->second.items == std::array<std::size_t, sorts>{}) shards.erase(shard);
  entry = Entry{};
  sketches[slot] = Sketch{};
}

void Index::State::compact() {
  std::vector<Slot> moved(entries.size(), no_slot);
  Slot next = 0;
  for (Slot slot = 0; slot < entries.size(); ++slot) {
    if (!sketches[slot].alive) continue;
    moved[slot] = next;
    if (slot != next) {
      entries[next] = std::move(entries[slot]);
      sketches[next] = sketches[slot];
      session_of[next] = session_of[slot];
    }
    ++next;
  }
  entries.resize(next);
  entries.shrink_to_fit();
  sketches.resize(next);
  session_of.resize(next);
  const auto move = [&moved](Slot& slot) {
    if (slot != no_slot) slot = moved[slot];
  };
  slots.for_each_value(move);
  for (auto& [project, shard] : shards) {
    shard.postings.for_each([&](std::vector<Posting>& postings) {
      for (auto& posting : postings) move(posting.slot);
    });
  }
  for (auto& session : sessions) {
    for (auto& slot : session.turns) move(slot);
  }
  for (auto& [turn, memories] : told_by) {
    for (auto& slot : memories) move(slot);
  }
  for (auto& sketch : sketches) {
    move(sketch.before);
    move(sketch.after);
  }
}

Index::Index(Analysis analysis) : state_(std::make_unique<State>(analysis)) {}
Index::~Index() = default;
Index::Index(Index&&) noexcept = default;
Index& Index::operator=(Index&&) noexcept = default;

void Index::State::put(store::Item item, const Split& split) {
  auto& turns = item.turns;
  std::sort(turns.begin(), turns.end());
  turns.erase(std::unique(turns.begin(), turns.end()), turns.end());
  const auto [slot, fresh] = slots.try_emplace(key(item.kind, item.id), static_cast<Slot>(entries.size()));
  if (fresh) {
    entries.emplace_back();
    sketches.emplace_back();
    session_of.push_back(no_session);
  } else {
    unlink(slot);
  }
  entries[slot].item = std::move(item);
  link(slot, split);
}

Batch::Batch(std::vector<store::Item> items) : items_(std::move(items)) {
  for (const auto& item : items_) splits_.add(item.text);
}

void Index::put(Batch batch) {
  for (std::size_t i = 0; i < batch.items_.size(); ++i) state_->put(std::move(batch.items_[i]), batch.splits_[i]);
}

void Index::put(store::Item item) {
  std::vector<store::Item> one;
  one.push_back(std::move(item));
  put(Batch(std::move(one)));
}

void Index::erase(store::ItemKind kind, store::Id id) {
  const auto slot = state_->slot_of(kind, id);
  if (slot == no_slot) return;
  state_->unlink(slot);
  state_->slots.erase(key(kind, id));
  const std::size_t gaps = state_->entries.size() - state_->slots.size();
  if (gaps >= gaps_min && gaps > state_->slots.size()) state_->compact();
}

std::size_t Index::size() const { return state_->slots.size(); }

}  // namespace selfmind::recall

// Index: an inverted index with the turns' order beside it.
#include "recall/index.h"

#include <algorithm>
#include <limits>

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

template <class Small>
Small cut(std::uint64_t value) {
  return static_cast<Small>(std::min<std::uint64_t>(value, std::numeric_limits<Small>::max()));
}

}  // namespace

Slot Index::State::slot_of(store::ItemKind kind, store::Id id) const {
  const auto found = slots.find(key(kind, id));
  return found == slots.end() ? no_slot : found->second;
}

const std::vector<Slot>* Index::State::memories_of(store::Id turn) const {
  const auto found = told_by.find(turn);
  return found == told_by.end() ? nullptr : &found->second;
}

void Index::State::join_session(Slot slot) {
  auto& entry = entries[slot];
  if (entry.item.kind != store::ItemKind::turn || entry.item.session == store::no_id) return;
  const auto [place, fresh] = session_slots.try_emplace(entry.item.session, static_cast<SessionSlot>(sessions.size()));
  if (fresh) sessions.emplace_back();
  auto& session = sessions[place->second];
  // Ids grow along the log, so a turn nearly always joins at the end.
  auto at = session.turns.end();
  while (at != session.turns.begin() && entries[*(at - 1)].item.id > entry.item.id) --at;
  session_of[slot] = place->second;
  entry.before = at == session.turns.begin() ? no_slot : *(at - 1);
  entry.after = at == session.turns.end() ? no_slot : *at;
  if (entry.before != no_slot) entries[entry.before].after = slot;
  if (entry.after != no_slot) entries[entry.after].before = slot;
  session.turns.insert(at, slot);
  session.words += entry.words;
}

void Index::State::leave_session(Slot slot) {
  if (session_of[slot] == no_session) return;
  const auto& entry = entries[slot];
  auto& session = sessions[session_of[slot]];
  std::erase(session.turns, slot);
  session.words -= entry.words;
  if (entry.before != no_slot) entries[entry.before].after = entry.after;
  if (entry.after != no_slot) entries[entry.after].before = entry.before;
  session_of[slot] = no_session;
}

void Index::State::link(Slot slot) {
  Entry& entry = entries[slot];
  entry.words = cut<std::uint32_t>(vocabulary.read(entry.item.text, entry.terms));
  entry.terms.shrink_to_fit();
  entry.sort = sort_of(entry.item);
  entry.alive = true;
  newest = std::max(newest, entry.item.at);
  for (const auto turn : entry.item.turns) told_by[turn].push_back(slot);

  Shard& shard = shards[entry.item.project];
  if (!entry.item.speaker.empty()) {
    entry.speaker = speakers.try_emplace(entry.item.speaker, static_cast<Speaker>(speakers.size() + 1)).first->second;
    for (const auto& word : text::words(entry.item.speaker)) ++shard.speakers[word][entry.speaker];
  }
  const auto sort = static_cast<std::size_t>(entry.sort);
  ++shard.items[sort];
  shard.words[sort] += entry.words;
  for (const auto& [term, count] : count_terms(entry.terms)) {
    auto& postings = shard.postings[term];
    const Posting posting{slot, cut<std::uint16_t>(entry.words), cut<std::uint8_t>(count), entry.sort};
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
  Entry& entry = entries[slot];
  for (const auto turn : entry.item.turns) {
    const auto found = told_by.find(turn);
    std::erase(found->second, slot);
    if (found->second.empty()) told_by.erase(found);
  }
  const auto shard = shards.find(entry.item.project);
  for (const auto& [term, count] : count_terms(entry.terms)) {
    const auto found = shard->second.postings.find(term);
    found->second.erase(find_slot(found->second, slot));
    if (found->second.empty()) shard->second.postings.erase(found);
  }
  for (const auto& word : text::words(entry.item.speaker)) {
    const auto named = shard->second.speakers.find(word);
    if (--named->second[entry.speaker] == 0) named->second.erase(entry.speaker);
    if (named->second.empty()) shard->second.speakers.erase(named);
  }
  const auto sort = static_cast<std::size_t>(entry.sort);
  shard->second.words[sort] -= entry.words;
  --shard->second.items[sort];
  if (shard->second.items == std::array<std::size_t, sorts>{}) shards.erase(shard);
  entry = Entry{};
}

void Index::State::compact() {
  std::vector<Slot> moved(entries.size(), no_slot);
  Slot next = 0;
  for (Slot slot = 0; slot < entries.size(); ++slot) {
    if (!entries[slot].alive) continue;
    moved[slot] = next;
    if (slot != next) {
      entries[next] = std::move(entries[slot]);
      session_of[next] = session_of[slot];
    }
    ++next;
  }
  entries.resize(next);
  entries.shrink_to_fit();
  session_of.resize(next);
  const auto move = [&moved](Slot& slot) {
    if (slot != no_slot) slot = moved[slot];
  };
  for (auto& [id, slot] : slots) move(slot);
  for (auto& [project, shard] : shards) {
    for (auto& [term, postings] : shard.postings) {
      for (auto& posting : postings) move(posting.slot);
    }
  }
  for (auto& session : sessions) {
    for (auto& slot : session.turns) move(slot);
  }
  for (auto& [turn, memories] : told_by) {
    for (auto& slot : memories) move(slot);
  }
  for (auto& entry : entries) {
    move(entry.before);
    move(entry.after);
  }
}

Index::Index(Analysis analysis) : state_(std::make_unique<State>(analysis)) {}
Index::~Index() = default;
Index::Index(Index&&) noexcept = default;
Index& Index::operator=(Index&&) noexcept = default;

void Index::put(store::Item item) {
  auto& turns = item.turns;
  std::sort(turns.begin(), turns.end());
  turns.erase(std::unique(turns.begin(), turns.end()), turns.end());
  const auto [place, fresh] =
      state_->slots.try_emplace(key(item.kind, item.id), static_cast<Slot>(state_->entries.size()));
  if (fresh) {
    state_->entries.emplace_back();
    state_->session_of.push_back(no_session);
  } else {
    state_->unlink(place->second);
  }
  state_->entries[place->second].item = std::move(item);
  state_->link(place->second);
}

void Index::erase(store::ItemKind kind, store::Id id) {
  const auto found = state_->slots.find(key(kind, id));
  if (found == state_->slots.end()) return;
  state_->unlink(found->second);
  state_->slots.erase(found);
  const std::size_t gaps = state_->entries.size() - state_->slots.size();
  if (gaps >= gaps_min && gaps > state_->slots.size()) state_->compact();
}

std::size_t Index::size() const { return state_->slots.size(); }

}  // namespace selfmind::recall

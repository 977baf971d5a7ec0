// Index: postings per project, changed in place so that the statistics are exact at any time. One thread at a time.
#include "recall/index.h"

#include <algorithm>

#include "recall/state.h"

namespace selfmind::recall {
namespace {

// Below this many gaps closing them is not worth the pass.
constexpr std::size_t gaps_min = 1024;

std::uint64_t key(store::ItemKind kind, store::Id id) {
  return static_cast<std::uint64_t>(id) * 2 + (kind == store::ItemKind::turn ? 1 : 0);
}

struct Count {
  std::string word;
  std::uint32_t count;
};

std::vector<Count> count_words(std::vector<std::string> words) {
  std::sort(words.begin(), words.end());
  std::vector<Count> counts;
  for (auto& word : words) {
    if (counts.empty() || counts.back().word != word) counts.push_back({std::move(word), 0});
    ++counts.back().count;
  }
  return counts;
}

auto find_slot(std::vector<Posting>& postings, Slot slot) {
  return std::lower_bound(postings.begin(), postings.end(), slot,
                          [](const Posting& posting, Slot wanted) { return posting.slot < wanted; });
}

}  // namespace

void Index::State::link(Slot slot) {
  Entry& entry = entries[slot];
  Shard& shard = shards[entry.item.project];
  auto words = split(entry.item.text);
  entry.words = static_cast<std::uint32_t>(words.size());
  entry.alive = true;
  ++shard.items;
  shard.words += entry.words;
  for (auto& [word, count] : count_words(std::move(words))) {
    auto& postings = shard.postings[std::move(word)];
    postings.insert(find_slot(postings, slot), {slot, count});
  }
}

void Index::State::unlink(Slot slot) {
  Entry& entry = entries[slot];
  const auto shard = shards.find(entry.item.project);
  for (const auto& [word, count] : count_words(split(entry.item.text))) {
    const auto found = shard->second.postings.find(word);
    found->second.erase(find_slot(found->second, slot));
    if (found->second.empty()) shard->second.postings.erase(found);
  }
  shard->second.words -= entry.words;
  if (--shard->second.items == 0) shards.erase(shard);
  entry = Entry{};
}

void Index::State::compact() {
  std::vector<Slot> moved(entries.size());
  Slot next = 0;
  for (Slot slot = 0; slot < entries.size(); ++slot) {
    if (!entries[slot].alive) continue;
    moved[slot] = next;
    if (slot != next) entries[next] = std::move(entries[slot]);
    ++next;
  }
  entries.resize(next);
  entries.shrink_to_fit();
  for (auto& [id, slot] : slots) slot = moved[slot];
  for (auto& [project, shard] : shards) {
    for (auto& [word, postings] : shard.postings) {
      for (auto& posting : postings) posting.slot = moved[posting.slot];
    }
  }
}

Index::Index(text::Splitter words) : state_(std::make_unique<State>(std::move(words))) {}
Index::~Index() = default;
Index::Index(Index&&) noexcept = default;
Index& Index::operator=(Index&&) noexcept = default;

void Index::put(store::Item item) {
  const auto [place, fresh] =
      state_->slots.try_emplace(key(item.kind, item.id), static_cast<Slot>(state_->entries.size()));
  if (fresh) {
    state_->entries.emplace_back();
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

// Index: the lexical index of everything that can be recalled, in memory. One thread at a time (the compute thread's).
// It owns its texts; put() of an item it has replaces it.
#pragma once
#include <memory>
#include <utility>

#include "store/feed.h"
#include "text/words.h"

namespace selfmind::recall {

class Index {
 public:
  // `words` takes a text apart: text::words in the chat, text::ascii_words where the first design is measured.
  explicit Index(text::Splitter words = text::words);
  ~Index();
  Index(Index&&) noexcept;
  Index& operator=(Index&&) noexcept;

  void put(store::Item item);
  void erase(store::ItemKind kind, store::Id id);
  std::size_t size() const;

  struct State;  // recall/state.h; for rank() alone
  const State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

}  // namespace selfmind::recall

// Index: the lexical index of everything that can be recalled, in memory. One thread at a time (the compute thread's).
// It owns its texts; put() of an item it has replaces it.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "recall/splits.h"
#include "recall/vocabulary.h"
#include "store/feed.h"

namespace selfmind::recall {

// Items on their way into an index, their texts taken apart. Of a large store that is half of the work, and any thread
// may do it.
class Batch {
 public:
  explicit Batch(std::vector<store::Item> items);

 private:
  friend class Index;
  std::vector<store::Item> items_;
  Splits splits_;
};

class Index {
 public:
  explicit Index(Analysis analysis = Analysis::full);
  ~Index();
  Index(Index&&) noexcept;
  Index& operator=(Index&&) noexcept;

  void put(Batch batch);
  void put(store::Item item);
  void erase(store::ItemKind kind, store::Id id);
  std::size_t size() const;

  struct State;  // recall/state.h; for rank() alone
  const State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

}  // namespace selfmind::recall

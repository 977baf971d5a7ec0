#include "learn/own_words.h"

#include <utility>
#include <vector>

#include "learn/spoken.h"

namespace selfmind::learn {
namespace {

// False: nothing is left of it.
bool keep_own_words(store::Item& item) {
  if (item.kind != store::ItemKind::turn) return true;
  item.text = item.role == store::Role::user ? own_words(item.text) : without_repeated(item.text, item.answers);
  item.answers.clear();
  return !item.text.empty();
}

}  // namespace

void keep_own_words(store::Feed& feed) {
  std::vector<store::Item> left;
  left.reserve(feed.put.size());
  for (auto& item : feed.put) {
    if (keep_own_words(item)) {
      left.push_back(std::move(item));
    } else {
      feed.gone.emplace_back(item.kind, item.id);
    }
  }
  feed.put = std::move(left);
}

}  // namespace selfmind::learn

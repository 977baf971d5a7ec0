#include "learn/foreign.h"

#include <string_view>
#include <utility>
#include <vector>

#include "learn/spoken.h"

namespace selfmind::learn {
namespace {

bool says_nothing(std::string_view text) {
  return text.find_first_not_of(" \t\r\n[].…>#*`-/<!") == std::string_view::npos;
}

// False: nothing is left of it.
bool cut(store::Item& item) {
  if (item.kind != store::ItemKind::turn) return true;
  item.text = item.role == store::Role::user ? without_foreign_claims(item.text)
                                             : without_repeated_claims(item.text, item.answers);
  item.answers.clear();
  return !says_nothing(item.text);
}

}  // namespace

void cut_foreign_claims(store::Feed& feed) {
  std::vector<store::Item> left;
  left.reserve(feed.put.size());
  for (auto& item : feed.put) {
    if (cut(item)) {
      left.push_back(std::move(item));
    } else {
      feed.gone.emplace_back(item.kind, item.id);
    }
  }
  feed.put = std::move(left);
}

}  // namespace selfmind::learn

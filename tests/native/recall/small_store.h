// SmallStore: a store of a few lines that a test writes by hand, and what is recalled of it. Time stands still at a day
// that every item can be placed before.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "recall/rank.h"
#include "recall/select.h"

namespace selfmind::test {

// What an item is beside its text.
struct About {
  store::Id session = store::no_id;
  store::Id project = store::no_id;
  std::string speaker = {};
  std::string_view at = "2026-06-01";
  std::string memory_kind = {};
};

class SmallStore {
 public:
  SmallStore() {
    context.now = *parse_iso8601("2026-06-15T12:00:00Z");
    any_confidence();
  }

  void says(store::Id id, std::string text, const About& about = {}) {
    index.put(turn(id, std::move(text), store::Role::user, about));
  }
  void replies(store::Id id, std::string text, const About& about = {}) {
    index.put(turn(id, std::move(text), store::Role::assistant, about));
  }
  void keeps(store::Id id, std::string text, std::vector<store::Id> turns = {}, const About& about = {}) {
    store::Item item = of(store::ItemKind::memory, id, std::move(text), about);
    item.turns = std::move(turns);
    index.put(std::move(item));
  }

  std::vector<recall::Hit> hits(std::string_view question, std::size_t k = 6) const {
    return recall::rank(index, question, context, k);
  }
  // "turn 1", "memory 2": what is listed, best first.
  std::vector<std::string> found(std::string_view question, std::size_t k = 6) const {
    std::vector<std::string> names;
    for (const auto& hit : hits(question, k)) names.push_back(recall::name_of(hit.item));
    return names;
  }
  std::string first(std::string_view question) const {
    const auto names = found(question, 1);
    return names.empty() ? "nothing" : names.front();
  }
  double score(std::string_view question, std::string_view name) const {
    for (const auto& hit : hits(question, 100)) {
      if (recall::name_of(hit.item) == name) return hit.score;
    }
    return 0;
  }
  double part(std::string_view question, std::string_view name, std::string_view part_name) const {
    for (const auto& hit : hits(question, 100)) {
      if (recall::name_of(hit.item) != name) continue;
      for (const auto& part : hit.parts) {
        if (part.name == part_name) return part.value;
      }
    }
    return 0;
  }

  // The floor is another matter than the order: a test of the order does without, one of the floor puts it back.
  void any_confidence() { context.preset.min_score = context.preset.min_score_memory = 0; }
  void with_floor() { context.preset = *recall::preset(recall::default_preset); }

  static store::Item of(store::ItemKind kind, store::Id id, std::string text, const About& about) {
    store::Item item;
    item.kind = kind;
    item.id = id;
    item.text = std::move(text);
    item.session = about.session;
    item.project = about.project;
    item.speaker = about.speaker;
    item.memory_kind = about.memory_kind;
    item.at = *parse_iso8601(about.at);
    return item;
  }
  static store::Item turn(store::Id id, std::string text, store::Role role, const About& about) {
    store::Item item = of(store::ItemKind::turn, id, std::move(text), about);
    item.role = role;
    return item;
  }

  recall::Index index;
  recall::Context context;
};

}  // namespace selfmind::test

// rank(): the one seam of retrieval. Pure over an index.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "recall/index.h"
#include "recall/presets.h"

namespace selfmind::recall {

// Who asks, and what is no candidate.
struct Context {
  store::Id project = store::no_id;  // its items and the global ones; no_id: the global ones alone
  bool all_projects = false;
  Preset preset;
  // More to leave out: what stands in the request already, the message just asked. May be empty.
  std::function<bool(const store::Item&)> skip;
};

struct ScorePart {
  std::string name;  // "bm25"
  double value = 0;
};

struct Hit {
  store::Item item;
  double score = 0;
  std::vector<ScorePart> parts;  // add up to the score
};

// The best k, best first; equal scores in log order. A turn that established a memory in the list is left out of it:
// the memory says it already. Any text is a valid query; one without words finds nothing.
std::vector<Hit> rank(const Index& index, std::string_view query, const Context& context, std::size_t k);

}  // namespace selfmind::recall

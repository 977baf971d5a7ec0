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

// Who asks, when, and what is no candidate.
struct Context {
  store::Id project = store::no_id;  // its items and the global ones; no_id: the global ones alone
  bool all_projects = false;
  Preset preset = *recall::preset(default_preset);
  Time now{};  // what "last week" is counted from; 1970: the newest item
  // More to leave out: what stands in the request already, the message just asked. May be empty.
  std::function<bool(const store::Item&)> skip;
};

struct ScorePart {
  std::string name;  // "words", "neighbours", "session", …; doc/selfmind.txt lists them
  double value = 0;
};

struct Hit {
  store::Item item;
  double score = 0;
  std::vector<ScorePart> parts;  // add up to the score
  std::string excerpt;           // of a long text the place that the question is about; of a short one all
};

// The best k, best first. A turn that established a memory in the list is left out of it: the memory says it already;
// so is what says the same as another hit. Any text is a valid query; one that the store knows nothing of finds
// nothing.
std::vector<Hit> rank(const Index& index, std::string_view query, const Context& context, std::size_t k);

struct Missed {
  Hit hit;
  std::string why;  // it is not in the list
};

// How a list came about.
struct Explanation {
  std::vector<Hit> hits;
  std::vector<Missed> missed;      // the best that are not in the list, best first
  std::vector<std::string> words;  // of the question, as they were looked for; "word*" is known nowhere
  std::vector<std::string> times;  // that the question names, "2026-05-01 to 2026-05-31"
  double confidence = 1;           // that the store knows something of it, from 0 to 1
  double needed = 0;               // for turns
  double needed_memory = 0;        // for memories
};

Explanation explain(const Index& index, std::string_view query, const Context& context, std::size_t k);

}  // namespace selfmind::recall

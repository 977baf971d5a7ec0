// Recall sets: files of log lines, memories and probes, one file one store. Pure but for read_set().
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/feed.h"

namespace selfmind::recall {

// A memory that names more turns is measured by its first ones; or else one that names them all would find everything.
inline constexpr std::size_t turns_of_a_memory = 3;

struct Probe {
  std::string query;
  std::vector<store::Id> expect;  // turns or memories, each once; empty: nothing should come back
  std::string category;
  store::Id project = store::no_id;
  std::optional<Time> at;  // none: after everything
};

struct Set {
  std::string name;
  std::vector<store::Item> items;  // as the file has them; `at` is never before what the item builds on
  std::vector<Probe> probes;
};

// `text` is JSON, an object a line. The names of items and projects become numbers. With `turns_only` the memories are
// left out. An error names `path` and the line.
Result<Set> parse_set(const std::string& path, std::string_view text, bool turns_only);
Result<Set> read_set(const std::string& path, bool turns_only);

}  // namespace selfmind::recall

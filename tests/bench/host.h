// The store and the recall on threads of their own, as the host runs them.
#pragma once
#include <string>
#include <vector>

#include "measure.h"

namespace selfmind::bench {

struct AsHost {
  double loaded_ms = 0;       // from opening until the store's last item is found
  Percentiles while_loading;  // ms, of recalls asked in that time
  std::size_t asked_while_loading = 0;
  std::size_t late = 0;         // took longer than a chat waits
  Percentiles insert_to_found;  // ms, from asking for a memory to be stored until a recall returns it
  Percentiles insert;           // ms, of that until it is committed and taken in
};

// `questions` are asked one after another, every few milliseconds, while the store is loaded.
AsHost run_as_host(const std::string& path, const std::vector<std::string>& questions);

}  // namespace selfmind::bench

#include "cli/index.h"

#include "store/feed.h"

namespace selfmind::cli {

Result<recall::Index> load_index(store::Database& database, const recall::Preset& preset) {
  recall::Index index(preset.analysis);
  store::FeedPosition position;
  while (true) {
    auto feed = store::feed(database, position, 10'000);
    if (!feed) return feed.error();
    for (auto& item : feed->put) index.put(std::move(item));
    position = feed->position;
    if (!feed->more) return index;
  }
}

}  // namespace selfmind::cli

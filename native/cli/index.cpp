#include "cli/index.h"

#include "learn/foreign.h"
#include "store/feed.h"

namespace selfmind::cli {

Result<recall::Index> load_index(store::Database& database, const recall::Preset& preset) {
  recall::Index index(preset.analysis);
  store::FeedPosition position;
  constexpr int slice = 250;  // what is read and taken apart is still in the cache
  while (true) {
    auto feed = store::feed(database, position, slice);
    if (!feed) return feed.error();
    learn::cut_foreign_claims(*feed);
    index.put(recall::Batch(std::move(feed->put)));
    position = feed->position;
    if (!feed->more) return index;
  }
}

}  // namespace selfmind::cli

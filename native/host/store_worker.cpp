#include "host/store_worker.h"

#include "base/log.h"

namespace selfmind::host {

Result<StoreWorker::Opened> StoreWorker::open_now(const std::string& path) {
  auto database = store::Database::open(path, clock_, ids_);
  if (!database) return database.error();
  database_ = std::move(*database);
  position_ = 0;
  refresh();
  const auto writable = database_->writable();
  return Opened{database_->path(), database_->journal_mode(), store::sqlite_version(),
                writable ? "" : writable.error().message};
}

void StoreWorker::refresh() {
  constexpr int slice = 10'000;
  bool more = true;
  while (more) {
    auto feed = store::feed(*database_, position_, slice);
    if (!feed) return log::warning("the index was not refreshed: " + feed.error().message);
    position_ = feed->position;
    more = feed->more;
    if (!feed->put.empty() || !feed->gone.empty()) on_feed_(std::move(*feed));
  }
}

}  // namespace selfmind::host

#include "host/store_worker.h"

#include <algorithm>

#include "base/limits.h"
#include "base/log.h"
#include "store/statement.h"

namespace selfmind::host {
namespace {

bool holds_memories(const store::Feed& feed) {
  return std::any_of(feed.put.begin(), feed.put.end(),
                     [](const store::Item& item) { return item.kind == store::ItemKind::memory; }) ||
         std::any_of(feed.gone.begin(), feed.gone.end(),
                     [](const auto& item) { return item.first == store::ItemKind::memory; });
}

}  // namespace

Result<StoreWorker::Opened> StoreWorker::open_now(const std::string& path, const text::SecretPatterns& keep_out) {
  auto database = store::Database::open(path, clock_, ids_);
  if (!database) return database.error();
  database_ = std::move(*database);
  database_->keep_out(keep_out);
  position_ = {};
  version_ = data_version();
  const bool more = load(/*loading=*/false);
  memories_changed_ = false;
  const auto writable = database_->writable();
  return Opened{database_->path(), database_->journal_mode(), store::sqlite_version(),
                writable ? "" : writable.error().message, !more};
}

// The next part of the first load; false when that was the last, or failed.
bool StoreWorker::load(bool loading) {
  // Taken in by the index in some ten milliseconds, long replies too: a recall waits no longer for it. The first part
  // may be larger, so that an ordinary store is whole at once.
  const int slice = loading ? 250 : 2'000;
  auto feed = store::feed(*database_, position_, slice);
  if (!feed) {
    log::warning("the index was not loaded: " + feed.error().message);
    return false;
  }
  position_ = feed->position;
  if (!feed->put.empty()) on_feed_(std::move(*feed), loading);
  return !position_.loaded;
}

void StoreWorker::load_on() {
  run_raw<bool>(
      Priority::background, [this]() -> Result<bool> { return !position_.loaded && load(/*loading=*/true); },
      [this](Result<bool> more) {
        if (*more) load_on();
      });
}

void StoreWorker::refresh() {
  constexpr int slice = 10'000;
  bool more = true;
  while (more) {
    auto feed = store::changes(*database_, position_, slice);
    if (!feed) {
      version_.reset();
      return log::warning("the index was not refreshed: " + feed.error().message);
    }
    position_ = feed->position;
    more = feed->more;
    memories_changed_ = memories_changed_ || holds_memories(*feed);
    if (!feed->put.empty() || !feed->gone.empty()) on_feed_(std::move(*feed), /*loading=*/false);
  }
}

std::optional<std::int64_t> StoreWorker::data_version() {
  const auto version = store::number(store::query(*database_, "PRAGMA data_version"));
  return version ? std::optional(*version) : std::nullopt;
}

void StoreWorker::look() {
  database_->wait_at_most(limits::look_patience);
  const auto version = data_version();
  if (version && version != version_) {
    version_ = version;
    refresh();
  }
  database_->wait_at_most(limits::busy_timeout);
}

void StoreWorker::watch(std::function<void()> on_memories) {
  on_memories_ = std::move(on_memories);
  look_later();
}

void StoreWorker::rest() {
  on_memories_ = nullptr;
  alarm_.reset();
}

void StoreWorker::look_later() {
  if (!on_memories_) return;
  alarm_ = scheduler_.after(limits::look_interval, [this] {
    if (jobs_ > 0) return;  // it takes in the changes itself
    run_raw<bool>(
        Priority::background,
        [this]() -> Result<bool> {
          look();
          return true;
        },
        [](Result<bool>) {});
  });
}

void StoreWorker::job_done(bool memories_changed) {
  if (memories_changed && on_memories_) on_memories_();
  if (--jobs_ == 0) look_later();
}

}  // namespace selfmind::host

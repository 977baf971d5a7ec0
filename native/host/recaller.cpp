#include "host/recaller.h"

#include <memory>
#include <utility>

#include "learn/foreign.h"

namespace selfmind::host {
namespace {

// Whoever comes first, the hits or the deadline, answers; the other finds `then` gone.
struct Pending {
  Recaller::Then then;
  std::unique_ptr<Timer> timer;

  void answer(std::vector<recall::Hit> hits, bool late) {
    timer.reset();
    if (auto callback = std::exchange(then, nullptr)) callback(std::move(hits), late);
  }
};

}  // namespace

void Recaller::use(recall::Preset preset) {
  preset_ = std::move(preset);
  worker_.add(Priority::user, [this, analysis = preset_.analysis] { index_ = recall::Index(analysis); });
}

void Recaller::take(store::Feed feed, bool loading) {
  // Feeds are taken in in their order: an older part of the load must not bring back what was erased meanwhile.
  const bool waits = loading || waiting_ > 0;
  if (waits) ++waiting_;
  learn::cut_foreign_claims(feed);
  recall::Batch batch(std::move(feed.put));
  worker_.add(waits ? Priority::background : Priority::user,
              [this, waits, gone = std::move(feed.gone), batch = std::move(batch)]() mutable {
                for (const auto& [kind, id] : gone) index_.erase(kind, id);
                index_.put(std::move(batch));
                if (waits) --waiting_;
              });
}

void Recaller::ask(std::string query, recall::Context context, std::size_t k, std::chrono::milliseconds deadline,
                   Then then) {
  context.preset = preset_;
  context.now = clock_.now();
  auto pending = std::make_shared<Pending>(Pending{std::move(then), nullptr});
  if (deadline.count() > 0) {
    // The timer holds the pending answer weakly: each would keep the other alive.
    // Hits that are on their way to a loop that was busy itself still count: they were posted before this is.
    pending->timer = scheduler_.after(deadline, [this, weak = std::weak_ptr(pending)] {
      scheduler_.post([weak] {
        if (const auto alive = weak.lock()) alive->answer({}, /*late=*/true);
      });
    });
  }
  rank(Priority::user, std::move(query), std::move(context), k,
       [pending](std::vector<recall::Hit> hits, bool) { pending->answer(std::move(hits), /*late=*/false); });
}

void Recaller::nearest(std::string text, recall::Context context, std::size_t k, Then then) {
  context.preset = preset_;
  context.preset.min_score = context.preset.min_score_memory = 0;
  context.now = clock_.now();
  rank(Priority::background, std::move(text), std::move(context), k, std::move(then));
}

void Recaller::rank(Priority priority, std::string query, recall::Context context, std::size_t k, Then then) {
  worker_.add(priority, [this, query = std::move(query), context = std::move(context), k, then = std::move(then)] {
    scheduler_.post([then, hits = recall::rank(index_, query, context, k)]() mutable { then(std::move(hits), false); });
  });
}

}  // namespace selfmind::host

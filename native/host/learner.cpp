#include "host/learner.h"

#include "base/limits.h"
#include "base/log.h"
#include "learn/clash.h"
#include "store/queue.h"

namespace selfmind::host {

namespace {

struct Taken {
  std::optional<store::QueueEntry> entry;
  std::int64_t spent = 0;
};

Result<Taken> take(store::Database& database, const std::string& endpoint, Time now) {
  auto entry = store::lease(database, endpoint);
  if (!entry) return entry.error();
  const auto spent = store::learning_tokens(database, now);
  if (!spent) return spent.error();
  return Taken{std::move(*entry), *spent};
}

// As they stand in the store now; one that is gone or out of use meanwhile is left out.
Result<std::vector<store::Memory>> active_ones(store::Database& database, const std::vector<store::Id>& ids) {
  std::vector<store::Memory> memories;
  for (const auto id : ids) {
    auto one = store::memory(database, id);
    if (one && one->state == "active") memories.push_back(std::move(*one));
    if (!one && one.error().kind != ErrorKind::not_found) return one.error();
  }
  return memories;
}

}  // namespace

Learner::Learner(StoreWorker& store, Recaller& recaller, claude::Client& claude, Editor& editor, Settings settings,
                 Clock& clock, Recorder* recorder)
    : store_(store),
      recaller_(recaller),
      claude_(claude),
      editor_(editor),
      settings_(std::move(settings)),
      clock_(clock),
      recorder_(recorder),
      manager_(settings_.for_learning()) {
  if (recorder_ != nullptr) recorder_->begin_learning(settings_.for_learning());
}

std::optional<store::LearnAt> Learner::queue_at() const {
  if (!settings_.learning) return std::nullopt;
  if (!settings_.online()) return store::LearnAt{"", "", settings_.review};
  return store::LearnAt{server(), settings_.memory_model, settings_.review};
}

// By which the queue tells servers apart; a name and password in the address are no part of it, and not for the store.
std::string Learner::server() const { return without_credentials(settings_.endpoint.base_url); }

void Learner::wake() {
  if (settings_.learning) feed(learn::Woken{});
}

void Learner::end() {
  ended_ = true;
  call_.reset();
  if (manager_.holds()) give_back(*manager_.holds());
}

void Learner::give_back(const store::QueueEntry& held) {
  store_.run<bool>(
      Priority::user,
      [entry = held](store::Database& database) -> Result<bool> {
        auto released = store::release(database, entry, /*counts=*/false, "the editor quit");
        if (!released) return released.error();
        return true;
      },
      [](Result<bool>) {});
}

void Learner::feed(learn::Event event) {
  if (ended_) return;
  auto commands = manager_.on(event);
  if (recorder_ != nullptr) recorder_->step(event, commands);
  for (auto& command : commands) {
    std::visit([this](auto& c) { perform(std::move(c)); }, command);
  }
}

void Learner::perform(learn::Lease) {
  const Time now = clock_.now();
  store_.run<Taken>(
      Priority::background,
      [endpoint = settings_.online() ? server() : std::string(), now](store::Database& database) {
        return take(database, endpoint, now);
      },
      [this, now](Result<Taken> taken) {
        if (!taken) return feed(learn::StoreFailed{taken.error()});
        auto& entry = taken->entry;
        if (ended_) return entry ? give_back(*entry) : void();
        chat_ = entry ? entry->session : store::no_id;
        feed(learn::Leased{std::move(entry), local_date(now), taken->spent});
      });
}

void Learner::perform(learn::FindKnown command) {
  recall::Context context;
  context.project = command.entry.project;
  context.skip = [](const store::Item& item) { return item.kind != store::ItemKind::memory; };
  recaller_.nearest(command.entry.user_text, std::move(context), limits::known_memories,
                    [this](std::vector<recall::Hit> hits, bool) {
                      std::vector<store::Id> ids;
                      for (const auto& hit : hits) ids.push_back(hit.item.id);
                      store_.run<std::vector<store::Memory>>(
                          Priority::background,
                          [ids = std::move(ids)](store::Database& database) { return active_ones(database, ids); },
                          [this](Result<std::vector<store::Memory>> known) {
                            if (!known) return feed(learn::StoreFailed{known.error()});
                            feed(learn::Known{std::move(*known)});
                          });
                    });
}

void Learner::perform(learn::Ask command) {
  call_ = claude_.ask(command.request, settings_.endpoint, [this](claude::StreamEvent event) {
    if (auto* done = std::get_if<claude::Done>(&event)) {
      call_.reset();
      feed(learn::Extracted{std::move(done->reply)});
    } else if (auto* failed = std::get_if<claude::Failed>(&event)) {
      call_.reset();
      feed(learn::ExtractFailed{std::move(failed->error)});
    }
  });
}

void Learner::perform(learn::KeepLearned command) {
  store_.run<std::vector<store::Added>>(
      Priority::background,
      [command = std::move(command), threshold = settings_.dedupe_threshold](store::Database& database) {
        return store::keep_learned(database, command.entry, command.drafts, learn::comparer(threshold), command.spent);
      },
      [this](Result<std::vector<store::Added>> added) {
        if (!added) return feed(learn::StoreFailed{added.error()});
        feed(learn::Kept{std::move(*added)});
      });
}

void Learner::perform(learn::Release command) {
  store_.run<bool>(
      Priority::background,
      [command = std::move(command)](store::Database& database) -> Result<bool> {
        auto released = store::release(database, command.entry, command.counts, command.failure, command.spent);
        if (!released) return released.error();
        return true;
      },
      [this](Result<bool> released) {
        if (!released) return feed(learn::StoreFailed{released.error()});
        feed(learn::Released{});
      });
}

void Learner::perform(learn::ShowLearned command) {
  rpc::Array stored;
  std::int64_t duplicates = 0;
  for (const auto& added : command.added) {
    if (added.duplicate) {
      ++duplicates;
    } else {
      stored.push_back(encode(added.memory));
    }
  }
  if (stored.empty()) return;
  editor_.event("learn/done",
                {{"chat", chat_}, {"turn", command.turn}, {"stored", std::move(stored)}, {"duplicates", duplicates}});
}

void Learner::perform(learn::ShowFailed command) {
  editor_.event("learn/failed", {{"chat", chat_}, {"turn", command.turn}, {"notice", command.notice}});
}

}  // namespace selfmind::host

#include "host/learner.h"

#include "base/log.h"
#include "learn/clash.h"
#include "store/queue.h"

namespace selfmind::host {

Learner::Learner(StoreWorker& store, claude::Client& claude, Editor& editor, Settings settings, Clock& clock,
                 Recorder* recorder)
    : store_(store),
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
  return store::LearnAt{settings_.endpoint.base_url, settings_.memory_model, settings_.review};
}

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
  store_.run<std::optional<store::QueueEntry>>(
      Priority::background,
      [endpoint = settings_.online() ? settings_.endpoint.base_url : std::string()](store::Database& database) {
        return store::lease(database, endpoint);
      },
      [this](Result<std::optional<store::QueueEntry>> entry) {
        if (!entry) return feed(learn::StoreFailed{entry.error()});
        if (ended_) return *entry ? give_back(**entry) : void();
        chat_ = *entry ? (*entry)->session : store::no_id;
        feed(learn::Leased{std::move(*entry), iso_date(clock_.now())});
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
        return store::keep_learned(database, command.entry, command.drafts, learn::comparer(threshold));
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
        auto released = store::release(database, command.entry, command.counts, command.failure);
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

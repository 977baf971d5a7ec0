#include "learn/manager.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "learn/extract.h"
#include "learn/gate.h"
#include "learn/rules.h"

namespace selfmind::learn {
namespace {

bool passes(ErrorKind kind) {
  return kind == ErrorKind::network || kind == ErrorKind::timed_out || kind == ErrorKind::overloaded ||
         kind == ErrorKind::rate_limited;
}

store::Spent spent_on(const claude::Reply& reply, const Settings& settings) {
  const auto& usage = reply.usage;
  return {settings.model, {usage.input, usage.output, usage.cache_read, usage.cache_write}};
}

}  // namespace

Commands Manager::on(const Event& event) {
  return std::visit([this](const auto& e) { return handle(e); }, event);
}

Commands Manager::handle(const Woken&) {
  if (busy_) {
    woken_again_ = true;
    return {};
  }
  busy_ = true;
  left_ = limits::learn_per_turn;
  return {Lease{}};
}

Commands Manager::handle(const Leased& e) {
  if (!e.entry) return rest();
  entry_ = e.entry;
  entry_->review = entry_->review || settings_.review;  // the stricter of then and now
  --left_;
  if (entry_->by_rules) return {KeepLearned{*entry_, gate(recognise(entry_->user_text), *entry_), {}}};
  if (e.spent >= settings_.budget) return over_budget(e.date);
  date_ = e.date;
  return {FindKnown{*entry_}};
}

// Nothing is lost: what waits is learned on another day. The user is told once a day.
Commands Manager::over_budget(const std::string& date) {
  left_ = 0;
  Commands commands{Release{*entry_, /*counts=*/false, "the day's learning_budget is spent", {}}};
  if (told_of_budget_ != date) {
    commands.push_back(
        ShowFailed{entry_->turn, fmt::format("Not learned from yet: today's learning_budget of {} tokens "
                                             "is spent; what waits is learned tomorrow.",
                                             settings_.budget)});
  }
  told_of_budget_ = date;
  return commands;
}

Commands Manager::handle(const Known& e) {
  if (!entry_) return {};
  known_ = e.memories;
  return {Ask{extraction(*entry_, known_, date_, settings_)}};
}

Commands Manager::handle(const Extracted& e) {
  if (!entry_) return {};
  const store::Spent spent = spent_on(e.reply, settings_);
  auto candidates = read_extraction(e.reply, settings_.max_tokens);
  if (!candidates) return failed(candidates.error(), spent);
  return {KeepLearned{*entry_, gate(*candidates, *entry_, known_), spent}};
}

// One quiet line, and the turn stays queued for a later chance. What comes behind it waits too: the cause is rarely the
// turn's own. What passes by itself is tried with every turn of the user's; anything else a few times, and then the
// entry is set aside, where the statistics count it.
Commands Manager::failed(const Error& error, const store::Spent& spent) {
  left_ = 0;
  const bool counts = !passes(error.kind);
  const bool parks = counts && entry_->attempts + 1 >= limits::learn_attempts;
  const auto notice =
      parks ? fmt::format("Not learned from, and set aside after {} tries: {}", limits::learn_attempts, error.message)
            : "Not learned from yet: " + error.message;
  return {Release{*entry_, counts, error.message, spent}, ShowFailed{entry_->turn, notice}};
}

Commands Manager::handle(const ExtractFailed& e) {
  if (!entry_) return {};
  return failed(e.error, {});
}

Commands Manager::handle(const Kept& e) {
  if (!entry_) return {};
  const store::Id turn = entry_->turn;
  Commands commands{ShowLearned{turn, e.added}};
  entry_.reset();
  if (left_ > 0) {
    commands.push_back(Lease{});
    return commands;
  }
  const auto next = rest();
  commands.insert(commands.end(), next.begin(), next.end());
  return commands;
}

Commands Manager::handle(const Released&) {
  entry_.reset();
  return rest();
}

Commands Manager::handle(const StoreFailed& e) {
  Commands commands;
  if (entry_) commands.push_back(ShowFailed{entry_->turn, "Not learned from yet: " + e.error.message});
  entry_.reset();  // its lease runs out
  const auto next = rest();
  commands.insert(commands.end(), next.begin(), next.end());
  return commands;
}

Commands Manager::rest() {
  busy_ = false;
  if (!woken_again_) return {};
  woken_again_ = false;
  return handle(Woken{});
}

}  // namespace selfmind::learn

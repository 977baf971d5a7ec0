// The methods of the protocol, one handler each. Parameters arrive decoded; a handler calls one verb and answers.
#include <filesystem>

#include <fmt/format.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "host/host.h"
#include "learn/duplicate.h"
#include "store/log.h"
#include "store/projects.h"

namespace selfmind::host {
namespace {

Result<store::Session> find_chat(store::Database& database, store::Id project, const ChatOpenParams& params) {
  if (params.chat != store::no_id) return store::session(database, params.chat);
  if (!params.uuid.empty()) return store::session(database, params.uuid);
  if (!params.fresh) {
    auto last = store::last_session(database, project);
    if (!last) return last.error();
    if (*last) return std::move(**last);
  }
  return store::new_session(database, project);
}

Result<ChatResult> read_chat(store::Database& database, store::Project project, const ChatOpenParams& params) {
  auto chat = find_chat(database, project.id, params);
  if (!chat) return chat.error();
  if (chat->project != project.id) {
    return Error{ErrorKind::invalid, "That chat belongs to another project; open it from that project's folder."};
  }
  // In a store that can only be read they stay as they are.
  if (auto settled = store::settle_replies(database, chat->id); !settled && database.writable()) return settled.error();
  auto turns = store::turns(database, chat->id);
  if (!turns) return turns.error();
  return ChatResult{std::move(*chat), std::move(project), std::move(*turns), false};
}

Result<store::Id> find_private_chat(store::PrivateChats& chats, store::Database& database,
                                    const store::ProjectFacts& where, const ChatOpenParams& params) {
  if (params.chat != store::no_id) return params.chat;
  if (!params.uuid.empty()) return chats.find(params.uuid);
  return chats.begin(database, where);
}

Result<ChatResult> read_private_chat(store::PrivateChats& chats, store::Id id, store::Project project) {
  const auto log = chats.log_of(id);
  if (!log) return log.error();
  auto chat = store::session(**log, id);
  if (!chat) return chat.error();
  auto turns = store::turns(**log, id);
  if (!turns) return turns.error();
  return ChatResult{std::move(*chat), std::move(project), std::move(*turns), false};
}

Result<store::ProjectFacts> facts_of(const std::string& folder) {
  if (folder.find('\0') != std::string::npos) {
    return Error{ErrorKind::invalid, "The folder's name has a NUL byte in it; name another folder."};
  }
  return store::look_at(folder);
}

// A recall that waits to be told its project: by the store, whose answer comes with an index that has everything in it,
// or, when that takes too long because another program has locked the store, by what was last seen.
struct Asking {
  std::function<void(store::Id)> ask;
  std::unique_ptr<Timer> timer;

  void go(store::Id project) {
    timer.reset();
    if (const auto once = std::exchange(ask, nullptr)) once(project);
  }
};

}  // namespace

template <class P, class T>
void Host::bind_session(const std::string& method, void (Host::*handler)(Session&, P, std::shared_ptr<rpc::Reply<T>>)) {
  binder_.bind<P, T>(method, [this, handler](P params, rpc::Reply<T> reply) {
    with_session([this, handler, params = std::move(params),
                  shared = std::make_shared<rpc::Reply<T>>(std::move(reply))](Result<Session*> session) {
      if (!session) return (*shared)(session.error());
      (this->*handler)(**session, params, shared);
    });
  });
}

template <class P, class T>
void Host::bind_store(const std::string& method, Result<T> (Host::*job)(store::Database&, const P&)) {
  binder_.bind<P, T>(method, [this, job](P params, rpc::Reply<T> reply) {
    with_session([this, job, params = std::move(params),
                  shared = std::make_shared<rpc::Reply<T>>(std::move(reply))](Result<Session*> session) {
      if (!session) return (*shared)(session.error());
      store_.run<T>(
          Priority::user, [this, job, params](store::Database& database) { return (this->*job)(database, params); },
          [shared](Result<T> result) { (*shared)(std::move(result)); });
    });
  });
}

void Host::bind() {
  binder_.bind<HelloParams, HelloResult>("hello", [this](HelloParams params, rpc::Reply<HelloResult> reply) {
    hello(std::move(params), std::make_shared<rpc::Reply<HelloResult>>(std::move(reply)));
  });
  bind_session("key.set", &Host::use_key);
  bind_session("chat.open", &Host::open_chat);
  bind_session("chat.draft", &Host::keep_draft);
  bind_session("chat.close", &Host::close_chat);
  bind_session("turn.start", &Host::start_turn);
  bind_session("turn.retry", &Host::retry_turn);
  bind_session("turn.stop", &Host::stop_turn);
  bind_session("chat.forget", &Host::forget_chat);
  bind_session("project.forget", &Host::forget_project);
  bind_session("memory.recall", &Host::recall);
  bind_session("memory.forget", &Host::forget);
  bind_session("probe.run", &Host::run_probes);
  bind_store("memory.remember", &Host::remember);
  bind_store("memory.list", &Host::list);
  bind_store("memory.accept", &Host::change_state<store::Verb::accept>);
  bind_store("memory.archive", &Host::change_state<store::Verb::archive>);
  bind_store("memory.unarchive", &Host::change_state<store::Verb::unarchive>);
  bind_store("memory.replace", &Host::change_state<store::Verb::replace>);
  bind_store("memory.history", &Host::history);
  bind_store("memory.undo", &Host::undo);
  bind_store("memory.asof", &Host::as_of);
  bind_store("memory.rollback", &Host::roll_back);
  bind_store("chat.list", &Host::list_chats);
  bind_store("log.day", &Host::log_of_day);
  bind_store("stats", &Host::stats);
  bind_store("probe.add", &Host::add_probe);
  bind_store("probe.list", &Host::list_probes);
  bind_store("probe.remove", &Host::remove_probe);
}

void Host::use_key(Session& session, KeyParams params, std::shared_ptr<rpc::Reply<Nothing>> reply) {
  session.settings.endpoint.api_key = std::string(utf8::trim(params.api_key));
  if (recorder_ != nullptr) recorder_->hide(session.settings.endpoint.api_key);
  session.runner.use_key(session.settings.endpoint);
  session.learner.use_key(session.settings.endpoint);
  (*reply)(Nothing{});
}

void Host::open_chat(Session& session, ChatOpenParams params, std::shared_ptr<rpc::Reply<ChatResult>> reply) {
  const auto answer = [this, &session, reply](Result<ChatResult> chat) {
    if (!chat) return (*reply)(std::move(chat));
    const auto id = chat->session.id;
    chat->busy = session.runner.busy(id);
    (*reply)(std::move(chat));
    caretaker_.visit(id);
  };
  if (params.in_private || store::is_private(params.chat)) return open_private_chat(std::move(params), answer);
  store_.run<ChatResult>(
      Priority::user,
      [this, params = std::move(params)](store::Database& database) -> Result<ChatResult> {
        auto project = project_of(database, params.folder, /*create=*/true);
        if (!project) return project.error();
        return read_chat(database, std::move(*project), params);
      },
      answer);
}

void Host::open_private_chat(ChatOpenParams params, std::function<void(Result<ChatResult>)> answer) {
  if (params.chat != store::no_id && !store::is_private(params.chat)) {
    return answer(Error{ErrorKind::invalid,
                        fmt::format("Chat {} is not a private one; what was said there is kept.", params.chat)});
  }
  store_.run_beside<ChatResult>(
      [this, params = std::move(params)](store::Database& database, store::PrivateChats& chats) -> Result<ChatResult> {
        auto project = project_of(database, params.folder, /*create=*/false);
        if (!project) return project.error();
        const auto where = facts_of(params.folder);
        if (!where) return where.error();
        // For people; the store gets no project by this.
        if (project->id == store::no_id) project->name = std::filesystem::path(where->path).filename().string();
        const auto id = find_private_chat(chats, database, *where, params);
        if (!id) return id.error();
        return read_private_chat(chats, *id, std::move(*project));
      },
      std::move(answer));
}

void Host::close_chat(Session& session, ChatParams params, std::shared_ptr<rpc::Reply<Nothing>> reply) {
  if (!store::is_private(params.chat)) {
    return (*reply)(Error{ErrorKind::invalid, "Only a private chat is closed; any other is kept, and goes on later."});
  }
  session.runner.stop(params.chat);
  store_.run_beside<Nothing>(
      [chat = params.chat](store::Database&, store::PrivateChats& chats) -> Result<Nothing> {
        chats.close(chat);
        return Nothing{};
      },
      [reply](Result<Nothing> closed) { (*reply)(std::move(closed)); });
}

void Host::keep_draft(Session&, ChatTextParams params, std::shared_ptr<rpc::Reply<Nothing>> reply) {
  const auto chat = params.chat;
  store_.run_in<Nothing>(
      chat,
      [params = std::move(params)](store::Database& database) -> Result<Nothing> {
        if (auto kept = store::keep_draft(database, params.chat, params.text); !kept) return kept.error();
        return Nothing{};
      },
      [reply](Result<Nothing> kept) { (*reply)(std::move(kept)); });
}

void Host::start_turn(Session& session, ChatTextParams params, std::shared_ptr<rpc::Reply<TurnResult>> reply) {
  if (utf8::trim(params.text).empty()) return (*reply)(Error{ErrorKind::invalid, "The message is empty."});
  if (params.text.size() > limits::message_bytes) {
    return (*reply)(Error{ErrorKind::invalid, "The message is longer than 2 MB; leave the larger part in its file."});
  }
  session.runner.start(params.chat, std::move(params.text),
                       [reply](Result<TurnResult> kept) { (*reply)(std::move(kept)); });
}

void Host::retry_turn(Session& session, ChatParams params, std::shared_ptr<rpc::Reply<TurnResult>> reply) {
  session.runner.send_again(params.chat, [reply](Result<TurnResult> kept) { (*reply)(std::move(kept)); });
}

void Host::stop_turn(Session& session, ChatParams params, std::shared_ptr<rpc::Reply<StopResult>> reply) {
  (*reply)(StopResult{session.runner.stop(params.chat)});
}

void Host::forget_chat(Session& session, ForgetChatParams params, std::shared_ptr<rpc::Reply<ForgetResult>> reply) {
  const auto learned = params.memories ? store::WhatWasLearned::forgotten : store::WhatWasLearned::kept;
  forget_chats(
      session,
      [chat = params.chat, learned](store::Database& database, bool dry_run) {
        return store::forget_chat(database, chat, learned, dry_run);
      },
      params.dry_run, std::move(reply));
}

void Host::forget_project(Session& session, ForgetProjectParams params,
                          std::shared_ptr<rpc::Reply<ForgetResult>> reply) {
  const auto learned = params.memories ? store::WhatWasLearned::forgotten : store::WhatWasLearned::kept;
  forget_chats(
      session,
      [this, folder = params.folder, learned](store::Database& database, bool dry_run) -> Result<store::Forgotten> {
        auto project = project_of(database, folder, /*create=*/false);
        if (!project) return project.error();
        return store::forget_project(database, project->id, learned, dry_run);
      },
      params.dry_run, std::move(reply));
}

// A reply that is being written there is stopped first, and what had come of it kept, so that it goes as well.
void Host::forget_chats(Session& session, ForgetChats forget, bool dry_run,
                        std::shared_ptr<rpc::Reply<ForgetResult>> reply) {
  const auto job = [forget](bool dry) {
    return [forget, dry](store::Database& database) -> Result<ForgetResult> {
      auto forgotten = forget(database, dry);
      if (!forgotten) return forgotten.error();
      return ForgetResult{std::move(*forgotten)};
    };
  };
  store_.run<ForgetResult>(
      Priority::user, job(/*dry=*/true), [this, &session, job, dry_run, reply](Result<ForgetResult> found) {
        if (!found || dry_run) return (*reply)(std::move(found));
        for (const auto chat : found->forgotten.chats) session.runner.stop(chat);
        store_.run<ForgetResult>(Priority::user, job(/*dry=*/false),
                                 [reply](Result<ForgetResult> forgotten) { (*reply)(std::move(forgotten)); });
      });
}

void Host::recall(Session& session, RecallParams params, std::shared_ptr<rpc::Reply<HitsResult>> reply) {
  const auto k = static_cast<std::size_t>(params.k > 0 ? params.k : session.settings.top_k);
  auto asking = std::make_shared<Asking>();
  asking->ask = [this, reply, k, query = std::move(params.query)](store::Id project) {
    recall::Context context;
    context.project = project;
    recaller_.ask(query, std::move(context), k, std::chrono::milliseconds(0),
                  [reply](std::vector<recall::Hit> hits, bool) { (*reply)(HitsResult{std::move(hits)}); });
  };
  std::optional<store::Id> known;
  if (const auto found = projects_.find(params.folder); found != projects_.end()) {
    known = found->second;
    asking->timer = scheduler_.after(std::chrono::milliseconds(session.settings.recall_deadline),
                                     [weak = std::weak_ptr(asking), project = *known] {
                                       if (const auto alive = weak.lock()) alive->go(project);
                                     });
  }
  store_.run<store::Project>(
      Priority::user,
      [this, known, folder = std::move(params.folder)](store::Database& database) {
        if (known) database.wait_at_most(limits::look_patience);
        auto project = project_of(database, folder, /*create=*/false);
        database.wait_at_most(limits::busy_timeout);
        return project;
      },
      [reply, known, asking](Result<store::Project> project) {
        if (project) return asking->go(project->id);
        if (known && project.error().kind == ErrorKind::busy) return asking->go(*known);
        asking->timer.reset();
        if (std::exchange(asking->ask, nullptr)) (*reply)(project.error());
      });
}

void Host::run_probes(Session&, FolderParams params, std::shared_ptr<rpc::Reply<ProbeReport>> reply) {
  struct Found {
    store::Id project;
    std::vector<store::Probe> probes;
  };
  store_.run<Found>(
      Priority::user,
      [this, folder = std::move(params.folder)](store::Database& database) -> Result<Found> {
        auto project = project_of(database, folder, /*create=*/false);
        if (!project) return project.error();
        auto probes = store::probes(database, project->id);
        if (!probes) return probes.error();
        return Found{project->id, std::move(*probes)};
      },
      [this, reply](Result<Found> found) {
        if (!found) return (*reply)(found.error());
        ask_probe(std::make_shared<ProbeRun>(std::move(found->probes), default_probe_ks), found->project, reply);
      });
}

// One at a time, so that a message that is recalled for meanwhile does not wait for all of them.
void Host::ask_probe(std::shared_ptr<ProbeRun> run, store::Id project, std::shared_ptr<rpc::Reply<ProbeReport>> reply) {
  auto question = run->next();
  if (!question) return (*reply)(run->report());
  recall::Context context;
  context.project = project;
  recaller_.ask(std::move(question->query), std::move(context), question->k, std::chrono::milliseconds(0),
                [this, run, project, reply](const std::vector<recall::Hit>& hits, bool) {
                  run->take(hits);
                  ask_probe(run, project, reply);
                });
}

Result<store::Project> Host::project_of(store::Database& database, const std::string& folder, bool create) {
  const auto facts = facts_of(folder);
  if (!facts) return facts.error();
  auto project = store::resolve(database, *facts, create);
  if (project) scheduler_.post([this, folder, id = project->id] { projects_[folder] = id; });
  return project;
}

Result<RememberResult> Host::remember(store::Database& database, const RememberParams& params) {
  store::MemoryDraft draft;
  if (!params.global) {
    auto project = project_of(database, params.folder, /*create=*/true);
    if (!project) return project.error();
    draft.project = project->id;
  }
  draft.text = params.text;
  auto added = store::add_memory(database, draft, params.force ? nullptr : learn::duplicate_finder(dedupe_threshold_));
  if (!added) return added.error();
  return RememberResult{std::move(*added)};
}

void Host::forget(Session&, ForgetParams params, std::shared_ptr<rpc::Reply<ForgetResult>> reply) {
  store_.run_beside<ForgetResult>(
      [params = std::move(params)](store::Database& database, store::PrivateChats& chats) -> Result<ForgetResult> {
        auto forgotten = chats.forget(database, params.ids, params.dry_run);
        if (!forgotten) return forgotten.error();
        return ForgetResult{std::move(*forgotten)};
      },
      [reply](Result<ForgetResult> forgotten) { (*reply)(std::move(forgotten)); });
}

Result<store::View> Host::view_of(store::Database& database, const std::string& folder) {
  auto project = project_of(database, folder, /*create=*/false);
  if (!project) return project.error();
  store::View view;
  view.project = project->id;
  return view;
}

Result<MemoriesResult> Host::list(store::Database& database, const ViewParams& params) {
  auto view = view_of(database, params.folder);
  if (!view) return view.error();
  view->all = params.all;
  view->waiting = params.waiting;
  auto memories = store::memories(database, *view);
  if (!memories) return memories.error();
  return MemoriesResult{std::move(*memories)};
}

template <store::Verb verb>
Result<MemoriesResult> Host::change_state(store::Database& database, const IdsParams& params) {
  auto changed = store::change_state(database, params.ids, verb, params.old);
  if (!changed) return changed.error();
  return MemoriesResult{std::move(*changed)};
}

Result<HistoryResult> Host::history(store::Database& database, const IdParams& params) {
  auto history = store::history(database, params.id);
  if (!history) return history.error();
  return HistoryResult{std::move(*history)};
}

Result<UndoResult> Host::undo(store::Database& database, const FolderParams& params) {
  const auto view = view_of(database, params.folder);
  if (!view) return view.error();
  auto undone = store::undo(database, *view);
  if (!undone) return undone.error();
  return UndoResult{std::move(*undone)};
}

Result<MemoriesResult> Host::as_of(store::Database& database, const AsOfParams& params) {
  const auto date = parse_date(params.date);
  if (!date) return date.error();
  const auto view = view_of(database, params.folder);
  if (!view) return view.error();
  auto memories = store::memories_as_of(database, *view, date->last());
  if (!memories) return memories.error();
  return MemoriesResult{std::move(*memories)};
}

Result<RollbackResult> Host::roll_back(store::Database& database, const RollbackParams& params) {
  store::Rollback what;
  what.session = params.chat;
  what.dry_run = params.dry_run;
  if (!params.since.empty()) {
    const auto since = parse_date(params.since);
    if (!since) return since.error();
    what.since = since->to;
  }
  const auto view = view_of(database, params.folder);
  if (!view) return view.error();
  auto rolled = store::roll_back(database, *view, what);
  if (!rolled) return rolled.error();
  return RollbackResult{std::move(*rolled)};
}

Result<ChatsResult> Host::list_chats(store::Database& database, const ChatListParams& params) {
  const auto view = view_of(database, params.folder);
  if (!view) return view.error();
  auto chats = store::find_chats(database, view->project, params.words);
  if (!chats) return chats.error();
  return ChatsResult{std::move(*chats)};
}

Result<LogResult> Host::log_of_day(store::Database& database, const LogParams& params) {
  const auto day = parse_day(params.date);
  if (!day) return day.error();
  const auto view = view_of(database, params.folder);
  if (!view) return view.error();
  auto turns = store::turns_between(database, view->project, /*all=*/false, day->from, day->to);
  if (!turns) return turns.error();
  return LogResult{std::move(*turns)};
}

Result<StatsResult> Host::stats(store::Database& database, const ViewParams& params) {
  auto view = view_of(database, params.folder);
  if (!view) return view.error();
  view->all = params.all;
  auto stats = store::stats(database, *view);
  if (!stats) return stats.error();
  return StatsResult{std::move(*stats)};
}

Result<ProbeResult> Host::add_probe(store::Database& database, const ProbeParams& params) {
  store::ProbeDraft draft;
  if (!params.global) {
    auto project = project_of(database, params.folder, /*create=*/true);
    if (!project) return project.error();
    draft.project = project->id;
  }
  draft.query = params.query;
  for (const auto id : params.memories) draft.expect.push_back({store::ItemKind::memory, id, {}, {}});
  for (const auto id : params.turns) draft.expect.push_back({store::ItemKind::turn, id, {}, {}});
  auto added = store::add_probe(database, draft);
  if (!added) return added.error();
  return ProbeResult{std::move(*added)};
}

Result<ProbesResult> Host::list_probes(store::Database& database, const FolderParams& params) {
  auto project = project_of(database, params.folder, /*create=*/false);
  if (!project) return project.error();
  auto probes = store::probes(database, project->id);
  if (!probes) return probes.error();
  return ProbesResult{std::move(*probes)};
}

Result<Nothing> Host::remove_probe(store::Database& database, const IdParams& params) {
  if (auto removed = store::remove_probe(database, params.id); !removed) return removed.error();
  return Nothing{};
}

}  // namespace selfmind::host

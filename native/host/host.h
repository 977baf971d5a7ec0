// Host: what a Neovim starts. It binds the methods of the protocol to the store, recall, turns and learning, and ends
// in good order. It names neither libuv nor curl: main gives it the loop, the transport and HTTP. Loop thread only.
#pragma once
#include <functional>
#include <map>
#include <memory>

#include "base/ids.h"
#include "base/scheduler.h"
#include "claude/client.h"
#include "host/caretaker.h"
#include "host/editor.h"
#include "host/learner.h"
#include "host/recaller.h"
#include "host/runner.h"
#include "host/settings.h"
#include "host/store_worker.h"
#include "rpc/connection.h"

namespace selfmind::host {

class Host {
 public:
  // Everything given outlives the host. `ended` is called once, when the loop may stop; not `in_time` when the store
  // was still at work after limits::shutdown, and must not be waited for. `recorder` is null where nothing is recorded.
  Host(Scheduler& scheduler, rpc::Transport& transport, http::Client& http, Clock& clock, Ids& ids,
       Environment environment, std::function<void(bool in_time)> ended, Recorder* recorder = nullptr);
  ~Host();

  void start();
  // SIGTERM: the input is read on for a moment, then the host ends as at the end of input.
  void terminate();

 private:
  // What there is once `hello` has opened the store.
  struct Session {
    Session(Host& host, Settings settings);
    Settings settings;
    Learner learner;
    Runner runner;
  };

  void bind();
  void hello(HelloParams params, std::shared_ptr<rpc::Reply<HelloResult>> reply);
  void opened(Settings settings, Result<StoreWorker::Opened> opened, rpc::Reply<HelloResult>& reply);
  void finish();
  void drain();
  // Runs `work` with the session: at once, or when the store that `hello` is opening is there; an editor need not wait
  // for the answer to hello before its next call. An error where there was no hello, or the store did not open.
  void with_session(std::function<void(Result<Session*>)> work);

  // A handler that needs the session.
  template <class P, class T>
  void bind_session(const std::string& method, void (Host::*handler)(Session&, P, std::shared_ptr<rpc::Reply<T>>));
  // A handler that is one job of the store for the user.
  template <class P, class T>
  void bind_store(const std::string& method, Result<T> (Host::*job)(store::Database&, const P&));

  void open_chat(Session& session, ChatOpenParams params, std::shared_ptr<rpc::Reply<ChatResult>> reply);
  void open_private_chat(ChatOpenParams params, std::function<void(Result<ChatResult>)> answer);
  void close_chat(Session& session, ChatParams params, std::shared_ptr<rpc::Reply<Nothing>> reply);
  void keep_draft(Session& session, ChatTextParams params, std::shared_ptr<rpc::Reply<Nothing>> reply);
  void use_key(Session& session, KeyParams params, std::shared_ptr<rpc::Reply<Nothing>> reply);
  void start_turn(Session& session, ChatTextParams params, std::shared_ptr<rpc::Reply<TurnResult>> reply);
  void retry_turn(Session& session, ChatParams params, std::shared_ptr<rpc::Reply<TurnResult>> reply);
  void stop_turn(Session& session, ChatParams params, std::shared_ptr<rpc::Reply<StopResult>> reply);
  void forget_chat(Session& session, ForgetChatParams params, std::shared_ptr<rpc::Reply<ForgetResult>> reply);
  void forget_project(Session& session, ForgetProjectParams params, std::shared_ptr<rpc::Reply<ForgetResult>> reply);
  using ForgetChats = std::function<Result<store::Forgotten>(store::Database&, bool dry_run)>;
  void forget_chats(Session& session, ForgetChats forget, bool dry_run,
                    std::shared_ptr<rpc::Reply<ForgetResult>> reply);
  void recall(Session& session, RecallParams params, std::shared_ptr<rpc::Reply<HitsResult>> reply);
  void forget(Session& session, ForgetParams params, std::shared_ptr<rpc::Reply<ForgetResult>> reply);
  void run_probes(Session& session, FolderParams params, std::shared_ptr<rpc::Reply<ProbeReport>> reply);
  void ask_probe(std::shared_ptr<ProbeRun> run, store::Id project, std::shared_ptr<rpc::Reply<ProbeReport>> reply);
  // On the store's thread: they may use nothing of the host but dedupe_threshold_ and scheduler_.
  Result<RememberResult> remember(store::Database& database, const RememberParams& params);
  template <store::Verb verb>
  Result<MemoriesResult> change_state(store::Database& database, const IdsParams& params);
  Result<HistoryResult> history(store::Database& database, const IdParams& params);
  Result<UndoResult> undo(store::Database& database, const FolderParams& params);
  Result<MemoriesResult> as_of(store::Database& database, const AsOfParams& params);
  Result<RollbackResult> roll_back(store::Database& database, const RollbackParams& params);
  Result<ChatsResult> list_chats(store::Database& database, const ChatListParams& params);
  Result<LogResult> log_of_day(store::Database& database, const LogParams& params);
  Result<MemoriesResult> list(store::Database& database, const ViewParams& params);
  Result<StatsResult> stats(store::Database& database, const ViewParams& params);
  Result<ProbeResult> add_probe(store::Database& database, const ProbeParams& params);
  Result<ProbesResult> list_probes(store::Database& database, const FolderParams& params);
  Result<Nothing> remove_probe(store::Database& database, const IdParams& params);
  // The project of a folder, which recall() knows from then on. Without `create` none is made where there is none.
  Result<store::View> view_of(store::Database& database, const std::string& folder);
  Result<store::Project> project_of(store::Database& database, const std::string& folder, bool create);

  Scheduler& scheduler_;
  Clock& clock_;
  Environment environment_;
  std::function<void(bool)> ended_;
  Recorder* recorder_;
  rpc::Binder binder_;
  Editor editor_;
  Recaller recaller_;
  StoreWorker store_;
  Caretaker caretaker_;
  claude::Client claude_;
  rpc::Connection connection_;
  std::unique_ptr<Session> session_;
  std::vector<std::function<void(Result<Session*>)>> waiting_;  // for the store to open
  std::map<std::string, store::Id> projects_;                   // by folder, as last seen
  double dedupe_threshold_ = learn::default_dedupe_threshold;   // set before the store's first job
  bool opening_ = false;
  bool finishing_ = false;
  std::unique_ptr<Timer> deadline_;
};

}  // namespace selfmind::host

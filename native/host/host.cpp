#include "host/host.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "base/log.h"

namespace selfmind::host {

Host::Session::Session(Host& host, Settings given)
    : settings(std::move(given)),
      learner(host.store_, host.recaller_, host.claude_, host.editor_, settings, host.clock_, host.recorder_),
      runner(host.scheduler_, host.store_, host.recaller_, host.claude_, host.editor_, learner, settings, host.clock_,
             host.recorder_) {}

Host::Host(Scheduler& scheduler, rpc::Transport& transport, http::Client& http, Clock& clock, Ids& ids,
           Environment environment, std::function<void(bool)> ended, Recorder* recorder)
    : scheduler_(scheduler),
      clock_(clock),
      environment_(std::move(environment)),
      ended_(std::move(ended)),
      recorder_(recorder),
      editor_(
          [this](std::string method, rpc::Array params) { connection_.notify(std::move(method), std::move(params)); }),
      recaller_(scheduler, clock),
      store_(scheduler, clock, ids,
             [this](store::Feed feed, bool loading) { recaller_.take(std::move(feed), loading); }),
      caretaker_(store_, editor_, clock),
      claude_(http),
      connection_(transport, binder_,
                  [this](std::int64_t id, Result<rpc::Value> result) { editor_.reply(id, std::move(result)); }) {
  bind();
}

Host::~Host() = default;

void Host::start() {
  connection_.start([this](const Error* why) {
    if (why) log::error("the channel to the editor broke: " + why->message);
    finish();
  });
}

void Host::terminate() {
  // What the editor wrote last may still be in the pipe; the loop reads it before this timer runs.
  constexpr auto grace = std::chrono::milliseconds(20);
  if (!finishing_ && !deadline_) deadline_ = scheduler_.after(grace, [this] { finish(); });
}

// The user's own verbs are committed, a second at most; the background's are dropped. The store's thread does its jobs
// in order, so an empty job behind the last one tells when they are done.
void Host::finish() {
  if (std::exchange(finishing_, true)) return;
  deadline_ = scheduler_.after(limits::shutdown, [this] {
    log::error("the store did not finish in time; what it had not committed is lost");
    ended_(/*in_time=*/false);
  });
  if (opening_) return waiting_.push_back([this](Result<Session*>) { drain(); });
  drain();
}

void Host::drain() {
  store_.rest();
  store_.drop_background();
  if (session_) {
    session_->runner.end();
    session_->learner.end();
  }
  // What a stopped turn asks for once its reply is kept comes behind the first barrier.
  store_.barrier([this] { store_.barrier([this] { ended_(/*in_time=*/true); }); });
}

void Host::with_session(std::function<void(Result<Session*>)> work) {
  if (session_) return work(session_.get());
  if (opening_) return waiting_.push_back(std::move(work));
  work(Error{ErrorKind::protocol, "The memory store is not open: the host was not greeted, or could not open it."});
}

void Host::hello(HelloParams params, std::shared_ptr<rpc::Reply<HelloResult>> reply) {
  if (params.protocol != protocol_version) {
    const char* mend = params.protocol > protocol_version
                           ? "build the host again with `make build` in the plugin's folder, then :SelfMind restart"
                           : "the plugin in this Neovim is the older one: restart Neovim, or update the plugin";
    return (*reply)(
        Error{ErrorKind::protocol, fmt::format("The plugin speaks protocol {} and the host {} (version {}); {}.",
                                               params.protocol, protocol_version, program_version, mend)});
  }
  if (session_ || opening_) return (*reply)(Error{ErrorKind::protocol, "hello was said already."});
  auto settings = host::settings(params.settings, environment_);
  if (!settings) return (*reply)(settings.error());
  opening_ = true;
  dedupe_threshold_ = settings->dedupe_threshold;
  recaller_.use(settings->retrieval);
  std::string path = settings->db;
  auto keep_out = settings->secret_patterns;
  store_.open(std::move(path), std::move(keep_out),
              [this, reply, settings = std::move(*settings)](Result<StoreWorker::Opened> result) mutable {
                opened(std::move(settings), std::move(result), *reply);
              });
}

void Host::opened(Settings settings, Result<StoreWorker::Opened> opened, rpc::Reply<HelloResult>& reply) {
  opening_ = false;
  if (opened) {
    if (recorder_ != nullptr) recorder_->greeted(settings, opened->sqlite, opened->journal);
    session_ = std::make_unique<Session>(*this, settings);
    session_->runner.when_over([this](store::Id chat) { caretaker_.visit(chat); });
    store_.watch([this] { editor_.event("memories/changed", {}); });
    const auto key = settings.from.find("key");
    reply(HelloResult{opened->path, opened->journal, opened->sqlite, settings.chat_model, settings.memory_model,
                      without_credentials(settings.endpoint.base_url), settings.offline_why(), opened->read_only,
                      settings.shown(), settings.shown_useless(), recall::lacking(settings.retrieval),
                      key == settings.from.end() ? "" : key->second, network_variables(environment_)});
  } else {
    reply(opened.error());
  }
  for (const auto& work : std::exchange(waiting_, {})) {
    if (session_) {
      work(session_.get());
    } else {
      work(opened.error());
    }
  }
}

}  // namespace selfmind::host

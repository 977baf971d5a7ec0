#include "host.h"

#include <functional>
#include <utility>

#include "host/recaller.h"
#include "host/store_worker.h"
#include "io/loop.h"
#include "store.h"
#include "store/memories.h"

namespace selfmind::bench {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t k = 6;
constexpr auto ask_interval = 20ms;
constexpr auto look_interval = 2ms;
constexpr double recall_deadline_ms = 50;  // the setting's default
constexpr double patience_ms = 120'000;
constexpr std::size_t inserts = 50;

class Run {
 public:
  Run(const std::string& path, const std::vector<std::string>& questions)
      : questions_(questions),
        recaller_(loop_, clock_),
        store_(loop_, clock_, ids_,
               [this](store::Feed feed, bool loading) { recaller_.take(std::move(feed), loading); }),
        started_(Watch::now()) {
    store_.open(path, {}, [](Result<host::StoreWorker::Opened> opened) { must(std::move(opened)); });
    question();
    look_for_last();
    loop_.run();
  }

  AsHost figures() const {
    AsHost figures;
    figures.loaded_ms = loaded_ms_;
    figures.while_loading = percentiles(asked_);
    figures.asked_while_loading = asked_.size();
    for (const double ms : asked_) figures.late += ms > recall_deadline_ms ? 1 : 0;
    figures.insert_to_found = percentiles(found_);
    figures.insert = percentiles(stored_);
    return figures;
  }

 private:
  using Hits = std::vector<recall::Hit>;

  void ask(const std::string& text, std::function<void(Hits)> then) {
    recall::Context context;
    context.project = the_project;
    recaller_.ask(text, context, k, 0ms, [then = std::move(then)](Hits hits, bool) { then(std::move(hits)); });
  }

  static bool holds(const Hits& hits, const std::string& word) {
    for (const auto& hit : hits) {
      if (hit.item.text.find(word) != std::string::npos) return true;
    }
    return false;
  }

  void question() {
    const auto asked_at = Watch::now();
    ask(questions_[next_++ % questions_.size()], [this, asked_at](const Hits&) {
      if (loaded_ms_ > 0) return;
      asked_.push_back(ms_since(asked_at));
      question_timer_ = loop_.after(ask_interval, [this] { question(); });
    });
  }

  void look_for_last() {
    ask(last_word, [this](const Hits& hits) {
      if (holds(hits, last_word)) {
        loaded_ms_ = ms_since(started_);
        question_timer_.reset();
        return insert();
      }
      if (ms_since(started_) > patience_ms) fail("the store's last item was not found");
      look_timer_ = loop_.after(look_interval, [this] { look_for_last(); });
    });
  }

  void insert() {
    if (found_.size() == inserts) return loop_.stop();
    const std::string word = "novelty" + std::string(found_.size() + 1, 'z');
    store::MemoryDraft draft;
    draft.text = "The " + word + " is what we want to find again as soon as it has been told";
    draft.project = the_project;
    const auto told_at = Watch::now();
    store_.run<store::Added>(
        host::Priority::user,
        [draft](store::Database& database) { return store::add_memory(database, draft, nullptr); },
        [this, word, told_at](Result<store::Added> added) {
          must(std::move(added));
          stored_.push_back(ms_since(told_at));
          ask("Where is the " + word + "?", [this, word, told_at](const Hits& hits) {
            if (!holds(hits, word)) fail("a memory was stored and not found");
            found_.push_back(ms_since(told_at));
            insert();
          });
        });
  }

  const std::vector<std::string>& questions_;
  SystemClock clock_;
  RandomIds ids_;
  io::Loop loop_;
  host::Recaller recaller_;
  host::StoreWorker store_;
  Watch::time_point started_;
  std::unique_ptr<Timer> question_timer_, look_timer_;
  std::size_t next_ = 0;
  double loaded_ms_ = 0;
  std::vector<double> asked_, stored_, found_;
};

}  // namespace

AsHost run_as_host(const std::string& path, const std::vector<std::string>& questions) {
  return Run(path, questions).figures();
}

}  // namespace selfmind::bench

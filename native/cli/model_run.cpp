#include "cli/model_run.h"

#include <chrono>
#include <map>
#include <memory>
#include <ostream>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "claude/client.h"
#include "claude/retry.h"

namespace selfmind::cli {
namespace {

constexpr std::size_t at_once = 4;  // a limit of requests a minute is far from it
constexpr auto first_word_after = std::chrono::seconds(1);
constexpr auto word_every = std::chrono::seconds(10);

class Run {
 public:
  Run(Network& network, const claude::Endpoint& endpoint, const std::vector<claude::Request>& requests,
      std::ostream& err)
      : network_(network), endpoint_(endpoint), requests_(requests), err_(err), client_(network.http) {
    answers_.replies.resize(requests.size());
  }

  ModelAnswers go() {
    if (requests_.empty()) return std::move(answers_);
    say_later(first_word_after);
    go_on();
    network_.run();
    running_.clear();
    return std::move(answers_);
  }

 private:
  struct Asked {
    int retries = 0;
    std::unique_ptr<claude::Call> call;
    std::unique_ptr<Timer> pause;  // before the next try
  };

  void go_on() {
    const std::size_t width = answers_.answered == 0 ? 1 : at_once;
    while (next_ < requests_.size() && running_.size() < width) send(next_++);
  }

  void send(std::size_t index) {
    running_[index].call = client_.ask(requests_[index], endpoint_, [this, index](claude::StreamEvent event) {
      if (auto* done = std::get_if<claude::Done>(&event)) {
        answered(index, std::move(done->reply));
      } else if (auto* failed = std::get_if<claude::Failed>(&event)) {
        this->failed(index, *failed);
      }
    });
  }

  void answered(std::size_t index, claude::Reply reply) {
    answers_.used.push_back(reply.usage);
    answers_.replies[index] = std::move(reply);
    ++answers_.answered;
    running_.erase(index);
    if (answers_.answered == requests_.size()) return network_.stop();
    go_on();
  }

  void failed(std::size_t index, const claude::Failed& failure) {
    const auto& usage = failure.partial.usage;
    if (usage.input + usage.output + usage.cache_read + usage.cache_write > 0) answers_.used.push_back(usage);
    Asked& asked = running_[index];
    if (!failure.retry.worthwhile || asked.retries == claude::max_retries) {
      answers_.failed = failure.error;
      running_.clear();
      return network_.stop();
    }
    const double chance = std::uniform_real_distribution<>()(chance_);
    const auto pause = claude::pause_before(++asked.retries, failure.retry, chance);
    asked.pause = network_.loop.after(pause, [this, index] { send(index); });
    asked.call.reset();
  }

  void say_later(std::chrono::milliseconds after) {
    word_ = network_.loop.after(after, [this] {
      err_ << fmt::format("{} of {} answered\n", answers_.answered, requests_.size()) << std::flush;
      say_later(word_every);
    });
  }

  Network& network_;
  const claude::Endpoint& endpoint_;
  const std::vector<claude::Request>& requests_;
  std::ostream& err_;
  claude::Client client_;
  ModelAnswers answers_;
  std::size_t next_ = 0;
  std::map<std::size_t, Asked> running_;
  std::unique_ptr<Timer> word_;
  std::minstd_rand chance_{std::random_device{}()};
};

}  // namespace

ModelAnswers ask_all(Network& network, const claude::Endpoint& endpoint, const std::vector<claude::Request>& requests,
                     std::ostream& err) {
  return Run(network, endpoint, requests, err).go();
}

}  // namespace selfmind::cli

// bench-recall: whole recalls beside FTS5 and plain BM25 over the same made-up store, in one run. Prints a table;
// asserts nothing about times.
#include <sys/utsname.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "host.h"
#include "measure.h"
#include "peers.h"
#include "recall/rank.h"
#include "store.h"
#include "store/feed.h"
#include "support/temporary.h"

namespace {

using namespace selfmind;
using namespace selfmind::bench;

constexpr std::size_t top = 6;  // what a chat asks for
constexpr std::size_t questions_asked = 200;
constexpr std::size_t questions_about_nothing = 20;
constexpr std::size_t questions_of_frequent_words = 20;
constexpr std::size_t new_items = 50;
constexpr int feed_slice = 250;
// The mix has 103 words an item: a million of them would be a store of a gigabyte.
constexpr std::size_t mixed_items_max = 100'000;

const std::map<std::string, Kind> kinds = {
    {"memories", Kind::memories}, {"brief", Kind::brief}, {"mixed", Kind::mixed}};

// How often each system is asked each question. FTS5 takes so long over a large store that noise is no matter there.
struct Rounds {
  int recall, plain, fts;
  std::size_t fts_every;  // of the questions
};

Rounds rounds(std::size_t items) {
  if (items <= 10'000) return {5, 5, 3, 1};
  if (items <= 100'000) return {5, 5, 1, 2};
  return {5, 3, 1, 5};
}

struct Question {
  std::string text;
  std::optional<std::size_t> about;  // the item that its words are from
};

struct Asked {
  Percentiles ms;
  double found =
      0;  // share of the questions about an item that have it, or what it names or is named by, in their list
  std::size_t questions = 0;
};

struct Figures {
  std::size_t items = 0;
  double text_bytes = 0;
  double feed_ms = 0, index_ms = 0;
  Memory index, fts_memory, plain_memory;
  double peak = 0;  // bytes; of the whole process once the index is loaded
  bool has_fts = false;
  double fts_build_ms = 0, fts_optimize_ms = 0, plain_build_ms = 0;
  Asked recall, fts, fts_without, plain;
  double fts_new_ms = 0, plain_new_ms = 0;  // from insert to found
};

// As the command line does it; the host's way is measured in host.cpp.
template <class Take>
double feed(store::Database& database, Take take) {
  decltype(store::Feed::position) position{};
  double reading = 0;
  for (bool more = true; more;) {
    const auto start = Watch::now();
    auto next = must(store::feed(database, position, feed_slice));
    reading += ms_since(start);
    take(std::move(next.put));
    position = next.position;
    more = next.more;
  }
  return reading;
}

std::vector<Question> make_questions(const std::vector<store::Item>& items, std::size_t seed) {
  Random random(seed);
  std::vector<Question> questions;
  const auto about_items = questions_asked - questions_about_nothing - questions_of_frequent_words;
  for (std::size_t i = 0; i < about_items; ++i) {
    const auto item = i * items.size() / about_items;
    questions.push_back({question_about(items[item].text, random), item});
  }
  for (std::size_t i = 0; i < questions_about_nothing; ++i) {
    questions.push_back({question_about_nothing_known(random), std::nullopt});
  }
  for (std::size_t i = 0; i < questions_of_frequent_words; ++i) {
    questions.push_back({question_of_frequent_words(random), std::nullopt});
  }
  // Every part of the list has some of each.
  for (std::size_t i = questions.size(); i > 1; --i) std::swap(questions[i - 1], questions[random.below(i)]);
  return questions;
}

// One says the other, or came from it.
bool same(const store::Item& a, const store::Item& b) {
  const auto names = [](const store::Item& memory, const store::Item& turn) {
    return turn.kind == store::ItemKind::turn &&
           std::find(memory.turns.begin(), memory.turns.end(), turn.id) != memory.turns.end();
  };
  return (a.kind == b.kind && a.id == b.id) || names(a, b) || names(b, a);
}

// The times of one system, and what it found.
class Times {
 public:
  explicit Times(std::size_t questions) : ms_(questions) {}

  template <class Ask, class Same>
  void ask(std::size_t number, const Question& question, Ask ask, Same is_it) {
    const auto start = Watch::now();
    const auto list = ask(question.text);
    ms_[number].push_back(ms_since(start));
    keep(list.size());
    if (ms_[number].size() > 1 || !question.about) return;
    ++about_;
    found_ += std::any_of(list.begin(), list.end(), is_it) ? 1 : 0;
  }

  Asked figures() const {
    std::vector<double> medians;
    for (const auto& times : ms_) {
      if (!times.empty()) medians.push_back(median(times));
    }
    const auto questions = medians.size();
    return {percentiles(std::move(medians)), about_ > 0 ? found_ / about_ : 0, questions};
  }

 private:
  std::vector<std::vector<double>> ms_;
  double about_ = 0, found_ = 0;
};

class Comparison {
 public:
  explicit Comparison(const std::string& path, bool alone) : alone_(alone) {
    SystemClock clock;
    RandomIds ids;
    auto database = must(store::Database::open(path, clock, ids));
    const auto before = memory();
    const auto start = Watch::now();
    figures_.feed_ms = feed(database, [this](auto items) { index_.put(recall::Batch(std::move(items))); });
    figures_.index_ms = ms_since(start) - figures_.feed_ms;
    figures_.index = memory() - before;
    figures_.peak = peak_resident();
    figures_.items = index_.size();
    context_.project = the_project;

    feed(database, [this](auto items) { std::move(items.begin(), items.end(), std::back_inserter(items_)); });
    for (const auto& item : items_) figures_.text_bytes += static_cast<double>(item.text.size());
    questions_ = make_questions(items_, items_.size() + 2);
  }

  Figures run() {
    if (!alone_) {
      build_fts();
      build_plain();
    }
    ask();
    if (!alone_) put_new();
    return figures_;
  }

  const std::vector<Question>& questions() const { return questions_; }

 private:
  void build_fts() {
    figures_.has_fts = fts_.exists();
    if (!figures_.has_fts) return;
    const auto before = memory();
    auto start = Watch::now();
    fts_.begin();
    for (Number number = 0; number < items_.size(); ++number) fts_.add(number, items_[number].text);
    fts_.commit();
    figures_.fts_build_ms = ms_since(start);
    start = Watch::now();
    fts_.optimize();
    figures_.fts_optimize_ms = ms_since(start);
    figures_.fts_memory = memory() - before;
  }

  void build_plain() {
    const auto before = memory();
    const auto start = Watch::now();
    for (Number number = 0; number < items_.size(); ++number) plain_.add(number, items_[number].text);
    figures_.plain_build_ms = ms_since(start);
    figures_.plain_memory = memory() - before;
  }

  // All systems are asked one question, then all the next one, so that what else the machine does meets all alike.
  void ask() {
    const auto plan = rounds(items_.size());
    const auto count = questions_.size();
    Times recall(count), fts(count), fts_without(count), plain(count);
    for (int round = -1; round < std::max({plan.recall, plan.plain, plan.fts}); ++round) {
      const bool warming_up = round < 0;
      if (warming_up && alone_) continue;
      Times unused(count);
      const auto times = [&](Times& wanted) -> Times& { return warming_up ? unused : wanted; };
      for (std::size_t number = 0; number < count; ++number) {
        if (warming_up && number % 20 != 0) continue;
        const bool fts_too = round < plan.fts && number % (warming_up ? 100 : plan.fts_every) == 0;
        const auto& question = questions_[number];
        const auto is_hit = [&](const recall::Hit& hit) { return same(hit.item, items_[*question.about]); };
        const auto is_number = [&](Number hit) { return same(items_[hit], items_[*question.about]); };
        if (round < plan.recall) {
          const auto by_recall = [&](const auto& text) { return recall::rank(index_, text, context_, top); };
          times(recall).ask(number, question, by_recall, is_hit);
        }
        if (alone_) continue;
        if (figures_.has_fts && fts_too) {
          times(fts).ask(
              number, question, [&](const auto& text) { return fts_.ask(text, true); }, is_number);
          Times& without = times(fts_without);
          without.ask(
              number, question, [&](const auto& text) { return fts_.ask(text, false); }, is_number);
        }
        if (round < plan.plain) {
          times(plain).ask(
              number, question, [&](const auto& text) { return plain_.ask(text); }, is_number);
        }
      }
    }
    figures_.recall = recall.figures();
    figures_.fts = fts.figures();
    figures_.fts_without = fts_without.figures();
    figures_.plain = plain.figures();
  }

  void put_new() {
    std::vector<double> fts, plain;
    for (std::size_t i = 0; i < new_items; ++i) {
      const std::string word = "novelty" + std::string(i + 1, 'z');
      const std::string text = "The " + word + " is what we want to find again as soon as it has been told";
      const auto number = static_cast<Number>(items_.size() + i);
      auto start = Watch::now();
      plain_.add(number, text);
      keep(plain_.ask(word).size());
      plain.push_back(ms_since(start));
      if (!figures_.has_fts) continue;
      start = Watch::now();
      fts_.begin();
      fts_.add(number, text);
      fts_.commit();
      keep(fts_.ask(word, true).size());
      fts.push_back(ms_since(start));
    }
    figures_.plain_new_ms = percentiles(plain).p50;
    figures_.fts_new_ms = percentiles(fts).p50;
  }

  bool alone_;
  recall::Index index_;
  recall::Context context_;
  std::vector<store::Item> items_;
  std::vector<Question> questions_;
  Fts5 fts_;
  PlainBm25 plain_;
  Figures figures_;
};

// The table
// ------------------------------------------------------------------------------------------------------------

std::string thousands(std::size_t number) {
  auto text = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

// Three digits that count.
std::string number(double value) {
  if (value >= 100) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}f}", value, value >= 10 ? 1 : value >= 1 ? 2 : 3);
}

std::string seconds(double ms) { return number(ms / 1000) + " s"; }
std::string megabytes(double bytes) { return bytes > 0 ? number(bytes / 1e6) + " MB" : "-"; }

void row(const std::string& name, const Asked& asked, double fts_p50, double load_ms, const Memory& memory,
         double new_ms) {
  const double ratio = asked.ms.p50 > 0 ? fts_p50 / asked.ms.p50 : 0;
  fmt::print("  {:<22}{:>9}{:>9}{:>9}{:>9}{:>8}{:>10}{:>10}{:>10}\n", name, number(asked.ms.p50), number(asked.ms.p95),
             asked.questions >= 100 ? number(asked.ms.p99) : "-", ratio > 0 ? number(ratio) + "x" : "-",
             fmt::format("{:.0f} %", 100 * asked.found), seconds(load_ms), megabytes(memory.heap),
             new_ms > 0 ? number(new_ms) + " ms" : "-");
}

std::string what_they_are(Kind kind) {
  switch (kind) {
    case Kind::memories:
      return "memories of 18 words";
    case Kind::brief:
      return "memories and messages, half each, of 18 words";
    case Kind::mixed:
      return "memories of 18, messages of 40 and replies of 250 words, a third each";
  }
  return {};
}

void print(Kind kind, const Contents& contents, const Figures& figures, const AsHost& host) {
  fmt::print("\n{} {}\n", thousands(contents.items), what_they_are(kind));
  if (figures.items != contents.items) {
    fmt::print("  of these {} may be recalled, and are indexed in all of:\n", thousands(figures.items));
  }
  fmt::print("  {:<22}{:>9}{:>9}{:>9}{:>9}{:>8}{:>10}{:>10}{:>10}\n", "", "p50 ms", "p95 ms", "p99 ms", "to FTS5",
             "found", "loaded", "memory", "new found");
  const double fts = figures.fts.ms.p50;
  row("recall", figures.recall, fts, host.loaded_ms, figures.index, host.insert_to_found.p50);
  if (figures.has_fts) {
    const double built = figures.fts_build_ms + figures.fts_optimize_ms;
    row("FTS5", figures.fts, fts, built, figures.fts_memory, figures.fts_new_ms);
    row("FTS5, no stop words", figures.fts_without, fts, built, figures.fts_memory, figures.fts_new_ms);
  }
  if (figures.plain.questions > 0) {
    row("plain BM25", figures.plain, fts, figures.plain_build_ms, figures.plain_memory, figures.plain_new_ms);
  }
  fmt::print("  recall on one thread: read in {}, indexed in {}; {} resident, at most {}; {} are text\n",
             seconds(figures.feed_ms), seconds(figures.index_ms), megabytes(figures.index.resident),
             megabytes(figures.peak), megabytes(figures.text_bytes));
  fmt::print("  in the host: loaded in {}; {} recalls meanwhile: p50 {} ms, p99 {} ms, {} above 50 ms\n",
             seconds(host.loaded_ms), host.asked_while_loading, number(host.while_loading.p50),
             number(host.while_loading.p99), host.late);
  fmt::print("  in the host: a new memory is committed after {} ms, found after {} ms; p99 {} ms\n",
             number(host.insert.p50), number(host.insert_to_found.p50), number(host.insert_to_found.p99));
  fmt::print("  {} different words, {} chats", thousands(contents.vocabulary), thousands(contents.chats));
  if (figures.has_fts && figures.fts.questions < figures.recall.questions) {
    fmt::print("; FTS5 was asked {} of the {} questions, once", figures.fts.questions, figures.recall.questions);
  }
  fmt::print("\n");
  std::fflush(stdout);
}

std::string load_average() {
  double load[1] = {};
  return ::getloadavg(load, 1) == 1 ? fmt::format("{:.2f}", load[0]) : "unknown";
}

void print_head() {
  utsname system{};
  ::uname(&system);
  fmt::print("Recall (preset default, k {}) beside FTS5 (SQLite {}, top {}) and plain BM25 (top {})\n", top,
             sqlite3_libversion(), peers_top, peers_top);
  fmt::print("{} {}, {} cores, load {}\n", system.sysname, system.machine, std::thread::hardware_concurrency(),
             load_average());
  fmt::print(
      "{} questions per store: {} of the words of an item, {} of words that no item has, {} of the most\n"
      "frequent words. Each is asked of all in turn, several times, and its median taken. p50, p95, p99:\n"
      "over questions, of a whole answer with the analysis of the question. to FTS5: how many times less.\n"
      "found: the item asked about is in the list. loaded: recall as in the host, from the store, with\n"
      "recalls meanwhile; the others have the texts in memory. memory: malloc'd; recall keeps the texts\n"
      "in it, the others do not. new found: from insert until found; recall: through the store's file,\n"
      "the others in memory.\n",
      questions_asked, questions_asked - questions_about_nothing - questions_of_frequent_words, questions_about_nothing,
      questions_of_frequent_words);
}

// -----------------------------------------------------------------------------------------------------------------------

void compare(Kind kind, std::size_t items, bool alone) {
  const test::TemporaryFolder folder;
  const auto path = folder / "memory.db";
  const auto list = folder / "questions";
  const auto contents = in_own_process([&] { return write_store(path, kind, items); });
  const auto figures = in_own_process([&] {
    Comparison comparison(path, alone);
    std::ofstream file(list);
    for (const auto& question : comparison.questions()) file << question.text << '\n';
    return comparison.run();
  });
  const auto host = in_own_process([&] {
    std::vector<std::string> questions;
    std::ifstream file(list);
    for (std::string line; std::getline(file, line);) questions.push_back(line);
    return run_as_host(path, questions);
  });
  print(kind, contents, figures, host);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Speed of recall beside FTS5 and plain BM25.");
  std::vector<std::size_t> sizes = {1'000, 10'000, 100'000, 1'000'000};
  std::vector<std::string> texts = {"brief", "mixed"};
  bool alone = false;
  app.add_option("--sizes", sizes, "items in the store")
      ->delimiter(',')
      ->envname("BENCH_SIZES")
      ->check(CLI::Range(100, 10'000'000));
  app.add_option("--texts", texts, "memories, brief, mixed")
      ->delimiter(',')
      ->envname("BENCH_TEXTS")
      ->check(CLI::IsMember(kinds));
  app.add_flag("--alone", alone, "recall alone, for a profile");
  CLI11_PARSE(app, argc, argv);

  print_head();
  for (const auto& text : texts) {
    for (const auto size : sizes) {
      const auto kind = kinds.at(text);
      if (kind == Kind::mixed && size > mixed_items_max) continue;
      compare(kind, size, alone);
    }
  }
  fmt::print("\nload {} at the end\n", load_average());
}

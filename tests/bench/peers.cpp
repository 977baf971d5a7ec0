#include "peers.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <unordered_set>

#include "measure.h"
#include "text/words.h"

namespace selfmind::bench {
namespace {

bool says_nothing(std::string_view folded) { return text::has(text::stop_word_in(folded), text::Language::english); }

}  // namespace

Fts5::Fts5() {
  sqlite3* opened = nullptr;
  if (sqlite3_open(":memory:", &opened) != SQLITE_OK) fail("SQLite did not open a database in memory");
  database_.reset(opened);
  exists_ = sqlite3_exec(opened, "CREATE VIRTUAL TABLE item USING fts5(text, content='', tokenize='porter unicode61')",
                         nullptr, nullptr, nullptr) == SQLITE_OK;
  if (!exists_) return;
  add_ = prepare("INSERT INTO item (rowid, text) VALUES (?, ?)");
  ask_ = prepare("SELECT rowid FROM item WHERE item MATCH ? ORDER BY rank LIMIT ?");
}

void Fts5::execute(const char* sql) {
  if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    fail(std::string("FTS5: ") + sqlite3_errmsg(database_.get()));
  }
}

std::unique_ptr<sqlite3_stmt, Fts5::Close> Fts5::prepare(const char* sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database_.get(), sql, -1, &statement, nullptr) != SQLITE_OK) {
    fail(std::string("FTS5: ") + sqlite3_errmsg(database_.get()));
  }
  return std::unique_ptr<sqlite3_stmt, Close>(statement);
}

void Fts5::begin() { execute("BEGIN"); }
void Fts5::commit() { execute("COMMIT"); }
void Fts5::optimize() { execute("INSERT INTO item (item) VALUES ('optimize')"); }

void Fts5::add(Number number, std::string_view text) {
  sqlite3_bind_int64(add_.get(), 1, number);
  sqlite3_bind_text(add_.get(), 2, text.data(), static_cast<int>(text.size()), SQLITE_STATIC);
  const bool done = sqlite3_step(add_.get()) == SQLITE_DONE;
  sqlite3_reset(add_.get());
  if (!done) fail(std::string("FTS5: ") + sqlite3_errmsg(database_.get()));
}

std::vector<Number> Fts5::ask(std::string_view question, bool stop_words) {
  std::string match;
  std::unordered_set<std::string> seen;
  std::istringstream stream{std::string(question)};
  for (std::string word; stream >> word;) {
    word.resize(word.find_last_not_of(",.?\"") + 1);
    if (word.empty() || (!stop_words && says_nothing(text::fold(word))) || !seen.insert(word).second) continue;
    match += (match.empty() ? "\"" : " OR \"") + word + "\"";
  }
  sqlite3_bind_text(ask_.get(), 1, match.data(), static_cast<int>(match.size()), SQLITE_STATIC);
  sqlite3_bind_int(ask_.get(), 2, peers_top);
  std::vector<Number> found;
  int code = SQLITE_ROW;
  while (!match.empty() && (code = sqlite3_step(ask_.get())) == SQLITE_ROW) {
    found.push_back(static_cast<Number>(sqlite3_column_int64(ask_.get(), 0)));
  }
  if (code != SQLITE_DONE && code != SQLITE_ROW) fail(std::string("FTS5: ") + sqlite3_errmsg(database_.get()));
  sqlite3_reset(ask_.get());
  return found;
}

std::vector<std::string> PlainBm25::words(std::string_view text) {
  std::vector<std::string> words;
  for (const auto& word : text::words(text)) {
    if (!says_nothing(word)) words.push_back(stemmer_.stem(word, text::Language::english));
  }
  return words;
}

void PlainBm25::add(Number number, std::string_view text) {
  std::unordered_map<std::string, std::uint32_t> counts;
  std::uint32_t length = 0;
  for (auto& word : words(text)) {
    ++counts[std::move(word)];
    ++length;
  }
  for (const auto& [word, count] : counts) lists_[word].push_back({number, count});
  lengths_.resize(number + 1);
  lengths_[number] = length;
  all_words_ += length;
}

std::vector<Number> PlainBm25::ask(std::string_view question) {
  constexpr double k1 = 1.5, b = 0.75;
  const auto texts = static_cast<double>(lengths_.size());
  const double average = all_words_ / texts;
  const auto asked = words(question);
  std::vector<double> scores(lengths_.size());
  for (const auto& word : std::unordered_set<std::string>(asked.begin(), asked.end())) {
    const auto list = lists_.find(word);
    if (list == lists_.end()) continue;
    const auto having = static_cast<double>(list->second.size());
    const double idf = std::log(1 + (texts - having + 0.5) / (having + 0.5));
    for (const auto& [text, count] : list->second) {
      const double lower = count + k1 * (1 - b + b * lengths_[text] / average);
      scores[text] += idf * count * (k1 + 1) / lower;
    }
  }
  std::vector<Number> found;
  for (Number text = 0; text < scores.size(); ++text) {
    if (scores[text] > 0) found.push_back(text);
  }
  const auto top = std::min(peers_top, found.size());
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(top), found.end(),
                    [&](Number left, Number right) { return scores[left] > scores[right]; });
  found.resize(top);
  return found;
}

}  // namespace selfmind::bench

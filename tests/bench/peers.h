// What the recall is compared with, over the same texts: SQLite's FTS5, and BM25 as one writes it down from the
// formula. Texts are numbered from 0.
#pragma once
#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/language.h"

namespace selfmind::bench {

using Number = std::uint32_t;
inline constexpr std::size_t peers_top = 36;

// The best way we know to ask FTS5 such a question: its porter stemmer, an index without a copy of the texts, in
// memory, merged into one segment after it is built (optimize), ordered by `rank`, which is bm25() computed in its fast
// form.
class Fts5 {
 public:
  Fts5();

  // False when this SQLite is built without it.
  bool exists() const { return exists_; }

  void begin();
  void add(Number number, std::string_view text);
  void commit();
  void optimize();

  // An OR of the question's words, each quoted; `stop_words`: also of those that say nothing.
  std::vector<Number> ask(std::string_view question, bool stop_words);

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  void execute(const char* sql);
  std::unique_ptr<sqlite3_stmt, Close> prepare(const char* sql);

  std::unique_ptr<sqlite3, Close> database_;
  std::unique_ptr<sqlite3_stmt, Close> add_, ask_;
  bool exists_ = false;
};

// Okapi BM25 (k1 1.5, b 0.75) over an inverted index in a hash map: every list of the question's words is read, scores
// are added up in an array, and the best are sorted out. Words are folded, English stop words are left out, the others
// stemmed, as the default ranking does it; identifiers are not taken apart.
class PlainBm25 {
 public:
  void add(Number number, std::string_view text);  // numbers grow
  std::vector<Number> ask(std::string_view question);

 private:
  struct Posting {
    Number text;
    std::uint32_t count;
  };
  std::vector<std::string> words(std::string_view text);

  text::Stemmer stemmer_;
  std::unordered_map<std::string, std::vector<Posting>> lists_;
  std::vector<std::uint32_t> lengths_;
  double all_words_ = 0;
};

}  // namespace selfmind::bench

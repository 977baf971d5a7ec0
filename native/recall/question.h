// A question as the ranking sees it. Pure over an index.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "recall/rank.h"
#include "recall/state.h"
#include "text/dates.h"

namespace selfmind::recall {

// What the asker may see, with the numbers that scores are relative to.
struct View {
  std::vector<const Shard*> shards;
  double items = 0;
  std::array<double, sorts> average{};  // words of an item, by sort

  static View of(const Index::State& state, const Context& context);
  double texts_with(const std::vector<Term>& terms) const;
  std::vector<Term> seen(std::vector<Term> terms) const;  // those that stand in a visible text
  // Adds who is called so; false when nobody is.
  bool add_speakers(const std::string& word, std::vector<Speaker>& speakers) const;
};

struct Word {
  std::string text;         // as typed, folded
  std::vector<Term> terms;  // one term, or what several languages make of it
  double texts = 0;         // in how many it stands
  double idf = 0;           // above 0
  double weight = 1;        // how much it counts beside others
  std::size_t position = 0;
  bool common = false;

  double value() const { return idf * weight; }
};

struct Question {
  std::vector<Word> words;           // known to the store, the most valuable first; at most question_words
  std::vector<std::string> unknown;  // its words that stand nowhere
  std::vector<Speaker> speakers;     // named by it
  std::vector<text::Span> times;     // named by it
  bool asks_when = false;
  bool characters = false;  // Chinese, Japanese or Korean

  // For the confidence: what of it the store knows at all.
  std::size_t asked = 0;      // words that say something
  double value = 0;           // of all of them, unknown ones as rare as can be
  double uncommon = 0;        // weight of those that do not stand in talk about anything
  bool unknown_name = false;  // a name that stands nowhere
};

// More words are a pasted text; its rarest words tell what it is about.
inline constexpr std::size_t question_words = 64;

Question understand(const Index::State& state, const View& view, std::string_view text, const Preset& preset, Time now);

}  // namespace selfmind::recall

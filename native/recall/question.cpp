#include "recall/question.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "base/utf8.h"
#include "recall/weights.h"

namespace selfmind::recall {
namespace {

using text::TokenKind;

// Okapi's, kept above 0.
double inverse_document_frequency(double items, double texts) {
  return std::log(1 + (items - texts + 0.5) / (texts + 0.5));
}

double idf_of(const Asked& asked, double texts, const View& view, const Preset& preset) {
  if (preset.method != Method::fused) return inverse_document_frequency(view.items, texts);
  const double background = asked.common ? weights.background_texts * weights.background_share : 0;
  return inverse_document_frequency(view.items + weights.background_texts, texts + background);
}

double weight_of(const Asked& asked, bool characters) {
  double weight = 1;
  if (asked.aside) weight *= weights.aside;
  if (asked.kind == TokenKind::character) weight *= weights.character;
  const bool own_script = asked.kind == TokenKind::character || asked.kind == TokenKind::pair;
  if (characters && !own_script) weight *= weights.foreign_word;
  return weight;
}

// Of a pasted megabyte both ends: one asks before what is pasted, or after it. Empty when the text is short enough.
std::string beginning_and_end(std::string_view text) {
  if (text.size() <= limits::question_bytes) return {};
  const auto half = limits::question_bytes / 2;
  return std::string(utf8::prefix(text, half)) + "\n" + std::string(text.substr(text.size() - half));
}

// Adds a word, or nothing when another one means the same terms.
void add(std::vector<Word>& words, Word word) {
  const auto same = [&word](const Word& other) { return other.terms == word.terms; };
  if (std::none_of(words.begin(), words.end(), same)) words.push_back(std::move(word));
}

// A time may be named before what is pasted or after it; text::times_in() looks at a beginning.
void read_times(std::string_view text, Time now, Question& question) {
  constexpr std::size_t looked_at = 4096;
  question.times = text::times_in(text, now);
  question.asks_when = text::asks_when(text);
  if (text.size() <= looked_at) return;
  const auto end = text.substr(text.size() - std::min(looked_at, text.size() - looked_at));
  for (const auto& span : text::times_in(end, now)) question.times.push_back(span);
  question.asks_when = question.asks_when || text::asks_when(end);
}

}  // namespace

View View::of(const Index::State& state, const Context& context) {
  View view;
  std::array<double, sorts> items{}, words{};
  for (const auto& [project, shard] : state.shards) {
    const bool seen = context.all_projects || project == context.project || project == store::no_id;
    if (!seen) continue;
    view.shards.push_back(&shard);
    for (std::size_t sort = 0; sort < sorts; ++sort) {
      items[sort] += static_cast<double>(shard.items[sort]);
      words[sort] += static_cast<double>(shard.words[sort]);
    }
  }
  double all_words = 0;
  for (std::size_t sort = 0; sort < sorts; ++sort) {
    view.items += items[sort];
    all_words += words[sort];
  }
  const bool one_length = context.preset.method != Method::fused;  // the published designs know one kind of text
  for (std::size_t sort = 0; sort < sorts; ++sort) {
    const double average = one_length ? all_words / view.items : words[sort] / items[sort];
    view.average[sort] = average > 0 ? average : 1;
  }
  return view;
}

double View::texts_with(const std::vector<Term>& terms) const {
  double texts = 0;
  for (const auto term : terms) {
    for (const auto* shard : shards) {
      if (const auto* list = shard->postings.find(term)) texts += static_cast<double>(list->size());
    }
  }
  return texts;
}

// What other projects say must not matter, not even which of a word's terms there are.
std::vector<Term> View::seen(std::vector<Term> terms) const {
  std::erase_if(terms, [this](Term term) { return texts_with({term}) == 0; });
  return terms;
}

bool View::add_speakers(const std::string& word, std::vector<Speaker>& speakers) const {
  bool any = false;
  for (const auto* shard : shards) {
    const auto found = shard->speakers.find(word);
    if (found == shard->speakers.end()) continue;
    any = true;
    for (const auto& [speaker, texts] : found->second) speakers.push_back(speaker);
  }
  return any;
}

Question understand(const Index::State& state, const View& view, std::string_view text, const Preset& preset,
                    Time now) {
  const bool fused = preset.method == Method::fused;
  const auto shortened = beginning_and_end(text);
  if (!shortened.empty()) text = shortened;
  const auto asked = state.vocabulary.ask(text);
  Question question;
  question.characters =
      std::any_of(asked.begin(), asked.end(), [](const Asked& a) { return a.kind == TokenKind::pair; });
  for (std::size_t position = 0; position < asked.size(); ++position) {
    const auto& one = asked[position];
    if (fused) {
      // Everybody says the other's name; who speaks is what helps.
      if (view.add_speakers(one.word, question.speakers)) continue;
    }
    Word word;
    word.text = one.word;
    word.terms = view.seen(one.terms);
    word.texts = view.texts_with(word.terms);
    word.position = position;
    word.common = one.common;
    word.idf = idf_of(one, word.texts, view, preset);
    if (fused) word.weight = weight_of(one, question.characters);

    const bool counts = word.texts > 0 || one.kind != TokenKind::whole;  // its parts count already
    if (counts) {
      ++question.asked;
      question.value += word.value();
      if (!one.common) question.uncommon += word.weight;
      if (word.texts == 0 && one.name) question.unknown_name = true;
    }
    if (word.texts > 0) {
      add(question.words, std::move(word));
    } else if (counts && question.unknown.size() < question_words) {
      question.unknown.push_back(std::move(word.text));
    }
  }
  std::stable_sort(question.words.begin(), question.words.end(),
                   [](const Word& a, const Word& b) { return a.value() > b.value(); });
  if (fused && question.words.size() > question_words) question.words.resize(question_words);
  if (fused) read_times(text, now, question);
  return question;
}

}  // namespace selfmind::recall

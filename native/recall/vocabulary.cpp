#include "recall/vocabulary.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

namespace selfmind::recall {

using text::Language;
using text::TokenKind;

namespace {

// Characters have no endings. What is written as an identifier may be written as a word elsewhere: YouTube, youtube.
bool is_inflected(TokenKind kind) { return kind != TokenKind::character && kind != TokenKind::pair; }

}  // namespace

std::vector<std::string> Vocabulary::plain_words(std::string_view text) const {
  return analysis_ == Analysis::ascii ? text::ascii_words(text) : text::words(text);
}

Term Vocabulary::number(std::string_view term) { return numbers_.number(term, hash(term)); }

Vocabulary::Surface& Vocabulary::complete(std::uint32_t number, std::string_view word) {
  auto& surface = surfaces_[number];
  if (!surface.known) {
    surface.known = true;
    surface.stop_word_in = text::stop_word_in(word);
    for (std::size_t i = 0; i < text::languages; ++i) {
      surface.terms[i] = text::has(surface.stop_word_in, static_cast<Language>(i)) ? stop_word : no_term;
    }
  }
  return surface;
}

Term Vocabulary::term_of(Surface& surface, std::string_view word, TokenKind kind, Language language) {
  Term& term = surface.terms[static_cast<std::size_t>(language)];
  if (term == no_term) {
    term = is_inflected(kind) ? number(stemmer_.stem(word, language)) : number(word);
  }
  return term;
}

std::size_t Vocabulary::read(std::string_view text, const Split& split, std::vector<Term>& terms) {
  if (analysis_ != Analysis::full) {
    auto words = plain_words(text);
    for (const auto& word : words) terms.push_back(number(word));
    return words.size();
  }

  const auto split_words = split.words();
  text::LanguageVotes votes;
  // Memory is what this waits for, so each step asks for the next one's: places, then surfaces.
  for (const auto& word : split_words) surfaces_.prefetch(word.hash);
  reading_.resize(split_words.size());
  for (std::size_t i = 0; i < split_words.size(); ++i) {
    reading_[i] = surfaces_.number(split.text(split_words[i]), split_words[i].hash);
  }
  for (std::size_t i = 0; i < split_words.size(); ++i) {
    votes.add(complete(reading_[i], split.text(split_words[i])).stop_word_in);
  }
  const auto language = votes.winner();
  languages_ |= static_cast<text::LanguageSet>(1u << static_cast<unsigned>(language));
  // Every other word is a stop word, and nobody can tell which: all are written, and those are written over.
  std::size_t words = 0, end = terms.size();
  terms.resize(end + split_words.size());
  for (std::size_t i = 0; i < split_words.size(); ++i) {
    const auto& word = split_words[i];
    const Term term = term_of(surfaces_[reading_[i]], split.text(word), word.kind, language);
    const bool says_something = term != stop_word;
    terms[end] = term;
    end += says_something;
    words += says_something && word.kind != TokenKind::whole;
  }
  terms.resize(end);
  return words;
}

std::vector<Asked> Vocabulary::ask(std::string_view question) {
  std::vector<Asked> asked;
  std::unordered_set<std::string> seen;
  if (analysis_ != Analysis::full) {
    for (auto& word : plain_words(question)) {
      if (!seen.insert(word).second) continue;
      Asked one;
      if (const Term term = numbers_.find_number(word); term != no_term) one.terms.push_back(term);
      one.word = std::move(word);
      asked.push_back(std::move(one));
    }
    return asked;
  }

  const auto& tokens = tokens_.split(question);
  text::LanguageVotes votes;
  for (const auto& token : tokens) votes.add(text::stop_word_in(tokens_.text(token)));
  const auto language = votes.winner();
  std::optional<std::uint32_t> question_sentence;
  for (const auto& token : tokens) {
    if (tokens_.is_question(token.sentence)) question_sentence = token.sentence;
  }
  for (const auto& token : tokens) {
    const auto word = tokens_.text(token);
    if (text::has(text::stop_word_in(word), language) || !seen.insert(std::string(word)).second) continue;
    Asked one;
    one.word = word;
    one.name = token.name;
    one.common = text::is_common(word);
    one.kind = token.kind;
    one.aside = question_sentence && token.sentence != *question_sentence;
    const auto add = [&](const std::string& stem) {
      const Term term = numbers_.find_number(stem);
      if (term != no_term && std::find(one.terms.begin(), one.terms.end(), term) == one.terms.end()) {
        one.terms.push_back(term);
      }
    };
    if (is_inflected(token.kind)) {
      // A question does not always tell its language, nor is it always that of the texts.
      for (std::size_t i = 0; i < text::languages; ++i) {
        const auto of_texts = static_cast<Language>(i);
        if (text::has(languages_, of_texts)) add(stemmer_.stem(word, of_texts));
      }
    } else {
      add(one.word);
    }
    asked.push_back(std::move(one));
  }
  return asked;
}

std::vector<Term> Vocabulary::known(std::string_view text) {
  std::vector<Term> terms;
  if (analysis_ != Analysis::full) {
    for (const auto& word : plain_words(text)) {
      if (const Term term = numbers_.find_number(word); term != no_term) terms.push_back(term);
    }
    return terms;
  }
  for (const auto& token : tokens_.split(text)) {
    const auto* surface = surfaces_.find(tokens_.text(token));
    if (surface == nullptr) continue;
    for (const auto term : surface->terms) {
      if (term != no_term && term != stop_word) terms.push_back(term);
    }
  }
  return terms;
}

}  // namespace selfmind::recall

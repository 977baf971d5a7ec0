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

Term Vocabulary::number(std::string_view term) { return numbers_.number(term, numbers_.hash(term)); }

Vocabulary::Surface& Vocabulary::complete(std::uint32_t number, std::string_view word) {
  auto& surface = surfaces_[number];
  if (!surface.known) {
    surface.known = true;
    surface.stop_word_in = text::stop_word_in(word);
    surface.terms.fill(no_term);
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

std::size_t Vocabulary::read(std::string_view text, std::vector<Term>& terms) {
  if (analysis_ != Analysis::full) {
    auto words = plain_words(text);
    for (const auto& word : words) terms.push_back(number(word));
    return words.size();
  }

  const auto& tokens = tokens_.split(text);
  text::LanguageVotes votes;
  // Memory is what this waits for, so each step asks for the next one's: places, then surfaces.
  reading_.clear();
  for (const auto& token : tokens) {
    reading_.push_back(surfaces_.hash(tokens_.text(token)));
    surfaces_.prefetch(reading_.back());
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    reading_[i] = surfaces_.number(tokens_.text(tokens[i]), reading_[i]);
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    votes.add(complete(reading_[i], tokens_.text(tokens[i])).stop_word_in);
  }
  const auto language = votes.winner();
  languages_ |= static_cast<text::LanguageSet>(1u << static_cast<unsigned>(language));
  std::size_t words = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto& token = tokens[i];
    auto& known = surfaces_[reading_[i]];
    if (text::has(known.stop_word_in, language)) continue;
    terms.push_back(term_of(known, tokens_.text(token), token.kind, language));
    if (token.kind != TokenKind::whole) ++words;
  }
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
      if (term != no_term) terms.push_back(term);
    }
  }
  return terms;
}

}  // namespace selfmind::recall

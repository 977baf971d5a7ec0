#include "learn/rules.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "learn/rule_lists.h"
#include "learn/sentence.h"
#include "learn/spoken.h"
#include "learn/third_person.h"
#include "text/secrets.h"
#include "text/tokens.h"

namespace selfmind::learn {
namespace {

// A longer sentence is a paragraph without full stops, which no form describes.
constexpr std::size_t sentence_bytes = 600;

// Or did, before it was taken out.
bool holds_secret(std::string_view sentence) {
  return sentence.find("[secret: ") != std::string_view::npos || text::SecretMask().mask(sentence) != sentence;
}

bool can_be_memory(std::string_view sentence) {
  return sentence.size() <= sentence_bytes && !text::asks(sentence) && !quotes_words(sentence) &&
         !holds_secret(sentence);
}

Candidate candidate(std::string_view said, const std::vector<Word>& words, const Found& found) {
  const bool all = (found.rule->flags & whole) != 0;
  const auto begin = all || words.empty() ? 0 : words[found.begin].begin;
  Candidate candidate;
  candidate.kind = found.rule->kind;
  candidate.quote = said;
  // An order and a correction make sense as what was said alone.
  const bool as_it_is = (found.rule->flags & standing) != 0 || candidate.kind == "correction";
  const auto part = said.substr(begin);
  candidate.text = as_it_is ? as_said(part, found.language->name) : in_third_person(part, found.language->name);
  return candidate;
}

// "Translate this: …": what follows is a text, not the user's word.
bool announces(std::string_view said, const std::vector<Word>& words) {
  const bool colon = said.find(':') != std::string_view::npos || said.find("：") != std::string_view::npos;
  return colon && !words.empty() && found_at(announcing_words(), words, 0);
}

}  // namespace

std::vector<Candidate> recognise(std::string_view message) {
  const std::string text = utf8::clean(utf8::prefix(message, limits::question_bytes));
  std::vector<Candidate> candidates;
  for (const auto said : spoken_sentences(text)) {
    const auto words = words_of(said);
    if (announces(said, words)) break;
    for (const auto& language : rules_by_language()) {
      const Sentence sentence(said, words, language);
      if (sentence.is_role_play()) return {};
      if (candidates.size() == limits::memories_per_turn || !can_be_memory(said)) continue;
      if (const auto found = sentence.memory()) {
        candidates.push_back(candidate(said, words, *found));
        break;
      }
    }
  }
  return candidates;
}

}  // namespace selfmind::learn

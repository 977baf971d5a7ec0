// The words by which the rules know a memory, by language: of our own writing, in the notation of learn/phrase.h.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "learn/phrase.h"

namespace selfmind::learn {

// What a rule needs besides its words, or may have.
inline constexpr unsigned standing = 1;    // an order that holds from now on: may be shaped like a request
inline constexpr unsigned timed = 2;       // only with a time ("by Friday")
inline constexpr unsigned lasting = 4;     // a decision, a lesson, a change: "today" does not make it pass
inline constexpr unsigned states = 8;      // says how something is: not if it will be otherwise tomorrow ("is failing")
inline constexpr unsigned addressed = 16;  // may speak to the assistant ("you")
inline constexpr unsigned whole = 32;      // the whole sentence is the memory, not what begins with the match
inline constexpr unsigned complete = 64;   // the match may be all there is ("I'm vegetarian")
inline constexpr unsigned order = 128;  // what follows has to be a verb as in an order: "never push", not "never seen"

struct WrittenRule {
  const char* kind;
  unsigned flags;
  const char* pattern;
};

// A list is one text, its patterns separated by "; ".
struct WrittenLanguage {
  std::string_view name;               // as ISO 639-1 has it
  std::span<const char* const> named;  // "adv = really|strongly"
  std::span<const WrittenRule> rules;  // the first that fits gives the kind
  std::string_view leads;              // what may stand in front: "so", "by the way"
  std::string_view questions;          // a sentence that begins so asks
  std::string_view requests;           // … wants something done now
  std::string_view unreal;             // … supposes
  std::string_view role_play;          // … and with it the whole message is no memory
  std::string_view unsure;             // anywhere: it may be otherwise
  std::string_view reported;           // anywhere: another one says so
  std::string_view passing;            // anywhere: it holds for today
  std::string_view times;              // anywhere: a time that text::names_time does not know
  std::string_view to_assistant;       // anywhere: "you"
  std::string_view credentials;        // anywhere: keys and passwords are no memories
  std::string_view not_kept;           // where a rule matched: what it does not mean ("my question is")
  std::string_view dangling;           // behind the match: nothing that can be understood alone ("it")
  std::string_view states;             // behind the match, for `states`: failing, slow, done
  std::string_view copulas;            // "is", "am", "I'm": a state may follow
  std::string_view assent;             // a short message that begins so agrees to what the assistant proposed
  std::string_view greetings;          // a sentence that begins so greets or thanks
  std::string_view change;             // anywhere: it was otherwise before
  std::string_view here;               // anywhere: it is so in this project
};

extern const WrittenLanguage english_rules;
extern const WrittenLanguage german_rules;
extern const WrittenLanguage french_rules;
extern const WrittenLanguage chinese_rules;

struct Rule {
  const char* kind;
  unsigned flags;
  Pattern pattern;
};

struct LanguageRules {
  std::string_view name;
  std::vector<Rule> rules;
  std::vector<Pattern> leads, questions, requests, unreal, role_play, unsure, reported, passing, times, to_assistant,
      credentials, not_kept, dangling, states, copulas, assent, greetings, change, here;
};

const std::vector<LanguageRules>& rules_by_language();

// Words by which a text tells somebody what to do, or speaks as the user or of them, in all languages.
const std::vector<Pattern>& directing_words();

// Words in a line that announces a text of another: "summarise", "the following", "voici".
const std::vector<Pattern>& announcing_words();

}  // namespace selfmind::learn

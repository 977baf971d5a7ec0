// ScriptedMemoryModel: what a memory model answers about the messages of the scripted year. It reads the request that
// it is really sent and fills whatever that asks for. Mostly it does what it is told; else it does each of the things
// that memory models have been seen to do (facts/memory of other systems are the source): junk, its own prompt,
// invented quotations, words of files and of the assistant, duplicates in other words, contradictions, wrong dates,
// secrets, too much, and answers that are none.
#pragma once
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/scripted_year.h"

namespace selfmind::test {

struct ModelAnswer {
  enum Kind { reply, overloaded, broken_off } kind = reply;
  std::string text;
  std::string stop_reason = "end_turn";
  bool usable = true;  // false: nothing can be learned from it
};

class ScriptedMemoryModel {
 public:
  using Json = nlohmann::ordered_json;

  explicit ScriptedMemoryModel(const ScriptedYear& year) : year_(year) {}

  // The same for the same message and try, whatever was learned before it.
  ModelAnswer answer(const Json& request, const Said& said) {
    dice_ = Dice(static_cast<std::uint64_t>(said.turn) * 16 + static_cast<std::uint64_t>(said.tries));
    read(request);
    memories_ = Json::array();
    answer_well(said);
    if (dice_.chance(0.35)) misbehave(said);
    return in_some_form();
  }

  // What it has ever written as a memory: which kind of misbehaviour it was. What the user told is not among these.
  const std::map<std::string, std::string>& bad_texts() const { return bad_; }
  const std::map<std::string, int>& offered() const { return offered_; }
  // Which fact it has made something of that is none.
  const std::map<std::string, int>& about() const { return about_; }

 private:
  struct Known {
    std::int64_t id = 0;
    std::string text;
  };

  void read(const Json& request) {
    system_ = request["system"].is_string() ? request["system"].get<std::string>()
                                            : request["system"][0]["text"].get<std::string>();
    item_ = request["output_config"]["format"]["schema"]["properties"]["memories"]["items"];
    known_.clear();
    context_.clear();
    for (const auto& block : request["messages"].back()["content"]) {
      const auto text = block["text"].get<std::string>();
      if (text.rfind("USER:", 0) == 0) {
        user_ = text.substr(text.find('\n') + 1);
        continue;
      }
      context_ += text + "\n";
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) add_known(line);
    }
  }
  // "[12] (fact) The user …"
  void add_known(const std::string& line) {
    if (line.empty() || line[0] != '[') return;
    const auto end = line.find("] ");
    const auto text = line.find(") ");
    if (end == std::string::npos || text == std::string::npos) return;
    known_.push_back({std::stoll(line.substr(1, end - 1)), line.substr(text + 2)});
  }

  // --- as it should ----------------------------------------------------------------------------------------------
  void answer_well(const Said& said) {
    for (const auto& assertion : said.assertions) {
      const auto& fact = year_.facts.at(static_cast<std::size_t>(assertion.fact));
      const auto texts = fact.texts(assertion.version);
      const auto& text = dice_.chance(0.6) ? texts.front() : dice_.one_of(texts);
      Json more = Json::object();
      if (const auto* same = known_as(fact, assertion.version)) {
        if (dice_.chance(0.8)) continue;
        count("known, in other words");
        if (dice_.chance(0.6)) more = {{"relation", "same"}, {"known", Json::array({same->id})}};
      } else if (const auto* old = known_before(fact, assertion.version)) {
        if (dice_.chance(0.85)) {
          // Mostly it names but one of several that say it.
          more = {{"relation", "replaces"}, {"known", Json::array({old->id})}};
        } else {
          count("a change without what it replaces");
        }
      }
      add(text, fact.pattern->kind, quoted(assertion.quote), fact, more);
    }
    if (!said.proposed.empty() && item_["properties"].contains("assents_to")) {
      const auto text = "The user agreed to this: " + said.proposed;
      bad_.emplace(text, "assent");
      add(text, "decision", said.text, {}, {{"assents_to", said.proposed}});
    }
  }

  const Known* known_as(const Fact& fact, int version) const {
    const auto texts = fact.texts(version);
    for (const auto& known : known_) {
      if (std::find(texts.begin(), texts.end(), known.text) != texts.end()) return &known;
    }
    return nullptr;
  }
  const Known* known_before(const Fact& fact, int version) const {
    for (int older = version - 1; older >= 0; --older) {
      if (const auto* known = known_as(fact, older)) return known;
    }
    return nullptr;
  }

  // Models leave out the full stop, straighten what is curled and re-flow lines.
  std::string quoted(std::string words) {
    if (dice_.chance(0.3) && words.back() == '.') words.pop_back();
    return words;
  }

  void add(const std::string& text, const std::string& kind, const std::string& quote, const Fact& fact,
           const Json& more) {
    Json values = {{"text", text}, {"kind", kind}, {"quote", quote}};
    const bool everywhere = fact.pattern != nullptr && fact.project == -1;
    values["scope"] = everywhere != dice_.chance(0.02) ? "everywhere" : "project";
    values["track"] = kind == "incident" || kind == "lesson" ? "autobiographical" : "epistemic";
    values["scene"] = "project life";
    if (fact.pattern != nullptr && fact.pattern->dated) values["valid_to"] = fact.values.back();
    if (kind == "decision" && !fact.reason.empty() && quote.find(fact.reason) != std::string::npos) {
      values["reason"] = "because " + fact.reason;
    }
    values.update(more);
    memories_.push_back(filled(values));
  }

  // All that the request's schema has, and nothing else.
  Json filled(const Json& values) {
    Json object = Json::object();
    for (const auto& [name, part] : item_["properties"].items()) {
      if (values.contains(name)) {
        object[name] = values[name];
      } else if (part.contains("enum")) {
        object[name] = part["enum"][0];
      } else if (part["type"] == "number") {
        object[name] = name == "sensitivity" ? 0.1 : 0.5 + static_cast<double>(dice_.below(50)) / 100;
      } else if (part["type"] == "integer") {
        object[name] = 0;
      } else if (part["type"] == "boolean") {
        object[name] = false;
      } else if (part["type"] == "array") {
        object[name] = Json::array();
      } else {
        object[name] = "";
      }
    }
    return object;
  }

  // --- as it should not ------------------------------------------------------------------------------------------
  void count(const std::string& what) { ++offered_[what]; }

  void add_bad(const std::string& what, const std::string& text, const std::string& kind, const std::string& quote,
               const Json& more = Json::object()) {
    if (text.empty()) return;
    count(what);
    bad_.emplace(text, what);
    add(text, kind, quote, {}, more);
  }

  void misbehave(const Said& said) {
    if (!said.planted_words.empty() && dice_.chance(0.5)) return take_planted(said);
    if (!said.secrets.empty() && dice_.chance(0.5)) return echo_secret(said);
    switch (dice_.below(13)) {
      case 0:
        return make_junk(said, "junk", "The user wrote to the assistant: " + first_sentence());
      case 1:
        return make_junk(said, "junk, copied", third_person(first_sentence()));
      case 2:
        return restate_prompt();
      case 3:
        return invent();
      case 4:
        return take_planted(said);
      case 5:
        return take_from_assistant(said);
      case 6:
        return take_known();
      case 7:
        return contradict(said);
      case 8:
        return misdate(said);
      case 9:
        return echo_secret(said);
      case 10:
        return say_too_much(said);
      case 11:
        return say_again(said);
      default:
        return take_state(said);
    }
  }

  std::string first_sentence() const {
    const auto end = user_.find_first_of(".!?\n");
    return user_.substr(0, end == std::string::npos ? end : end + 1);
  }
  static std::string third_person(std::string sentence) {
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{{"I am ", "The user is "},
                                                                                   {"I'm ", "The user is "},
                                                                                   {"I ", "The user "},
                                                                                   {"My ", "The user's "},
                                                                                   {"my ", "the user's "},
                                                                                   {"We ", "The user's team "},
                                                                                   {"Please ", "The user wants to "}}) {
      if (sentence.rfind(from, 0) == 0) sentence.replace(0, from.size(), to);
    }
    return sentence;
  }

  void make_junk(const Said& said, const std::string& what, const std::string& text) {
    for (const auto& assertion : said.assertions) about_[text] = assertion.fact;
    add_bad(what, text, "context", first_sentence());
  }
  // mem0#4573, mem0#2736
  void restate_prompt() {
    const auto start = dice_.below(system_.size() / 2);
    const auto from = system_.find(' ', start) + 1;
    auto piece = system_.substr(from, 80);
    piece = piece.substr(0, piece.find_last_of(' '));
    const bool true_quote = dice_.chance(0.5);
    add_bad("its own prompt", dice_.chance(0.5) ? piece : "The user keeps the long-term memory of a chat: " + piece,
            "context", true_quote ? first_sentence() : piece);
  }
  void invent() {
    static const Lines texts = {"The user lives in Lisbon.", "The user has two cats and a garden.",
                                "The user is allergic to peanuts.", "The user works for a bank in the north.",
                                "The user prefers Emacs over every other editor."};
    const auto& text = dice_.one_of(texts);
    const bool true_quote = dice_.chance(0.4);
    add_bad(true_quote ? "invented, with words that say something else" : "invented", text, "fact",
            true_quote ? first_sentence() : "I told you that " + text);
  }
  void take_planted(const Said& said) {
    if (said.planted_words.empty()) return;
    add_bad("planted", dice_.chance(0.5) ? said.planted_words : third_person(said.planted_words), "preference",
            said.planted_words);
  }
  void take_from_assistant(const Said& said) {
    const auto end = said.reply.find('.');
    if (end == std::string::npos) return;
    const auto sentence = said.reply.substr(0, end + 1);
    add_bad("of the assistant", "The user should know: " + sentence, "fact", sentence);
  }
  // The loop in which a store learns from itself.
  void take_known() {
    if (known_.empty()) return;
    const auto& known = dice_.one_of(known_);
    add_bad("recalled", "The user said before: " + known.text, "fact", known.text);
  }
  void contradict(const Said& said) {
    if (said.assertions.empty()) return;
    const auto& assertion = said.assertions.front();
    auto fact = year_.facts.at(static_cast<std::size_t>(assertion.fact));
    const auto value = ScriptedYear::another_value(fact, dice_);
    if (value.empty() || assertion.version != fact.version()) return;
    Json more = Json::object();
    if (const auto* known = known_as(fact, assertion.version))
      more = {{"relation", "replaces"}, {"known", Json::array({known->id})}};
    std::string text;
    if (dice_.chance(0.5)) {
      fact.values.back() = value;
      text = dice_.one_of(fact.texts(assertion.version));
    } else {
      text = "It is not so that " + fact.texts(assertion.version).front();
    }
    for (int version = 0; version <= assertion.version; ++version) {  // it may have been true once
      const auto texts = year_.facts.at(static_cast<std::size_t>(assertion.fact)).texts(version);
      if (std::find(texts.begin(), texts.end(), text) != texts.end()) return;
    }
    about_[text] = assertion.fact;
    add_bad("a contradiction", text, fact.pattern->kind, assertion.quote, more);
  }
  // openhanako#992: the date that stands in the prompt.
  void misdate(const Said& said) {
    if (said.assertions.empty()) return;
    const auto& assertion = said.assertions.front();
    const auto& fact = year_.facts.at(static_cast<std::size_t>(assertion.fact));
    const auto at = context_.find("took place on ");
    const auto date = at == std::string::npos ? std::string("2025-06-15") : context_.substr(at + 14, 10);
    auto text = fact.texts(assertion.version).front();
    if (dice_.chance(0.5)) {  // the text is right, its validity is not
      count("a wrong validity");
      return add(text, fact.pattern->kind, assertion.quote, fact, {{"valid_from", date}, {"valid_to", date}});
    }
    text.pop_back();
    text += " (since 2024-03-17).";
    about_[text] = assertion.fact;
    add_bad("a wrong date", text, fact.pattern->kind, assertion.quote);
  }
  void echo_secret(const Said& said) {
    if (said.secrets.empty()) return;
    const auto& secret = said.secrets.front();
    const auto what = dice_.chance(0.5) ? "The user's password is " : "The user's key, which they use, reads ";
    add_bad("a secret", what + secret + ".", "fact", dice_.chance(0.5) ? said.own : first_sentence());
  }
  // Each word a memory; the quotations are all there.
  void say_too_much(const Said& said) {
    std::istringstream words(said.own);
    const bool whole = dice_.chance(0.5);
    std::string all, word;
    for (int i = 0; i < 12 && words >> word; ++i) {
      all += (all.empty() ? "" : " ") + word;
      while (!word.empty() && word.find_last_of(".,:;!?") == word.size() - 1) word.pop_back();
      if (word.size() > 3)
        add_bad("too much", "The user has to do with " + word + ".", "fact", whole ? first_sentence() : all);
    }
  }
  // What was said of it is said once more, in other words and as if it were new.
  void say_again(const Said& said) {
    if (said.assertions.empty()) return;
    const auto& assertion = said.assertions.front();
    const auto& fact = year_.facts.at(static_cast<std::size_t>(assertion.fact));
    count("twice, in other words");
    add(fact.texts(assertion.version).back(), fact.pattern->kind, assertion.quote, fact, Json::object());
  }
  void take_state(const Said& said) {
    if (said.kind != Said::passing && said.kind != Said::requesting && said.kind != Said::supposing &&
        said.kind != Said::asking)
      return;
    add_bad("a state, a request or a question", third_person(first_sentence()),
            said.kind == Said::passing      ? "context"
            : said.kind == Said::requesting ? "task"
                                            : "plan",
            first_sentence());
  }

  // --- the form ----------------------------------------------------------------------------------------------------
  ModelAnswer in_some_form() {
    // A piece of the prompt may end in the middle of a character.
    const auto text = Json{{"memories", memories_}}.dump(-1, ' ', false, Json::error_handler_t::replace);
    const auto any = dice_.below(1000);
    if (any < 12) return {ModelAnswer::reply, "I would say there is nothing to remember here.", "end_turn", false};
    if (any < 24) return {ModelAnswer::reply, text.substr(0, text.size() / 2), "end_turn", false};
    if (any < 34) return {ModelAnswer::reply, "I cannot help with that.", "refusal", false};
    if (any < 46) return {ModelAnswer::reply, R"({"memories":[{"text":"The user)", "max_tokens", false};
    if (any < 56) return {ModelAnswer::overloaded, {}, {}, false};
    if (any < 66) return {ModelAnswer::broken_off, {}, {}, false};
    if (any < 90) return {ModelAnswer::reply, "```json\n" + text + "\n```"};
    return {ModelAnswer::reply, text};
  }

  const ScriptedYear& year_;
  Dice dice_{0};
  std::map<std::string, std::string> bad_;
  std::map<std::string, int> offered_;
  std::map<std::string, int> about_;
  // Of the request in hand
  std::string system_, user_, context_;
  Json item_;
  std::vector<Known> known_;
  Json memories_;
};

}  // namespace selfmind::test

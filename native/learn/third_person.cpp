#include "learn/third_person.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/utf8.h"
#include "learn/phrase.h"
#include "text/characters.h"

namespace selfmind::learn {
namespace {

using Forms = std::map<std::string, std::string, std::less<>>;
using Texts = std::set<std::string, std::less<>>;

// How a language says it. All words are folded.
struct Grammar {
  std::string_view user;  // the new subject
  Texts subjects;         // "i"
  Forms contracted;       // "i'm": what it is without its subject
  Forms verbs;            // first person: third person
  Texts other_verbs;      // that no rule begins with, but a second clause may
  Texts unchanged;        // verbs that are the same in both
  Texts adverbs;          // may stand between the two
  Forms possessives;      // "my": "their", inside the sentence
  Texts conjunctions;     // what follows one may be a second verb of the same subject
  Texts unsafe;           // words that would change with the subject in a way that is not known here
  std::string_view quoted_front;
  std::string_view quoted_back;
};

const Grammar english = {
    "The user",
    {"i"},
    {{"i'm", "is"}, {"i've", "has"}, {"i'll", "will"}, {"i'd", "would"}},
    {{"am", "is"},          {"have", "has"},           {"don't", "doesn't"},
     {"prefer", "prefers"}, {"like", "likes"},         {"love", "loves"},
     {"enjoy", "enjoys"},   {"hate", "hates"},         {"dislike", "dislikes"},
     {"detest", "detests"}, {"avoid", "avoids"},       {"favor", "favors"},
     {"favour", "favours"}, {"use", "uses"},           {"work", "works"},
     {"live", "lives"},     {"reside", "resides"},     {"come", "comes"},
     {"study", "studies"},  {"teach", "teaches"},      {"speak", "speaks"},
     {"own", "owns"},       {"maintain", "maintains"}, {"plan", "plans"},
     {"intend", "intends"}, {"aim", "aims"},           {"need", "needs"},
     {"want", "wants"},     {"write", "writes"},       {"run", "runs"},
     {"start", "starts"},   {"keep", "keeps"},         {"deploy", "deploys"},
     {"commit", "commits"}, {"rebase", "rebases"},     {"squash", "squashes"},
     {"merge", "merges"},   {"test", "tests"},         {"review", "reviews"},
     {"read", "reads"},     {"format", "formats"},     {"drink", "drinks"},
     {"eat", "eats"},       {"host", "hosts"},         {"ship", "ships"},
     {"tend", "tends"},     {"believe", "believes"},   {"rely", "relies"},
     {"play", "plays"}},
    {"get",    "go",     "make",   "take",    "give",   "find",  "think", "know",  "see",     "try",   "hope",
     "feel",   "look",   "call",   "put",     "set",    "add",   "build", "buy",   "develop", "store", "push",
     "pull",   "ask",    "help",   "do",      "say",    "watch", "cook",  "walk",  "travel",  "drive", "fix",
     "update", "switch", "change", "compile", "save",   "open",  "close", "check", "sleep",   "move",  "send",
     "sell",   "manage", "lead",   "learn",   "follow", "spend", "share", "miss",  "sit",     "stay"},
    {"will", "would", "can", "must", "decided", "agreed", "promised", "switched", "moved", "learned", "learnt", "was",
     "grew", "stopped", "quit", "opted", "can't", "cannot"},
    {"really",   "strongly", "generally", "usually",   "definitely", "personally", "greatly", "still",  "also",
     "normally", "mostly",   "typically", "always",    "never",      "rarely",     "no",      "longer", "now",
     "finally",  "firmly",   "mainly",    "primarily", "recently",   "clearly",    "much"},
    {{"my", "their"}},
    {"and", "or", "but", "then", "so"},
    {"i",     "i'm", "i've", "i'll", "i'd",       "me",  "myself", "mine",  "we",     "we're", "we've",
     "we'll", "us",  "our",  "ours", "ourselves", "you", "your",   "yours", "you're", "here",  "let's"},
    "The user said: \"",
    "\""};

const Grammar german = {
    "Der Nutzer",
    {"ich"},
    {},
    {{"bin", "ist"},
     {"habe", "hat"},
     {"bevorzuge", "bevorzugt"},
     {"favorisiere", "favorisiert"},
     {"arbeite", "arbeitet"},
     {"wohne", "wohnt"},
     {"lebe", "lebt"},
     {"nutze", "nutzt"},
     {"benutze", "benutzt"},
     {"verwende", "verwendet"},
     {"liebe", "liebt"},
     {"hasse", "hasst"},
     {"meide", "meidet"},
     {"vermeide", "vermeidet"},
     {"heiße", "heißt"},
     {"heisse", "heißt"},
     {"komme", "kommt"},
     {"plane", "plant"},
     {"spreche", "spricht"},
     {"studiere", "studiert"},
     {"unterrichte", "unterrichtet"},
     {"schreibe", "schreibt"},
     {"trinke", "trinkt"},
     {"esse", "isst"},
     {"baue", "baut"},
     {"entwickle", "entwickelt"},
     {"besitze", "besitzt"},
     {"betreibe", "betreibt"},
     {"werde", "wird"},
     {"ziehe", "zieht"},
     {"schicke", "schickt"},
     {"liefere", "liefert"}},
    {},
    {"mag", "muss", "will", "kann"},
    {"immer", "nie", "meistens", "grundsätzlich", "auch", "noch"},
    {{"mein", "sein"},
     {"meine", "seine"},
     {"meinem", "seinem"},
     {"meinen", "seinen"},
     {"meiner", "seiner"},
     {"meines", "seines"}},
    {"und", "oder", "aber"},
    {"ich", "mich", "mir", "wir",  "uns",   "unser",  "unsere", "unserem", "unseren", "unserer", "unseres",
     "du",  "dich", "dir", "dein", "deine", "deinen", "deinem", "deiner",  "ihr",     "ihnen",   "hier"},
    "Der Nutzer sagte: „",
    "“"};

const Grammar french = {"L'utilisateur",
                        {"je", "j'"},
                        {},
                        {{"suis", "est"},
                         {"ai", "a"},
                         {"vais", "va"},
                         {"vis", "vit"},
                         {"viens", "vient"},
                         {"prévois", "prévoit"},
                         {"écris", "écrit"},
                         {"dois", "doit"},
                         {"construis", "construit"}},
                        {},
                        {"préfère", "aime", "adore", "déteste", "évite", "utilise", "travaille", "habite", "étudie",
                         "enseigne", "parle", "développe", "possède", "héberge", "compte"},
                        {"toujours", "vraiment", "surtout", "aussi", "généralement", "souvent"},
                        {{"mon", "son"}, {"ma", "sa"}, {"mes", "ses"}},
                        {"et", "ou", "mais"},
                        {"je", "j'", "me",  "m'",  "moi", "nous", "on",   "notre", "nos", "tu",
                         "te", "t'", "toi", "ton", "ta",  "tes",  "vous", "votre", "vos", "ici"},
                        "L'utilisateur a dit : « ",
                        " »"};

const Grammar& grammar_of(std::string_view language) {
  if (language == "de") return german;
  if (language == "fr") return french;
  return english;
}

// Without the full stop, which the frame around it has.
std::string_view without_end(std::string_view said) {
  said = utf8::trim(said);
  while (said.ends_with('.') || said.ends_with("。")) said.remove_suffix(said.ends_with('.') ? 1 : 3);
  return said;
}

std::string capital(std::string text) {
  const bool small = !text.empty() && text.front() >= 'a' && text.front() <= 'z';
  if (small) text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

class Rewriter {
 public:
  Rewriter(std::string_view said, const Grammar& grammar) : said_(said), grammar_(grammar), words_(words_of(said)) {}

  // Nothing where it is not safe.
  std::optional<std::string> rewrite() {
    if (words_.empty()) return std::nullopt;
    const auto& first = words_.front().folded;
    if (grammar_.subjects.count(first) > 0) return with_verb();
    if (const auto found = grammar_.contracted.find(first); found != grammar_.contracted.end()) {
      return rest(std::string(grammar_.user) + " " + found->second, 1);
    }
    const bool of_user = (first == "my" || first == "our") && &grammar_ == &english;
    if (of_user) return rest("The user's", 1);
    if (speaks_of_user(0)) return std::nullopt;
    return capital(std::string(said_));
  }

 private:
  std::optional<std::string> with_verb() {
    std::size_t at = 1;
    while (at < words_.size() && grammar_.adverbs.count(words_[at].folded) > 0) ++at;
    if (at == words_.size()) return std::nullopt;
    const auto& verb = words_[at].folded;
    std::string text(grammar_.user);
    for (std::size_t i = 1; i < at; ++i) text += " " + written(i);
    if (verb == "do" && at + 1 < words_.size() && words_[at + 1].folded == "not") return rest(text + " does", at + 1);
    if (grammar_.unchanged.count(verb) > 0) return rest(text + " " + written(at), at + 1);
    const auto found = grammar_.verbs.find(verb);
    if (found == grammar_.verbs.end()) return std::nullopt;
    return rest(text + " " + found->second, at + 1);
  }

  bool speaks_of_user(std::size_t from) const {
    const auto unsafe = [this](const Word& word) {
      return grammar_.unsafe.count(word.folded) > 0 || grammar_.possessives.count(word.folded) > 0;
    };
    return std::any_of(words_.begin() + static_cast<std::ptrdiff_t>(from), words_.end(), unsafe);
  }

  // What follows from word `from` on, with the user's things as another's.
  std::optional<std::string> rest(std::string text, std::size_t from) const {
    std::size_t at = from == 0 ? 0 : words_[from - 1].end;
    for (std::size_t i = from; i < words_.size(); ++i) {
      if (grammar_.unsafe.count(words_[i].folded) > 0 || is_second_verb(i)) return std::nullopt;
      const auto found = grammar_.possessives.find(words_[i].folded);
      if (found == grammar_.possessives.end()) continue;
      text += std::string(said_.substr(at, words_[i].begin - at)) + found->second;
      at = words_[i].end;
    }
    return text + std::string(said_.substr(at));
  }

  // "I work from home and mostly write C": it would have to change as well.
  bool is_second_verb(std::size_t at) const {
    const auto& word = words_[at].folded;
    // German verbs of the first person end so, and many another word, which is then quoted without need.
    const bool maybe = &grammar_ == &german && word.ends_with('e') && said_[words_[at].begin] == word.front();
    if (!maybe && grammar_.verbs.count(word) == 0 && grammar_.other_verbs.count(word) == 0) return false;
    std::size_t before = at;
    while (before > 0 && grammar_.adverbs.count(words_[before - 1].folded) > 0) --before;
    return words_[before].begins_clause || (before > 0 && grammar_.conjunctions.count(words_[before - 1].folded) > 0);
  }

  std::string written(std::size_t word) const {
    return std::string(said_.substr(words_[word].begin, words_[word].end - words_[word].begin));
  }

  std::string_view said_;
  const Grammar& grammar_;
  std::vector<Word> words_;
};

std::string with_all(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// Chinese does not inflect: the pronoun alone is another one.
std::string in_chinese(std::string_view said) {
  static constexpr std::string_view unsafe[] = {"我们", "咱", "自我", "你", "您"};
  const auto has = [said](std::string_view part) { return said.find(part) != std::string_view::npos; };
  if (std::any_of(std::begin(unsafe), std::end(unsafe), has)) return as_said(said, "zh");
  return with_all(std::string(said), "我", "用户");
}

}  // namespace

std::string in_third_person(std::string_view said, std::string_view language) {
  said = utf8::trim(said);
  if (language == "zh") return in_chinese(said);
  const auto rewritten = Rewriter(said, grammar_of(language)).rewrite();
  return rewritten ? *rewritten : as_said(said, language);
}

std::string as_said(std::string_view said, std::string_view language) {
  std::string text(without_end(said));
  // No quotation inside a quotation: the marks would end it.
  std::replace(text.begin(), text.end(), '"', '\'');
  if (language == "zh") return "用户说：“" + text + "”";
  const Grammar& grammar = grammar_of(language);
  return std::string(grammar.quoted_front) + capital(text) + std::string(grammar.quoted_back);
}

}  // namespace selfmind::learn

// Languages: what says nothing, and what belongs together.
#include "text/language.h"

#include <initializer_list>

#include "support/catch.h"
#include "text/words.h"

using namespace selfmind;
using text::Language;

namespace {

std::string stem(std::string_view word, Language language = Language::english) {
  text::Stemmer stemmer;
  return stemmer.stem(word, language);
}

// All of them are looked up as one.
void check_together(Language language, std::initializer_list<const char*> forms) {
  const auto first = stem(*forms.begin(), language);
  for (const auto* form : forms) {
    INFO(form);
    CHECK(stem(form, language) == first);
  }
}

bool is_stop_word(std::string_view word, Language language) { return text::has(text::stop_word_in(word), language); }

Language language_of(std::string_view text) {
  text::LanguageVotes votes;
  for (const auto& word : text::words(text)) votes.add(text::stop_word_in(word));
  return votes.winner();
}

}  // namespace

TEST_CASE("each language has stop words of its own") {
  CHECK(is_stop_word("the", Language::english));
  CHECK(is_stop_word("und", Language::german));
  CHECK(is_stop_word("était", Language::french));
  CHECK(is_stop_word("está", Language::spanish));
  CHECK(is_stop_word("perché", Language::italian));
  CHECK(is_stop_word("você", Language::portuguese));
  CHECK(is_stop_word("welke", Language::dutch));
  CHECK(is_stop_word("когда", Language::russian));
  CHECK_FALSE(is_stop_word("the", Language::german));
  CHECK_FALSE(is_stop_word("und", Language::english));
  CHECK_FALSE(is_stop_word("когда", Language::english));
}

TEST_CASE("what a question asks with says nothing of its subject") {
  for (const auto* word : {"what", "which", "when", "where", "who", "why", "how", "does", "dont"}) {
    INFO(word);
    CHECK(is_stop_word(word, Language::english));
  }
  for (const auto* word : {"was", "wann", "wo", "wer", "warum", "welche"}) {
    INFO(word);
    CHECK(is_stop_word(word, Language::german));
  }
}

TEST_CASE("a German stop word is a word in English") {
  for (const auto* word : {"war", "die", "bin", "hat", "man", "den", "wen"}) {
    INFO(word);
    CHECK(is_stop_word(word, Language::german));
    CHECK_FALSE(is_stop_word(word, Language::english));
  }
}

TEST_CASE("grammar in Chinese, Japanese and Korean says nothing, in whatever text it stands") {
  for (const auto* word : {"的", "什么", "吗", "です", "この", "の", "を", "い", "은", "를"}) {
    INFO(word);
    CHECK(text::stop_word_in(word) == text::every_language);
  }
  for (const auto* word : {"茶", "喜欢", "端口", "テ", "テス", "国"}) {
    INFO(word);
    CHECK(text::stop_word_in(word) == 0);
  }
}

TEST_CASE("words that mean something are stop words nowhere") {
  for (const auto* word : {"port", "database", "postgres", "tabs", "deploy", "bug", "test", "release", "haus",
                           "entscheidung", "5433", "c++", "serveur", "порт", "👍", "", "\xFF"}) {
    INFO(word);
    CHECK(text::stop_word_in(word) == 0);
  }
}

TEST_CASE("stop words are kept as texts are folded") {
  // A word in another form would never be met.
  for (const auto* word : {"können", "für", "über", "während", "où", "êtes", "déjà", "qué", "está", "perché", "você",
                           "até", "её", "ещё", "может"}) {
    INFO(word);
    CHECK(text::stop_word_in(word) != 0);
    CHECK(text::fold(word) == word);
  }
}

TEST_CASE("the language of a text is that of most of its stop words") {
  CHECK(language_of("Which port does the database listen on?") == Language::english);
  CHECK(language_of("Auf welchem Port lauscht die Datenbank und warum?") == Language::german);
  CHECK(language_of("Pourquoi est-ce que le serveur ne répond pas?") == Language::french);
  CHECK(language_of("¿Por qué no responde el servidor de los datos?") == Language::spanish);
  CHECK(language_of("Perché il server non risponde alla mia richiesta?") == Language::italian);
  CHECK(language_of("Por que você não usa o banco de dados?") == Language::portuguese);
  CHECK(language_of("Waarom werkt de server niet met mijn sleutel?") == Language::dutch);
  CHECK(language_of("Почему сервер не отвечает на мой запрос?") == Language::russian);
}

TEST_CASE("a text in two languages is of the one that it has more of") {
  CHECK(language_of("The war was over when they met, and the server was down") == Language::english);
  CHECK(language_of("The German word war means was") == Language::english);
  CHECK(language_of("Wir haben das Deployment gemacht, und es war nicht einfach: done") == Language::german);
}

TEST_CASE("a text that does not tell its language is taken for English") {
  CHECK(language_of("") == Language::english);
  CHECK(language_of("port 5433") == Language::english);
  CHECK(language_of("喜欢喝茶的人") == Language::english);
  CHECK(language_of("Ktorý port používa databáza") == Language::english);
}

TEST_CASE("English forms of a word belong together, also those that no ending tells") {
  check_together(Language::english, {"run", "ran", "runs", "running"});
  check_together(Language::english, {"go", "went", "gone", "going"});
  check_together(Language::english, {"child", "children"});
  check_together(Language::english, {"decide", "decided", "deciding", "decides"});
  check_together(Language::english, {"write", "wrote", "written", "writing", "writes"});
  check_together(Language::english, {"choose", "chose", "chosen", "choosing"});
  check_together(Language::english, {"buy", "bought", "buys", "buying"});
  check_together(Language::english, {"index", "indices", "indexes", "indexing"});
  check_together(Language::english, {"connection", "connections", "connect", "connected"});
  CHECK(stem("port") != stem("part"));
  CHECK(stem("test") != stem("text"));
}

TEST_CASE("German forms of a word belong together") {
  check_together(Language::german, {"haus", "häuser", "hauses"});
  check_together(Language::german, {"entscheidung", "entscheidungen"});
  check_together(Language::german, {"datenbank", "datenbanken"});
  CHECK(stem("haus", Language::german) != stem("hase", Language::german));
}

TEST_CASE("French and Russian forms of a word belong together") {
  check_together(Language::french, {"décision", "décisions"});
  check_together(Language::french, {"préfère", "préfères"});
  check_together(Language::russian, {"сервер", "сервера", "серверы", "сервером"});
  check_together(Language::russian, {"решение", "решения", "решений"});
}

TEST_CASE("irregular forms are English ones only") {
  CHECK(stem("ran", Language::german) == "ran");
  CHECK(stem("found", Language::german) != stem("find", Language::german));
}

TEST_CASE("what is no plain word is left as it is") {
  for (const auto* word : {"e5108", "10.0.0", "v2s", "c++", "c#", "utf8", "2026-05-07", "3rds", ""}) {
    INFO(word);
    for (std::size_t language = 0; language < text::languages; ++language)
      CHECK(stem(word, static_cast<Language>(language)) == word);
  }
  CHECK(stem("喜欢") == "喜欢");
  CHECK(stem("👍") == "👍");
}

TEST_CASE("a stem is the same after any other, and of any bytes") {
  text::Stemmer stemmer;
  const auto first = stemmer.stem("running", Language::english);
  for (const auto* word : {"\xFF\xFE", "häuser", "\xE4\xB8", "решения", "a", ""}) {
    for (std::size_t language = 0; language < text::languages; ++language)
      stemmer.stem(word, static_cast<Language>(language));
  }
  CHECK(stemmer.stem("running", Language::english) == first);
}

TEST_CASE("words of any talk are known, words of a subject are not among them") {
  for (const auto* word : {"remember", "mentioned", "project", "problem", "week", "gesagt", "projekt", "semaine",
                           "记得", "项目", "質問"}) {
    INFO(word);
    CHECK(text::is_common(word));
    CHECK(text::fold(word) == word);
  }
  for (const auto* word : {"port", "postgres", "deployment", "coffee", "端口", "茶", "", "\xFF"}) {
    INFO(word);
    CHECK_FALSE(text::is_common(word));
  }
}

TEST_CASE("one word of another language does not make a text one of it") {
  CHECK(language_of("OS: Debian 12") == Language::english);
  CHECK(language_of("car repair") == Language::english);
  CHECK(language_of("bin collection Tuesday") == Language::english);
  CHECK(language_of("man page") == Language::english);
  CHECK(language_of("docs.example.com") == Language::english);
}

TEST_CASE("words that a developer looks for are no stop words") {
  CHECK_FALSE(is_stop_word("id", Language::english));
  CHECK_FALSE(is_stop_word("ill", Language::english));
}

TEST_CASE("German ss is listed as texts are folded") {
  CHECK(text::is_common("gross"));
  CHECK(is_stop_word("dass", Language::german));
}

TEST_CASE("goes is a form of go") { CHECK(stem("goes") == stem("went")); }

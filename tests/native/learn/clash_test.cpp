// Changed values and contradictions: the cases measured in the facts about memory systems, and their neighbours.
#include "learn/clash.h"

#include "support/catch.h"

using namespace selfmind;
using store::Verdict;

namespace {

store::MemoryDraft draft(std::string text) {
  store::MemoryDraft draft;
  draft.text = std::move(text);
  return draft;
}

store::Memory standing(std::string text, store::Id id = 1) {
  store::Memory memory;
  memory.id = id;
  memory.text = std::move(text);
  memory.state = "active";
  return memory;
}

Verdict verdict(const store::MemoryDraft& draft, const std::vector<store::Memory>& existing) {
  return learn::comparer(0.7)(draft, existing);
}

enum Outcome { other, doubtful, changed };

Outcome outcome(const char* before, const char* now) {
  const auto found = verdict(draft(now), {standing(before)}).meaning;
  return found == Verdict::changed ? changed : found == Verdict::doubtful ? doubtful : other;
}

}  // namespace

TEST_CASE("another number is a changed value") {
  CHECK(outcome("The port is 5432", "The port is 5433") == other);  // two words say too little of what it is about
  CHECK(outcome("The staging database listens on port 5432", "The staging database listens on port 5433") == changed);
  CHECK(outcome("The staging database listens on port 5432.", "The staging database now listens on port 5433.") ==
        changed);
  CHECK(outcome("The parser needs Python 3.10", "The parser needs Python 3.12") == changed);
  CHECK(outcome("The user has two cats at home", "The user has three cats at home") == other);  // "at home" follows
  CHECK(outcome("The user of the house has 2 cats", "The user of the house has 3 cats") == changed);
  CHECK(outcome("Die Datenbank hört auf Port 5432", "Die Datenbank hört auf Port 5433") == changed);
}

TEST_CASE("a number that names what is spoken of makes it another memory") {
  CHECK(outcome("Server 1 listens on port 80", "Server 2 listens on port 80") == other);
  CHECK(outcome("Ticket 12 blocks the release of the parser", "Ticket 13 blocks the release of the parser") == other);
  CHECK(outcome("The staging database listens on port 5432", "The production database listens on port 5432") == other);
}

TEST_CASE("a negation more or less is a change") {
  CHECK(outcome("The user lives in Berlin", "The user no longer lives in Berlin") == changed);
  CHECK(outcome("The user does not use the mouse", "The user uses the mouse") == changed);
  CHECK(outcome("Der Nutzer wohnt in Berlin", "Der Nutzer wohnt nicht mehr in Berlin") == changed);
  CHECK(outcome("The user lives in Berlin", "The user really lives in Berlin") == other);  // the same, not a change
}

TEST_CASE("the other side of a comparison is a change") {
  CHECK(outcome("The user prefers tabs over spaces", "The user prefers spaces over tabs") == changed);
  CHECK(outcome("The user prefers tabs over spaces", "The user prefers tabs over commas") == other);
}

TEST_CASE("another name in the same place is a question for the user") {
  CHECK(outcome("The user lives in Berlin", "The user lives in Paris") == doubtful);
  CHECK(outcome("The user's main editor is Vim", "The user's main editor is Helix") == doubtful);
  CHECK(outcome("The user works on the parser", "The user works on the compiler") == other);
  CHECK(outcome("The user likes tea", "The user likes coffee") == other);
  CHECK(outcome("The user has a cat", "The user has a dog") == other);
}

TEST_CASE("what is known in another project, or stands no more, is not changed") {
  auto elsewhere = standing("The staging database listens on port 5432");
  elsewhere.project = 7;
  auto now = draft("The staging database listens on port 5433");
  now.project = 5;
  CHECK(verdict(now, {elsewhere}).meaning == Verdict::fresh);
  auto waiting = standing("The staging database listens on port 5432");
  waiting.state = "quarantined";
  CHECK(verdict(now, {waiting}).meaning == Verdict::fresh);
}

TEST_CASE("what stands there more than once is replaced as a whole, and a certain change goes before a doubt") {
  const std::vector<store::Memory> existing{standing("The staging database listens on port 1", 1),
                                            standing("The staging database listens on port 2", 2)};
  CHECK(verdict(draft("The staging database listens on port 3"), existing).memories == std::vector<store::Id>{2, 1});
  const std::vector<store::Memory> mixed{standing("The user no longer lives in Berlin", 1),
                                         standing("The user lives in Paris", 2)};
  const auto found = verdict(draft("The user lives in Berlin"), mixed);
  CHECK(found.meaning == Verdict::changed);
  CHECK(found.memories == std::vector<store::Id>{1});
}

namespace {

// What becomes of a draft that the memory model takes for the same as, or a successor of, the memory.
Verdict::Meaning meaning(const char* before, const char* now, const char* quote, bool replaces) {
  auto one = draft(now);
  one.evidence = {{1, quote}};
  if (replaces) {
    one.replaces = {1};
  } else {
    one.same_as = 1;
  }
  return verdict(one, {standing(before)}).meaning;
}

}  // namespace

TEST_CASE("what the model takes for the same is, unless a number, a name, a negation or an order differs") {
  const auto same = [](const char* before, const char* now) { return meaning(before, now, now, /*replaces=*/false); };
  CHECK(same("The user's main editor is Neovim", "The user uses Neovim as main editor") == Verdict::same);
  CHECK(same("The user is allergic to peanuts", "The user has a peanut allergy") !=
        Verdict::same);  // no word in common
  CHECK(same("The staging port is 5432", "The port of staging is 5433") != Verdict::same);
  CHECK(same("The user's editor is Neovim", "The editor of the user is Emacs") != Verdict::same);
  CHECK(same("The user eats meat", "The user does not eat meat") != Verdict::same);
  CHECK(same("The user prefers tabs over spaces", "Over tabs the user prefers spaces") != Verdict::same);
}

TEST_CASE("what the model takes for a successor is one where the user tells a change, and is asked about otherwise") {
  const auto after = [](const char* before, const char* now, const char* quote) {
    return meaning(before, now, quote, /*replaces=*/true);
  };
  CHECK(after("The user lives in Berlin", "The user lives in Hamburg", "I have moved to Hamburg") == Verdict::changed);
  CHECK(after("The team deploys on Fridays", "Deployments take place on Mondays", "we no longer deploy on Fridays") ==
        Verdict::changed);
  CHECK(after("The user lives in Berlin", "The user lives in Hamburg", "I live in Hamburg") == Verdict::doubtful);
  // The model names a memory that has nothing to do with it.
  CHECK(after("The user likes tea", "The build uses CMake", "we switched to CMake") == Verdict::doubtful);
}

TEST_CASE("nothing is replaced in another project, or that does not stand any more") {
  auto one = draft("The user lives in Hamburg");
  one.evidence = {{1, "I moved to Hamburg"}};
  one.replaces = {1};
  one.project = 5;
  auto old = standing("The user lives in Berlin");
  old.project = 7;
  CHECK(verdict(one, {old}).meaning == Verdict::fresh);
  old.project = store::no_id;
  old.state = "quarantined";
  CHECK(verdict(one, {old}).meaning == Verdict::fresh);
}

TEST_CASE("a told change keeps the scope of what it changes, unless the user limits it to the project") {
  auto now = draft("The user prefers spaces over tabs.");
  now.project = 5;
  const auto global = standing("The user prefers tabs over spaces.");
  const auto said = [&](const char* quote) {
    now.evidence = {{1, quote}};
    return verdict(now, {global});
  };
  const auto changed = said("I now prefer spaces over tabs.");
  CHECK(changed.meaning == Verdict::changed);
  CHECK(changed.everywhere);
  CHECK(said("I prefer spaces over tabs.").meaning == Verdict::doubtful);
  CHECK(said("In this project I now prefer spaces over tabs.").meaning == Verdict::fresh);
  // The other way round: what is now said to hold everywhere changes what holds here.
  now.project = store::no_id;
  auto here = global;
  here.project = 5;
  now.evidence = {{1, "I now prefer spaces over tabs."}};
  const auto widened = verdict(now, {here});
  CHECK(widened.meaning == Verdict::changed);
  CHECK_FALSE(widened.everywhere);
}

TEST_CASE("a preference is turned, or the same, in whatever words it compares") {
  CHECK(outcome("The user likes tabs better than spaces.", "The user prefers spaces over tabs.") == changed);
  CHECK(outcome("The user's preference is snake case over camel case.",
                "The user likes camel case better than snake case.") == changed);
  CHECK(outcome("Der Nutzer mag Tabs lieber als Leerzeichen.", "Der Nutzer mag Leerzeichen lieber als Tabs.") ==
        changed);
  CHECK(outcome("用户喜欢制表符胜过空格。", "用户更喜欢空格而不是制表符。") == changed);
  CHECK(outcome("The user prefers tabs over spaces in Go files.", "The user prefers spaces over tabs.") == other);
  const auto found =
      verdict(draft("The user likes tabs better than spaces."), {standing("The user prefers tabs over spaces.")});
  CHECK(found.meaning == Verdict::same);
}

TEST_CASE("with what is replaced goes what says its value in other words, and nothing about another thing") {
  const auto replaced = [](const char* now, const char* quote, std::vector<store::Memory> existing) {
    auto one = draft(now);
    one.evidence = {{1, quote}};
    one.replaces = {1};
    return verdict(one, existing);
  };
  const auto numbers = replaced("The search index gets 72 GB of memory.", "The search index now gets 72 GB of memory.",
                                {standing("The search index of the user's project gets 48 GB of memory.", 1),
                                 standing("The user gives the search index 48 GB of memory.", 2),
                                 standing("The user gives the mail relay 48 GB of memory.", 3)});
  CHECK(numbers.meaning == Verdict::changed);
  CHECK(numbers.memories == std::vector<store::Id>{1, 2});
  const auto ports = replaced("The staging database listens on port 5433.", "The staging database moved to port 5433.",
                              {standing("The staging database listens on port 5432.", 1),
                               standing("The production database listens on port 5432.", 2)});
  CHECK(ports.memories == std::vector<store::Id>{1});
  const auto french = replaced("Le serveur de tests tourne sur le port 1371.",
                               "Le serveur de tests tourne maintenant sur le port 1371.",
                               {standing("Le serveur de tests de l'utilisateur tourne sur le port 1945.", 1),
                                standing("Le serveur de cache de l'utilisateur tourne sur le port 1945.", 2)});
  CHECK(french.memories == std::vector<store::Id>{1});
  const auto town = replaced("The image resizer is hosted in Tartu.", "The image resizer is now hosted in Tartu.",
                             {standing("The image resizer of the user's project is hosted in Milan.", 1),
                              standing("The user hosts the image resizer in Milan.", 2)});
  CHECK(town.memories == std::vector<store::Id>{1, 2});
  const auto port = replaced("The flag service listens on port 9320.", "The flag service now listens on port 9320.",
                             {standing("The flag service of the user's project listens on port 7951.", 1),
                              standing("Port 7951 belongs to the flag service.", 2)});
  CHECK(port.memories == std::vector<store::Id>{1, 2});
  const auto named = replaced("The backup agent is in the charge of the platform team.",
                              "The backup agent no longer belongs to the QA lead but to the platform team",
                              {standing("In the user's project the backup agent belongs to the QA lead.", 1),
                               standing("The QA lead looks after the backup agent of the user's project.", 2)});
  CHECK(named.memories == std::vector<store::Id>{1, 2});
  const auto charge = replaced("The report generator is in the charge of the legal desk.",
                               "The report generator no longer belongs to the network crew but to the legal desk.",
                               {standing("The report generator is in the charge of the network crew.", 1),
                                standing("The network crew looks after the report generator.", 2)});
  CHECK(charge.meaning == Verdict::doubtful);
  CHECK(charge.memories == std::vector<store::Id>{1, 2});
  // Plain words may say something else of the same: the user is asked about both.
  const auto plain = replaced("The release manager looks after the upload proxy.",
                              "The upload proxy no longer belongs to the product owner but to the release manager.",
                              {standing("The product owner looks after the upload proxy of the user's project.", 1),
                               standing("The upload proxy is in the charge of the product owner.", 2),
                               standing("The product owner looks after the mail relay.", 3)});
  CHECK(plain.meaning == Verdict::doubtful);
  CHECK(plain.memories == std::vector<store::Id>{1, 2});
}

TEST_CASE("a change told again needs no answer to the question that it was the first time") {
  auto waiting = standing("The user prefers spaces over tabs.", 2);
  waiting.state = "quarantined";
  auto now = draft("The user prefers spaces over tabs.");
  now.evidence = {{1, "I now prefer spaces over tabs."}};
  const auto found = verdict(now, {standing("The user prefers tabs over spaces.", 1), waiting});
  CHECK(found.meaning == Verdict::changed);
  CHECK(found.memories == std::vector<store::Id>{1, 2});
  CHECK(verdict(now, {waiting}).meaning == Verdict::same);
}

TEST_CASE("another number of another name contradicts nothing") {
  CHECK(outcome("The user's project runs Rust 15.3.", "The user's project runs Debian 12.6.") == other);
  CHECK(outcome("The relay gets 70 GB of memory.", "The relay gets 78 GB of memory.") == doubtful);
}

TEST_CASE("in Chinese a value is found and changed as in any other language") {
  CHECK(outcome("用户的搜索服务运行在端口12735。", "用户的搜索服务运行在端口10743。") == changed);
  auto one = draft("用户的搜索服务运行在端口10743。");
  one.evidence = {{1, "不对，搜索服务的端口是10743，不是12735。"}};
  CHECK(verdict(one, {standing("用户的搜索服务的端口是12735。")}).meaning == Verdict::changed);
  CHECK(verdict(one, {standing("用户的日志服务的端口是11407。")}).meaning != Verdict::changed);
}

TEST_CASE("a change that the user tells finds what it changes, though the model does not say so and writes otherwise") {
  const auto after = [](const char* before, const char* now, const char* quote) {
    const std::vector<store::Memory> existing{standing(before)};
    auto one = draft(now);
    one.evidence = {{1, quote}};
    return verdict(one, existing).meaning;
  };
  // The user names the value before: that is the one.
  CHECK(after("In the user's project the test fixtures are found in etc/main.conf.",
              "The test fixtures of the user's project live in tools/new.lua.",
              "No, the test fixtures live in tools/new.lua, not in etc/main.conf.") == Verdict::changed);
  CHECK(after("Der Nutzer betreibt den Zeitserver auf Port 2541.", "Der Zeitserver des Nutzers läuft auf Port 3866.",
              "Wir haben den Zeitserver von Port 2541 auf Port 3866 umgestellt.") == Verdict::changed);
  CHECK(after("The user's mail relay listens on port 2525.",
              "The user said: \"No, our mail relay listens on port 2526, not 2525\"",
              "No, our mail relay listens on port 2526, not 2525") == Verdict::changed);
  // They do not: they are asked.
  CHECK(after("This project of the user is on Node 13.4.", "The user's project runs Node 12.1.",
              "We upgraded to Node 12.1") == Verdict::doubtful);
  CHECK(after("The user likes shell scripts better than Makefiles.", "The user prefers Makefiles over shell scripts.",
              "I have changed my mind and now prefer Makefiles over shell scripts") == Verdict::changed);
  CHECK(after("The data team looks after the mail relay.", "The support desk looks after the mail relay.",
              "From now on the support desk looks after the mail relay") == Verdict::doubtful);
  // A name is what they speak of where a number is what changes, and the verb is of no account.
  CHECK(after("The user uses Node 11.9 in this project.", "The user's project runs Node 12.6.",
              "No, we run Node 12.6, not 11.9.") == Verdict::changed);
  auto lead = draft("In the user's project the metrics collector belongs to the QA lead.");
  lead.evidence = {{1, "From now on the QA lead looks after the metrics collector."}};
  const auto asked = verdict(lead, {standing("The metrics collector of the user's project gets 16 GB of memory.", 1),
                                    standing("The frontend guild looks after the metrics collector.", 2)});
  CHECK(asked.meaning == Verdict::doubtful);
  CHECK(asked.memories.front() == 2);
  CHECK(after("The log rotation runs at 01:15 every night.", "The user's project runs Django 13.4.",
              "The project now runs Django 13.4") == Verdict::fresh);
  CHECK(after("The metrics collector gets 56 GB of memory.", "The user gives the webhook receiver 36 GB of memory.",
              "No, the webhook receiver gets 36 GB of memory, not 12") == Verdict::fresh);
  // Another thing has the value before, too.
  CHECK(after("Le serveur de tests tourne sur le port 1371.", "Le serveur de cache tourne sur le port 1658.",
              "Non, le serveur de cache tourne sur le port 1658, pas 1371") == Verdict::fresh);
  CHECK(after("Le serveur de cache tourne sur le port 1945.",
              "L'utilisateur fait tourner le serveur de tests sur 1700.",
              "Nous avons déplacé le serveur de tests du port 1945 au port 1700.") != Verdict::changed);
  CHECK(after("Der Testserver läuft auf Port 2541.", "Auf Port 3866 läuft der Zeitserver des Nutzers.",
              "Wir haben den Zeitserver von Port 2541 auf Port 3866 umgestellt.") != Verdict::changed);
  CHECK(after("The flag service gets 4 GB of memory.", "The build cache gets 60 GB of memory.",
              "We raised the memory of the build cache from 4 to 60 GB.") == Verdict::fresh);
  // A reason is not what they speak of.
  CHECK(after("The user decided to use Conan for the page cache because it is easier to operate.",
              "The user decided to use Grafana for structured logs because it is easier to operate.",
              "We decided against Conan and now use Grafana for structured logs, because it is easier to operate.") !=
        Verdict::changed);
  // No change is told, or of something else, be it in the same place.
  CHECK(after("The test fixtures live in docs/rules.md.", "The seed data lives in data/base.sql.",
              "We moved the seed data from docs/rules.md to data/base.sql.") == Verdict::fresh);
  CHECK(after("The user's project runs Rust 13.4.", "We are on Node 12.1.", "We are on Node 12.1 now") ==
        Verdict::fresh);
  CHECK(after("This project of the user is on Node 13.4.", "The user's project runs Node 12.1.", "We run Node 12.1") ==
        Verdict::fresh);
  CHECK(after("The mail relay listens on port 2525.", "The tile server has moved to port 8080.",
              "The tile server has moved to port 8080") == Verdict::fresh);
}

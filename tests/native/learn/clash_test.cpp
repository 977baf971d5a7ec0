// Changed values and contradictions: the cases measured in the facts about memory systems, and their neighbours.
#include "learn/clash.h"

#include "support/catch.h"

using namespace selfmind;
using learn::find_clash;

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

enum Outcome { other, doubtful, changed };

Outcome outcome(const char* before, const char* now) {
  const std::vector<store::Memory> existing{standing(before)};
  const auto clash = find_clash(draft(now), existing);
  return !clash ? other : clash->certain ? changed : doubtful;
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

TEST_CASE("what is known elsewhere, or stands no more, is not changed") {
  auto elsewhere = standing("The staging database listens on port 5432");
  elsewhere.project = 7;
  CHECK_FALSE(find_clash(draft("The staging database listens on port 5433"), std::vector{elsewhere}));
  auto waiting = standing("The staging database listens on port 5432");
  waiting.state = "quarantined";
  CHECK_FALSE(find_clash(draft("The staging database listens on port 5433"), std::vector{waiting}));
}

TEST_CASE("of several the newest is replaced, and a certain change goes before a doubt") {
  const std::vector<store::Memory> existing{standing("The staging database listens on port 1", 1),
                                            standing("The staging database listens on port 2", 2)};
  CHECK(find_clash(draft("The staging database listens on port 3"), existing)->memory == 2);
  const std::vector<store::Memory> mixed{standing("The user no longer lives in Berlin", 1),
                                         standing("The user lives in Paris", 2)};
  const auto clash = find_clash(draft("The user lives in Berlin"), mixed);
  CHECK(clash->memory == 1);
  CHECK(clash->certain);
}

namespace {

using store::Verdict;

// What becomes of a draft that the memory model takes for the same as, or a successor of, the memory.
Verdict::Meaning meaning(const char* before, const char* now, const char* quote, bool replaces) {
  const std::vector<store::Memory> existing{standing(before)};
  auto one = draft(now);
  one.evidence = {{1, quote}};
  (replaces ? one.replaces : one.same_as) = 1;
  return learn::comparer(0.7)(one, existing).meaning;
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

TEST_CASE("nothing is replaced in another scope, or that does not stand any more") {
  auto one = draft("The user lives in Hamburg");
  one.evidence = {{1, "I moved to Hamburg"}};
  one.replaces = 1;
  auto old = standing("The user lives in Berlin");
  old.project = 7;
  CHECK(learn::comparer(0.7)(one, std::vector{old}).meaning == Verdict::fresh);
  old.project = store::no_id;
  old.state = "quarantined";
  CHECK(learn::comparer(0.7)(one, std::vector{old}).meaning == Verdict::fresh);
}

TEST_CASE("a change that the user tells finds what it changes, though the model does not say so and writes otherwise") {
  const auto after = [](const char* before, const char* now, const char* quote) {
    const std::vector<store::Memory> existing{standing(before)};
    auto one = draft(now);
    one.evidence = {{1, quote}};
    return learn::comparer(0.7)(one, existing).meaning;
  };
  // The user names the value before: that is the one.
  CHECK(after("In the user's project the test fixtures are found in etc/main.conf.",
              "The test fixtures of the user's project live in tools/new.lua.",
              "No, the test fixtures live in tools/new.lua, not in etc/main.conf.") == Verdict::changed);
  CHECK(after("Der Nutzer betreibt den Zeitserver auf Port 2541.", "Der Zeitserver des Nutzers läuft auf Port 3866.",
              "Wir haben den Zeitserver von Port 2541 auf Port 3866 umgestellt.") == Verdict::changed);
  // They do not: they are asked.
  CHECK(after("This project of the user is on Node 13.4.", "The user's project runs Node 12.1.",
              "We upgraded to Node 12.1") == Verdict::doubtful);
  CHECK(after("The user likes shell scripts better than Makefiles.", "The user prefers Makefiles over shell scripts.",
              "I have changed my mind and now prefer Makefiles over shell scripts") == Verdict::doubtful);
  CHECK(after("The data team looks after the mail relay.", "The support desk looks after the mail relay.",
              "From now on the support desk looks after the mail relay") == Verdict::doubtful);
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

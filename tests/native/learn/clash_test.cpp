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

// Deduplication: what counts as known, and above all what does not.
#include "learn/duplicate.h"

#include <string>
#include <utility>
#include <vector>

#include "support/catch.h"

using namespace selfmind;
using Pair = std::pair<std::string, std::string>;

namespace {

constexpr double threshold = 0.7;

store::Memory memory(store::Id id, std::string text) {
  store::Memory memory;
  memory.id = id;
  memory.text = std::move(text);
  return memory;
}

store::MemoryDraft draft(std::string text) {
  store::MemoryDraft draft;
  draft.text = std::move(text);
  return draft;
}

bool duplicate(const std::string& a, const std::string& b, double at = threshold) {
  const std::vector<store::Memory> existing = {memory(7, b)};
  return learn::find_duplicate(draft(a), existing, at).has_value();
}

// Whichever of the two was there first.
void check_known(const std::vector<Pair>& pairs, double at = threshold) {
  for (const auto& [a, b] : pairs) {
    INFO(a << " / " << b);
    CHECK(duplicate(a, b, at));
    CHECK(duplicate(b, a, at));
  }
}

// Not even where the words may overlap as little as they like.
void check_new(const std::vector<Pair>& pairs) {
  for (const auto& [a, b] : pairs) {
    INFO(a << " / " << b);
    CHECK_FALSE(duplicate(a, b));
    CHECK_FALSE(duplicate(b, a));
    CHECK_FALSE(duplicate(a, b, 0.0));
    CHECK_FALSE(duplicate(b, a, 0.0));
  }
}

}  // namespace

TEST_CASE("case, white space and final punctuation make no new memory") {
  check_known({{"The user prefers tabs.", "the user PREFERS tabs"},
               {"The user prefers tabs", "  The user\n prefers\ttabs  . "},
               {"The user prefers tabs!", "The user prefers tabs"},
               {"用户喜欢茶。", "用户喜欢茶"},
               {"Der Benutzer wohnt in der Hauptstraße", "der benutzer wohnt in der HAUPTSTRASSE."}});
}

TEST_CASE("a filler, an ending or a spelling makes no new memory") {
  check_known(
      {{"The user really prefers dark themes in the editor.", "The user prefers dark themes in the editor."},
       {"The user currently uses postgres for the ledger.", "The user uses postgres for the ledger."},
       {"The user pushes small commits to the main branch", "The user pushes small commit to the main branch"},
       {"The user runs all slow tests in the old container", "The user is running all slow tests in the old container"},
       {"The user's favourite editor theme is dark.", "The user's favorite editor theme is dark."},
       {"The service retries requests three times", "The service retries requests 3 times"},
       {"The user doesn’t use tabs in the makefile parser", "The user doesn't use tabs in the makefile parser"}});
}

TEST_CASE("verbs of the same attitude are interchangeable") {
  check_known({{"The user likes small pull requests with tests.", "The user prefers small pull requests with tests."},
               {"The user utilises rebase before every merge here", "The user uses rebase before every merge here"}});
  check_new({{"The user dislikes small pull requests.", "The user likes small pull requests."},
             {"The user hates small pull requests.", "The user loves small pull requests."}});
}

TEST_CASE("the phrase in front and the phrase at the end are one memory") {
  check_known({{"For tests the user uses Catch2", "The user uses Catch2 for tests"}});
}

TEST_CASE("words that change places change roles") {
  check_new({{"The client calls the server", "The server calls the client"},
             {"A linter is a compiler", "A compiler is a linter"},
             {"The user prefers tabs in Python and spaces in Go", "The user prefers spaces in Python and tabs in Go"},
             {"In Python spaces, in Go tabs", "Tabs in Python, spaces in Go"},
             {"In tests the user does not mock, in demos the user does",
              "The user does not mock in demos but does in tests"}});
}

TEST_CASE("the order of a comparison is the memory") {
  check_new({{"The user prefers tabs over spaces", "The user prefers spaces over tabs"},
             {"The user prefers tabs to spaces", "The user prefers spaces to tabs"},
             {"Use rebase rather than merge", "Use merge rather than rebase"},
             {"Use ninja instead of make", "Use make instead of ninja"},
             {"Lint before the tests", "Lint after the tests"},
             {"Lint before the tests", "The tests before lint"},
             {"Migrate from sqlite to postgres", "Migrate from postgres to sqlite"},
             {"gcc is better than clang", "clang is better than gcc"},
             {"gcc is better than clang", "gcc is worse than clang"},
             {"Lieber Tabs als Leerzeichen", "Lieber Leerzeichen als Tabs"}});
}

TEST_CASE("another number is another memory") {
  check_new({{"The database port is 5432", "The database port is 5433"},
             {"The database listens on port 5432.", "The database listens on port 5433."},
             {"The project uses Python 3.11", "The project uses Python 3.12"},
             {"The service retries three times", "The service retries four times"},
             {"The team has one release a week", "The team has two releases a week"},
             {"The timeout is 5 s", "The timeout is 50 s"},
             {"The offset is -1", "The offset is 1"},
             {"The budget is 5%", "The budget is 5"},
             {"Der Server hat drei Kerne", "Der Server hat vier Kerne"}});
}

TEST_CASE("a negation is another memory, in any language") {
  check_new({{"The user lives in Berlin", "The user no longer lives in Berlin"},
             {"The user uses tabs", "The user does not use tabs"},
             {"The user uses tabs", "The user doesn't use tabs"},
             {"The user uses tabs", "The user doesn’t use tabs"},
             {"The user can deploy on Fridays", "The user cannot deploy on Fridays"},
             {"The user always deploys on Fridays", "The user never deploys on Fridays"},
             {"The build works with ccache", "The build works without ccache"},
             {"There is a staging server", "There is no staging server"},
             {"The user uses tabs and does not use spaces", "The user does not use tabs and uses spaces"},
             {"Der Benutzer mag Docker", "Der Benutzer mag Docker nicht"},
             {"Der Benutzer nutzt einen Debugger", "Der Benutzer nutzt keinen Debugger"},
             {"Der Benutzer testet freitags", "Der Benutzer testet nie freitags"},
             {"L'utilisateur aime les tabulations", "L'utilisateur n'aime pas les tabulations"},
             {"L'utilisateur déploie le vendredi", "L'utilisateur ne déploie jamais le vendredi"},
             {"用户喜欢咖啡", "用户不喜欢咖啡"},
             {"用户用过制表符", "用户没用过制表符"},
             {"用户在周五部署", "用户别在周五部署"}});
}

TEST_CASE("another name or identifier is another memory") {
  check_new({{"The user lives in Berlin", "The user lives in Bern"},
             {"The backend team reviews the API", "The platform team reviews the API"},
             {"Paris hosts the API", "Lyon hosts the API"},
             {"The team calls the service Atlas", "The team calls the service Atlases"},
             {"The entry point is parseConfig", "The entry point is parseConfigs"},
             {"The setting is user_name", "The setting is user_names"},
             {"Logs go to app.log", "Logs go to apps.log"},
             {"The user writes C++", "The user writes C#"},
             {"The user writes C++", "The user writes C"},
             {"The secrets are in .env", "The secrets are in env"},
             {"The cause is plan A", "The cause is plan B"},
             {"The cause is plan A", "The cause is plan"}});
}

TEST_CASE("a replaced word is a changed value") {
  check_new({{"The user uses postgres for the ledger", "The user uses mysql for the ledger"},
             {"The user works for the bank", "The user works with the bank"},
             {"The user used postgres for the ledger", "The user uses postgres for the ledger"},
             {"The user was on the platform team", "The user is on the platform team"},
             {"Tests and docs are required", "Tests or docs are required"},
             {"The user signs the contact", "The user signs the contract"},
             {"The user likes caring", "The user likes cars"},
             {"The user prefers dark modes", "The user prefers dark mods"},
             {"The team works on filing", "The team works on filling"}});
}

TEST_CASE("a qualifier more is another memory") {
  check_new({{"The user prefers tabs", "The user prefers tabs in Python projects"},
             {"The user deploys on Fridays", "The user deploys only on Fridays"},
             {"The user reviews pull requests", "The user sometimes reviews pull requests"}});
}

TEST_CASE("rewordings with too little in common are not proposed") {
  CHECK_FALSE(duplicate("The user uses Neovim as main editor", "The user's primary editor is Neovim"));
  CHECK_FALSE(duplicate("The user is allergic to peanuts", "The user has a peanut allergy"));
}

TEST_CASE("the threshold decides what is proposed") {
  const std::string a = "The user really just likes tabs";  // 3 of 7 words in common
  const std::string b = "The user prefers tabs";
  CHECK(duplicate(a, b, 0.4));
  CHECK_FALSE(duplicate(a, b, 0.45));
}

TEST_CASE("the memory that is nearest is the one named") {
  const std::vector<store::Memory> existing = {memory(1, "The user prefers spaces for the parser"),
                                               memory(2, "The user really, really likes tabs for the parser"),
                                               memory(3, "The user really prefers tabs for the parser"),
                                               memory(4, "the user prefers tabs for the parser.")};
  CHECK(learn::find_duplicate(draft("The user prefers tabs for the parser"), existing, 0.5) == store::Id(4));
  const std::span<const store::Memory> without_last(existing.data(), 3);
  CHECK(learn::find_duplicate(draft("The user prefers tabs for the parser"), without_last, 0.5) == store::Id(3));
}

TEST_CASE("nothing and noise duplicate nothing") {
  CHECK_FALSE(duplicate("", ""));
  CHECK_FALSE(duplicate("...", "!!!"));
  CHECK_FALSE(duplicate("the a of", "a really the", 0.0));
  CHECK_FALSE(duplicate("\xFF\xFE", "tabs", 0.0));
  CHECK_FALSE(learn::find_duplicate(draft("The user prefers tabs"), {}, threshold).has_value());
}

// The default ranking: each of its ingredients where it decides, in stores of a few lines.
#include <algorithm>

#include "recall/small_store.h"
#include "support/catch.h"

using namespace selfmind;
using test::About;
using test::SmallStore;
using Names = std::vector<std::string>;

namespace {

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string repeat(const std::string& piece, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += piece;
  return text;
}

}  // namespace

TEST_CASE("a word is found in another form of it") {
  SmallStore store;
  store.says(1, "I ran the migration on staging");
  store.says(2, "The children like the aquarium");
  CHECK(store.first("Which migrations are running?") == "turn 1");
  CHECK(store.found("aquariums for a child") == Names{"turn 2"});
}

TEST_CASE("a German, a French and a Russian word are found in another form") {
  SmallStore store;
  store.says(1, "Die Häuser an der Straße sind alle verkauft");
  store.says(2, "Les serveurs ne sont pas dans le même pays");
  store.says(3, "Мы решили, что серверы будут в подвале");
  CHECK(store.found("Was ist mit dem Haus?") == Names{"turn 1"});
  CHECK(store.found("Où est le serveur de la base?") == Names{"turn 2"});
  CHECK(store.found("Где наш сервер?") == Names{"turn 3"});
}

TEST_CASE("words that say nothing find nothing") {
  SmallStore store;
  store.says(1, "What is it that you would have done about this?");
  store.says(2, "The port is 5433");
  CHECK(store.found("What is the port?") == Names{"turn 2"});
  CHECK(store.found("What would you have done?").empty());
}

TEST_CASE("an identifier is found by its words, its pieces and its other spellings") {
  SmallStore store;
  store.says(1, "parseConfig ignores unknown keys");
  store.says(2, "the crash is in src/io/loop.cpp, line 80");
  store.says(3, "the linter complains about .clang-format");
  store.says(4, "neovim says E5108 on start");
  store.says(5, "clang was upgraded to v16.0.6");
  CHECK(store.found("parse_config") == Names{"turn 1"});
  CHECK(store.found("where is the config parsed?") == Names{"turn 1"});
  CHECK(store.found("loop.cpp") == Names{"turn 2"});
  CHECK(store.found("src/io") == Names{"turn 2"});
  CHECK(store.found("what about clang-format?", 1) == Names{"turn 3"});
  CHECK(store.found("e5108") == Names{"turn 4"});
  CHECK(store.found("is 16.0 installed?") == Names{"turn 5"});
}

TEST_CASE("C++ and C are two languages") {
  SmallStore store;
  store.says(1, "the parser is written in C");
  store.says(2, "the host is written in C++");
  CHECK(store.first("what is in C++?") == "turn 2");
  CHECK(store.first("what is in plain C?") == "turn 1");
}

TEST_CASE("the answer stands in the turn after the question's words") {
  SmallStore store;
  store.says(1, "Let us talk about the staging database and its port", {.session = 1});
  store.says(2, "It is 5433 since yesterday", {.session = 1});
  store.says(3, "The weather is fine", {.session = 2});
  store.says(4, "It is 5433 since yesterday, too", {.session = 2});
  const auto found = store.found("staging database port");
  CHECK(has(found, "turn 2"));
  CHECK(store.part("staging database port", "turn 2", "neighbours") > 0);
  CHECK_FALSE(has(found, "turn 4"));
}

TEST_CASE("what follows a question counts for more than what follows a statement") {
  SmallStore store;
  store.says(1, "Which editor theme shall we take?", {.session = 1});
  store.says(2, "Gruvbox, the dark one", {.session = 1});
  store.says(3, "The editor theme is a matter of taste", {.session = 2});
  store.says(4, "Solarized, the light one", {.session = 2});
  CHECK(store.part("editor theme", "turn 2", "neighbours") > store.part("editor theme", "turn 4", "neighbours"));
}

TEST_CASE("turns of different sessions are no neighbours") {
  SmallStore store;
  store.says(1, "the staging database", {.session = 1});
  store.says(2, "listens there", {.session = 2});
  store.says(3, "and has no session at all");
  CHECK(store.found("staging database") == Names{"turn 1"});
}

TEST_CASE("of two turns with the same words the one whose session is about them comes first") {
  SmallStore store;
  store.says(1, "The certificate was renewed", {.session = 1});
  store.says(2, "Lunch was good", {.session = 1});
  store.says(3, "The weather is fine", {.session = 1});
  store.says(4, "Dinner will be better", {.session = 1});
  store.says(11, "Nginx needs a restart after each deploy", {.session = 2});
  store.says(12, "Fine", {.session = 2});
  store.says(13, "Fine again", {.session = 2});
  store.says(14, "The certificate was renewed there", {.session = 2});
  CHECK(store.score("nginx certificate", "turn 14") > store.score("nginx certificate", "turn 1"));
  CHECK(store.part("nginx certificate", "turn 14", "session") > store.part("nginx certificate", "turn 1", "session"));
}

TEST_CASE("what the user said comes before what the assistant said") {
  SmallStore store;
  store.replies(1, "The staging port is 5433");
  store.says(2, "The staging port is 5433 indeed");
  CHECK(store.found("staging port") == Names{"turn 2", "turn 1"});
}

TEST_CASE("what the assistant alone said is found") {
  SmallStore store;
  store.replies(1, "Use a covering index for the ledger query", {.session = 1});
  store.says(2, "Lunch was good", {.session = 1});
  CHECK(store.first("covering index") == "turn 1");
}

TEST_CASE("who is named is looked for among those who speak") {
  SmallStore store;
  store.says(1, "I like the new parser", {.speaker = "Operator"});
  store.says(2, "I like the new parser, too", {.speaker = "Reviewer"});
  CHECK(store.first("What does the reviewer like in the parser?") == "turn 2");
  CHECK(store.first("What does the operator like in the parser?") == "turn 1");
  CHECK(store.part("Does the reviewer like the parser?", "turn 2", "speaker") > 0);
}

TEST_CASE("words side by side as in the question come before the same words apart") {
  SmallStore store;
  store.says(1, "The connection was cut, said the database, when its old worker pool was full");
  store.says(2, "The connection pool was cut, said the database, when its old worker was full");
  CHECK(store.first("connection pool") == "turn 2");
  CHECK(store.part("connection pool", "turn 2", "phrase") > 0);
  CHECK(store.part("connection pool", "turn 1", "phrase") == 0);
}

TEST_CASE("a named month prefers what was said in it") {
  SmallStore store;
  store.says(1, "The ledger was deployed", {.at = "2026-02-10"});
  store.says(2, "The ledger was deployed again", {.at = "2026-03-10"});
  store.says(3, "The ledger was deployed anew", {.at = "2026-05-10"});
  CHECK(store.first("What did we deploy of the ledger in March?") == "turn 2");
  CHECK(store.first("What did we deploy of the ledger in February?") == "turn 1");
  CHECK(store.part("the ledger in March", "turn 2", "in that time") > 0);
  CHECK(store.part("the ledger in March", "turn 1", "in that time") == 0);
}

TEST_CASE("last week is counted from the day on which one asks") {
  SmallStore store;
  store.says(1, "The ledger was deployed", {.at = "2026-06-03"});
  store.says(2, "The ledger was deployed again", {.at = "2026-06-10"});
  CHECK(store.first("What was deployed of the ledger last week?") == "turn 2");
  store.context.now = *parse_iso8601("2026-06-10T12:00:00Z");
  CHECK(store.first("What was deployed of the ledger last week?") == "turn 1");
}

TEST_CASE("a date alone finds nothing that has no word of the question") {
  SmallStore store;
  store.says(1, "Lunch was good", {.at = "2026-03-10"});
  CHECK(store.found("What about the ledger in March?").empty());
}

TEST_CASE("a question for a time prefers what names one") {
  SmallStore store;
  store.says(1, "The migration of the ledger is planned");
  store.says(2, "The migration of the ledger is on 3 May 2026");
  CHECK(store.first("When is the migration of the ledger?") == "turn 2");
  CHECK(store.part("When is the ledger's migration?", "turn 2", "names a time") > 0);
  CHECK(store.part("Why is the ledger's migration?", "turn 2", "names a time") == 0);
}

TEST_CASE("a memory is a key to the turn it came from") {
  SmallStore store;
  store.says(1, "I would rather have it dark, gruvbox for example");
  store.says(2, "I would rather have it warm, tea for example");
  store.keeps(1, "The user prefers the colour scheme gruvbox", {1});
  const auto found = store.found("Which colour scheme?");
  REQUIRE_FALSE(found.empty());
  CHECK(found.front() == "memory 1");
  CHECK(store.score("Which colour scheme?", "turn 2") == 0);
  // Without the memory the turn has no word of the question.
  store.index.erase(store::ItemKind::memory, 1);
  CHECK(store.found("Which colour scheme?").empty());
}

TEST_CASE("a turn is found through its memory, and the memory stands for it") {
  SmallStore store;
  store.says(1, "staging listens on 5433", {.session = 1});
  store.keeps(1, "The staging database listens on port 5433", {1});
  CHECK(store.found("staging port") == Names{"memory 1"});
  CHECK(store.part("staging 5433", "memory 1", "its turn") >= 0);
}

TEST_CASE("a turn that says what its memory leaves out is listed in its place") {
  SmallStore store;
  store.says(1, "staging listens on 5433 because another container sits on the usual port already");
  store.keeps(1, "Staging uses an unusual number", {1});
  CHECK(store.found("Which container sits on the usual port?") == Names{"turn 1"});
}

TEST_CASE("newer comes first only where nothing else decides") {
  SmallStore store;
  store.says(1, "The staging port is 5433", {.at = "2026-06-14"});
  store.says(2, "The staging port is 5432", {.at = "2025-06-14"});
  CHECK(store.first("staging port") == "turn 1");
  store.says(3, "The staging port of the ledger is 5431", {.at = "2024-06-14"});
  CHECK(store.first("staging port of the ledger") == "turn 3");

  SmallStore reversed;
  reversed.says(1, "The staging port is 5432", {.at = "2025-06-14"});
  reversed.says(2, "The staging port is 5433", {.at = "2026-06-14"});
  CHECK(reversed.first("staging port") == "turn 2");
}

TEST_CASE("without a time to count from the newest item is now") {
  SmallStore store;
  store.context.now = Time{};
  store.says(1, "The ledger was deployed", {.at = "2020-03-03"});
  store.says(2, "The ledger was deployed again", {.at = "2020-03-11"});
  CHECK(store.first("what was deployed of the ledger last week?") == "turn 1");
}

TEST_CASE("this project comes before what is global, and another one never comes") {
  SmallStore store;
  store.context.project = 1;
  store.keeps(1, "Indent with two spaces");
  store.keeps(2, "Indent with four spaces", {}, {.project = 1});
  store.keeps(3, "Indent with eight spaces", {}, {.project = 2});
  CHECK(store.found("How to indent, how many spaces?") == Names{"memory 2", "memory 1"});
  CHECK(store.part("indent spaces", "memory 2", "this project") > 0);

  store.context.project = 2;
  CHECK(store.found("How to indent, how many spaces?") == Names{"memory 3", "memory 1"});
  store.context.project = store::no_id;
  CHECK(store.found("How to indent, how many spaces?") == Names{"memory 1"});
  store.context.all_projects = true;
  CHECK(store.found("How to indent, how many spaces?").size() == 3);
}

TEST_CASE("a neighbour or a turn of another project does not come in by the side door") {
  SmallStore store;
  store.context.project = 1;
  store.says(1, "the staging database", {.session = 1, .project = 1});
  store.says(2, "has its secret in the vault", {.session = 1, .project = 2});
  store.says(3, "the vault is elsewhere", {.project = 2});
  store.keeps(1, "The staging database is slow", {3}, {.project = 1});
  for (const auto& hit : store.hits("staging database vault", 50)) CHECK(hit.item.project != 2);
}

TEST_CASE("what is in another project changes no score here") {
  SmallStore store;
  store.context.project = 1;
  store.says(1, "the staging port is open", {.session = 1, .project = 1});
  store.keeps(1, "Staging uses port 5433", {1}, {.project = 1});
  const auto before = store.hits("Which port does staging use?");
  for (store::Id id = 10; id < 60; ++id) store.says(id, "port staging use port", {.session = id % 3 + 2, .project = 2});
  const auto after = store.hits("Which port does staging use?");
  REQUIRE(after.size() == before.size());
  for (std::size_t i = 0; i < after.size(); ++i) CHECK(after[i].score == Approx(before[i].score).epsilon(0.05));
}

TEST_CASE("what says the same as a better one goes back in the list") {
  SmallStore store;
  store.says(1, "The deploy of the ledger runs on Fridays at noon");
  store.says(2, "the deploy of the ledger runs on fridays, at noon!");
  store.says(3, "The deploy of the ledger is done by the release pipeline");
  const auto found = store.found("When does the deploy of the ledger run on Fridays?");
  REQUIRE(found.size() == 3);
  CHECK(found[0] != "turn 3");
  const bool repeats = store.part("deploy of the ledger on Fridays", "turn 2", "repeats") < 0 ||
                       store.part("deploy of the ledger on Fridays", "turn 1", "repeats") < 0;
  CHECK(repeats);
}

TEST_CASE("what differs in a number or a negation does not say the same") {
  const std::string rule =
      "the nightly backup of the ledger database to the second site keeps every dump that was written by the release "
      "pipeline since spring for";
  for (const auto& [one, other] : {std::pair<std::string, std::string>{rule + " 30 days", rule + " 90 days"},
                                   {rule + " review", rule + " review not"},
                                   {rule + " review", rule + " never review"}}) {
    INFO(other);
    SmallStore store;
    store.says(1, one);
    store.says(2, other);
    for (const auto& hit : store.hits("nightly backup of the ledger database")) {
      for (const auto& part : hit.parts) CHECK(part.name.find("repeats") == std::string::npos);
    }
  }
}

TEST_CASE("an earlier question in the same words is left out, its reply is not") {
  SmallStore store;
  store.says(1, "Which port does the staging database use?", {.session = 1});
  store.replies(2, "The staging database uses port 5433", {.session = 1});
  CHECK(store.found("Which port does the staging database use?") == Names{"turn 2"});
  CHECK(store.found("which port does the staging database use") == Names{"turn 2"});
  // Another question is no such thing.
  CHECK(has(store.found("Which database uses port 5433?"), "turn 1"));
}

TEST_CASE("an earlier question in Chinese is left out as well") {
  SmallStore store;
  store.says(1, "测试数据库的端口是多少？", {.session = 1});
  store.replies(2, "测试数据库的端口是5433", {.session = 1});
  CHECK(store.found("测试数据库的端口是多少？") == Names{"turn 2"});
}

TEST_CASE("the sentence that asks weighs more than the chatter before it") {
  SmallStore store;
  store.says(1, "The holiday was in the mountains");
  store.says(2, "The certificate is renewed by certbot");
  CHECK(store.first("We had a fine holiday. Who renews the certificate?") == "turn 2");
  CHECK(store.first("The certificate is fine. Where was the holiday?") == "turn 1");
}

TEST_CASE("Chinese, Japanese and Korean are found by their characters") {
  SmallStore store;
  store.says(1, "测试数据库的端口改成了5433");
  store.says(2, "我早上喜欢喝绿茶");
  store.says(3, "ステージングのデータベースは遅いです");
  store.says(4, "서버는 서울에 있습니다");
  CHECK(store.first("数据库用哪个端口？") == "turn 1");
  CHECK(store.first("他喜欢喝什么茶？") == "turn 2");
  CHECK(store.first("データベースは？") == "turn 3");
  CHECK(store.first("서울에 무엇이?") == "turn 4");
}

TEST_CASE("an English word in a Chinese question finds an English text") {
  SmallStore store;
  store.says(1, "the staging database moved to postgres");
  store.says(2, "我早上喜欢喝绿茶");
  CHECK(store.first("为什么用postgres？") == "turn 1");
  CHECK(store.first("重跑gen-itgc后") == "nothing");
  store.says(3, "gen-itgc was run twice");
  CHECK(store.first("重跑gen-itgc后怎么样") == "turn 3");
}

TEST_CASE("a pasted text of more words than a question has still finds what it is about") {
  SmallStore store;
  store.says(1, "the watchdog of the ledger barks at midnight");
  for (store::Id id = 2; id < 40; ++id) store.says(id, "filler" + std::to_string(id) + " of the log");
  std::string paste;
  for (int i = 0; i < 200; ++i) paste += "filler" + std::to_string(i) + " ";
  const auto question = paste + ".\nWhen does the watchdog bark?";
  CHECK(store.found(question, 60).size() > 20);
  CHECK(store.first(question) == "turn 1");
}

TEST_CASE("a question at the end of a pasted megabyte is answered, and one at its start") {
  SmallStore store;
  store.says(1, "the watchdog barks at midnight");
  store.says(2, "some plain words of a log");
  const auto paste = repeat("some plain words of a log. ", 1u << 20);
  CHECK(has(store.found(paste + "\nWhen does the watchdog bark?"), "turn 1"));
  CHECK(has(store.found("When does the watchdog bark?\n" + paste), "turn 1"));
  CHECK(store.first(paste + "\nWhen does the watchdog bark?") == "turn 1");
}

TEST_CASE("a megabyte that is cut within a character is a valid question") {
  SmallStore store;
  store.says(1, "测试数据库的端口");
  for (std::size_t shift = 0; shift < 3; ++shift) {
    INFO(shift);
    CHECK(store.first(std::string(shift, 'x') + repeat("端口", 1u << 20)) == "turn 1");
  }
}

TEST_CASE("what stands in the conversation already is left out, and the rest moves up") {
  SmallStore store;
  for (store::Id id = 1; id <= 5; ++id) store.says(id, "the ledger port number " + std::string(id, 'x'));
  store.context.skip = [](const store::Item& item) { return item.id <= 2; };
  const auto found = store.found("ledger port number", 3);
  REQUIRE(found.size() == 3);
  CHECK_FALSE(has(found, "turn 1"));
  CHECK_FALSE(has(found, "turn 2"));
}

TEST_CASE("a memory that is left out does not hide its turn") {
  SmallStore store;
  store.says(1, "staging listens on port 5433");
  store.keeps(1, "Staging listens on port 5433", {1});
  store.context.skip = [](const store::Item& item) { return item.kind == store::ItemKind::memory; };
  CHECK(store.found("staging port") == Names{"turn 1"});
}

TEST_CASE("asking for none gives none, and an empty store nothing") {
  SmallStore store;
  CHECK(store.found("ledger").empty());
  store.says(1, "the ledger");
  CHECK(store.found("ledger", 0).empty());
  CHECK(store.found("ledger", 1000).size() == 1);
  store.index.erase(store::ItemKind::turn, 1);
  CHECK(store.found("ledger").empty());
  CHECK(store.index.size() == 0);
}

TEST_CASE("items without words are never found and harm nothing") {
  SmallStore store;
  store.says(1, "", {.session = 1});
  store.says(2, "?!…", {.session = 1});
  store.says(3, "the ledger", {.session = 1});
  store.says(4, "\xFF\xFE", {.session = 1});
  store.keeps(1, "", {1, 2, 3});
  CHECK(store.first("ledger") == "turn 3");
  CHECK_FALSE(store.hits("ledger", 50).empty());
}

TEST_CASE("a memory whose turns are gone is found on its own") {
  SmallStore store;
  store.keeps(1, "Staging listens on port 5433", {77, 78});
  CHECK(store.first("staging port") == "memory 1");
  store.says(77, "staging it is");
  store.index.erase(store::ItemKind::turn, 77);
  CHECK(store.first("staging port") == "memory 1");
}

TEST_CASE("of equals the older comes first") {
  SmallStore store;
  for (const store::Id id : {30, 10, 20}) store.keeps(id, "Staging listens on port " + std::to_string(5000 + id));
  CHECK(store.found("staging port") == Names{"memory 30", "memory 10", "memory 20"});
}

TEST_CASE("a keyword that is a stop word of another language is found") {
  SmallStore store;
  store.keeps(1, "OS: Debian 12");
  store.keeps(2, "Car insurance renewal Friday");
  store.keeps(3, "Bin collection Tuesday");
  store.keeps(4, "The user id column is numeric");
  CHECK(store.first("Which OS runs on the server?") == "memory 1");
  CHECK(store.first("car repair") == "memory 2");
  CHECK(store.first("bin") == "memory 3");
  CHECK(store.first("Which id?") == "memory 4");
}

TEST_CASE("who speaks is named by more words than one") {
  SmallStore store;
  store.says(1, "the parser is slow", {.speaker = "Security Lead"});
  store.says(2, "the parser is slow, they say", {.speaker = "Operator"});
  CHECK(store.part("What did the security lead say of the parser?", "turn 1", "speaker") > 0);
}

TEST_CASE("a Chinese question in the log is answered by what follows it") {
  SmallStore store;
  store.says(1, "账本的端口是多少？", {.session = 1});
  store.says(2, "五千四百三", {.session = 1});
  store.says(3, "账本的端口是多少。", {.session = 2});
  store.says(4, "五千四百二", {.session = 2});
  CHECK(store.part("账本端口", "turn 2", "neighbours") > store.part("账本端口", "turn 4", "neighbours"));
}

TEST_CASE("the time in a question at the end of a long paste is understood") {
  SmallStore store;
  store.says(1, "The ledger was deployed", {.at = "2026-02-10"});
  store.says(2, "The ledger was deployed again", {.at = "2026-03-10"});
  CHECK(store.first(repeat("some plain words of a log. ", 8000) + "\nWhat was deployed of the ledger in February?") ==
        "turn 1");
}

TEST_CASE("a contraction that negates is a negation in a long text") {
  const std::string rule =
      "the nightly backup of the ledger database to the second site keeps every dump that was written by the release "
      "pipeline since spring and you can";
  for (const auto* negated : {"'t", "not"}) {
    SmallStore store;
    store.says(1, rule + " skip review");
    store.says(2, rule + negated + " skip review");
    for (const auto& hit : store.hits("nightly backup of the ledger database")) {
      for (const auto& part : hit.parts) CHECK(part.name.find("repeats") == std::string::npos);
    }
  }
}

TEST_CASE("what was said in a time is found though the question says little else") {
  SmallStore store;
  store.with_floor();
  store.context.now = *parse_iso8601("2026-06-10T12:00:00Z");
  store.says(1, "We planned the release of the importer with the operators", {.session = 1, .at = "2026-06-03"});
  store.says(2, "The importer waits for the new parser, which nobody has planned", {.session = 2, .at = "2026-02-03"});
  CHECK(store.first("What did we plan last week?") == "turn 1");
}

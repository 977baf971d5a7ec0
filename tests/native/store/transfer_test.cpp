// export and import: from one store into another, and what another program has.
#include <sqlite3.h>

#include <filesystem>
#include <sstream>

#include "store/export.h"
#include "store/feed.h"
#include "store/import.h"
#include "store/probes.h"
#include "store/revisions.h"
#include "store/tombstones.h"
#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;
using selfmind::test::CountingIds;
using selfmind::test::FakeClock;
using selfmind::test::TemporaryFolder;

namespace {

std::string token() { return std::string("ghp") + "_16C7e42F292c69" + "12E7710c838347Ae178B4a"; }

// Two stores with ids of their own, and a folder for files between them.
struct Two {
  Two() { there.ids = CountingIds(100'000); }

  std::string exported(TestStore& store, bool log = false) {
    std::ostringstream out;
    ExportWhat what;
    what.log = log;
    must(export_store(store.database, what, out));
    return out.str();
  }
  Imported import(TestStore& store, const std::string& text, bool trust = false) {
    ImportHow how;
    how.trust = trust;
    return must(take_in(store.database, must(read_package(folder.write("file.jsonl", text))), how));
  }
  // Everything that is in it but the time of day.
  static std::string all(TestStore& store) {
    std::string rows;
    for (const auto* table :
         {"project", "project_key", "session", "turn", "memory", "memory_source", "memory_change", "memory_revision",
          "relation", "recall", "probe", "probe_expect", "tombstone", "change"}) {
      rows +=
          table + std::string(": ") + std::to_string(store.count(std::string("SELECT count(*) FROM ") + table)) + "\n";
    }
    return rows + std::to_string(store.count("SELECT max(seq) FROM change"));
  }
  std::vector<std::string> texts(TestStore& store, bool everything = false) {
    std::vector<std::string> texts;
    View view;
    view.all = everything;
    for (const auto& memory : must(memories(store.database, view))) texts.push_back(memory.text);
    return texts;
  }

  TemporaryFolder folder;
  TestStore here, there;
};

// Some of everything.
struct Lived {
  explicit Lived(TestStore& store) {
    project = must(resolve(store.database, {"/home/x/gate", {"example.com/x/gate"}}, /*create=*/true)).id;
    chat = must(new_session(store.database, project)).id;
    message = store.say(chat, "we use tabs because of the diff, until June").id;
    reply = store.answer(message, "Noted.", TurnState::done, R"([{"type":"text","text":"Noted."}])").id;
    MemoryDraft draft;
    draft.text = "The project uses tabs";
    draft.reason = "because of the diff";
    draft.kind = "decision";
    draft.scene = "formatting";
    draft.track = "epistemic";
    draft.project = project;
    draft.scores = Scores{0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
    draft.valid_from = from_millis(1'780'000'000'000);
    draft.valid_to = from_millis(1'900'000'000'000);
    draft.evidence = {{message, "we use tabs"}};
    tabs = must(add_memory(store.database, draft, nullptr)).memory;
    store.clock.advance(std::chrono::hours(1));
    draft.text = "The project uses spaces";
    draft.evidence = {};
    spaces = must(add_memory(store.database, draft, [this](const MemoryDraft&, std::span<const Memory>) {
               return Verdict{Verdict::changed, {tabs.id}};
             })).memory;
    tea = store.remember("The user likes tea");
    gone = store.remember("The user is leaving");
    must(change_state(store.database, {gone.id}, Verb::archive));
    ProbeDraft probe;
    probe.query = "tabs or spaces?";
    probe.project = project;
    probe.expect = {{ItemKind::memory, spaces.id, {}, {}}, {ItemKind::turn, message, {}, {}}};
    must(add_probe(store.database, probe));
    const auto next = store.say(chat, "and now?");
    must(keep_recall(store.database, next.id, "<memories/>", {{spaces.id, 1, 1, 0.5}}));
    store.answer(next.id, "Spaces.");
  }
  Id project, chat, message, reply;
  Memory tabs, spaces, tea, gone;
};

void same_values(const Memory& a, const Memory& b) {
  CHECK(a.uuid == b.uuid);
  CHECK(a.text == b.text);
  CHECK(a.reason == b.reason);
  CHECK(a.kind == b.kind);
  CHECK(a.scene == b.scene);
  CHECK(a.track == b.track);
  CHECK(a.state == b.state);
  CHECK(a.origin == b.origin);
  CHECK(a.made_by == b.made_by);
  CHECK(a.valid_from == b.valid_from);
  CHECK(a.valid_to == b.valid_to);
  CHECK(a.created_at == b.created_at);
  CHECK(a.updated_at == b.updated_at);
  REQUIRE(a.scores.has_value() == b.scores.has_value());
  if (a.scores) {
    CHECK(a.scores->utility == b.scores->utility);
    CHECK(a.scores->sensitivity == b.scores->sensitivity);
  }
}

}  // namespace

TEST_CASE("what is exported with the log is all there in another store") {
  Two two;
  const Lived lived(two.here);
  const auto imported = two.import(two.there, two.exported(two.here, /*log=*/true));
  CHECK(imported.own);
  CHECK(imported.memories == 4);
  CHECK(imported.waiting == 0);
  CHECK(imported.chats == 1);
  CHECK(imported.turns == 4);
  CHECK(imported.probes == 1);
  CHECK(imported.unfounded == 0);

  View everything;
  everything.all = true;
  const auto before = must(memories(two.here.database, everything));
  const auto after = must(memories(two.there.database, everything));
  REQUIRE(before.size() == after.size());
  for (std::size_t at = 0; at < before.size(); ++at) {
    same_values(before[at], after[at]);
    CHECK(before[at].project_name == after[at].project_name);
    const auto was = must(history(two.here.database, before[at].id));
    const auto is = must(history(two.there.database, after[at].id));
    REQUIRE(is.revisions.size() == was.revisions.size() + 1);
    for (std::size_t step = 0; step < was.revisions.size(); ++step) {
      CHECK(is.revisions[step].text == was.revisions[step].text);
      CHECK(is.revisions[step].state == was.revisions[step].state);
      CHECK(is.revisions[step].change.verb == was.revisions[step].change.verb);
      CHECK(is.revisions[step].change.at == was.revisions[step].change.at);
    }
    CHECK(is.revisions.back().change.verb == "import");
    REQUIRE(is.sources.size() == was.sources.size());
    for (std::size_t step = 0; step < was.sources.size(); ++step) {
      CHECK(is.sources[step].evidence.quote == was.sources[step].evidence.quote);
      CHECK(is.sources[step].said_at == was.sources[step].said_at);
    }
  }
  const auto chat = must(last_session(two.there.database, after[0].project));
  REQUIRE(chat.has_value());
  const auto log = must(turns(two.there.database, chat->id));
  REQUIRE(log.size() == 4);
  CHECK(log[0].text == "we use tabs because of the diff, until June");
  CHECK(log[1].parent == log[0].id);
  CHECK(log[1].content == R"([{"type":"text","text":"Noted."}])");
  CHECK(log[2].memory_block == "<memories/>");
  REQUIRE(log[2].given.size() == 1);
  CHECK(log[2].given[0].memory == after[1].id);
  CHECK(chat->thinking_from > log[3].id);
  // The chain of what replaced what can be walked.
  CHECK(after[1].replaces == after[0].id);
  CHECK(after[0].replaced_by == after[1].id);
  CHECK(two.there.count("SELECT count(*) FROM pragma_foreign_key_check") == 0);
}

TEST_CASE("an export has the chats only when they are asked for") {
  Two two;
  const Lived lived(two.here);
  const auto text = two.exported(two.here);
  CHECK(text.find("\"type\":\"turn\"") == std::string::npos);
  CHECK(text.find("until June") == std::string::npos);
  CHECK(text.find("\"quote\":\"we use tabs\"") != std::string::npos);
}

TEST_CASE("the same export twice changes nothing, and neither does a store's own") {
  Two two;
  const Lived lived(two.here);
  const auto text = two.exported(two.here, true);
  const auto own = Two::all(two.here);
  const auto again = two.import(two.here, text);
  CHECK(again.memories == 0);
  CHECK(again.known == 4);
  CHECK(Two::all(two.here) == own);
  two.import(two.there, text);
  const auto once = Two::all(two.there);
  const auto twice = two.import(two.there, text);
  CHECK(twice.memories == 0);
  CHECK(twice.different == 0);
  CHECK(Two::all(two.there) == once);
  // And back: what came from here is here.
  const auto back = two.import(two.here, two.exported(two.there, true));
  CHECK(back.memories == 0);
  CHECK(Two::all(two.here) == own);
}

TEST_CASE("undo takes an import back, whatever history came with it, and nothing that was done elsewhere") {
  Two two;
  const Lived lived(two.here);
  two.there.remember("The user plays chess");
  two.import(two.there, two.exported(two.here));
  View everything;
  everything.all = true;
  CHECK(must(undo(two.there.database, everything)).change.verb == "import");
  CHECK(two.texts(two.there) == std::vector<std::string>{"The user plays chess"});
  CHECK(must(undo(two.there.database, everything)).memories[0].text == "The user plays chess");
  CHECK(kind_of(undo(two.there.database, everything)) == ErrorKind::not_found);
}

TEST_CASE("what was known at a time can be asked of an imported memory too") {
  Two two;
  const Lived lived(two.here);
  two.there.clock.advance(std::chrono::hours(2));
  two.import(two.there, two.exported(two.here));
  View view;
  view.project = must(memories(two.there.database, View{no_id, true, {}, {}, false}))[0].project;
  const auto then = must(memories_as_of(two.there.database, view, lived.tabs.created_at));
  REQUIRE(then.size() == 1);
  CHECK(then[0].text == "The project uses tabs");
}

TEST_CASE("a quotation without its message is counted, and comes with the log") {
  Two two;
  const Lived lived(two.here);
  CHECK(two.import(two.there, two.exported(two.here)).unfounded == 1);
  CHECK(two.there.count("SELECT count(*) FROM memory_source") == 0);
  two.import(two.there, two.exported(two.here, true));
  CHECK(two.there.count("SELECT count(*) FROM memory_source") == 1);
}

TEST_CASE("what was forgotten here does not come back with an import, neither the memory nor its words in the log") {
  TemporaryFolder folder;
  Two two;
  TestStore store(folder / "memory.db");
  const auto chat = must(new_session(store.database, no_id)).id;
  const auto message = store.say(chat, "my sister lives in Lower Ashbourne, by the way").id;
  store.answer(message, "Lower Ashbourne is lovely.");
  const auto memory =
      store.remember("The user's sister lives in Lower Ashbourne", no_id, {{message, "Lower Ashbourne"}});
  store.remember("The user likes tea");
  const auto text = two.exported(store, true);
  must(forget(store.database, {memory.id}, false));
  const auto again = two.import(store, text);
  CHECK(again.forgotten == 1);
  CHECK(again.memories == 0);
  CHECK(two.texts(store, true) == std::vector<std::string>{"The user likes tea"});
  CHECK(folder.read("memory.db").find("Ashbourne") == std::string::npos);

  // In another store that forgot the same, said in another chat, by its own id.
  TestStore other(folder / "other.db");
  other.ids = CountingIds(50'000);
  const auto own = must(new_session(other.database, no_id)).id;
  const auto said = other.say(own, "my sister lives in Lower Ashbourne").id;
  const auto same = other.remember("The user's sister lives in Lower Ashbourne", no_id,
                                   {{said, "my sister lives in Lower Ashbourne"}});
  other.clock.advance(std::chrono::hours(1));
  must(forget(other.database, {same.id}, false));
  const auto imported = two.import(other, text);
  CHECK(imported.forgotten == 1);
  CHECK(imported.memories == 1);
  CHECK(imported.turns == 2);
  CHECK(folder.read("other.db").find("Ashbourne") == std::string::npos);
}

TEST_CASE("a chat that was forgotten here does not come back with an import") {
  Two two;
  const Lived lived(two.here);
  const auto text = two.exported(two.here, true);
  must(forget_chat(two.here.database, lived.chat, WhatWasLearned::kept, false));
  const auto again = two.import(two.here, text);
  CHECK(again.chats_forgotten == 1);
  CHECK(again.chats == 0);
  CHECK(again.turns == 0);
  CHECK(two.here.count("SELECT count(*) FROM turn") == 0);
}

TEST_CASE("what was forgotten elsewhere is said and left to the user, and blocks what is not here yet") {
  Two two;
  const auto tea = two.here.remember("The user likes tea");
  const auto coffee = two.here.remember("The user likes coffee");
  const auto early = two.exported(two.here);
  two.import(two.there, two.exported(two.here));
  const auto water = two.here.remember("The user likes water");
  const auto late = two.exported(two.here);
  must(forget(two.here.database, {tea.id, water.id}, false));
  const auto text = two.exported(two.here);
  CHECK(text.find("likes tea") == std::string::npos);
  CHECK(text.find("\"words\"") == std::string::npos);
  const auto imported = two.import(two.there, text);
  REQUIRE(imported.forgotten_there.size() == 1);
  CHECK(must(memory(two.there.database, imported.forgotten_there[0])).text == "The user likes tea");
  CHECK(two.import(two.there, late).forgotten == 1);
  CHECK(two.texts(two.there) == std::vector<std::string>{"The user likes tea", "The user likes coffee"});
  CHECK(must(is_forgotten_id(two.there.database, water.uuid)));
  CHECK_FALSE(must(is_forgotten_id(two.there.database, tea.uuid)));
}

TEST_CASE("what says something else here stays as it is") {
  Two two;
  const auto tea = two.here.remember("The user likes tea");
  const auto text = two.exported(two.here);
  two.import(two.there, text);
  must(two.there.database.execute("UPDATE memory SET text = 'The user likes green tea'"));
  const auto again = two.import(two.there, text);
  CHECK(again.different == 1);
  CHECK(two.texts(two.there) == std::vector<std::string>{"The user likes green tea"});
}

TEST_CASE("what both stores had learned in the same words is there once") {
  Two two;
  two.here.remember("The user likes tea");
  const auto own = two.there.remember("The user likes Tea");
  const auto imported = two.import(two.there, two.exported(two.here));
  CHECK(imported.known == 1);
  CHECK(imported.memories == 0);
  CHECK(two.texts(two.there) == std::vector<std::string>{own.text});
}

TEST_CASE("a project is found again by its remote, then by its path, and never by its name") {
  Two two;
  const auto project_there = [&](ProjectFacts facts) {
    return must(resolve(two.there.database, facts, /*create=*/true)).id;
  };
  const auto one = must(resolve(two.here.database, {"/a/gate", {"example.com/x/gate"}}, true)).id;
  const auto two_here = must(resolve(two.here.database, {"/a/door", {}}, true)).id;
  const auto three = must(resolve(two.here.database, {"/a/window", {"example.com/x/window"}}, true)).id;
  const auto gate = project_there({"/somewhere/else", {"example.com/x/gate"}});
  const auto door = project_there({"/a/door", {}});
  // The same name and the same path, and another repository.
  const auto window = project_there({"/a/window", {"example.com/y/window"}});
  two.here.remember("gate", one);
  two.here.remember("door", two_here);
  two.here.remember("window", three);
  two.import(two.there, two.exported(two.here));
  const auto all = must(memories(two.there.database, View{no_id, true, {}, {}, false}));
  REQUIRE(all.size() == 3);
  CHECK(all[0].project == gate);
  CHECK(all[1].project == door);
  CHECK(all[2].project != window);
  CHECK(all[2].project_name == "window");
  // The new one is found by what it was found by there.
  CHECK(project_there({"/elsewhere", {"example.com/x/window"}}) == all[2].project);
}

TEST_CASE("a project that is two projects here is refused, and nothing is changed") {
  Two two;
  const auto project = must(resolve(two.here.database, {"/a", {"example.com/x", "example.com/y"}}, true)).id;
  two.here.remember("The user likes tea", project);
  must(resolve(two.there.database, {"/x", {"example.com/x"}}, true));
  must(resolve(two.there.database, {"/y", {"example.com/y"}}, true));
  const auto before = Two::all(two.there);
  const auto package = must(read_package(two.folder.write("file.jsonl", two.exported(two.here))));
  CHECK(kind_of(take_in(two.there.database, package, {})) == ErrorKind::ambiguous);
  CHECK(Two::all(two.there) == before);
}

TEST_CASE("an export of one project has that project's memories and the global ones") {
  Two two;
  const Lived lived(two.here);
  const auto other = two.here.project("/other");
  two.here.remember("The other project is secret", other);
  std::ostringstream out;
  ExportWhat what;
  what.all = false;
  what.project = other;
  what.log = true;
  const auto exported = must(export_store(two.here.database, what, out));
  CHECK(exported.memories == 3);
  CHECK(exported.turns == 0);
  CHECK(out.str().find("example.com") == std::string::npos);
  CHECK(out.str().find("tabs") == std::string::npos);
  CHECK(two.import(two.there, out.str()).memories == 3);
}

TEST_CASE("secrets in an export are kept out, wherever they stand") {
  TemporaryFolder folder;
  Two two;
  const Lived lived(two.here);
  auto text = two.exported(two.here, true);
  for (const std::string words : {"The project uses tabs", "because of the diff", "we use tabs", "tabs or spaces?"}) {
    for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 80)) {
      text.insert(at + words.size(), " " + token());
    }
  }
  TestStore store(folder / "memory.db");
  store.ids = CountingIds(70'000);
  const auto imported = two.import(store, text);
  CHECK(imported.kept_out.find("GitHub token") != std::string::npos);
  CHECK(folder.read("memory.db").find(token()) == std::string::npos);
  CHECK(folder.read("memory.db").find("[secret: GitHub token]") != std::string::npos);
}

TEST_CASE("a broken line is named, and nothing is changed") {
  Two two;
  const Lived lived(two.here);
  const auto text = two.exported(two.here, true);
  const auto broken = [&](const std::string& line, std::string_view why) {
    const auto path = two.folder.write("file.jsonl", text + line + "\n");
    const auto package = read_package(path);
    REQUIRE_FALSE(package.ok());
    INFO(package.error().message);
    CHECK(package.error().message.find(why) != std::string::npos);
    const auto number = std::count(text.begin(), text.end(), '\n') + 1;
    CHECK(package.error().message.find("line " + std::to_string(number) + ":") != std::string::npos);
  };
  broken("{\"type\":\"memory\"", "no JSON");
  broken("[1]", "no JSON object");
  broken("{\"type\":\"dream\"}", "no type \"dream\"");
  broken("{\"type\":\"memory\",\"uuid\":\"x\"}", "no unique id");
  broken(R"({"type":"tombstone","uuid":"01a0c9d1-5a00-7000-8000-0000000000ff"})", "\"at\" is missing");
  broken(R"({"type":"tombstone","uuid":"01a0c9d1-5a00-7000-8000-0000000000ff","at":"soon"})", "no time");
  broken("{\"type\":\"relation\",\"from\":\"01a0c9d1-5a00-7000-8000-0000000000ff\",\"kind\":\"likes\"}", "likes");
  broken("{\"text\":\"\xff\"}", "no JSON");
}

TEST_CASE("an export that does not fit together is refused as a whole") {
  Two two;
  const Lived lived(two.here);
  auto text = two.exported(two.here, true);
  SECTION("a project is not described") {
    const auto at = text.find("{\"type\":\"project\"");
    text.erase(at, text.find('\n', at) + 1 - at);
  }
  SECTION("a chat is not described") {
    const auto at = text.find("{\"type\":\"chat\"");
    text.erase(at, text.find('\n', at) + 1 - at);
  }
  SECTION("a change is not described") {
    const auto at = text.find("{\"type\":\"change\"");
    text.erase(at, text.find('\n', at) + 1 - at);
  }
  const auto package = must(read_package(two.folder.write("file.jsonl", text)));
  CHECK(kind_of(take_in(two.there.database, package, {})) == ErrorKind::invalid);
  CHECK(two.there.count("SELECT count(*) FROM memory") == 0);
  CHECK(two.there.count("SELECT count(*) FROM project") == 0);
}

TEST_CASE("an export of a newer form is refused") {
  Two two;
  const auto path = two.folder.write("x", R"({"type":"export","program":"selfmind.nvim","format":2})"
                                          "\n");
  CHECK(kind_of(read_package(path)) == ErrorKind::too_new);
  CHECK(kind_of(read_package(two.folder / "nothing")) == ErrorKind::not_found);
}

TEST_CASE("lines of another program wait for the user, or are active when they are trusted") {
  Two two;
  const std::string lines =
      "{\"text\":\"The user likes tea\",\"kind\":\"preference\",\"created_at\":\"2025-03-01\"}\n\n"
      "{\"type\":\"memory\",\"text\":\"The user plays chess\",\"kind\":\"hobby\"}\n";
  const auto imported = two.import(two.there, lines);
  CHECK_FALSE(imported.own);
  CHECK(imported.memories == 2);
  CHECK(imported.waiting == 2);
  CHECK(two.texts(two.there).empty());
  View waiting;
  waiting.waiting = true;
  const auto wait = must(memories(two.there.database, waiting));
  REQUIRE(wait.size() == 2);
  CHECK(wait[0].origin == "import");
  CHECK(wait[0].kind == "preference");
  CHECK(iso_date(wait[0].created_at) == "2025-03-01");
  CHECK(wait[1].kind == "fact");
  CHECK(wait[1].created_at == two.there.clock.time);
  CHECK(must(feed(two.there.database, {}, 0)).put.empty());
  two.there.clock.advance(std::chrono::hours(1));
  const auto again = two.import(two.there, lines, /*trust=*/true);
  CHECK(again.memories == 0);
  CHECK(again.known == 2);
  CHECK(two.import(two.here, lines, /*trust=*/true).waiting == 0);
  CHECK(two.texts(two.here).size() == 2);
  CHECK(kind_of(read_package(two.folder.write("y", R"({"type":"turn","text":"x"})"))) == ErrorKind::invalid);
}

TEST_CASE("indices of running hosts hear of what was imported") {
  Two two;
  const Lived lived(two.here);
  const auto loaded = must(feed(two.there.database, {}, 0));
  two.import(two.there, two.exported(two.here, true));
  const auto seen = must(feed(two.there.database, loaded.position, 0));
  // Two active memories, two messages and two replies; what is superseded or archived is not recalled.
  CHECK(seen.put.size() == 6);
}

namespace {

std::string selfmind_file(const TemporaryFolder& folder, const std::string& sql) {
  const auto path = folder / "selfmind.db";
  sqlite3* handle = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &handle) == SQLITE_OK);
  REQUIRE(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(handle);
  return path;
}

}  // namespace

TEST_CASE("SelfMind's own memories come with their kinds and times, wait for the user, and come once") {
  Two two;
  const auto path = selfmind_file(
      two.folder,
      "CREATE TABLE memories (id INTEGER PRIMARY KEY, text TEXT, kind TEXT, source TEXT, created_at);"
      "INSERT INTO memories VALUES (1, 'The user likes tea', 'preference', 'chat', '2025-03-01T10:20:30.123456'),"
      "(2, 'The user plays chess', 'fact', 'user', '2025-03-01 10:20:30'),"
      "(3, 'The user lives in Oslo', 'correction', 'chat', 1740824430),"
      "(4, 'The user has a dog', 'mood', NULL, 1740824430123.0),"
      "(5, 'The user has a cat', NULL, NULL, '1740824430.5'),"
      "(6, 'The user has a bird', 'context', NULL, NULL),"
      "(7, '  ', 'fact', NULL, NULL);");
  const auto bytes = two.folder.read("selfmind.db");
  const auto imported = must(take_in(two.there.database, must(read_package(path)), {}));
  CHECK(imported.memories == 6);
  CHECK(imported.waiting == 6);
  View waiting;
  waiting.waiting = true;
  const auto wait = must(memories(two.there.database, waiting));
  REQUIRE(wait.size() == 6);
  CHECK(iso8601(wait[0].created_at) == "2025-03-01T10:20:30.123Z");
  CHECK(iso8601(wait[1].created_at) == "2025-03-01T10:20:30.000Z");
  CHECK(iso8601(wait[2].created_at) == "2025-03-01T10:20:30.000Z");
  CHECK(iso8601(wait[3].created_at) == "2025-03-01T10:20:30.123Z");
  CHECK(iso8601(wait[4].created_at) == "2025-03-01T10:20:30.500Z");
  CHECK(wait[5].created_at == two.there.clock.time);
  CHECK(wait[0].kind == "preference");
  CHECK(wait[2].kind == "correction");
  CHECK(wait[3].kind == "fact");
  CHECK(wait[5].kind == "context");
  const auto once = Two::all(two.there);
  CHECK(must(take_in(two.there.database, must(read_package(path)), {})).known == 6);
  CHECK(Two::all(two.there) == once);
  // Two machines that import the same know it for the same.
  ImportHow trusting;
  trusting.trust = true;
  must(take_in(two.here.database, must(read_package(path)), trusting));
  CHECK(two.texts(two.here).size() == 6);
  CHECK(two.import(two.there, two.exported(two.here)).memories == 0);
  CHECK(two.folder.read("selfmind.db") == bytes);
}

TEST_CASE("a memory of SelfMind's that was forgotten does not come back with the next import") {
  Two two;
  const auto path = selfmind_file(two.folder,
                                  "CREATE TABLE memories (id INTEGER PRIMARY KEY, text TEXT, kind TEXT, source TEXT, "
                                  "created_at TEXT); INSERT INTO memories VALUES (1, 'The user likes tea', 'fact', '', "
                                  "'2025-03-01'), (2, 'The user plays chess', 'fact', '', '2025-03-01');");
  must(take_in(two.there.database, must(read_package(path)), {}));
  must(forget(two.there.database, {1}, false));
  const auto again = must(take_in(two.there.database, must(read_package(path)), {}));
  CHECK(again.forgotten == 1);
  CHECK(again.known == 1);
  CHECK(two.texts(two.there, true) == std::vector<std::string>{"The user plays chess"});
}

TEST_CASE("a database that is neither an export nor SelfMind's is refused") {
  Two two;
  const auto other = selfmind_file(two.folder, "CREATE TABLE songs (id INTEGER PRIMARY KEY, title TEXT)");
  CHECK(kind_of(read_package(other)) == ErrorKind::invalid);
  const auto ours = two.folder / "ours/memory.db";
  { TestStore store(ours); }
  const auto refused = read_package(ours);
  CHECK(kind_of(refused) == ErrorKind::invalid);
  CHECK(refused.error().message.find("restore") != std::string::npos);
}

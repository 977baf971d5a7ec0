#include "store/doctor.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "store/backup.h"
#include "store/migrations.h"
#include "store/probes.h"
#include "store/revisions.h"
#include "store/stray_secrets.h"
#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;
using selfmind::test::TemporaryFolder;

namespace {

// Built from pieces, so that nothing that looks like a key stands in this file.
std::string token() { return std::string("ghp") + "_16C7e42F292c69" + "12E7710c838347Ae178B4a"; }

struct Ward {
  std::vector<Finding> examine(bool fix = false) { return store::examine(path, store.clock, store.ids, fix); }

  // What is said of one thing.
  std::vector<Finding> of(const std::string& check, bool fix = false) {
    auto all = examine(fix);
    std::erase_if(all, [&check](const Finding& finding) { return finding.check != check; });
    return all;
  }
  Finding one(const std::string& check, bool fix = false) {
    const auto all = of(check, fix);
    REQUIRE(all.size() == 1);
    return all.front();
  }
  static bool well(const std::vector<Finding>& findings) {
    for (const auto& finding : findings) {
      if (finding.state == Finding::found) UNSCOPED_INFO(finding.check + ": " + finding.text);
    }
    return std::none_of(findings.begin(), findings.end(), [](const auto& one) { return one.state == Finding::found; });
  }

  // As it stood in the store before the door knew it.
  void plant(const std::string& sql, const std::string& text, Id id) {
    const std::string turns = "SELECT id, 'test', 0, 1 FROM turn";
    must(store.database.execute("INSERT INTO redaction (turn, reason, at, open) " + turns));
    must(run(store.database, sql, text, id));
    must(store.database.execute("DELETE FROM redaction WHERE reason = 'test'"));
  }

  bool on_disk(std::string_view words) {
    for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "store")) {
      if (folder.read("store/" + entry.path().filename().string()).find(words) != std::string::npos) return true;
    }
    return false;
  }

  TemporaryFolder folder;
  std::string path = folder / "store/memory.db";
  TestStore store{path};
};

unsigned mode(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 0777u;
}

}  // namespace

TEST_CASE("a store in order is found in order, and a store that is not there is not made") {
  Ward ward;
  ward.store.remember("The user likes tea");
  CHECK(Ward::well(ward.examine()));
  CHECK(Ward::well(ward.examine(/*fix=*/true)));
  const auto nowhere = ward.folder / "none/memory.db";
  CHECK(Ward::well(examine(nowhere, ward.store.clock, ward.store.ids, false)));
  CHECK_FALSE(std::filesystem::exists(ward.folder / "none"));
}

TEST_CASE("rights of others are found, left alone without --fix, and taken with it") {
  Ward ward;
  ward.store.remember("The user likes tea");
  const auto backup = must(back_up(ward.store.database));
  std::filesystem::permissions(ward.path, std::filesystem::perms(0644));
  std::filesystem::permissions(backup, std::filesystem::perms(0640));
  std::filesystem::permissions(ward.folder.path() / "store", std::filesystem::perms(0755));
  const auto found = ward.of("rights");
  CHECK(found.size() == 3);
  CHECK_FALSE(Ward::well(found));
  CHECK(mode(ward.path) == 0644);
  CHECK(mode(backup) == 0640);
  CHECK(mode(ward.folder / "store") == 0755);
  CHECK(ward.of("rights", true).size() == 3);
  CHECK(mode(ward.path) == 0600);
  CHECK(mode(backup) == 0600);
  CHECK(mode(ward.folder / "store") == 0700);
  CHECK(ward.one("rights").state == Finding::fine);
}

TEST_CASE("every column of text is looked into, or known to hold no words") {
  Ward ward;
  std::set<std::pair<std::string, std::string>> known;
  for (const auto& column : columns_with_words()) known.insert(column);
  const std::set<std::string> no_words = {"uuid", "kind",     "state", "track",  "origin", "made_by",
                                          "role", "verb",     "model", "lease",  "owner",  "stop_reason",
                                          "day",  "endpoint", "value", "verdict"};
  const auto all = must(collect(query(ward.store.database,
                                      "SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c "
                                      "WHERE m.type = 'table' AND c.type = 'TEXT'"),
                                [](const Statement& row) { return std::pair(row.text(0), row.text(1)); }));
  CHECK(all.size() > 30);
  for (const auto& [table, column] : all) {
    if (known.count({table, column}) > 0 || no_words.count(column) > 0) continue;
    if (table == "project" && column == "name") continue;      // a folder's
    if (table == "redaction" && column == "reason") continue;  // one of a few words of ours
    FAIL_CHECK("nobody looks for secrets in " << table << "." << column);
  }
}

TEST_CASE("secrets in old rows are found wherever they stand, and only counted") {
  Ward ward;
  const auto chat = must(new_session(ward.store.database, no_id)).id;
  const auto message = ward.store.say(chat, "a");
  const auto reply = ward.store.answer(message.id, "b", TurnState::done, R"([{"type":"text","text":"b"}])");
  const auto memory = ward.store.remember("c", no_id, {{message.id, "a"}});
  ProbeDraft probe;
  probe.query = "d";
  probe.expect = {{ItemKind::memory, memory.id, {}, {}}};
  const auto asked = must(add_probe(ward.store.database, probe));
  const std::string said = "use " + token() + " here";
  const std::pair<const char*, Id> places[] = {
      {"UPDATE turn SET text = ? WHERE id = ?", message.id},
      {"UPDATE turn SET memory_block = ? WHERE id = ?", message.id},
      {"UPDATE turn SET failure = ? WHERE id = ?", reply.id},
      {"UPDATE turn SET content = '[{\"type\":\"text\",\"text\":\"' || ? || '\"}]' WHERE id = ?", reply.id},
      {"UPDATE session SET title = ? WHERE id = ?", chat},
      {"UPDATE session SET draft = ? WHERE id = ?", chat},
      {"UPDATE memory SET text = ? WHERE id = ?", memory.id},
      {"UPDATE memory SET reason = ? WHERE id = ?", memory.id},
      {"UPDATE memory_revision SET text = ? WHERE memory = ?", memory.id},
      {"UPDATE memory_revision SET reason = ? WHERE memory = ?", memory.id},
      {"UPDATE memory_source SET quote = ? WHERE memory = ?", memory.id},
      {"UPDATE probe SET query = ? WHERE id = ?", asked.probe.id},
  };
  for (const auto& [sql, id] : places) {
    ward.plant(sql, said, id);
    INFO(sql);
    const auto found = ward.one("secrets");
    CHECK(found.state == Finding::found);
    // In the blocks of a reply alone nobody says which kind it is.
    CHECK((found.text.starts_with("1 GitHub token (") || found.text.starts_with("1 secret (")));
    CHECK(found.text.find(token()) == std::string::npos);
    CHECK(ward.one("secrets", /*fix=*/true).state == Finding::mended);
    CHECK(ward.one("secrets").state == Finding::fine);
    CHECK_FALSE(ward.on_disk(token()));
  }
}

TEST_CASE("--fix leaves the door's marks, also in days that are over, and thinking about them is not sent again") {
  Ward ward;
  ward.store.clock.time = from_millis(1'600'000'000'000);
  const auto chat = must(new_session(ward.store.database, no_id)).id;
  const auto message = ward.store.say(chat, "a");
  const auto reply = ward.store.answer(
      message.id, "b", TurnState::done,
      R"([{"type":"thinking","thinking":"c","signature":"s"},{"type":"text","text":"The password hunter2hunter2"}])");
  const auto memory = ward.store.remember("The user has a password", no_id, {{message.id, "hunter2hunter2"}});
  ward.plant("UPDATE turn SET text = ? WHERE id = ?", "my password is hunter2hunter2, remember", message.id);
  CHECK_FALSE(ward.store.database.execute("UPDATE turn SET text = 'x'").ok());  // frozen

  CHECK(ward.one("secrets", true).state == Finding::mended);
  CHECK(ward.store.turn(chat, message.id).text == "my password is [secret: password], remember");
  CHECK(ward.store.turn(chat, reply.id).content.find("hunter2") == std::string::npos);
  CHECK(must(session(ward.store.database, chat)).thinking_from > reply.id);
  // Found by what was said in the chat, though nothing stands around it.
  CHECK(must(history(ward.store.database, memory.id)).sources[0].evidence.quote == "[secret: password]");
  CHECK_FALSE(ward.on_disk("hunter2hunter2"));
  CHECK_FALSE(ward.store.database.execute("UPDATE turn SET text = 'x'").ok());  // and frozen again
  CHECK(ward.store.count("SELECT count(*) FROM redaction WHERE reason = 'secret' AND open = 0") == 2);
}

TEST_CASE("with a secret goes what an earlier version of its row has left in free space") {
  Ward ward;
  const auto memory = ward.store.remember("c");
  const auto earlier = ward.store.remember("d");
  must(ward.store.database.execute("PRAGMA secure_delete = OFF"));
  // Of several pages, which are free afterwards and stay as they are.
  ward.plant("UPDATE memory SET text = ? WHERE id = ?", std::string(20'000, 'x') + " " + token(), earlier.id);
  must(ward.store.database.execute("DELETE FROM memory WHERE id = " + std::to_string(earlier.id)));
  must(ward.store.database.execute("PRAGMA secure_delete = ON"));
  CHECK(ward.on_disk(token()));
  ward.plant("UPDATE memory SET text = ? WHERE id = ?", "it is " + token(), memory.id);
  CHECK(Ward::well(ward.examine(true)));
  CHECK_FALSE(ward.on_disk(token()));
}

TEST_CASE("a backup with secrets in it is found, and cleaned with --fix") {
  Ward ward;
  const auto memory = ward.store.remember("c");
  ward.plant("UPDATE memory SET text = ? WHERE id = ?", "it is " + token(), memory.id);
  const auto backup = must(back_up(ward.store.database));
  const auto found = ward.of("backup");
  REQUIRE(found.size() == 1);
  CHECK(found[0].state == Finding::found);
  CHECK(found[0].text.find(backup) != std::string::npos);
  CHECK(ward.on_disk(token()));
  CHECK(Ward::well(ward.examine(true)));
  CHECK_FALSE(ward.on_disk(token()));
  CHECK(mode(backup) == 0600);
  CHECK(must(memories(ward.store.database, {}))[0].text == "it is [secret: GitHub token]");
  must(restore(ward.store.database, backup));
  CHECK(must(memories(ward.store.database, {}))[0].text == "it is [secret: GitHub token]");
}

TEST_CASE("what stands between private tags goes from old rows as well, with its bytes") {
  Ward ward;
  const auto memory = ward.store.remember("c");
  ward.plant("UPDATE memory SET text = ? WHERE id = ?", "it is <private>under the third flower pot</private>",
             memory.id);
  CHECK(ward.one("secrets").state == Finding::found);
  CHECK(Ward::well(ward.examine(true)));
  CHECK(must(memories(ward.store.database, {}))[0].text == "it is [private]");
  CHECK_FALSE(ward.on_disk("flower pot"));
}

TEST_CASE("what a restore brings passes the door") {
  Ward ward;
  const auto memory = ward.store.remember("c");
  ward.plant("UPDATE memory SET text = ? WHERE id = ?", "it is " + token(), memory.id);
  const auto backup = must(back_up(ward.store.database, ward.folder / "elsewhere.db"));
  CHECK(Ward::well(ward.examine(true)));
  const auto restored = must(restore(ward.store.database, backup));
  CHECK(restored.kept_out == "1 GitHub token");
  CHECK_FALSE(ward.on_disk(token()));
}

TEST_CASE("a memory whose time is over is found, and archived with --fix as a change that undo takes back") {
  Ward ward;
  MemoryDraft draft;
  draft.text = "The user is in Oslo until Friday";
  draft.valid_to = ward.store.clock.time + std::chrono::hours(24);
  const auto memory = must(add_memory(ward.store.database, draft, nullptr)).memory;
  CHECK(ward.one("memories").state == Finding::fine);
  ward.store.clock.advance(std::chrono::hours(48));
  const auto found = ward.one("memories");
  CHECK(found.state == Finding::found);
  CHECK(found.text.find("1 memory is over") != std::string::npos);
  CHECK(ward.one("memories", true).state == Finding::mended);
  CHECK(must(store::memory(ward.store.database, memory.id)).state == "archived");
  CHECK(must(undo(ward.store.database, {})).change.made_by == "upkeep");
  // Who brings it back means to keep it.
  CHECK(ward.one("memories").state == Finding::fine);
  CHECK(must(store::memory(ward.store.database, memory.id)).state == "active");
}

TEST_CASE("messages that were given up are found with the reason, and tried again with --fix") {
  Ward ward;
  const auto chat = must(new_session(ward.store.database, no_id)).id;
  const auto message = ward.store.say(chat, "I prefer tabs");
  ward.store.answer(message.id, "Noted.");
  ward.store.queue_message(message.id, {"https://memory.test", "small"});
  must(ward.store.database.execute("UPDATE learn_queue SET parked = 1, attempts = 5, failure = 'There is no model.'"));
  const auto found = ward.one("queue");
  CHECK(found.state == Finding::found);
  CHECK(found.text.find("There is no model.") != std::string::npos);
  CHECK_FALSE(must(lease(ward.store.database, "https://memory.test")).has_value());
  CHECK(ward.one("queue", true).state == Finding::mended);
  CHECK(must(lease(ward.store.database, "https://memory.test")).has_value());
}

TEST_CASE("a damaged store is told from a sound one, and the newest backup is named") {
  Ward ward;
  for (int count = 0; count < 200; ++count) {
    ward.store.remember("The user likes tea number " + std::to_string(count) + std::string(200, 'x'));
  }
  const auto backup = must(back_up(ward.store.database));
  auto bytes = ward.folder.read("store/memory.db");
  const auto at = bytes.find("xxxxxxxx") / 4096 * 4096;
  const auto damaged = ward.folder / "damaged/memory.db";
  SECTION("a page is torn") { bytes.replace(at, 200, std::string(200, '\xff')); }
  SECTION("the head is gone") { bytes.replace(0, 100, std::string(100, '\xff')); }
  ward.folder.write("damaged/memory.db", bytes);
  std::filesystem::copy_file(backup, damaged + ".backup-2026-11-30T120000");
  for (const bool fix : {false, true}) {
    const auto findings = examine(damaged, ward.store.clock, ward.store.ids, fix);
    CHECK_FALSE(Ward::well(findings));
    CHECK(std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
      return finding.advice.find("backup-2026-11-30T120000") != std::string::npos;
    }));
  }
}

TEST_CASE("a store that was left in the middle of a change is told from a damaged one") {
  Ward ward;
  for (int count = 0; count < 50; ++count) ward.store.remember("The user likes tea number " + std::to_string(count));
  if (ward.store.database.journal_mode() == "wal") return;
  // As a killed program leaves it: pages written, and the journal to take that back.
  must(ward.store.database.execute("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE"));
  must(ward.store.database.execute("UPDATE memory SET text = text || '" + std::string(3000, 'x') + "'"));
  std::filesystem::create_directories(ward.folder.path() / "killed");
  for (const auto* name : {"memory.db", "memory.db-journal"}) {
    std::filesystem::copy_file(ward.folder.path() / "store" / name, ward.folder.path() / "killed" / name);
  }
  must(ward.store.database.execute("ROLLBACK"));
  const auto killed = ward.folder / "killed/memory.db";
  const auto bytes = ward.folder.read("killed/memory.db");
  const auto findings = examine(killed, ward.store.clock, ward.store.ids, false);
  CHECK(std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.text.find("in the middle of a change") != std::string::npos;
  }));
  CHECK(ward.folder.read("killed/memory.db") == bytes);
  examine(killed, ward.store.clock, ward.store.ids, true);
  CHECK(Ward::well(examine(killed, ward.store.clock, ward.store.ids, false)));
  auto whole = must(Database::open(killed, ward.store.clock, ward.store.ids));
  CHECK(must(memories(whole, {})).size() == 50);
}

TEST_CASE("a row that refers to one that is gone is found") {
  Ward ward;
  must(ward.store.database.execute("PRAGMA foreign_keys = OFF"));
  must(ward.store.database.execute("INSERT INTO memory_source (memory, turn, quote) VALUES (7, 8, 'x')"));
  CHECK(ward.one("file").state == Finding::found);
}

TEST_CASE("without --fix an older store is looked at as it is, and a newer one in any case") {
  Ward ward;
  const auto old_path = ward.folder / "old/memory.db";
  {
    auto old = must(Database::open(old_path, ward.store.clock, ward.store.ids, migrations().first(1)));
    must(run(old,
             "INSERT INTO memory (uuid, text, kind, origin, made_by, created_at, updated_at) VALUES ('u', ?, "
             "'fact', 'user', 'remember', 1, 1)",
             "it is " + token()));
  }
  const auto bytes = ward.folder.read("old/memory.db");
  const auto findings = examine(old_path, ward.store.clock, ward.store.ids, false);
  CHECK_FALSE(Ward::well(findings));
  CHECK(ward.folder.read("old/memory.db") == bytes);
  CHECK(Ward::well(examine(old_path, ward.store.clock, ward.store.ids, true)));
  CHECK(ward.folder.read("old/memory.db").find(token()) == std::string::npos);

  must(ward.store.database.execute("PRAGMA user_version = 99"));
  const auto before = ward.folder.read("store/memory.db");
  for (const bool fix : {false, true}) CHECK(ward.one("schema", fix).state == Finding::found);
  CHECK(ward.folder.read("store/memory.db") == before);
}

// backup and restore from the outside, as a shell sees them.
#include "cli/shell.h"

using namespace selfmind;
using test::Shell;

TEST_CASE("backup prints where the copy is, and restore brings it back and says where the rest went") {
  Shell shell;
  shell.run({"remember", "The user likes tea"});
  const auto made = shell.run({"backup"});
  CHECK(made.code == cli::exit_done);
  const auto path = made.out.substr(0, made.out.find('\n'));
  CHECK(std::filesystem::is_regular_file(path));
  shell.run({"remember", "The user likes coffee"});
  const auto restored = shell.run({"restore", path});
  INFO(restored.err);
  CHECK(restored.code == cli::exit_done);
  CHECK(restored.out.find("1 memory,") != std::string::npos);
  CHECK(restored.out.find("memory.db.backup-") != std::string::npos);
  CHECK(shell.parsed({"memories"}).size() == 1);
}

TEST_CASE("what was forgotten since the backup stays forgotten, and restore says so") {
  Shell shell;
  shell.run({"remember", "The user likes tea"});
  shell.run({"remember", "The user lives in Lower Ashbourne"});
  const auto path = shell.folder / "mine.db";
  CHECK(shell.parsed({"backup", path})["path"] == path);
  REQUIRE(shell.run({"forget", "2"}).code == cli::exit_done);
  const auto restored = shell.parsed({"restore", path});
  CHECK(restored["forgotten"] == 1);
  CHECK(restored["memories"] == 1);
  CHECK(shell.parsed({"memories", "--all"}).size() == 1);
}

TEST_CASE("backup refuses to overwrite, and restore without a name says which there are") {
  Shell shell;
  shell.run({"remember", "The user likes tea"});
  const auto none = shell.run({"restore"});
  CHECK(none.code == cli::exit_failed);
  CHECK(none.err.find("there is none") != std::string::npos);
  const auto path = shell.folder / "mine.db";
  REQUIRE(shell.run({"backup", path}).code == cli::exit_done);
  const auto again = shell.run({"backup", path});
  CHECK(again.code == cli::exit_failed);
  CHECK(again.err.find("is there already") != std::string::npos);
  REQUIRE(shell.run({"backup"}).code == cli::exit_done);
  const auto named = shell.run({"restore"});
  CHECK(named.code == cli::exit_failed);
  CHECK(named.err.find("memory.db.backup-") != std::string::npos);
  CHECK(shell.run({"restore", shell.folder / "no.db"}).code == cli::exit_failed);
}

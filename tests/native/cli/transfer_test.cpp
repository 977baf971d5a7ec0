// export and import from the outside, as a shell sees them.
#include <sys/stat.h>

#include "cli/shell.h"

using namespace selfmind;
using test::Shell;

TEST_CASE("what one store exports another imports, once") {
  Shell one, other;
  one.run({"remember", "The user likes tea"});
  one.run({"remember", "--global", "The user plays chess"});
  const auto path = one.folder / "export.jsonl";
  const auto exported = one.run({"export", path});
  INFO(exported.err);
  CHECK(exported.code == cli::exit_done);
  CHECK(exported.out.find("2 memories") != std::string::npos);
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777u) == 0600);

  const auto imported = other.run({"import", path});
  INFO(imported.err);
  CHECK(imported.code == cli::exit_done);
  CHECK(imported.out.find("Imported: 2 memories.") != std::string::npos);
  CHECK(other.parsed({"import", path})["known"] == 2);
  const auto all = other.parsed({"memories", "--all"});
  REQUIRE(all.size() == 2);
  CHECK(all[0]["uuid"] == one.parsed({"memories"})[0]["uuid"]);
  CHECK(all[0]["project"] == "here");
  CHECK(other.run({"undo"}).code == cli::exit_done);
  CHECK(other.parsed({"memories"}).empty());
}

TEST_CASE("an export takes the place of an older one, and of nothing else") {
  Shell shell;
  shell.run({"remember", "The user likes tea"});
  const auto path = shell.folder / "export.jsonl";
  REQUIRE(shell.run({"export", path}).code == cli::exit_done);
  shell.run({"remember", "The user plays chess"});
  CHECK(shell.parsed({"export", path})["memories"] == 2);
  const auto mine = shell.folder.write("notes.txt", "mine");
  for (const auto& there : {mine, shell.folder / "store/memory.db", shell.folder.path().string()}) {
    const auto refused = shell.run({"export", there});
    CHECK(refused.code == cli::exit_failed);
    CHECK(refused.err.find("is no export") != std::string::npos);
  }
  CHECK(shell.folder.read("notes.txt") == "mine");
  CHECK(shell.parsed({"memories"}).size() == 2);
}

TEST_CASE("without a file an export goes to stdout, one JSON object a line") {
  Shell shell;
  shell.run({"remember", "The user likes tea"});
  shell.run({"remember", "Elsewhere the port is 80"}, "there");
  const auto printed = shell.run({"export"});
  CHECK(printed.code == cli::exit_done);
  std::istringstream lines(printed.out);
  std::string line;
  REQUIRE(std::getline(lines, line));
  CHECK(nlohmann::json::parse(line)["program"] == "selfmind.nvim");
  while (std::getline(lines, line)) CHECK(nlohmann::json::parse(line).is_object());
  // The shell names a project, so this is that project's view.
  CHECK(printed.out.find("port is 80") == std::string::npos);
}

TEST_CASE("another program's lines wait for the user, and go where they are told") {
  Shell shell;
  const auto path = shell.folder.write("lines.jsonl", "{\"text\":\"The user likes tea\"}\n");
  const auto imported = shell.run({"import", path});
  CHECK(imported.out.find("1 waiting for you") != std::string::npos);
  CHECK(shell.parsed({"memories"}).empty());
  const auto waiting = shell.parsed({"memories", "--waiting"});
  REQUIRE(waiting.size() == 1);
  CHECK(waiting[0]["scope"] == "project");
  Shell trusting;
  REQUIRE(trusting.run({"import", path, "--trust", "--global"}).code == cli::exit_done);
  CHECK(trusting.parsed({"memories"})[0]["scope"] == "global");
}

TEST_CASE("an import that fails names the line, and leaves the store as it was") {
  Shell shell;
  const auto path = shell.folder.write("lines.jsonl", "{\"text\":\"The user likes tea\"}\n{\"text\":7}\n");
  const auto failed = shell.run({"import", path});
  CHECK(failed.code == cli::exit_failed);
  CHECK(failed.err.find("line 2") != std::string::npos);
  CHECK(std::count(failed.err.begin(), failed.err.end(), '\n') == 1);
  CHECK(shell.parsed({"memories", "--all"}).empty());
  CHECK(shell.run({"import", shell.folder / "nothing"}).code == cli::exit_failed);
  CHECK(shell.run({"import"}).code == cli::exit_usage);
}

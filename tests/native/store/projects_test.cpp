#include "store/projects.h"

#include <filesystem>

#include "store/git_config.h"
#include "store_fixture.h"

using namespace selfmind;
using namespace selfmind::store;
using selfmind::test::TemporaryFolder;

namespace {

using Remotes = std::vector<std::string>;

// A repository as git leaves it on disk, as far as anybody looks.
void make_repository(const TemporaryFolder& folder, const std::string& name, const std::string& remote = {}) {
  folder.write(name + "/.git/HEAD", "ref: refs/heads/main\n");
  std::string config = "[core]\n\tbare = false\n";
  if (!remote.empty()) config += "[remote \"origin\"]\n\turl = " + remote + "\n\tfetch = +refs/heads/*\n";
  folder.write(name + "/.git/config", config);
}

Project project_of(TestStore& store, const std::string& folder, bool create = true) {
  return must(resolve(store.database, must(look_at(folder)), create));
}

constexpr const char* kiln = "git@host.example:owner/kiln.git";
constexpr const char* loom = "https://host.example/owner/loom";

}  // namespace

TEST_CASE("a git configuration is read as git reads it") {
  const auto remotes = git_remotes(
      "\xEF\xBB\xBF; a comment\n"
      "# another [remote \"no\"] url = no\n"
      "[remote \"with \\\"quotes\\\" \\\\\"] url = same/line ; comment\n"
      "[REMOTE \"Case\"]\r\n\tURL = upper\r\n"
      "[core]\nurl = not-a-remote\n"
      "[remote]\nurl = no-name-at-all\n"
      "[remote \"quoted\"]\n  url = \"a#b;c \" # comment\n  pushurl = other\n  prune\n"
      "[remote \"long\"]\nurl = first\\\n-second\n"
      "[remote.old]\nurl=old-form\n"
      "[remote \"two\"]\nurl = one\nurl = two\n"
      "[remote \"empty\"]\nurl =\nurl\n"
      "[remote \"last\"]\nurl = a b\t");
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& remote : remotes) found.emplace_back(remote.name, remote.url);
  CHECK(found == std::vector<std::pair<std::string, std::string>>{{"with \"quotes\" \\", "same/line"},
                                                                  {"Case", "upper"},
                                                                  {"quoted", "a#b;c "},
                                                                  {"long", "first-second"},
                                                                  {"old", "old-form"},
                                                                  {"two", "one"},
                                                                  {"two", "two"},
                                                                  {"last", "a b"}});
}

TEST_CASE("a broken git configuration is read as far as it goes") {
  const std::string config =
      "[remote \"origin\"]\nurl = \"a\\\"b\\\\c\" d\\\n e\n[remote \"x\\\"y\"] url = z\n]\n= =\n";
  for (std::size_t length = 0; length <= config.size(); ++length) {
    const auto remotes = git_remotes(std::string_view(config).substr(0, length));
    CHECK(remotes.size() <= 2);
  }
  CHECK(git_remotes(config).size() == 2);
}

TEST_CASE("a folder below a repository is that repository") {
  const TemporaryFolder folder;
  make_repository(folder, "kiln", kiln);
  folder.write("kiln/src/deep/main.c", "");
  const auto facts = must(look_at(folder / "kiln/src/deep"));
  CHECK(facts.path == folder / "kiln");
  CHECK(facts.remotes == Remotes{"host.example/owner/kiln"});
}

TEST_CASE("origin comes first and each remote once") {
  const TemporaryFolder folder;
  folder.write("kiln/.git/HEAD", "");
  folder.write("kiln/.git/config",
               "[remote \"fork\"]\nurl = https://host.example/me/kiln\n"
               "[remote \"near\"]\nurl = ../elsewhere\n"
               "[remote \"origin\"]\nurl = git@host.example:owner/kiln.git\n"
               "[remote \"again\"]\nurl = https://host.example/owner/kiln.git\n");
  CHECK(must(look_at(folder / "kiln")).remotes == Remotes{"host.example/owner/kiln", "host.example/me/kiln"});
}

TEST_CASE("a folder without git is itself, through symbolic links too") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "notes/inner");
  std::filesystem::create_directories(folder.path() / "notes/.git");  // empty: no repository
  std::filesystem::create_directory_symlink(folder.path() / "notes", folder.path() / "link");
  const auto facts = must(look_at(folder / "link/inner/.."));
  CHECK(facts.path == folder / "notes");
  CHECK(facts.remotes.empty());
}

TEST_CASE("a folder that is not there is an error") {
  const TemporaryFolder folder;
  CHECK(kind_of(look_at(folder / "nowhere")) == ErrorKind::not_found);
  CHECK(kind_of(look_at(folder.write("file", ""))) == ErrorKind::not_found);
}

TEST_CASE("a linked work tree is its repository, with a remote and without") {
  const TemporaryFolder folder;
  make_repository(folder, "kiln", GENERATE("", kiln));
  folder.write("kiln/.git/worktrees/feature/commondir", "../..\n");
  folder.write("kiln/.git/worktrees/feature/HEAD", "ref: refs/heads/feature\n");
  folder.write("feature/.git", "gitdir: " + (folder / "kiln/.git/worktrees/feature") + "\n");
  TestStore store;
  CHECK(must(look_at(folder / "feature")).remotes == must(look_at(folder / "kiln")).remotes);
  CHECK(project_of(store, folder / "feature").id == project_of(store, folder / "kiln").id);
}

TEST_CASE("the work trees of a bare repository are one project") {
  const TemporaryFolder folder;
  folder.write("kiln/.bare/HEAD", "");
  folder.write("kiln/.bare/config", "[core]\nbare = true\n");
  for (const std::string name : {"main", "feature"}) {
    folder.write("kiln/.bare/worktrees/" + name + "/commondir", "../..\n");
    folder.write("kiln/" + name + "/.git", "gitdir: ../.bare/worktrees/" + name + "\n");
  }
  TestStore store;
  const auto project = project_of(store, folder / "kiln/main");
  CHECK(project.name == "kiln");
  CHECK(project_of(store, folder / "kiln/feature").id == project.id);
}

TEST_CASE("a submodule is a project of its own") {
  const TemporaryFolder folder;
  make_repository(folder, "kiln", kiln);
  folder.write("kiln/parts/loom/.git", "gitdir: ../../.git/modules/loom\n");
  folder.write("kiln/.git/modules/loom/HEAD", "");
  folder.write("kiln/.git/modules/loom/config", std::string("[remote \"origin\"]\nurl = ") + loom + "\n");
  const auto facts = must(look_at(folder / "kiln/parts/loom"));
  CHECK(facts.path == folder / "kiln/parts/loom");
  CHECK(facts.remotes == Remotes{"host.example/owner/loom"});
}

TEST_CASE("another clone of the same remote is the same project") {
  const TemporaryFolder folder;
  make_repository(folder, "one", kiln);
  make_repository(folder, "two", "https://host.example/owner/kiln");
  TestStore store;
  const auto project = project_of(store, folder / "one");
  CHECK(project.name == "kiln");
  CHECK(project_of(store, folder / "two").id == project.id);
  CHECK(project_of(store, folder / "two", /*create=*/false).id == project.id);
}

TEST_CASE("a folder that moves is a new project without a remote, the same with one") {
  const TemporaryFolder folder;
  TestStore store;
  make_repository(folder, "plain");
  make_repository(folder, "known", kiln);
  const auto plain = project_of(store, folder / "plain");
  const auto known = project_of(store, folder / "known");
  CHECK(plain.name == "plain");
  std::filesystem::rename(folder / "plain", folder / "plain2");
  std::filesystem::rename(folder / "known", folder / "known2");
  CHECK(project_of(store, folder / "plain2").id != plain.id);
  CHECK(project_of(store, folder / "known2").id == known.id);
}

TEST_CASE("a folder that gets a remote, or loses it, stays the same project") {
  const TemporaryFolder folder;
  TestStore store;
  make_repository(folder, "kiln");
  const auto project = project_of(store, folder / "kiln");
  make_repository(folder, "kiln", kiln);
  CHECK(project_of(store, folder / "kiln").id == project.id);
  make_repository(folder, "elsewhere", kiln);
  CHECK(project_of(store, folder / "elsewhere").id == project.id);
  make_repository(folder, "kiln");
  CHECK(project_of(store, folder / "kiln").id == project.id);
}

TEST_CASE("another repository put in the same place does not see the first one's memories") {
  const TemporaryFolder folder;
  TestStore store;
  make_repository(folder, "work", kiln);
  const auto first = project_of(store, folder / "work");
  store.remember("kiln's", first.id);
  make_repository(folder, "work", loom);
  CHECK(project_of(store, folder / "work", /*create=*/false).id == no_id);
  const auto second = project_of(store, folder / "work");
  CHECK(second.id != first.id);
  CHECK(second.name == "loom");
  CHECK(must(memories(store.database, View{second.id, false, {}, {}})).empty());
  CHECK(project_of(store, folder / "work", /*create=*/false).id == second.id);
}

TEST_CASE("looking without creating writes nothing") {
  const TemporaryFolder folder;
  TestStore store;
  make_repository(folder, "kiln", kiln);
  CHECK(project_of(store, folder / "kiln", /*create=*/false).id == no_id);
  CHECK(store.count("SELECT (SELECT count(*) FROM project) + (SELECT count(*) FROM project_key)") == 0);
  project_of(store, folder / "kiln");
  make_repository(folder, "clone", kiln);
  project_of(store, folder / "clone", /*create=*/false);
  CHECK(store.count("SELECT count(*) FROM project_key") == 2);
}

TEST_CASE("remotes of two projects in one folder are ambiguous, and both are named") {
  TestStore store;
  must(resolve(store.database, ProjectFacts{"/a", {"host/owner/kiln"}}, /*create=*/true));
  must(resolve(store.database, ProjectFacts{"/b", {"host/me/kiln-fork"}}, /*create=*/true));
  const ProjectFacts both{"/b", {"host/me/kiln-fork", "host/owner/kiln"}};
  for (const bool create : {false, true}) {
    const auto result = resolve(store.database, both, create);
    REQUIRE(kind_of(result) == ErrorKind::ambiguous);
    CHECK(result.error().message.find("\"kiln\" (host/owner/kiln)") != std::string::npos);
    CHECK(result.error().message.find("\"kiln-fork\" (host/me/kiln-fork)") != std::string::npos);
  }
  CHECK(store.count("SELECT count(*) FROM project_key") == 4);
}

TEST_CASE("a fork's remote joins the project it was cloned from") {
  TestStore store;
  const auto project = must(resolve(store.database, ProjectFacts{"/a", {"host/owner/kiln"}}, /*create=*/true));
  must(resolve(store.database, ProjectFacts{"/b", {"host/me/kiln", "host/owner/kiln"}}, /*create=*/true));
  CHECK(must(resolve(store.database, ProjectFacts{"/c", {"host/me/kiln"}}, /*create=*/false)).id == project.id);
}

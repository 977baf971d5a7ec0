// doctor from the outside, as a shell sees it.
#include <stdlib.h>

#include "cli/shell.h"

using namespace selfmind;
using test::Shell;

namespace {

// The settings that the tests themselves may have been started with.
struct Clean {
  Clean() {
    for (const char* name : names) ::unsetenv(name);
  }
  ~Clean() {
    for (const char* name : names) ::unsetenv(name);
  }
  static constexpr const char* names[] = {"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN",  "ANTHROPIC_BASE_URL",
                                          "SSL_CERT_FILE",     "SELFMIND_MEMORY_MODLE", "SSL_CERT_DIR"};
};

}  // namespace

TEST_CASE("doctor ends with 0 where all is well, and says what it looked at") {
  const Clean clean;
  Shell shell;
  shell.run({"remember", "The user likes tea"});
  const auto well = shell.run({"doctor"});
  INFO(well.out << well.err);
  CHECK(well.code == cli::exit_done);
  CHECK(well.out.find("ok     file") != std::string::npos);
  CHECK(well.out.find("ok     secrets") != std::string::npos);
  CHECK(well.out.find("SQLite") != std::string::npos);
  CHECK(shell.parsed({"doctor"})["ok"] == true);
}

TEST_CASE("doctor ends with 1 where something was found, and with 0 once it is mended") {
  const Clean clean;
  Shell shell;
  shell.run({"remember", "The user likes tea"});
  std::filesystem::permissions(shell.folder / "store/memory.db", std::filesystem::perms(0644));
  const auto ill = shell.run({"doctor"});
  CHECK(ill.code == cli::exit_failed);
  CHECK(ill.out.find("found  rights") != std::string::npos);
  CHECK(ill.out.find("doctor --fix") != std::string::npos);
  CHECK(std::count(ill.err.begin(), ill.err.end(), '\n') == 1);
  const auto mended = shell.run({"doctor", "--fix"});
  CHECK(mended.code == cli::exit_done);
  CHECK(mended.out.find("fixed  rights") != std::string::npos);
  CHECK(shell.run({"doctor"}).code == cli::exit_done);
}

TEST_CASE("doctor looks at what the environment sets, and shows no key") {
  const Clean clean;
  Shell shell;
  const auto says = [&shell](std::string_view words) {
    const auto ill = shell.run({"doctor"});
    INFO(ill.out);
    CHECK(ill.code == cli::exit_failed);
    CHECK(ill.out.find(words) != std::string::npos);
    CHECK(ill.out.find("not-to-be-shown") == std::string::npos);
  };
  SECTION("a server that is none") {
    ::setenv("ANTHROPIC_BASE_URL", "nowhere", 1);
    says("must begin with http");
  }
  SECTION("a name that nothing reads") {
    ::setenv("SELFMIND_MEMORY_MODLE", "x", 1);
    says("nothing reads it");
  }
  SECTION("a key and a token") {
    ::setenv("ANTHROPIC_API_KEY", "not-to-be-shown-1", 1);
    ::setenv("ANTHROPIC_AUTH_TOKEN", "not-to-be-shown-2", 1);
    says("both set");
  }
  SECTION("a key that would go in the clear") {
    ::setenv("ANTHROPIC_API_KEY", "not-to-be-shown-1", 1);
    ::setenv("ANTHROPIC_BASE_URL", "http://user:not-to-be-shown@claude.test", 1);
    says("unencrypted");
    ::setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:8080", 1);
    CHECK(shell.run({"doctor"}).code == cli::exit_done);
  }
  SECTION("certificates that are not there") {
    ::setenv("SSL_CERT_FILE", "/nowhere/at/all.pem", 1);
    says("cannot be read");
  }
}

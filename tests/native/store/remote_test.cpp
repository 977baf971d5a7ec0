#include <utility>

#include "store/projects.h"
#include "support/catch.h"

using selfmind::store::normalise_remote;

TEST_CASE("many spellings of one repository are one") {
  for (const char* url : {
           "git@host.example:owner/name.git",
           "host.example:owner/name",
           "host.example:/owner/name/",
           "https://host.example/owner/name",
           "https://host.example/owner/name.git/",
           "https://HOST.example:443/owner//name.git",
           "HTTPS://user@host.example/owner/name",
           "https://user:pa@ss@host.example/owner/name?token=1#x",
           "http://host.example:80/owner/name",
           "ssh://git@host.example:22/owner/name/",
           "ssh://host.example/owner/name.git",
           "git+ssh://git@host.example/owner/name.git",
           "git://host.example:9418/owner/name.git",
           "user:password@host.example:owner/name.git",
           "  git@host.example:owner/name.git\n",
       }) {
    INFO(url);
    CHECK(normalise_remote(url) == "host.example/owner/name");
  }
}

TEST_CASE("what differs stays different") {
  CHECK(normalise_remote("ssh://git@host:2222/owner/name") == "host:2222/owner/name");
  CHECK(normalise_remote("https://host/Owner/Name") == "host/Owner/Name");
  CHECK(normalise_remote("https://host/owner/name.github.io") == "host/owner/name.github.io");
  CHECK(normalise_remote("https://[::1]:443/owner/name") == "[::1]/owner/name");
  CHECK(normalise_remote("git@[::1]:owner/name") == "[::1]/owner/name");
}

TEST_CASE("a remote on this machine is its path") {
  CHECK(normalise_remote("/srv/git/name.git") == "/srv/git/name");
  CHECK(normalise_remote("/srv/./git//other/../name/") == "/srv/git/name");
  CHECK(normalise_remote("file:///srv/git/name.git") == "/srv/git/name");
  CHECK(normalise_remote("file://localhost/srv/git/name.git") == "/srv/git/name");
  CHECK(normalise_remote("file://server/srv/git/name.git") == "server/srv/git/name");
  CHECK(normalise_remote("/") == "/");
}

TEST_CASE("what names no repository is nothing") {
  for (const char* url : {"", "  ", "../name.git", "name", "./a:b", "https://", "https://host", "https://host/",
                          ":path", "host:", "https://user:pass/word@host/owner/name"}) {
    INFO(url);
    CHECK(normalise_remote(url).empty());
  }
}

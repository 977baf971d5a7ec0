#include "base/process.h"

#include <sys/wait.h>
#include <unistd.h>

#include "support/catch.h"

using namespace selfmind;

TEST_CASE("a process that has ended is known to be gone") {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  const std::string own = process_mark();
  const std::string ended = own.substr(0, own.rfind('/') + 1) + std::to_string(child);
  CHECK(process_gone(ended));
  CHECK_FALSE(process_gone(own));
}

TEST_CASE("a process that nobody has waited for yet is gone all the same") {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t ended{};
  ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
  const std::string own = process_mark();
  CHECK(process_gone(own.substr(0, own.rfind('/') + 1) + std::to_string(child)));
  ::waitpid(child, nullptr, 0);
}

TEST_CASE("what cannot be known from here does not count as gone") {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  CHECK_FALSE(process_gone("another-machine/" + std::to_string(child)));
  const std::string own = process_mark();
  const std::string machine = own.substr(0, own.rfind('/') + 1);
  for (const auto& mark : {std::string(), machine, machine + "x", machine + "-1", machine + "12x"}) {
    INFO(mark);
    CHECK_FALSE(process_gone(mark));
  }
}

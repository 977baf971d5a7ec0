// Each test is a child process with something else as its standard input and output, running an echo on the transport.
#include "io/stdio.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/catch.h"

// There when the address sanitizer is; a child that ends with _exit would not be searched for leaks otherwise.
extern "C" int __lsan_do_recoverable_leak_check() __attribute__((weak));

using namespace selfmind;

namespace {

constexpr int clean_end = 10;
constexpr int failed_end = 11;
constexpr int leaked = 12;
constexpr int still_running = -1000;
constexpr int patience_ms = 20'000;

int run_loop(const std::function<void(rpc::Transport&, std::function<void(int)> finish)>& program) {
  io::Loop loop;
  int code = -1;
  const auto transport = io::stdio(loop);
  program(*transport, [&](int result) {
    code = result;
    loop.stop();
  });
  loop.run();
  return code;
}

int echo_program() {
  return run_loop([](rpc::Transport& transport, std::function<void(int)> finish) {
    transport.start([&transport](std::string_view bytes) { transport.write(std::string(bytes)); },
                    [&transport, finish](const Error* why) {
                      transport.write("<end>");
                      finish(why ? failed_end : clean_end);
                    });
  });
}

class Child {
 public:
  // Takes over both descriptors.
  Child(int in, int out, const std::function<int()>& program = echo_program) {
    std::fflush(nullptr);
    pid_ = fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
      dup2(in, 0);
      dup2(out, 1);
      for (int fd = 3; fd < 256; ++fd) close(fd);
      int code = program();
      if (__lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check() != 0) code = leaked;
      _exit(code);
    }
    close(in);
    if (out != in) close(out);
  }
  ~Child() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
  }

  // The exit code; -signal when it was killed; still_running when it does not end.
  int wait() {
    for (int waited = 0; waited < patience_ms; waited += 5) {
      int status = 0;
      if (waitpid(pid_, &status, WNOHANG) == pid_) {
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
      }
      poll(nullptr, 0, 5);
    }
    return still_running;
  }

 private:
  pid_t pid_ = -1;
};

struct Ends {
  int near;
  int far;  // the child's
};

Ends make_socket() {
  std::array<int, 2> pair{};
  REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()) == 0);
  return {pair[0], pair[1]};
}

Ends make_pipe(bool to_child) {
  std::array<int, 2> pair{};
  REQUIRE(pipe(pair.data()) == 0);
  return to_child ? Ends{pair[1], pair[0]} : Ends{pair[0], pair[1]};
}

void send(int fd, std::string_view bytes) {
  REQUIRE(write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
}

// Reads until `until` holds, the other side closes, or patience is at an end.
std::string receive(
    int fd, const std::function<bool(const std::string&)>& until = [](const auto&) { return false; }) {
  std::string got;
  std::array<char, 65536> slice{};
  while (!until(got)) {
    pollfd wait{fd, POLLIN, 0};
    if (poll(&wait, 1, patience_ms) != 1) break;
    const ssize_t count = read(fd, slice.data(), slice.size());
    if (count <= 0) break;
    got.append(slice.data(), static_cast<std::size_t>(count));
  }
  return got;
}

struct TemporaryFolder {
  std::filesystem::path path;
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "selfmind-stdio-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()));
    path = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("pipes and sockets carry bytes, and writing works after the end of input") {
  for (const bool sockets : {false, true}) {
    INFO((sockets ? "sockets" : "pipes"));
    const Ends in = sockets ? make_socket() : make_pipe(/*to_child=*/true);
    const Ends out = sockets ? make_socket() : make_pipe(/*to_child=*/false);
    Child child(in.far, out.far);
    send(in.near, "one");
    CHECK(receive(out.near, [](const std::string& got) { return got.size() >= 3; }) == "one");
    send(in.near, "two");
    close(in.near);
    CHECK(receive(out.near) == "two<end>");
    CHECK(child.wait() == clean_end);
    close(out.near);
  }
}

TEST_CASE("one socket can be both input and output") {
  const Ends both = make_socket();
  Child child(both.far, both.far);
  send(both.near, "hello");
  shutdown(both.near, SHUT_WR);
  CHECK(receive(both.near) == "hello<end>");
  CHECK(child.wait() == clean_end);
  close(both.near);
}

TEST_CASE("an empty device as input is a clean end") {
  const Ends out = make_pipe(/*to_child=*/false);
  Child child(open("/dev/null", O_RDONLY), out.far);
  CHECK(receive(out.near) == "<end>");
  CHECK(child.wait() == clean_end);
  close(out.near);
}

TEST_CASE("files work as input and as output") {
  const TemporaryFolder folder;
  const auto in = folder.path / "in";
  const auto out = folder.path / "out";
  const std::string content(300'000, 'f');
  std::ofstream(in) << content;
  Child child(open(in.c_str(), O_RDONLY), open(out.c_str(), O_WRONLY | O_CREAT, 0600));
  CHECK(child.wait() == clean_end);
  std::stringstream written;
  written << std::ifstream(out).rdbuf();
  CHECK(written.str() == content + "<end>");
}

TEST_CASE("an empty device as output swallows everything") {
  const Ends in = make_pipe(/*to_child=*/true);
  Child child(in.far, open("/dev/null", O_WRONLY));
  send(in.near, "hello");
  close(in.near);
  CHECK(child.wait() == clean_end);
}

TEST_CASE("an input that cannot be read ends with an error") {
  const TemporaryFolder folder;
  const Ends out = make_pipe(/*to_child=*/false);
  Child child(open(folder.path.c_str(), O_RDONLY), out.far);
  CHECK(receive(out.near) == "<end>");
  CHECK(child.wait() == failed_end);
  close(out.near);
}

TEST_CASE("a terminal works as input and output") {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(master >= 0);
  REQUIRE(grantpt(master) == 0);
  REQUIRE(unlockpt(master) == 0);
  const int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
  REQUIRE(terminal >= 0);
  Child child(terminal, terminal);
  send(master, "line\n");
  // Once echoed by the terminal, once by the child.
  const std::string got = receive(
      master, [](const std::string& all) { return all.find("line", all.find("line") + 1) != std::string::npos; });
  CHECK(got.find("line") != got.rfind("line"));
  send(master, "\x04");  // end of input
  CHECK(child.wait() == clean_end);
  close(master);
}

TEST_CASE("a reader that has gone costs nothing but what is written to it") {
  const Ends in = make_pipe(/*to_child=*/true);
  const Ends out = make_pipe(/*to_child=*/false);
  Child child(in.far, out.far);
  close(out.near);
  send(in.near, "first");
  send(in.near, "second");
  close(in.near);
  CHECK(child.wait() == clean_end);
}

TEST_CASE("what is queued at the end reaches a slow reader whole") {
  constexpr std::size_t size = 4u << 20;  // far more than a pipe holds
  const Ends in = make_pipe(/*to_child=*/true);
  const Ends out = make_pipe(/*to_child=*/false);
  Child child(in.far, out.far, [] {
    return run_loop([](rpc::Transport& transport, std::function<void(int)> finish) {
      transport.start([](std::string_view) {},
                      [&transport, finish](const Error*) {
                        for (std::size_t i = 0; i < 4; ++i) transport.write(std::string(size / 4, 'q'));
                        finish(clean_end);
                      });
    });
  });
  close(in.near);
  CHECK(receive(out.near).size() == size);
  CHECK(child.wait() == clean_end);
  close(out.near);
}

TEST_CASE("a reader that never reads does not keep the program from ending") {
  const Ends in = make_pipe(/*to_child=*/true);
  const Ends out = make_pipe(/*to_child=*/false);
  Child child(in.far, out.far, [] {
    return run_loop([](rpc::Transport& transport, std::function<void(int)> finish) {
      transport.start([](std::string_view) {},
                      [&transport, finish](const Error*) {
                        transport.write(std::string(1u << 20, 'q'));
                        finish(clean_end);
                      });
    });
  });
  close(in.near);
  CHECK(child.wait() == clean_end);
  close(out.near);
}

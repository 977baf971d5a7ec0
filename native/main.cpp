// selfmind-host: flags, real objects, run the loop. The only place that names the real world: libuv, curl, the clock.
#include <fcntl.h>

#include <cstdlib>
#include <iostream>

#include "base/log.h"
#include "cli/cli.h"
#include "host/host.h"
#include "io/curl.h"
#include "io/loop.h"
#include "io/stdio.h"

namespace selfmind {
namespace {

// A descriptor that whoever started us left closed would be given to one of libuv's own, and then be taken for stdin.
void open_standard_descriptors() {
  for (const int descriptor : {0, 1, 2}) {
    if (::fcntl(descriptor, F_GETFD) == -1) ::open("/dev/null", O_RDWR);
  }
}

int serve(const std::string& record) {
  open_standard_descriptors();
  io::Loop loop;
  auto transport = io::stdio(loop);
  auto http = io::curl(loop);
  SystemClock clock;
  RandomIds ids;
  std::unique_ptr<host::Recorder> recorder;
  if (!record.empty()) {
    auto opened = host::Recorder::open(record, clock);
    if (!opened) {
      std::cerr << opened.error().message << '\n';
      return EXIT_FAILURE;
    }
    recorder = std::move(*opened);
  }
  const auto ended = [&loop](bool in_time) {
    // The store's thread hangs, perhaps on a disk: waiting for it would leave a process behind for ever.
    if (!in_time) std::_Exit(EXIT_FAILURE);
    loop.stop();
  };
  host::Host host(loop, *transport, *http, clock, ids, ::getenv, ended, recorder.get());
  loop.on_signal([&host](int) { host.terminate(); });
  host.start();
  loop.run();
  return EXIT_SUCCESS;
}

// For a subcommand that asks a server; Ctrl-C ends the asking, and the subcommand says what there is.
void with_network(const std::function<void(cli::Network&)>& use) {
  open_standard_descriptors();
  io::Loop loop;
  const auto http = io::curl(loop);
  loop.on_signal([&loop](int) { loop.stop(); });
  cli::Network network{loop, *http, [&loop] { loop.run(); }, [&loop] { loop.stop(); }};
  use(network);
}

}  // namespace
}  // namespace selfmind

int main(int argc, char** argv) {
  if (argc > 1) {
    return selfmind::cli::run(argc, argv, std::cin, std::cout, std::cerr, selfmind::serve, selfmind::with_network,
                              selfmind::io::curl_version());
  }
  return selfmind::serve({});
}

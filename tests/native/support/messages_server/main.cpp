// messages-server: a local Messages API for tests. It refuses what the real one refuses, and fails on request; rules.h,
// profiles.h and script.h say how. Prints "listening on PORT"; ends on SIGTERM or when its standard input, a pipe or
// terminal, closes.
#include <array>
#include <csignal>
#include <cstdio>

#include <CLI/CLI.hpp>

#include "support/messages_server/server.h"

namespace {

using messages_server::Options;
using messages_server::Server;
using messages_server::Service;

// Ends the server when whoever started it has gone.
struct Lifeline {
  explicit Lifeline(uv_loop_t* loop, Server& s) : server(s) {
    uv_signal_init(loop, &terminate);
    terminate.data = this;
    uv_signal_start(
        &terminate, [](uv_signal_t* h, int) { static_cast<Lifeline*>(h->data)->cut(); }, SIGTERM);
    has_input = uv_guess_handle(0) == UV_NAMED_PIPE;  // of a file the end comes at once and says nothing
    if (!has_input) return;
    uv_pipe_init(loop, &input, /*ipc=*/0);
    input.data = this;
    uv_pipe_open(&input, 0);
    uv_read_start(reinterpret_cast<uv_stream_t*>(&input), give_buffer,
                  [](uv_stream_t* h, ssize_t count, const uv_buf_t*) {
                    if (count < 0) static_cast<Lifeline*>(h->data)->cut();
                  });
  }

  void cut() {
    if (std::exchange(is_cut, true)) return;
    server.stop();
    uv_close(reinterpret_cast<uv_handle_t*>(&terminate), nullptr);
    if (has_input) uv_close(reinterpret_cast<uv_handle_t*>(&input), nullptr);
  }

  static void give_buffer(uv_handle_t* handle, std::size_t, uv_buf_t* buffer) {
    auto& space = static_cast<Lifeline*>(handle->data)->space;
    *buffer = uv_buf_init(space.data(), static_cast<unsigned>(space.size()));
  }

  Server& server;
  uv_signal_t terminate;
  uv_pipe_t input;
  bool has_input = false;
  bool is_cut = false;
  std::array<char, 256> space;
};

int run(const Options& options) {
  Service service(options);
  if (const std::string wrong = service.start(); !wrong.empty()) {
    std::fprintf(stderr, "messages-server: %s\n", wrong.c_str());
    return 1;
  }
  std::signal(SIGPIPE, SIG_IGN);
  uv_loop_t loop;
  uv_loop_init(&loop);
  Server server(&loop, service);
  const int port = server.listen(options.port);
  if (port < 0) {
    std::fprintf(stderr, "messages-server: cannot listen: %s\n", uv_strerror(port));
    return 1;
  }
  Lifeline lifeline(&loop, server);
  std::printf("listening on %d\n", port);
  std::fflush(stdout);
  uv_run(&loop, UV_RUN_DEFAULT);
  uv_loop_close(&loop);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"A strict local Messages API for tests"};
  app.add_option("--port", options.port, "port on 127.0.0.1; 0: any free one");
  app.add_option("--log", options.log, "file that gets a JSON line for each request");
  app.add_option("--script", options.script, "JSON lines, one for each request; an empty line is the default answer");
  app.add_option("--key", options.key, "the only key that is accepted; without it any, or none");
  app.add_option("--body-limit", options.body_limit, "bytes of a request's body; more is answered with 413 and a page");
  app.add_option("--think", options.think, "every so manieth adaptive reply carries a thinking block; 0: none");
  std::string profile = "anthropic";
  app.add_option("--server", profile, "the server it plays: " + messages_server::profile_names());
  CLI11_PARSE(app, argc, argv);
  options.profile = messages_server::find_profile(profile);
  if (options.profile == nullptr) {
    std::fprintf(stderr, "messages-server: there is no server %s\n", profile.c_str());
    return 1;
  }
  return run(options);
}

// Standard input and output on the loop, whatever stands behind them: pipes, sockets and terminals are uv streams;
// files, /dev/null and closed descriptors are read and written directly, because uv_pipe_open takes them and then
// aborts. A uv handle is freed in its close callback and nowhere else. Loop thread only.
#include "io/stdio.h"

#include <array>
#include <utility>

#include <uv.h>

#include "base/limits.h"
#include "base/log.h"

namespace selfmind::io {
namespace {

constexpr uv_file in_fd = 0;
constexpr uv_file out_fd = 1;
constexpr std::size_t slice_bytes = 64u << 10;

using OnBytes = std::function<void(std::string_view)>;
using OnEnd = std::function<void(const Error* why)>;

class Input {
 public:
  virtual ~Input() = default;
  virtual void start(OnBytes on_bytes, OnEnd on_end) = 0;
};

class Output {
 public:
  virtual ~Output() = default;
  virtual void write(std::string bytes) = 0;
};

// --- streams -------------------------------------------------------------------------------------------------------

template <class T>
uv_handle_t* as_handle(T* handle) {
  return reinterpret_cast<uv_handle_t*>(handle);
}

void free_stream(uv_handle_t* handle) { delete reinterpret_cast<uv_any_handle*>(handle); }

// The descriptor as a stream, or null when it is none.
uv_stream_t* open_stream(uv_loop_t* loop, uv_file fd) {
  auto* handle = new uv_any_handle;
  int failed = UV_EINVAL;
  switch (uv_guess_handle(fd)) {
    case UV_NAMED_PIPE:
      uv_pipe_init(loop, &handle->pipe, /*ipc=*/0);
      failed = uv_pipe_open(&handle->pipe, fd);
      break;
    case UV_TCP:
      uv_tcp_init(loop, &handle->tcp);
      failed = uv_tcp_open(&handle->tcp, fd);
      break;
    case UV_TTY:
      // Where this fails there is no handle yet, so nothing to close.
      if (uv_tty_init(loop, &handle->tty, fd, /*unused=*/0) == 0) return &handle->stream;
      delete handle;
      return nullptr;
    default:
      delete handle;
      return nullptr;
  }
  if (failed) {
    uv_close(as_handle(handle), free_stream);
    return nullptr;
  }
  return &handle->stream;
}

// How a read ended. A peer that was killed resets a socket, and a terminal that hung up gives EIO: both are plain ends.
void end_input(OnEnd on_end, int status) {
  if (status == UV_EOF || status == UV_ECONNRESET || status == UV_EIO) return on_end(nullptr);
  const Error why{ErrorKind::io, std::string("Standard input could not be read: ") + uv_strerror(status) + "."};
  on_end(&why);
}

class StreamInput final : public Input {
 public:
  explicit StreamInput(uv_stream_t* stream) : stream_(stream) { stream_->data = this; }
  ~StreamInput() override {
    stream_->data = nullptr;
    uv_close(as_handle(stream_), free_stream);
  }

  void start(OnBytes on_bytes, OnEnd on_end) override {
    on_bytes_ = std::move(on_bytes);
    on_end_ = std::move(on_end);
    uv_read_start(stream_, &StreamInput::give_buffer, &StreamInput::on_read);
  }

 private:
  static void give_buffer(uv_handle_t* handle, std::size_t, uv_buf_t* buffer) {
    auto& slice = static_cast<StreamInput*>(handle->data)->slice_;
    *buffer = uv_buf_init(slice.data(), static_cast<unsigned>(slice.size()));
  }

  static void on_read(uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) {
    auto* self = static_cast<StreamInput*>(stream->data);
    if (count > 0) return self->on_bytes_({buffer->base, static_cast<std::size_t>(count)});
    if (count == 0) return;  // nothing there after all
    uv_read_stop(stream);
    end_input(std::exchange(self->on_end_, nullptr), static_cast<int>(count));
  }

  uv_stream_t* stream_;
  OnBytes on_bytes_;
  OnEnd on_end_;
  std::array<char, slice_bytes> slice_;
};

// What is still queued when its owner goes: it is written to the end, but no longer than limits::shutdown, because a
// peer that reads nothing must not keep the program from ending.
class Farewell {
 public:
  static void say(uv_stream_t* stream) {
    auto* self = new Farewell(stream);
    if (uv_shutdown(&self->shutdown_, stream, [](uv_shutdown_t* done, int) { close(done->handle); }) != 0)
      close(stream);
  }

 private:
  explicit Farewell(uv_stream_t* stream) {
    stream->data = this;
    uv_timer_init(stream->loop, timer_);
    timer_->data = stream;
    const auto limit = std::chrono::milliseconds(limits::shutdown).count();
    uv_timer_start(
        timer_, [](uv_timer_t* timer) { close(static_cast<uv_stream_t*>(timer->data)); },
        static_cast<std::uint64_t>(limit), 0);
  }

  static void close(uv_stream_t* stream) {
    if (uv_is_closing(as_handle(stream))) return;
    auto* self = static_cast<Farewell*>(stream->data);
    uv_close(as_handle(self->timer_), [](uv_handle_t* handle) { delete reinterpret_cast<uv_timer_t*>(handle); });
    uv_close(as_handle(stream), [](uv_handle_t* handle) {
      delete static_cast<Farewell*>(handle->data);
      free_stream(handle);
    });
  }

  uv_shutdown_t shutdown_;
  uv_timer_t* timer_ = new uv_timer_t;
};

class StreamOutput final : public Output {
 public:
  explicit StreamOutput(uv_stream_t* stream) : stream_(stream) { stream_->data = this; }
  ~StreamOutput() override {
    stream_->data = nullptr;
    if (!gone_ && uv_stream_get_write_queue_size(stream_) > 0) {
      Farewell::say(stream_);
    } else {
      uv_close(as_handle(stream_), free_stream);
    }
  }

  void write(std::string bytes) override {
    if (gone_ || bytes.empty()) return;
    auto* job = new Job{{}, std::move(bytes), this};
    job->request.data = job;
    const uv_buf_t buffer = uv_buf_init(job->bytes.data(), static_cast<unsigned>(job->bytes.size()));
    if (const int failed = uv_write(&job->request, stream_, &buffer, 1, &StreamOutput::on_written); failed != 0) {
      delete job;
      give_up(failed);
    }
  }

 private:
  struct Job {
    uv_write_t request;
    std::string bytes;
    StreamOutput* owner;
  };

  static void on_written(uv_write_t* request, int status) {
    auto* job = static_cast<Job*>(request->data);
    // The stream's data is the owner as long as there is one; later it is a Farewell or null.
    if (status < 0 && request->handle->data == job->owner) job->owner->give_up(status);
    delete job;
  }

  void give_up(int status) {
    if (std::exchange(gone_, true)) return;
    log::debug(std::string("nobody reads standard output any more: ") + uv_strerror(status));
  }

  uv_stream_t* stream_;
  bool gone_ = false;
};

// --- files and what else is no stream ------------------------------------------------------------------------------

// Reads a slice in each turn of the loop. A file never makes it wait for long.
class FileInput final : public Input {
 public:
  explicit FileInput(uv_loop_t* loop) : idle_(new uv_idle_t) {
    uv_idle_init(loop, idle_);
    idle_->data = this;
  }
  ~FileInput() override {
    uv_close(as_handle(idle_), [](uv_handle_t* handle) { delete reinterpret_cast<uv_idle_t*>(handle); });
  }

  void start(OnBytes on_bytes, OnEnd on_end) override {
    on_bytes_ = std::move(on_bytes);
    on_end_ = std::move(on_end);
    uv_idle_start(idle_, [](uv_idle_t* idle) { static_cast<FileInput*>(idle->data)->read(); });
  }

 private:
  void read() {
    uv_fs_t request;
    const uv_buf_t buffer = uv_buf_init(slice_.data(), static_cast<unsigned>(slice_.size()));
    const int count = uv_fs_read(idle_->loop, &request, in_fd, &buffer, 1, /*offset=*/-1, /*cb=*/nullptr);
    uv_fs_req_cleanup(&request);
    if (count > 0) return on_bytes_({slice_.data(), static_cast<std::size_t>(count)});
    uv_idle_stop(idle_);
    end_input(std::exchange(on_end_, nullptr), count == 0 ? UV_EOF : count);
  }

  uv_idle_t* idle_;
  OnBytes on_bytes_;
  OnEnd on_end_;
  std::array<char, slice_bytes> slice_;
};

class FileOutput final : public Output {
 public:
  explicit FileOutput(uv_loop_t* loop) : loop_(loop) {}

  void write(std::string bytes) override {
    std::size_t done = 0;
    while (!gone_ && done < bytes.size()) {
      uv_fs_t request;
      const uv_buf_t rest = uv_buf_init(bytes.data() + done, static_cast<unsigned>(bytes.size() - done));
      const int count = uv_fs_write(loop_, &request, out_fd, &rest, 1, /*offset=*/-1, /*cb=*/nullptr);
      uv_fs_req_cleanup(&request);
      if (count > 0) {
        done += static_cast<std::size_t>(count);
      } else if (count != UV_EINTR) {
        log::warning(std::string("standard output could not be written: ") + uv_strerror(count));
        gone_ = true;
      }
    }
  }

 private:
  uv_loop_t* loop_;
  bool gone_ = false;
};

// --- both ----------------------------------------------------------------------------------------------------------

std::unique_ptr<Input> open_input(uv_loop_t* loop) {
  if (uv_stream_t* stream = open_stream(loop, in_fd)) return std::make_unique<StreamInput>(stream);
  return std::make_unique<FileInput>(loop);
}

std::unique_ptr<Output> open_output(uv_loop_t* loop) {
  if (uv_stream_t* stream = open_stream(loop, out_fd)) return std::make_unique<StreamOutput>(stream);
  return std::make_unique<FileOutput>(loop);
}

class Stdio final : public rpc::Transport {
 public:
  explicit Stdio(uv_loop_t* loop) : input_(open_input(loop)), output_(open_output(loop)) {}
  void write(std::string bytes) override { output_->write(std::move(bytes)); }
  void start(OnBytes on_bytes, OnEnd on_end) override { input_->start(std::move(on_bytes), std::move(on_end)); }

 private:
  std::unique_ptr<Input> input_;
  std::unique_ptr<Output> output_;
};

}  // namespace

std::unique_ptr<rpc::Transport> stdio(Loop& loop) { return std::make_unique<Stdio>(loop.raw()); }

}  // namespace selfmind::io

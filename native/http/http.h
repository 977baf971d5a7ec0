// HTTP as the rest of the program needs it: send a request, hear the response as it streams, cancel. io/ implements it
// with curl; http/fake.h for tests. Loop thread only.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace selfmind::http {

using Headers = std::vector<std::pair<std::string, std::string>>;  // names in lower case when received

struct Request {
  std::string method = "POST";
  std::string url;
  Headers headers;  // may hold the key: never logged, never in an error
  std::string body;
  std::chrono::milliseconds connect_timeout{};
  // A line is a sign of life, a byte is none: what drips for ever never becomes an event.
  std::chrono::milliseconds first_line_timeout{};  // until the end of the first line of the body
  std::chrono::milliseconds idle_timeout{};        // between two lines after that
};

// Called on the loop, never from inside send() or cancel(). `on_end` comes exactly once and last, unless the transfer
// was cancelled: then nothing is called any more.
struct Listener {
  std::function<void(int status, const Headers& headers)> on_head;
  std::function<void(std::string_view bytes)> on_body;
  // An error names the host and never a header: network, timed_out after too long a silence, or invalid for an address
  // or a machine that has to be put right first.
  std::function<void(Result<void> end)> on_end;
};

// A running request; destroying it cancels it: the connection is closed, the server sees it at once, nothing is called.
class Transfer {
 public:
  virtual ~Transfer() = default;
};

class Client {
 public:
  virtual ~Client() = default;
  virtual std::unique_ptr<Transfer> send(Request request, Listener listener) = 0;
};

const std::string* find(const Headers& headers, std::string_view name);

}  // namespace selfmind::http

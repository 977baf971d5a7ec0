// The server's side of HTTP/1.1: bytes → requests, incremental. Pure.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace messages_server {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string method;
  std::string path;
  Headers headers;  // names in lower case
  std::string body;

  // Null where it is missing. `name` in lower case.
  const std::string* header(std::string_view name) const;
};

class RequestParser {
 public:
  enum class State {
    more,       // not all there yet
    ready,      // take() it
    too_large,  // all there and dropped: the body is longer than the limit; take() what came before it
    bad,        // no HTTP; close the connection
  };

  explicit RequestParser(std::size_t body_limit) : body_limit_(body_limit) {}
  State feed(std::string_view bytes);
  // Once for a request whose client waits for "100 Continue" before it sends the body.
  bool wants_continue();
  // The request; feed("") then says whether another one came with it.
  Request take();

 private:
  State read_head();
  State read_body();
  State read_chunks();
  void keep(std::string_view part);
  State finish();

  std::size_t body_limit_;
  std::string input_;
  Request request_;
  bool in_body_ = false;
  bool chunked_ = false;
  bool waits_ = false;
  std::size_t left_ = 0;  // of the body, or of the chunk
  bool in_chunk_ = false;
  std::size_t body_bytes_ = 0;  // those that were dropped too
};

// "HTTP/1.1 200 OK" and the headers, up to and with the empty line.
std::string head(int status, const Headers& headers);

}  // namespace messages_server

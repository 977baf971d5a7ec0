// The server itself: connections on a libuv loop, the log of what was asked, and which answer each request gets.
#pragma once
#include <cstdint>
#include <fstream>
#include <memory>
#include <set>
#include <string>

#include <uv.h>

#include "support/messages_server/cache.h"
#include "support/messages_server/issued.h"
#include "support/messages_server/reply.h"
#include "support/messages_server/rules.h"
#include "support/messages_server/script.h"

namespace messages_server {

struct Options {
  int port = 0;
  std::string log;
  std::string script;
  std::string key;
  const Profile* profile = find_profile("anthropic");
  int think = 1;  // every so manieth reply that may think does; 0: none
  std::size_t body_limit = 32u << 20;
};

// All requests and early hang-ups, in memory and as JSON lines in a file.
class Journal {
 public:
  // False when the file cannot be written. Without a path it is in memory only.
  bool open(const std::string& path);
  void add(Json line);
  const Json& lines() const { return lines_; }

 private:
  Json lines_ = Json::array();
  std::ofstream file_;
};

// Decides; knows nothing of sockets.
class Service {
 public:
  explicit Service(Options options) : options_(std::move(options)) {}
  std::size_t body_limit() const { return options_.body_limit; }
  // Reads the script and opens the log; what went wrong, or empty.
  std::string start();
  // The answer, and the request's number in the log (0: it is not logged).
  Reply answer(const Request& request, std::uint64_t now_ms, int& number);
  Reply too_large(const Request& request, int& number);
  void closed_early(int number, std::uint64_t after_ms);

 private:
  Reply answer_model(const Request& request, const std::string& id);
  Reply answer_message(const Request& request, std::uint64_t now_ms, int number);
  Speech default_speech(const Json& body, const Model& model, std::uint64_t now_ms);
  std::optional<Thought> think(const Json& body, const Model& model);
  void log(int number, const Request& request, const Json& body, int answered, const std::string& why);

  Options options_;
  Journal journal_;
  Script script_;
  Issued issued_;
  Cache cache_;
  int requests_ = 0;
  int thoughts_ = 0;
};

class Connection;

class Server {
 public:
  Server(uv_loop_t* loop, Service& service) : loop_(loop), service_(service) {}
  // The port it listens on; negative: the error of uv.
  int listen(int port);
  // Closes the listener and every connection; the loop ends when nothing else is on it.
  void stop();

 private:
  friend class Connection;
  static void on_client(uv_stream_t* listener, int status);

  uv_loop_t* loop_;
  Service& service_;
  uv_tcp_t listener_;
  std::set<Connection*> connections_;
};

}  // namespace messages_server

#include "io/curl.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <curl/curl.h>
#include <fmt/format.h>
#include <uv.h>

namespace selfmind::io {
namespace {

using std::chrono::milliseconds;

constexpr const char* user_agent = "selfmind.nvim/" SELFMIND_VERSION;

class CurlClient;

// One request, from send() to its end. Shared by the client while it runs, by what is still to be delivered, and by the
// caller's Transfer.
struct Exchange : std::enable_shared_from_this<Exchange> {
  CurlClient* client = nullptr;  // valid while easy is
  http::Request request;
  http::Listener listener;
  std::string host;      // as sentences name it
  CURL* easy = nullptr;  // while it runs
  curl_slist* headers = nullptr;
  http::Headers received;
  bool has_head = false;
  bool has_line = false;
  bool cancelled = false;
  bool started_over = false;
  std::uint64_t last_sign = 0;  // loop time, ms, of the start or the last end of a line in the body
  std::uint64_t last_byte = 0;  // the same, of the start or the last byte of the body
  std::unique_ptr<Timer> watchdog;

  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange() {
    if (easy != nullptr) curl_easy_cleanup(easy);
    curl_slist_free_all(headers);
  }
  milliseconds limit() const { return has_line ? request.idle_timeout : request.first_line_timeout; }
};

// A socket that curl wants watched. The uv handle is freed in its close callback.
class Watch {
 public:
  using Callback = std::function<void(int events)>;

  Watch(uv_loop_t* loop, curl_socket_t socket, Callback callback)
      : handle_(new uv_poll_t), callback_(std::move(callback)) {
    usable_ = uv_poll_init_socket(loop, handle_, socket) == 0;
    handle_->data = this;
  }
  ~Watch() {
    if (!usable_) {
      delete handle_;
      return;
    }
    uv_poll_stop(handle_);
    uv_close(reinterpret_cast<uv_handle_t*>(handle_),
             [](uv_handle_t* closed) { delete reinterpret_cast<uv_poll_t*>(closed); });
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  bool start(int what) {
    const int readable = (what & CURL_POLL_IN) != 0 ? UV_READABLE : 0;
    const int writable = (what & CURL_POLL_OUT) != 0 ? UV_WRITABLE : 0;
    wanted_ = readable | writable;
    return usable_ && uv_poll_start(handle_, wanted_, &Watch::on_ready) == 0;
  }

 private:
  static void on_ready(uv_poll_t* handle, int status, int events) {
    int mask = 0;
    if (status < 0) {
      // libuv stops watching a socket that has failed. Before the failure there may still be bytes to read: told of the
      // failure alone, curl would drop them.
      mask = CURL_CSELECT_ERR | CURL_CSELECT_IN;
      uv_poll_start(handle, static_cast<Watch*>(handle->data)->wanted_, &Watch::on_ready);
    }
    if ((events & UV_READABLE) != 0) mask |= CURL_CSELECT_IN;
    if ((events & UV_WRITABLE) != 0) mask |= CURL_CSELECT_OUT;
    // curl may destroy the watch while it handles this.
    const Callback callback = static_cast<Watch*>(handle->data)->callback_;
    callback(mask);
  }

  uv_poll_t* handle_;
  bool usable_ = false;
  int wanted_ = 0;
  Callback callback_;
};

std::string host_of(const std::string& url) {
  std::string out;
  CURLU* parsed = curl_url();
  char* part = nullptr;
  if (curl_url_set(parsed, CURLUPART_URL, url.c_str(), 0) == CURLUE_OK &&
      curl_url_get(parsed, CURLUPART_HOST, &part, 0) == CURLUE_OK) {
    out = part;
    curl_free(part);
    if (curl_url_get(parsed, CURLUPART_PORT, &part, 0) == CURLUE_OK) {
      out += std::string(":") + part;
      curl_free(part);
    }
  }
  curl_url_cleanup(parsed);
  return out;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
  return out;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const auto first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::string in_seconds(milliseconds time) {
  return time.count() % 1000 == 0 ? fmt::format("{} s", time.count() / 1000) : fmt::format("{} ms", time.count());
}

Error network(std::string sentence) { return {ErrorKind::network, std::move(sentence)}; }

// What no second try would change.
Error invalid(std::string sentence) { return {ErrorKind::invalid, std::move(sentence)}; }

// What the proxy answered to the wish for a tunnel; 0: nothing, or there is none.
long refused_by_proxy(const Exchange& exchange) {
  long status = 0;
  if (exchange.easy != nullptr) curl_easy_getinfo(exchange.easy, CURLINFO_HTTP_CONNECTCODE, &status);
  return status >= 300 ? status : 0;
}

// The variable that names a proxy for this address, those that curl reads; empty: none does.
std::string proxy_variable(const std::string& url) {
  const bool tls = lower(url).starts_with("https:");
  for (const char* name : {tls ? "https_proxy" : "http_proxy", tls ? "HTTPS_PROXY" : "", "all_proxy", "ALL_PROXY"}) {
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return name;
  }
  return {};
}

bool was_sent(const Exchange& exchange) {
  long bytes = 0;
  if (exchange.easy != nullptr) curl_easy_getinfo(exchange.easy, CURLINFO_REQUEST_SIZE, &bytes);
  return bytes > 0;
}

Error failure(CURLcode code, const Exchange& exchange) {
  const std::string& host = exchange.host;
  if (const long status = refused_by_proxy(exchange); status != 0) {
    std::string sentence =
        fmt::format("The proxy did not let the request through to {} ({}); check the proxy settings.", host, status);
    return status >= 500 ? network(std::move(sentence)) : invalid(std::move(sentence));
  }
  switch (code) {
    case CURLE_UNSUPPORTED_PROTOCOL:  // also what curl calls an answer without a head
      if (was_sent(exchange)) {
        return invalid(fmt::format("{} does not speak HTTP; check the base URL and its port.", host));
      }
      [[fallthrough]];
    case CURLE_URL_MALFORMAT:
      return invalid("The server's address is no http or https URL; correct the base URL.");
    case CURLE_COULDNT_RESOLVE_HOST:
      return network(fmt::format("{} was not found; check the network connection and the base URL.", host));
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_PROXY:
      return network(fmt::format("The proxy on the way to {} does not work; check the proxy settings.", host));
    case CURLE_COULDNT_CONNECT: {
      // Whether it was the proxy or the server, curl does not say.
      const std::string proxy = proxy_variable(exchange.request.url);
      const std::string also = proxy.empty() ? "" : fmt::format(", the proxy in {}", proxy);
      return network(
          fmt::format("{} was not reached; check the network connection{}, and that the server runs.", host, also));
    }
    case CURLE_OPERATION_TIMEDOUT:
      return network(fmt::format("{} was not reached within {}; check the network connection and the base URL.", host,
                                 in_seconds(exchange.request.connect_timeout)));
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
      return invalid(
          fmt::format("The certificate of {} is not one this machine trusts; check the clock, the proxy and "
                      "SSL_CERT_FILE.",
                      host));
    case CURLE_SSL_CONNECT_ERROR:
      return network(fmt::format("No secure connection to {} came about; check the base URL and the proxy.", host));
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return network(fmt::format("The connection to {} broke off; send again.", host));
    default:
      break;
  }
  return network(fmt::format("The request to {} failed ({}); send again.", host, curl_easy_strerror(code)));
}

// What must not reach the wire: a line break would begin another header.
bool safe(const http::Headers& headers) {
  constexpr std::string_view forbidden("\r\n\0", 3);
  return std::all_of(headers.begin(), headers.end(), [&](const auto& header) {
    return !header.first.empty() && header.first.find_first_of(forbidden) == std::string::npos &&
           header.second.find_first_of(forbidden) == std::string::npos;
  });
}

class CurlClient final : public http::Client {
 public:
  explicit CurlClient(Loop& loop);
  ~CurlClient() override;
  CurlClient(const CurlClient&) = delete;
  CurlClient& operator=(const CurlClient&) = delete;

  std::unique_ptr<http::Transfer> send(http::Request request, http::Listener listener) override;
  void cancel(Exchange& exchange);

 private:
  static int on_socket(CURL* easy, curl_socket_t socket, int what, void* client, void* watch);
  static int on_timer(CURLM* multi, long timeout, void* client);
  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* exchange);
  static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* exchange);

  Result<void> start(const std::shared_ptr<Exchange>& exchange);
  void set_options(Exchange& exchange);
  void perform(curl_socket_t socket, int events);
  static bool died_unheard(CURLcode code, const Exchange& exchange);
  bool start_over(Exchange& exchange);
  void collect_finished();
  void watch_over(Exchange& exchange, milliseconds time);
  void time_is_up(Exchange& exchange);
  void release(Exchange& exchange, bool close_connection);
  void deliver_later(Exchange& exchange, std::function<void(http::Listener&)> call);
  void deliver();

  Loop& loop_;
  CURLM* multi_;
  std::unique_ptr<Timer> timer_;
  std::unordered_map<curl_socket_t, std::unique_ptr<Watch>> watches_;
  std::unordered_map<CURL*, std::shared_ptr<Exchange>> running_;
  // What curl told inside its callbacks. Listeners hear it after curl has returned, so that they may send and cancel.
  std::deque<std::pair<std::shared_ptr<Exchange>, std::function<void(http::Listener&)>>> deliveries_;
};

class CurlTransfer final : public http::Transfer {
 public:
  explicit CurlTransfer(std::shared_ptr<Exchange> exchange) : exchange_(std::move(exchange)) {}
  ~CurlTransfer() override {
    exchange_->cancelled = true;
    if (exchange_->easy != nullptr) exchange_->client->cancel(*exchange_);
  }

 private:
  std::shared_ptr<Exchange> exchange_;
};

CurlClient::CurlClient(Loop& loop) : loop_(loop), multi_(curl_multi_init()) {
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &CurlClient::on_socket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &CurlClient::on_timer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  // Each transfer has its own connection, so that a cancelled one can be closed at once; over a shared HTTP/2
  // connection the server would go on, and go on billing.
  curl_multi_setopt(multi_, CURLMOPT_PIPELINING, CURLPIPE_NOTHING);
}

CurlClient::~CurlClient() {
  while (!running_.empty()) {
    const auto exchange = running_.begin()->second;
    exchange->cancelled = true;
    release(*exchange, /*close_connection=*/true);
  }
  curl_multi_cleanup(multi_);
}

std::unique_ptr<http::Transfer> CurlClient::send(http::Request request, http::Listener listener) {
  auto exchange = std::make_shared<Exchange>();
  exchange->client = this;
  exchange->request = std::move(request);
  exchange->listener = std::move(listener);
  exchange->host = host_of(exchange->request.url);
  if (auto started = start(exchange); !started) {
    release(*exchange, /*close_connection=*/true);
    loop_.post([exchange, error = std::move(started).error()] {
      if (!exchange->cancelled) exchange->listener.on_end(error);
    });
  }
  return std::make_unique<CurlTransfer>(std::move(exchange));
}

Result<void> CurlClient::start(const std::shared_ptr<Exchange>& exchange) {
  if (exchange->host.empty()) return failure(CURLE_URL_MALFORMAT, *exchange);
  if (!safe(exchange->request.headers)) {
    return invalid("A header of the request to " + exchange->host +
                   " holds a line break, so it was not sent; check the key for stray characters.");
  }
  exchange->easy = curl_easy_init();
  if (exchange->easy == nullptr) return failure(CURLE_OUT_OF_MEMORY, *exchange);
  running_.emplace(exchange->easy, exchange);
  set_options(*exchange);
  if (curl_multi_add_handle(multi_, exchange->easy) != CURLM_OK) return failure(CURLE_OUT_OF_MEMORY, *exchange);
  exchange->last_sign = exchange->last_byte = uv_now(loop_.raw());
  watch_over(*exchange, exchange->limit());
  return {};
}

void CurlClient::set_options(Exchange& exchange) {
  CURL* easy = exchange.easy;
  const http::Request& request = exchange.request;
  curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str());
#if LIBCURL_VERSION_NUM >= 0x075500
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  curl_easy_setopt(easy, CURLOPT_USERAGENT, user_agent);
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);

  if (request.method == "POST") {
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.data());
  } else {
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }
  for (const auto& [name, value] : request.headers) {
    // "name:" would take the header out, "name;" sends it empty.
    const std::string line = value.empty() ? name + ";" : name + ": " + value;
    exchange.headers = curl_slist_append(exchange.headers, line.c_str());
  }
  // Without this curl asks for leave to send a large body, and waits a second for servers that do not know the
  // question.
  exchange.headers = curl_slist_append(exchange.headers, "Expect:");
  // Compression delays events in some proxies, so none is asked for; one that compresses all the same is understood.
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  exchange.headers = curl_slist_append(exchange.headers, "Accept-Encoding: identity");
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, exchange.headers);

  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.connect_timeout.count()));
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);  // a cancel does not wait for a resolver that hangs
#endif
  // The curl tool reads these, the library does not.
  if (const char* file = std::getenv("SSL_CERT_FILE"); file != nullptr && *file != '\0') {
    curl_easy_setopt(easy, CURLOPT_CAINFO, file);
  }
  if (const char* folder = std::getenv("SSL_CERT_DIR"); folder != nullptr && *folder != '\0') {
    curl_easy_setopt(easy, CURLOPT_CAPATH, folder);
  }

  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &CurlClient::on_header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, &exchange);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &CurlClient::on_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &exchange);
}

int CurlClient::on_socket(CURL*, curl_socket_t socket, int what, void* client, void*) {
  auto& self = *static_cast<CurlClient*>(client);
  if (what == CURL_POLL_REMOVE) {
    self.watches_.erase(socket);
    return 0;
  }
  auto& watch = self.watches_[socket];
  if (!watch) {
    watch = std::make_unique<Watch>(self.loop_.raw(), socket,
                                    [&self, socket](int events) { self.perform(socket, events); });
  }
  return watch->start(what) ? 0 : -1;
}

int CurlClient::on_timer(CURLM*, long timeout, void* client) {
  auto& self = *static_cast<CurlClient*>(client);
  self.timer_.reset();
  if (timeout >= 0) {
    self.timer_ = self.loop_.after(milliseconds(timeout), [&self] { self.perform(CURL_SOCKET_TIMEOUT, 0); });
  }
  return 0;
}

std::size_t CurlClient::on_header(char* data, std::size_t size, std::size_t count, void* to) {
  auto& exchange = *static_cast<Exchange*>(to);
  const std::string_view line = trim({data, size * count});
  const auto colon = line.find(':');
  if (exchange.has_head) return size * count;  // trailers
  if (!line.empty() && !line.starts_with("HTTP/") && colon != std::string_view::npos) {
    exchange.received.emplace_back(lower(line.substr(0, colon)), trim(line.substr(colon + 1)));
  }
  if (!line.empty()) return size * count;
  long status = 0;
  curl_easy_getinfo(exchange.easy, CURLINFO_RESPONSE_CODE, &status);
  auto headers = std::exchange(exchange.received, {});
  if (status < 200) return size * count;  // "100 Continue" and its like come in front of the answer
  exchange.has_head = true;
  exchange.client->deliver_later(exchange, [status, received = std::move(headers)](http::Listener& listener) {
    listener.on_head(static_cast<int>(status), received);
  });
  return size * count;
}

std::size_t CurlClient::on_body(char* data, std::size_t size, std::size_t count, void* to) {
  auto& exchange = *static_cast<Exchange*>(to);
  exchange.last_byte = uv_now(exchange.client->loop_.raw());
  if (std::memchr(data, '\n', size * count) != nullptr) {
    exchange.last_sign = exchange.last_byte;
    if (!std::exchange(exchange.has_line, true)) exchange.client->watch_over(exchange, exchange.limit());
  }
  exchange.client->deliver_later(
      exchange, [bytes = std::string(data, size * count)](http::Listener& listener) { listener.on_body(bytes); });
  return size * count;
}

void CurlClient::perform(curl_socket_t socket, int events) {
  int running = 0;
  curl_multi_socket_action(multi_, socket, events, &running);
  collect_finished();
  deliver();
}

// Curl itself tries again when it finds a kept connection closed, but not whenever it dies under the request.
bool CurlClient::died_unheard(CURLcode code, const Exchange& exchange) {
  switch (code) {
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      break;
    default:
      return false;
  }
  long connections_made = 0;
  curl_easy_getinfo(exchange.easy, CURLINFO_NUM_CONNECTS, &connections_made);
  return connections_made == 0 && !exchange.has_head && exchange.received.empty();
}

bool CurlClient::start_over(Exchange& exchange) {
  if (std::exchange(exchange.started_over, true)) return false;
  curl_multi_remove_handle(multi_, exchange.easy);
  curl_easy_setopt(exchange.easy, CURLOPT_FRESH_CONNECT, 1L);
  return curl_multi_add_handle(multi_, exchange.easy) == CURLM_OK;
}

void CurlClient::collect_finished() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const auto exchange = running_.at(message->easy_handle);
    const CURLcode code = message->data.result;
    if (died_unheard(code, *exchange) && start_over(*exchange)) continue;
    Result<void> end = code == CURLE_OK ? Result<void>() : Result<void>(failure(code, *exchange));
    release(*exchange, /*close_connection=*/false);
    deliver_later(*exchange, [end = std::move(end)](http::Listener& listener) { listener.on_end(end); });
  }
}

// `time` from now it is looked whether there was a sign of life; each line only notes when it came.
void CurlClient::watch_over(Exchange& exchange, milliseconds time) {
  exchange.watchdog.reset();
  if (exchange.limit() > milliseconds::zero()) {
    exchange.watchdog = loop_.after(time, [this, &exchange] { time_is_up(exchange); });
  }
}

void CurlClient::time_is_up(Exchange& exchange) {
  const milliseconds silent(uv_now(loop_.raw()) - exchange.last_sign);
  const milliseconds limit = exchange.limit();
  if (silent < limit) return watch_over(exchange, limit - silent);
  const auto kept = exchange.shared_from_this();
  release(exchange, /*close_connection=*/true);
  const bool drips = exchange.last_byte > exchange.last_sign;
  const char* what = drips               ? "is too slow, with not one whole line of its answer in"
                     : exchange.has_line ? "sent nothing more for"
                                         : "did not begin to answer within";
  const Error error{ErrorKind::timed_out, fmt::format("{} {} {}; send again.", exchange.host, what, in_seconds(limit))};
  deliver_later(exchange, [error](http::Listener& listener) { listener.on_end(error); });
  deliver();
}

void CurlClient::cancel(Exchange& exchange) { release(exchange, /*close_connection=*/true); }

// Takes it out of curl; nothing is called from there any more. Never inside one of curl's callbacks.
void CurlClient::release(Exchange& exchange, bool close_connection) {
  exchange.watchdog.reset();
  CURL* easy = std::exchange(exchange.easy, nullptr);
  if (easy == nullptr) return;
  // Over HTTP/2 curl would keep the connection, and the server would stream on into it.
  if (close_connection) curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
  curl_multi_remove_handle(multi_, easy);
  curl_easy_cleanup(easy);
  running_.erase(easy);
}

void CurlClient::deliver_later(Exchange& exchange, std::function<void(http::Listener&)> call) {
  deliveries_.emplace_back(exchange.shared_from_this(), std::move(call));
}

void CurlClient::deliver() {
  while (!deliveries_.empty()) {
    const auto [exchange, call] = std::move(deliveries_.front());
    deliveries_.pop_front();
    if (!exchange->cancelled) call(exchange->listener);
  }
}

// Initialises the library before the first client and clears it up at exit.
struct Library {
  Library() { curl_global_init(CURL_GLOBAL_DEFAULT); }
  ~Library() { curl_global_cleanup(); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

}  // namespace

std::unique_ptr<http::Client> curl(Loop& loop) {
  static const Library library;
  return std::make_unique<CurlClient>(loop);
}

std::string curl_version() {
  const auto* info = curl_version_info(CURLVERSION_NOW);
  return fmt::format("libcurl {}, {}", info->version, info->ssl_version != nullptr ? info->ssl_version : "no TLS");
}

}  // namespace selfmind::io

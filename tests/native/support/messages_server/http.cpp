#include "support/messages_server/http.h"

#include <algorithm>
#include <charconv>

namespace messages_server {
namespace {

constexpr std::size_t head_limit = 64u << 10;
constexpr std::string_view line_end = "\r\n";

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 127 && c != ':'; });
}

bool to_size(std::string_view text, int base, std::size_t& out) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  return !text.empty() && failure == std::errc() && end == text.data() + text.size();
}

const char* reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 413:
      return "Payload Too Large";
    case 429:
      return "Too Many Requests";
    case 500:
      return "Internal Server Error";
    default:
      return "Answer";
  }
}

}  // namespace

const std::string* Request::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return &value;
  }
  return nullptr;
}

RequestParser::State RequestParser::feed(std::string_view bytes) {
  input_.append(bytes);
  if (!in_body_) {
    if (const State state = read_head(); state != State::ready) return state;
  }
  return chunked_ ? read_chunks() : read_body();
}

RequestParser::State RequestParser::read_head() {
  const std::size_t end = input_.find("\r\n\r\n");
  if (end == std::string::npos) return input_.size() > head_limit ? State::bad : State::more;
  std::string_view rest(input_.data(), end + 2);

  const auto next_line = [&rest] {
    const std::size_t at = rest.find(line_end);
    const std::string_view line = rest.substr(0, at);
    rest.remove_prefix(at + line_end.size());
    return line;
  };
  const std::string_view first = next_line();
  const std::size_t space = first.find(' ');
  const std::size_t second = first.find(' ', space == std::string_view::npos ? space : space + 1);
  if (second == std::string_view::npos || first.substr(second + 1) != "HTTP/1.1") return State::bad;
  request_ =
      Request{std::string(first.substr(0, space)), std::string(first.substr(space + 1, second - space - 1)), {}, {}};

  while (!rest.empty()) {
    const std::string_view line = next_line();
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) return State::bad;
    request_.headers.emplace_back(lower(line.substr(0, colon)), trim(line.substr(colon + 1)));
  }
  input_.erase(0, end + 4);

  const std::string* coding = request_.header("transfer-encoding");
  const std::string* length = request_.header("content-length");
  chunked_ = coding && lower(*coding) == "chunked";
  left_ = 0;
  if (!chunked_ && length && !to_size(*length, 10, left_)) return State::bad;
  const std::string* expect = request_.header("expect");
  waits_ = expect && lower(*expect) == "100-continue";
  in_body_ = true;
  in_chunk_ = false;
  body_bytes_ = 0;
  return State::ready;
}

void RequestParser::keep(std::string_view part) {
  body_bytes_ += part.size();
  // Read on and dropped, so that the client has sent everything by the time it is refused.
  if (body_bytes_ <= body_limit_) request_.body.append(part);
}

RequestParser::State RequestParser::finish() {
  in_body_ = false;
  waits_ = false;
  if (body_bytes_ <= body_limit_) return State::ready;
  request_.body.clear();
  return State::too_large;
}

RequestParser::State RequestParser::read_body() {
  const std::size_t count = std::min(left_, input_.size());
  keep(std::string_view(input_).substr(0, count));
  input_.erase(0, count);
  left_ -= count;
  return left_ == 0 ? finish() : State::more;
}

RequestParser::State RequestParser::read_chunks() {
  while (true) {
    if (!in_chunk_) {
      const std::size_t end = input_.find(line_end);
      if (end == std::string::npos) return State::more;
      const std::string_view line = std::string_view(input_).substr(0, std::min(end, input_.find(';')));
      if (!to_size(trim(line), 16, left_)) return State::bad;
      input_.erase(0, end + line_end.size());
      in_chunk_ = true;
    }
    // The chunk and the line end behind it; behind the last, empty chunk that is the end of the (empty) trailer.
    if (input_.size() < left_ + line_end.size()) return State::more;
    if (std::string_view(input_).substr(left_, line_end.size()) != line_end) return State::bad;
    keep(std::string_view(input_).substr(0, left_));
    input_.erase(0, left_ + line_end.size());
    in_chunk_ = false;
    if (left_ == 0) return finish();
  }
}

bool RequestParser::wants_continue() { return in_body_ && std::exchange(waits_, false); }

Request RequestParser::take() { return std::exchange(request_, {}); }

std::string head(int status, const Headers& headers) {
  std::string out = "HTTP/1.1 " + std::to_string(status) + " " + reason(status) + "\r\n";
  for (const auto& [name, value] : headers) out += name + ": " + value + "\r\n";
  return out + "\r\n";
}

}  // namespace messages_server

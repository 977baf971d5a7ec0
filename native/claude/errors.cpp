#include "claude/errors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "claude/decode.h"
#include "claude/server.h"

namespace selfmind::claude {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t quoted_bytes = 200;

enum class Problem {
  request,
  key,
  billing,
  permission,
  unknown_model,
  too_large,
  rate,
  spent,
  server,
  overloaded,
  slow,
  unreadable,  // an answer that is none of the Messages API
};

constexpr std::array<std::pair<std::string_view, Problem>, 11> problem_names = {{
    {"invalid_request_error", Problem::request},
    {"authentication_error", Problem::key},
    {"billing_error", Problem::billing},
    {"permission_error", Problem::permission},
    {"not_found_error", Problem::unknown_model},
    {"request_too_large", Problem::too_large},
    {"rate_limit_error", Problem::rate},
    {"api_error", Problem::server},
    {"conflict_error", Problem::server},
    {"overloaded_error", Problem::overloaded},
    {"timeout_error", Problem::slow},
}};

Problem problem_of(int status) {
  switch (status) {
    case 401:
      return Problem::key;
    case 402:
      return Problem::billing;
    case 403:
      return Problem::permission;
    case 404:
      return Problem::unknown_model;
    case 408:
      return Problem::slow;
    case 409:
      return Problem::server;
    case 413:
      return Problem::too_large;
    case 429:
      return Problem::rate;
    case 504:
      return Problem::slow;
    case 529:
      return Problem::overloaded;
    default:
      break;
  }
  if (status >= 500) return Problem::server;
  return status >= 400 ? Problem::request : Problem::unreadable;
}

Problem problem_of(const Complaint& complaint, int status) {
  if (complaint.code.find("spend_limit") != std::string::npos) return Problem::spent;
  if (complaint.code == "organization_on_hold") return Problem::billing;
  for (const auto& [name, problem] : problem_names) {
    if (complaint.type == name) return problem;
  }
  return status == 0 ? Problem::server : problem_of(status);
}

ErrorKind kind_of(Problem problem) {
  switch (problem) {
    case Problem::key:
    case Problem::permission:
      return ErrorKind::auth;
    case Problem::rate:
    case Problem::spent:
      return ErrorKind::rate_limited;
    case Problem::server:
    case Problem::overloaded:
    case Problem::slow:
      return ErrorKind::overloaded;
    case Problem::unreadable:
      return ErrorKind::protocol;
    case Problem::request:
    case Problem::billing:
    case Problem::unknown_model:
      return ErrorKind::rejected;
    case Problem::too_large:
      return ErrorKind::too_large;
  }
  return ErrorKind::rejected;
}

std::string string_at(const Json& object, std::string_view key) {
  if (!object.is_object()) return {};
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  if (what.size() < 4) return;  // no key, and taking out every such letter would garble the sentence
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

// A key of the usual shape, wherever it came from.
void hide_keys(std::string& text) {
  constexpr std::string_view key_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  constexpr std::string_view hidden = "[key]";
  for (auto at = text.find("sk-"); at != std::string::npos; at = text.find("sk-", at)) {
    const auto end = std::min(text.find_first_not_of(key_characters, at), text.size());
    if (end - at < 12) {
      at = end;
      continue;
    }
    text.replace(at, end - at, hidden);
    at += hidden.size();
  }
}

// The server's words as they may stand inside our sentence: `: "…"`, or nothing when it had none.
std::string quoted(std::string message, const Endpoint* endpoint) {
  if (endpoint != nullptr) {
    replace_all(message, utf8::trim(endpoint->api_key), "[key]");
    replace_all(message, utf8::trim(endpoint->auth_token), "[key]");
  }
  hide_keys(message);
  // Proxies put the JSON they got into their own message.
  message.resize(std::min(message.find("{\""), message.size()));
  message.resize(std::min(message.find("{'"), message.size()));
  std::string line;
  for (const char c : utf8::clean(message)) {
    const bool space = static_cast<unsigned char>(c) <= ' ' || c == 0x7F;
    if (!space) line += c == '"' ? '\'' : c;
    if (space && !line.empty() && line.back() != ' ') line += ' ';
  }
  std::string_view words = utf8::trim(line);
  while (words.ends_with('.') || words.ends_with(':')) words.remove_suffix(1);
  return words.empty() ? std::string() : ": \"" + utf8::excerpt(words, quoted_bytes) + '"';
}

std::optional<long> seconds_in(const std::string* text, double per_second) {
  if (text == nullptr) return std::nullopt;
  try {
    const double seconds = std::stod(*text) / per_second;  // a date, the other form, is no number
    if (std::isfinite(seconds) && seconds > 0 && seconds < 1e7) return std::lround(std::ceil(seconds));
  } catch (const std::exception&) {
  }
  return std::nullopt;
}

struct Answer {
  int status = 0;  // 0: inside a stream
  const http::Headers* headers = nullptr;
  const Endpoint* endpoint = nullptr;
};

std::string who(const Answer& answer) {
  if (answer.endpoint == nullptr) return "The server";
  std::string name = server_name(*answer.endpoint);
  name[0] = name[0] == 't' ? 'T' : name[0];
  return name;
}

std::string key_sentence(const Answer& answer, const std::string& quote) {
  const bool has_key = answer.endpoint == nullptr || !utf8::trim(answer.endpoint->api_key).empty();
  if (has_key) return fmt::format("{} refused the key{}; check ANTHROPIC_API_KEY.", who(answer), quote);
  const bool has_token = !utf8::trim(answer.endpoint->auth_token).empty();
  if (has_token) return fmt::format("{} refused the token{}; check ANTHROPIC_AUTH_TOKEN.", who(answer), quote);
  return fmt::format("{} wants a key{}; set ANTHROPIC_API_KEY.", who(answer), quote);
}

std::string rate_sentence(const Answer& answer, const std::string& quote) {
  std::optional<long> seconds;
  bool told = answer.headers == nullptr;
  if (answer.headers != nullptr) {
    const auto* after = http::find(*answer.headers, "retry-after");
    const auto* after_ms = http::find(*answer.headers, "retry-after-ms");
    told = after != nullptr || after_ms != nullptr;
    seconds = seconds_in(after_ms, 1000.0);
    if (!seconds) seconds = seconds_in(after, 1.0);
  }
  const std::string what = fmt::format("{} wants fewer requests{}", who(answer), quote);
  if (seconds) return fmt::format("{}; try again in {} s.", what, *seconds);
  if (told) return what + "; try again in a minute.";
  return what + ", and named no time to wait, as it does when a spending limit is reached; check the account's limits.";
}

std::string sentence(Problem problem, const Complaint& complaint, const Answer& answer) {
  const std::string status = answer.status >= 400 ? fmt::format(" ({})", answer.status) : std::string();
  const std::string quote = status + quoted(complaint.message, answer.endpoint);
  const std::string name = who(answer);
  switch (problem) {
    case Problem::request:
      return fmt::format("{} did not accept the request{}; if it happens again, start a new chat.", name, quote);
    case Problem::key:
      return key_sentence(answer, quote);
    case Problem::billing:
      return fmt::format("{} wants the account's billing settled{}; check its plan and credit.", name, quote);
    case Problem::permission:
      return fmt::format("{} does not allow this key to do that{}; check what the key may use.", name, quote);
    case Problem::unknown_model:
      if (complaint.message.empty()) {
        return fmt::format("{} has no Messages API at this address{}; check the base URL.", name, quote);
      }
      return fmt::format("{} does not know what was asked for{}; check the model's name and the base URL.", name,
                         quote);
    case Problem::too_large:
      return fmt::format("The request was too large for {}{}; send less text, or start a new chat.",
                         answer.endpoint != nullptr ? server_name(*answer.endpoint) : "the server", quote);
    case Problem::rate:
      return rate_sentence(answer, quote);
    case Problem::spent:
      return fmt::format("The spending limit of this account is reached{}; raise it, or wait until it is renewed.",
                         quote);
    case Problem::server:
      return fmt::format("{} had a failure of its own{}; send again in a moment.", name, quote);
    case Problem::overloaded:
      return fmt::format("{} is overloaded{}; send again in a moment.", name, quote);
    case Problem::slow:
      return fmt::format("{} took too long{}; send again.", name, quote);
    case Problem::unreadable:
      break;
  }
  return fmt::format("{} answered with something that is no reply of the Messages API{}; check the base URL.", name,
                     quote);
}

}  // namespace

Complaint complaint_in(const Json& body) {
  Complaint out;
  if (!body.is_object()) return out;
  if (const auto error = body.find("error"); error != body.end()) {
    if (error->is_string()) out.message = error->get<std::string>();
    out.type = string_at(*error, "type");
    out.message += string_at(*error, "message");
    if (error->is_object() && error->contains("details")) out.code = string_at((*error)["details"], "error_code");
    return out;
  }
  out.message = string_at(body, "message");
  if (const auto detail = body.find("detail"); detail != body.end()) {
    if (detail->is_string()) out.message = detail->get<std::string>();
    if (detail->is_array() && !detail->empty()) out.message = string_at(detail->front(), "msg");
  }
  return out;
}

Error error_from_event(const Complaint& complaint) {
  const Problem problem = problem_of(complaint, 0);
  return {kind_of(problem), sentence(problem, complaint, {})};
}

Error error_from_response(int status, const http::Headers& headers, std::string_view body, const Endpoint& endpoint) {
  const Complaint complaint = complaint_in(Json::parse(body, nullptr, /*allow_exceptions=*/false));
  const Problem problem = problem_of(complaint, status);
  return {kind_of(problem), sentence(problem, complaint, {status, &headers, &endpoint})};
}

}  // namespace selfmind::claude

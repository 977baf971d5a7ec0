#include "claude/retry.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <exception>
#include <iomanip>
#include <locale>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "claude/errors.h"

namespace selfmind::claude {
namespace {

using std::chrono::milliseconds;

// Whoever is told to wait longer is better served by a sentence than by a countdown.
constexpr milliseconds longest_pause = std::chrono::minutes(10);

std::optional<milliseconds> number_in(const std::string* text, double milliseconds_each) {
  if (text == nullptr) return std::nullopt;
  try {
    std::size_t used = 0;
    const double count = std::stod(*text, &used) * milliseconds_each;
    if (used == text->size() && std::isfinite(count) && count > 0 && count < 1e10) {
      return milliseconds(std::llround(std::ceil(count)));
    }
  } catch (const std::exception&) {
  }
  return std::nullopt;
}

// An HTTP date (RFC 9110, section 5.6.7), in its one current form.
std::optional<std::time_t> date_in(const std::string* text) {
  if (text == nullptr) return std::nullopt;
  std::tm parts{};
  std::istringstream in(*text);
  in.imbue(std::locale::classic());
  in >> std::get_time(&parts, "%a, %d %b %Y %H:%M:%S");
  if (in.fail()) return std::nullopt;
  return timegm(&parts);
}

// Counted from the server's own clock, which need not be ours.
std::optional<milliseconds> until_date(const http::Headers& headers) {
  const auto then = date_in(http::find(headers, "retry-after"));
  const auto now = date_in(http::find(headers, "date"));
  if (!then || !now || *then <= *now) return std::nullopt;
  return std::chrono::seconds(*then - *now);
}

std::optional<milliseconds> pause_named(const http::Headers& headers) {
  if (const auto named = number_in(http::find(headers, "retry-after-ms"), 1)) return named;
  if (const auto named = number_in(http::find(headers, "retry-after"), 1000)) return named;
  return until_date(headers);
}

bool passes(int status) { return status == 408 || status == 409 || status == 429 || status >= 500; }

bool passes(std::string_view type) {
  constexpr std::string_view types[] = {"overloaded_error", "api_error", "timeout_error", "rate_limit_error",
                                        "conflict_error"};
  return std::find(std::begin(types), std::end(types), type) != std::end(types);
}

}  // namespace

Retry retry_from_response(int status, const http::Headers& headers, std::string_view body) {
  if (status == 200) return {};  // an answer that is none of the Messages API
  Retry retry;
  retry.after = pause_named(headers);
  if (retry.after && *retry.after > longest_pause) return {};
  if (const auto* told = http::find(headers, "x-should-retry"); told && (*told == "true" || *told == "false")) {
    retry.worthwhile = *told == "true";
    return retry;
  }
  const auto complaint = complaint_in(nlohmann::ordered_json::parse(body, nullptr, /*allow_exceptions=*/false));
  const bool spent = complaint.code.find("spend_limit") != std::string::npos;
  retry.worthwhile = !spent && (passes(status) || complaint.type == "overloaded_error");
  return retry;
}

Retry retry_from_event(std::string_view type) { return {passes(type), std::nullopt}; }

Retry retry_from_transport(const Error& why) { return {why.kind == ErrorKind::network, std::nullopt}; }

milliseconds pause_before(int attempt, const Retry& retry, double chance) {
  if (retry.after) return *retry.after;
  const double seconds = std::min(0.5 * std::exp2(attempt - 1), 8.0) * (1 - 0.25 * chance);
  return milliseconds(std::llround(seconds * 1000));
}

}  // namespace selfmind::claude

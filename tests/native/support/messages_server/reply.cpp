#include "support/messages_server/reply.h"

#include <algorithm>
#include <cmath>

namespace messages_server {
namespace {

constexpr double ms_per_second = 1000;

std::string type_of(int status) {
  switch (status) {
    case 401:
      return "authentication_error";
    case 402:
      return "billing_error";
    case 403:
      return "permission_error";
    case 404:
      return "not_found_error";
    case 409:
      return "conflict_error";
    case 413:
      return "request_too_large";
    case 429:
      return "rate_limit_error";
    case 504:
      return "timeout_error";
    case 529:
      return "overloaded_error";
    default:
      return status >= 500 ? "api_error" : "invalid_request_error";
  }
}

Reply scripted_status(const Entry& entry, const std::string& request_id) {
  Reply reply;
  if (entry.body.is_string()) {
    reply = plain_reply(*entry.status, "text/html", entry.body);
  } else if (entry.body.is_null()) {
    reply = error_reply(*entry.status, "Scripted.", "", request_id);
  } else {
    reply = json_reply(*entry.status, entry.body);
  }
  for (const auto& header : entry.headers) {
    std::erase_if(reply.headers, [&header](const auto& other) { return other.first == header.first; });
    reply.headers.push_back(header);
  }
  return reply;
}

bool goes_away(const Entry& entry) { return entry.hang || entry.close || entry.reset; }

bool breaks_down(const Entry& entry) { return goes_away(entry) || entry.end_short || !entry.error_event.is_null(); }

Ending ending_of(const Entry& entry) {
  if (entry.hang) return Ending::hang;
  if (entry.reset) return Ending::reset;
  return entry.close || entry.cut_after_bytes ? Ending::abort : Ending::complete;
}

std::vector<std::string> begun_events(const Entry& entry, const Speech& speech) {
  Speech begun = speech;
  begun.parts = parts_of(entry.after_text);
  return unfinished_events(begun);
}

std::vector<std::string> scripted_events(const Entry& entry, const Speech& speech) {
  if (entry.events) return {*entry.events};
  if (!breaks_down(entry)) return events(speech);
  std::vector<std::string> out;
  if (!goes_away(entry) || !entry.after_text.empty()) out = begun_events(entry, speech);
  if (!entry.error_event.is_null() && speech.dialect.error_events) {
    out.push_back(error_event(entry.error_event.value("type", ""), entry.error_event.value("message", "")));
  }
  return out;
}

std::string joined(const std::vector<std::string>& events) {
  std::string all;
  for (const std::string& event : events) all += event;
  return all;
}

std::vector<std::string> cut_up(const Entry& entry, std::vector<std::string> events) {
  if (entry.chunk_bytes == 0 && !entry.cut_after_bytes) return events;
  std::string all = joined(events);
  if (entry.cut_after_bytes) all.resize(std::min(all.size(), *entry.cut_after_bytes));
  if (all.empty()) return {};
  const std::size_t size = entry.chunk_bytes == 0 ? all.size() : entry.chunk_bytes;
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < all.size(); at += size) pieces.push_back(all.substr(at, size));
  return pieces;
}

std::vector<Piece> paced(const Entry& entry, const Speech& speech) {
  const double pace = entry.tokens > 0 ? ms_per_second / entry.per_second : static_cast<double>(entry.chunk_ms);
  std::vector<Piece> pieces;
  for (std::string& bytes : cut_up(entry, scripted_events(entry, speech))) {
    const double at = std::floor(pace * static_cast<double>(pieces.size()));
    pieces.push_back({static_cast<std::uint64_t>(at), std::move(bytes)});
  }
  return pieces;
}

// The head and what `after_text` takes at once, then each byte for itself.
std::vector<Piece> dripping(const Entry& entry, const Speech& speech) {
  const auto all = scripted_events(entry, speech);
  const auto begun = entry.after_text.empty() ? 0 : begun_events(entry, speech).size();
  std::vector<Piece> pieces{{0, {}}};
  std::uint64_t drops = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i < begun) pieces.push_back({0, all[i]});
    for (std::size_t at = 0; i >= begun && at < all[i].size(); ++at) {
      pieces.push_back({++drops * entry.drip_ms, all[i].substr(at, 1)});
    }
  }
  return pieces;
}

}  // namespace

Reply plain_reply(int status, const std::string& type, std::string body) {
  Reply reply;
  reply.status = status;
  reply.headers = {{"content-type", type}};
  reply.pieces = {{0, std::move(body)}};
  return reply;
}

Reply json_reply(int status, const Json& body) { return plain_reply(status, "application/json", body.dump()); }

Reply error_reply(int status, const std::string& message, std::string type, const std::string& request_id) {
  if (type.empty()) type = type_of(status);
  return json_reply(status, error_body(type, message, request_id));
}

void apply_text(const Entry& entry, Speech& speech) {
  if (entry.text) speech.parts = parts_of(*entry.text);
  if (entry.tokens > 0) {
    speech.parts.clear();
    for (std::size_t i = 1; i <= entry.tokens; ++i) speech.parts.push_back("word" + std::to_string(i) + " ");
  }
  if (entry.drip_ms > 0) {
    const auto begun = parts_of(entry.after_text);
    speech.parts.insert(speech.parts.begin(), begun.begin(), begun.end());
  }
  if (entry.stop_reason) speech.stop_reason = *entry.stop_reason;
}

Reply speech_reply(const Entry& entry, const Speech& speech, bool stream, const std::string& request_id) {
  Reply reply;
  if (entry.status) {
    reply = scripted_status(entry, request_id);
  } else if (!stream && !entry.events && !breaks_down(entry)) {
    reply = json_reply(200, whole_message(speech));
  } else {
    reply.headers = {{"content-type", "text/event-stream; charset=utf-8"}, {"cache-control", "no-cache"}};
    reply.chunked = true;
    reply.gzip = entry.gzip;
    reply.ending = ending_of(entry);
    if (entry.gzip) reply.headers.emplace_back("content-encoding", "gzip");
    reply.pieces = entry.drip_ms > 0 ? dripping(entry, speech) : paced(entry, speech);
    if (entry.head) reply.pieces.insert(reply.pieces.begin(), Piece{0, {}});
  }
  for (Piece& piece : reply.pieces) piece.at_ms += entry.delay_ms;
  return reply;
}

}  // namespace messages_server

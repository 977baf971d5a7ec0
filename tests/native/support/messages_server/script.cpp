#include "support/messages_server/script.h"

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace messages_server {
namespace {

using Read = std::function<void(Entry&, const Json&)>;

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

Kind to_kind(const Json& match) {
  if (match == Json{{"kind", "chat"}}) return Kind::chat;
  if (match == Json{{"kind", "learn"}}) return Kind::learn;
  if (match == Json{{"kind", "model"}}) return Kind::model;
  throw std::runtime_error("match must be {\"kind\":\"chat\"}, \"learn\" or \"model\"");
}

Headers to_headers(const Json& object) {
  Headers headers;
  for (const auto& [name, value] : object.items()) headers.emplace_back(name, value.get<std::string>());
  return headers;
}

const std::map<std::string, Read>& fields() {
  static const std::map<std::string, Read> all = {
      {"match", [](Entry& e, const Json& v) { e.match = to_kind(v); }},
      {"status", [](Entry& e, const Json& v) { e.status = v.get<int>(); }},
      {"headers", [](Entry& e, const Json& v) { e.headers = to_headers(v); }},
      {"body", [](Entry& e, const Json& v) { e.body = v; }},
      {"events_file", [](Entry& e, const Json& v) { e.events = read_file(v); }},
      {"text", [](Entry& e, const Json& v) { e.text = v.get<std::string>(); }},
      {"tokens", [](Entry& e, const Json& v) { v.get_to(e.tokens); }},
      {"per_second", [](Entry& e, const Json& v) { v.get_to(e.per_second); }},
      {"stop_reason", [](Entry& e, const Json& v) { e.stop_reason = v.get<std::string>(); }},
      {"delay_ms", [](Entry& e, const Json& v) { v.get_to(e.delay_ms); }},
      {"chunk_ms", [](Entry& e, const Json& v) { v.get_to(e.chunk_ms); }},
      {"chunk_bytes", [](Entry& e, const Json& v) { v.get_to(e.chunk_bytes); }},
      {"drip_ms", [](Entry& e, const Json& v) { v.get_to(e.drip_ms); }},
      {"gzip", [](Entry& e, const Json& v) { v.get_to(e.gzip); }},
      {"cut_after_bytes", [](Entry& e, const Json& v) { e.cut_after_bytes = v.get<std::size_t>(); }},
      {"after_text", [](Entry& e, const Json& v) { v.get_to(e.after_text); }},
      {"error_event", [](Entry& e, const Json& v) { e.error_event = v; }},
      {"head", [](Entry& e, const Json& v) { v.get_to(e.head); }},
      {"hang", [](Entry& e, const Json& v) { v.get_to(e.hang); }},
      {"close", [](Entry& e, const Json& v) { v.get_to(e.close); }},
      {"reset", [](Entry& e, const Json& v) { v.get_to(e.reset); }},
      {"end_short", [](Entry& e, const Json& v) { v.get_to(e.end_short); }},
  };
  return all;
}

Entry to_entry(const std::string& line) {
  Entry entry;
  if (line.find_first_not_of(" \t\r") == std::string::npos) return entry;
  const Json object = Json::parse(line);
  if (!object.is_object()) throw std::runtime_error("an entry must be an object");
  for (const auto& [name, value] : object.items()) {
    const auto field = fields().find(name);
    if (field == fields().end()) throw std::runtime_error("there is no field " + name);
    field->second(entry, value);
  }
  if (entry.per_second <= 0) throw std::runtime_error("per_second must be above 0");
  return entry;
}

}  // namespace

std::string Script::add(const std::string& lines) {
  std::vector<Entry> added;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    try {
      added.push_back(to_entry(line));
    } catch (const std::exception& failure) {
      return "script line " + std::to_string(added.size() + 1) + ": " + failure.what();
    }
  }
  entries_.insert(entries_.end(), added.begin(), added.end());
  return {};
}

Entry Script::next(Kind kind) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [kind](const Entry& entry) {
    return entry.match ? *entry.match == kind : kind != Kind::model;
  });
  if (found == entries_.end()) return {};
  Entry entry = std::move(*found);
  entries_.erase(found);
  return entry;
}

}  // namespace messages_server

// Recall sets out of JSON lines.
#include "recall/sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

namespace selfmind::recall {
namespace {

using Json = nlohmann::json;

// What is wrong with a line. It never leaves this file.
struct Wrong {
  std::string why;
};

class Names {
 public:
  store::Id number(const std::string& name) {
    return numbers_.try_emplace(name, static_cast<store::Id>(numbers_.size()) + 1).first->second;
  }

 private:
  std::unordered_map<std::string, store::Id> numbers_;
};

std::string text_of(const Json& line, const char* field) {
  const auto found = line.find(field);
  if (found == line.end() || !found->is_string()) throw Wrong{fmt::format("\"{}\" is missing or no text", field)};
  return found->get<std::string>();
}

std::string text_or_nothing(const Json& line, const char* field) {
  return line.contains(field) && !line[field].is_null() ? text_of(line, field) : std::string();
}

std::vector<std::string> list_of(const Json& line, const char* field) {
  const auto found = line.find(field);
  const auto is_text = [](const Json& element) { return element.is_string(); };
  if (found == line.end() || !found->is_array() || !std::all_of(found->begin(), found->end(), is_text)) {
    throw Wrong{fmt::format("\"{}\" is missing or no list of ids", field)};
  }
  return found->get<std::vector<std::string>>();
}

std::optional<Time> time_of(const Json& line) {
  const auto written = text_or_nothing(line, "at");
  if (written.empty()) return std::nullopt;
  const auto time = parse_iso8601(written);
  if (!time) throw Wrong{fmt::format("\"at\" is no time: {}", written)};
  return *time;
}

class Reader {
 public:
  Reader(std::string name, bool turns_only) : turns_only_(turns_only) { set_.name = std::move(name); }

  void read(const Json& line) {
    if (!line.is_object()) throw Wrong{"a line is one JSON object"};
    const auto type = text_of(line, "type");
    if (type == "turn") return turn(line);
    if (type == "memory") return memory(line);
    if (type == "probe") return probe(line);
    throw Wrong{fmt::format("there is no type \"{}\"", type)};
  }

  Set take() && { return std::move(set_); }

 private:
  store::Item item(const Json& line, store::ItemKind kind) {
    store::Item item;
    item.kind = kind;
    const auto id = text_of(line, "id");
    if (!seen_.insert(id).second) throw Wrong{fmt::format("the id \"{}\" was used before", id)};
    item.id = ids_.number(id);
    item.project = project(line);
    item.text = text_of(line, "text");
    item.speaker = text_or_nothing(line, "speaker");
    return item;
  }

  void turn(const Json& line) {
    auto turn = item(line, store::ItemKind::turn);
    const auto role = text_of(line, "role");
    if (role != "user" && role != "assistant") throw Wrong{fmt::format("there is no role \"{}\"", role)};
    turn.role = role == "user" ? store::Role::user : store::Role::assistant;
    turn.session = sessions_.number(text_of(line, "session"));
    turn.at = last_ = time_of(line).value_or(last_);
    times_[turn.id] = turn.at;
    set_.items.push_back(std::move(turn));
  }

  void memory(const Json& line) {
    auto memory = item(line, store::ItemKind::memory);
    memory.memory_kind = text_or_nothing(line, "kind");
    if (line.contains("turns")) {
      for (const auto& turn : list_of(line, "turns")) memory.turns.push_back(ids_.number(turn));
    }
    memory.at = last_ = time_of(line).value_or(time_of_turns(memory.turns));
    if (memory.turns.size() > turns_of_a_memory) memory.turns.resize(turns_of_a_memory);
    if (!turns_only_) set_.items.push_back(std::move(memory));
  }

  void probe(const Json& line) {
    Probe probe;
    text_of(line, "id");
    probe.query = text_of(line, "query");
    for (const auto& id : list_of(line, "expect")) probe.expect.push_back(ids_.number(id));
    std::sort(probe.expect.begin(), probe.expect.end());
    probe.expect.erase(std::unique(probe.expect.begin(), probe.expect.end()), probe.expect.end());
    probe.category = text_or_nothing(line, "category");
    probe.project = project(line);
    probe.at = time_of(line);
    set_.probes.push_back(std::move(probe));
  }

  store::Id project(const Json& line) {
    const auto name = text_or_nothing(line, "project");
    return name.empty() ? store::no_id : projects_.number(name);
  }

  // A memory with no time of its own was there once the last of its turns was.
  Time time_of_turns(const std::vector<store::Id>& turns) const {
    std::optional<Time> latest;
    for (const auto turn : turns) {
      const auto found = times_.find(turn);
      if (found != times_.end()) latest = std::max(latest.value_or(found->second), found->second);
    }
    return latest.value_or(last_);
  }

  Set set_;
  bool turns_only_;
  Names ids_, projects_, sessions_;
  std::unordered_set<std::string> seen_;
  std::unordered_map<store::Id, Time> times_;
  Time last_{};  // of the line before: lines stand in time order, so one without a time is as old as that
};

}  // namespace

Result<Set> parse_set(const std::string& path, std::string_view text, bool turns_only) {
  Reader reader(std::filesystem::path(path).stem().string(), turns_only);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      reader.read(Json::parse(line));
    } catch (const Json::exception&) {
      return Error{ErrorKind::invalid, fmt::format("{}:{}: not valid JSON; mend this line.", path, number)};
    } catch (const Wrong& wrong) {
      return Error{ErrorKind::invalid, fmt::format("{}:{}: {}; mend this line.", path, number, wrong.why)};
    }
  }
  return std::move(reader).take();
}

Result<Set> read_set(const std::string& path, bool turns_only) {
  std::error_code failed;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path, failed)) {
    return Error{ErrorKind::io, fmt::format("{}: cannot be read; check the path and its permissions.", path)};
  }
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) return Error{ErrorKind::io, fmt::format("{}: reading failed.", path)};
  return parse_set(path, text, turns_only);
}

}  // namespace selfmind::recall

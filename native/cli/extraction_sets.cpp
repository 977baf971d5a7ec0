#include "cli/extraction_sets.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace selfmind::cli {
namespace {

using Json = nlohmann::json;

// What is wrong with a line. It never leaves this file.
struct Wrong {
  std::string why;
};

std::string text_of(const Json& line, const char* field) {
  const auto found = line.find(field);
  if (found == line.end() || !found->is_string()) throw Wrong{fmt::format("\"{}\" is missing or no text", field)};
  return found->get<std::string>();
}

std::string text_or_nothing(const Json& line, const char* field) {
  return line.contains(field) && !line[field].is_null() ? text_of(line, field) : std::string();
}

bool truth_of(const Json& line, const char* field) {
  const auto found = line.find(field);
  if (found == line.end() || !found->is_boolean())
    throw Wrong{fmt::format("\"{}\" is missing or not true or false", field)};
  return found->get<bool>();
}

std::vector<Labelled> memories_of(const Json& line) {
  const auto found = line.find("memories");
  if (found == line.end() || !found->is_array()) throw Wrong{"\"memories\" is missing or no list"};
  std::vector<Labelled> memories;
  for (const auto& memory : *found) {
    if (!memory.is_object()) throw Wrong{"a memory is one JSON object"};
    memories.push_back({text_of(memory, "type"), text_or_nothing(memory, "quote")});
  }
  return memories;
}

void read(const Json& line, ExtractionSets& sets) {
  if (!line.is_object()) throw Wrong{"a line is one JSON object"};
  if (line.contains("a")) {
    sets.pairs.push_back({text_of(line, "a"), text_of(line, "b"), truth_of(line, "same")});
    return;
  }
  if (line.contains("answer")) {
    const bool unreadable = line.contains("unreadable") && truth_of(line, "unreadable");
    sets.answers.push_back({text_of(line, "of"), text_of(line, "answer"),
                            text_or_nothing(line, "stop_reason") == "max_tokens", unreadable, memories_of(line)});
    return;
  }
  sets.exchanges.push_back({text_of(line, "id"), text_of(line, "text"), text_or_nothing(line, "reply"),
                            text_or_nothing(line, "class"), memories_of(line)});
}

Result<void> read_file(const std::string& path, ExtractionSets& sets) {
  std::error_code failed;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path, failed)) {
    return Error{ErrorKind::io, fmt::format("{}: cannot be read; check the path and its permissions.", path)};
  }
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    try {
      read(Json::parse(line), sets);
    } catch (const Json::exception&) {
      return Error{ErrorKind::invalid, fmt::format("{}:{}: not valid JSON; mend this line.", path, number)};
    } catch (const Wrong& wrong) {
      return Error{ErrorKind::invalid, fmt::format("{}:{}: {}; mend this line.", path, number, wrong.why)};
    }
  }
  if (file.bad()) return Error{ErrorKind::io, fmt::format("{}: reading failed.", path)};
  return {};
}

}  // namespace

Result<ExtractionSets> read_extraction_sets(const std::vector<std::string>& files) {
  ExtractionSets sets;
  for (const auto& file : files) {
    if (const auto done = read_file(file, sets); !done) return done.error();
  }
  return sets;
}

}  // namespace selfmind::cli

#include "support/messages_server/answers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "support/messages_server/blocks.h"

namespace messages_server {
namespace {

constexpr std::string_view recalled_mark = "<recalled";
constexpr std::size_t telling_letters = 4;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string trim(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The texts of the newest user turn, recalled memories apart.
struct NewestTurn {
  std::string said;
  std::string recalled;
};

NewestTurn newest_turn(const Json& body) {
  NewestTurn turn;
  const auto blocks = blocks_of(body["messages"]);
  auto start = blocks.end();
  while (start != blocks.begin() && (start - 1)->role == "user") --start;
  for (; start != blocks.end(); ++start) {
    if (start->type() != "text") continue;
    const std::string text = start->json["text"];
    std::string& into = text.starts_with(recalled_mark) ? turn.recalled : turn.said;
    into += (into.empty() ? "" : "\n") + text;
  }
  return turn;
}

std::set<std::string> telling_words(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : lower(text) + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || (static_cast<unsigned char>(c) & 0x80) != 0) {
      word.push_back(c);
    } else {
      if (word.size() >= telling_letters) words.insert(word);
      word.clear();
    }
  }
  return words;
}

bool share_a_word(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::any_of(a.begin(), a.end(), [&b](const std::string& word) { return b.count(word) != 0; });
}

// --- the extractor -------------------------------------------------------------------------------------------------

std::vector<std::string> sentences_of(const std::string& text) {
  std::vector<std::string> sentences;
  for (const std::string& line : lines_of(text)) {
    std::string sentence;
    for (std::size_t i = 0; i < line.size(); ++i) {
      sentence.push_back(line[i]);
      const bool stop = line[i] == '.' || line[i] == '!' || line[i] == '?';
      if (i + 1 == line.size() || (stop && line[i + 1] == ' ')) {
        sentences.push_back(trim(sentence));
        sentence.clear();
      }
    }
  }
  return sentences;
}

bool is_worth_keeping(const std::string& sentence) {
  static const std::regex telling(R"(\bremember\b|\bmy\b.*\bis\b|)"
                                  R"(\bi prefer\b|\bwe decided\b|\bi use\b|\b(listens|runs) on\b)",
                                  std::regex::icase);
  return !sentence.ends_with('?') && std::regex_search(sentence, telling);
}

std::string third_person(std::string sentence) {
  static const std::vector<std::pair<std::regex, const char*>> replacements = [] {
    std::vector<std::pair<std::regex, const char*>> list;
    const auto add = [&list](const char* pattern, const char* with) {
      list.emplace_back(std::regex(pattern, std::regex::icase), with);
    };
    add(R"(^(please )?remember( that|:|,)? )", "");
    add(R"(^my\b)", "The user's");
    add(R"(\bmy\b)", "the user's");
    add(R"(^(i|we) (decided|chose|had|was)\b)", "The user $2");
    add(R"(\b(i|we) (decided|chose|had|was)\b)", "the user $2");
    add(R"(^(i am|we are|i'm|we're)\b)", "The user is");
    add(R"(^(i|we) have\b)", "The user has");
    add(R"(^(i|we) (prefer|use|like|want|need|work|live|run|keep|call)\b)", "The user $2s");
    add(R"(\b(i|we) (prefer|use|like|want|need|work|live|run|keep|call)\b)", "the user $2s");
    return list;
  }();
  for (const auto& [pattern, with] : replacements) sentence = std::regex_replace(sentence, pattern, with);
  if (!sentence.empty()) sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
  return sentence;
}

std::string kind_of_memory(const std::string& sentence) {
  return lower(sentence).find("prefer") != std::string::npos ? "preference" : "fact";
}

// A value that the schema takes, with `known` fields where it has them.
Json fill(const Json& schema, const Json& known) {
  if (schema.contains("const")) return schema["const"];
  if (schema.contains("enum")) {
    const Json& choices = schema["enum"];
    return std::find(choices.begin(), choices.end(), known) == choices.end() ? choices[0] : known;
  }
  Json type = schema.value("type", Json());
  if (type.is_array()) type = type[0];
  if (type == "object") {
    Json object = Json::object();
    const Json required = schema.value("required", Json::array());
    const Json properties = schema.value("properties", Json::object());
    for (const auto& [name, part] : properties.items()) {
      const bool is_known = known.is_object() && known.contains(name);
      const bool is_required = std::find(required.begin(), required.end(), name) != required.end();
      if (is_known || is_required) object[name] = fill(part, is_known ? known[name] : Json());
    }
    return object;
  }
  if (type == "string") return known.is_string() ? known : Json("");
  if (type == "array") return Json::array();
  if (type == "boolean") return false;
  if (type == "integer") return 0;
  if (type == "number") return 0.5;  // a score: neither much nor little
  return nullptr;
}

// A schema for the requests that bring none.
const Json& plain_schema() {
  static const Json text = {{"type", "string"}};
  static const Json item = {{"type", "object"}, {"properties", {{"kind", text}, {"text", text}, {"quote", text}}}};
  static const Json schema = {{"type", "object"}, {"properties", {{"memories", {{"type", "array"}, {"items", item}}}}}};
  return schema;
}

Json format_of(const Json& body) { return body.value("output_config", Json::object()).value("format", Json()); }

}  // namespace

Kind kind_of(const Json& body) {
  if (!format_of(body).is_null()) return Kind::learn;
  const Json system = body.value("system", Json());
  const std::string text = system.is_null() ? "" : system.dump();
  return text.find("JSON") != std::string::npos ? Kind::learn : Kind::chat;
}

std::string chat_text(const Json& body) {
  const NewestTurn turn = newest_turn(body);
  const std::set<std::string> question = telling_words(turn.said);
  std::string remembered;
  for (const std::string& line : lines_of(turn.recalled)) {
    const std::string told = trim(line);
    if (told.starts_with('<') || !share_a_word(telling_words(told), question)) continue;
    remembered += (remembered.empty() ? "" : " ") + told;
  }
  if (!remembered.empty()) return "From what I remember: " + remembered;
  return "I do not know that yet. You said: " + turn.said;
}

std::string extraction_text(const Json& body) {
  const Json format = format_of(body);
  const Json& schema = format.is_null() ? plain_schema() : format["schema"];
  Json memories = Json::array();
  const std::string said = newest_turn(body).said;
  const auto users = said.find("USER:\n");  // what stands before is context
  for (const std::string& sentence : sentences_of(users == std::string::npos ? said : said.substr(users))) {
    if (!is_worth_keeping(sentence)) continue;
    memories.push_back({{"kind", kind_of_memory(sentence)}, {"text", third_person(sentence)}, {"quote", sentence}});
  }
  Json answer = fill(schema, Json());
  const Json properties = schema.value("properties", Json::object());
  for (const auto& [name, part] : properties.items()) {
    if (part.value("type", Json()) != "array") continue;
    answer[name] = Json::array();
    for (const Json& memory : memories) answer[name].push_back(fill(part["items"], memory));
    break;
  }
  if (!format.is_null()) return answer.dump();
  // Asked in words only, a model adds some of its own.
  return "The object {\"memories\": …} you asked for:\n\n```json\n" + answer.dump(2) + "\n```\n";
}

}  // namespace messages_server

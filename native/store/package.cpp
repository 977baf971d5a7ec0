// read_package() of package.h.
#include "store/package.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/ids.h"
#include "base/limits.h"
#include "base/utf8.h"

namespace selfmind::store {
namespace {

using Json = nlohmann::json;

// What is wrong with a line. It never leaves this file.
struct Wrong {
  std::string why;
  ErrorKind kind = ErrorKind::invalid;
};

std::string text_of(const Json& line, const char* field) {
  const auto found = line.find(field);
  if (found == line.end() || !found->is_string()) throw Wrong{fmt::format("\"{}\" is missing or no text", field)};
  return found->get<std::string>();
}

std::string text_or_nothing(const Json& line, const char* field) {
  const auto found = line.find(field);
  return found == line.end() || found->is_null() ? std::string() : text_of(line, field);
}

std::string id_of(const Json& line, const char* field) {
  auto id = text_of(line, field);
  const bool plain = id.size() == 36 && id.find_first_not_of("0123456789abcdef-") == std::string::npos;
  if (!plain) throw Wrong{fmt::format("\"{}\" is no unique id", field)};
  return id;
}

std::string id_or_nothing(const Json& line, const char* field) {
  return text_or_nothing(line, field).empty() ? std::string() : id_of(line, field);
}

std::int64_t number_of(const Json& line, const char* field) {
  const auto found = line.find(field);
  if (found == line.end() || !found->is_number_integer()) {
    throw Wrong{fmt::format("\"{}\" is missing or no whole number", field)};
  }
  return found->get<std::int64_t>();
}

std::int64_t count_or_zero(const Json& line, const char* field) {
  if (!line.contains(field)) return 0;
  return std::max<std::int64_t>(number_of(line, field), 0);
}

double real_of(const Json& line, const char* field) {
  const auto found = line.find(field);
  if (found == line.end() || !found->is_number()) throw Wrong{fmt::format("\"{}\" is missing or no number", field)};
  return found->get<double>();
}

std::optional<Time> time_or_none(const Json& line, const char* field) {
  const auto written = text_or_nothing(line, field);
  if (written.empty()) return std::nullopt;
  const auto time = parse_iso8601(written);
  if (!time) throw Wrong{fmt::format("\"{}\" is no time: {}", field, written)};
  return *time;
}

Time time_of(const Json& line, const char* field) {
  const auto time = time_or_none(line, field);
  if (!time) throw Wrong{fmt::format("\"{}\" is missing", field)};
  return *time;
}

template <class Names>
std::string one_of(const Json& line, const char* field, const Names& names) {
  auto text = text_of(line, field);
  if (std::none_of(std::begin(names), std::end(names), [&text](const char* name) { return text == name; })) {
    throw Wrong{fmt::format("\"{}\" is no {}; use one of {}", text, field, fmt::join(names, ", "))};
  }
  return text;
}

constexpr std::array tracks = {"", "autobiographical", "epistemic"};
constexpr std::array memory_states = {"active", "archived", "superseded", "quarantined"};
constexpr std::array origins = {"user", "assistant", "file", "tool", "import"};
constexpr std::array made_by = {"remember", "learn", "rules"};
constexpr std::array changed_by = {"user", "learn", "rules", "upkeep"};
constexpr std::array relations = {"supersedes", "contradicts"};

const Json& list_of(const Json& line, const char* field) {
  static const Json nothing = Json::array();
  const auto found = line.find(field);
  if (found == line.end() || found->is_null()) return nothing;
  if (!found->is_array()) throw Wrong{fmt::format("\"{}\" is no list", field)};
  return *found;
}

std::vector<std::string> texts_of(const Json& line, const char* field) {
  std::vector<std::string> texts;
  for (const auto& one : list_of(line, field)) {
    if (!one.is_string()) throw Wrong{fmt::format("\"{}\" has something in it that is no text", field)};
    texts.push_back(one.get<std::string>());
  }
  return texts;
}

const Json& object(const Json& value, const char* what) {
  if (!value.is_object()) throw Wrong{fmt::format("{} is no JSON object", what)};
  return value;
}

// Checked here, where the line is known; the same bound as for what is remembered.
std::string memory_text(const Json& line, const char* field) {
  auto text = std::string(utf8::trim(text_of(line, field)));
  if (text.empty()) throw Wrong{"a memory has no text"};
  if (text.size() > limits::memory_bytes) {
    throw Wrong{
        fmt::format("a memory is at most {} KB, this is {}", limits::memory_bytes / 1024, text.size() / 1024 + 1)};
  }
  return text;
}

PackedProject project(const Json& line) {
  PackedProject project;
  project.uuid = id_of(line, "uuid");
  project.name = text_of(line, "name");
  project.remotes = texts_of(line, "remotes");
  project.paths = texts_of(line, "paths");
  project.created_at = time_of(line, "created_at");
  return project;
}

PackedChat chat(const Json& line) {
  PackedChat chat;
  chat.uuid = id_of(line, "uuid");
  chat.project = id_or_nothing(line, "project");
  chat.title = text_or_nothing(line, "title");
  chat.draft = text_or_nothing(line, "draft");
  chat.history_from = id_or_nothing(line, "history_from");
  chat.created_at = time_of(line, "created_at");
  chat.updated_at = time_of(line, "updated_at");
  return chat;
}

bool fits(Role role, TurnState state) {
  const bool of_user = state == TurnState::unanswered || state == TurnState::answered;
  return of_user == (role == Role::user) && state != TurnState::streaming;
}

PackedTurn turn(const Json& line) {
  PackedTurn packed;
  packed.uuid = id_of(line, "uuid");
  packed.chat = id_of(line, "chat");
  packed.parent = id_or_nothing(line, "parent");
  auto& turn = packed.turn;
  const auto role = role_from(text_of(line, "role"));
  const auto state = turn_state_from(text_of(line, "state"));
  if (!role || !state || !fits(*role, *state)) throw Wrong{"\"role\" and \"state\" are none of a turn"};
  turn.role = *role;
  turn.state = *state;
  turn.text = text_of(line, "text");
  turn.content = text_or_nothing(line, "content");
  turn.memory_block = text_or_nothing(line, "memory_block");
  turn.model = text_or_nothing(line, "model");
  turn.stop_reason = text_or_nothing(line, "stop_reason");
  turn.failure = text_or_nothing(line, "failure");
  turn.usage = {count_or_zero(line, "input_tokens"), count_or_zero(line, "output_tokens"),
                count_or_zero(line, "cache_read_tokens"), count_or_zero(line, "cache_write_tokens")};
  turn.created_at = time_of(line, "created_at");
  for (const auto& one : list_of(line, "given")) {
    object(one, "\"given\"");
    packed.given.push_back(
        {id_of(one, "memory"), number_of(one, "revision"), number_of(one, "rank"), real_of(one, "score")});
  }
  return packed;
}

PackedChange change(const Json& line) {
  PackedChange packed;
  packed.number = number_of(line, "number");
  packed.change.verb = text_of(line, "verb");
  packed.change.made_by = one_of(line, "made_by", changed_by);
  packed.change.at = time_of(line, "at");
  packed.turn = id_or_nothing(line, "turn");
  packed.chat = id_or_nothing(line, "chat");
  return packed;
}

PackedRevision revision(const Json& line) {
  object(line, "a revision");
  PackedRevision revision;
  revision.number = number_of(line, "revision");
  revision.change = number_of(line, "change");
  revision.text = memory_text(line, "text");
  revision.reason = text_or_nothing(line, "reason");
  revision.kind = one_of(line, "kind", memory_kinds);
  revision.scene = text_or_nothing(line, "scene");
  revision.track = one_of(line, "track", tracks);
  revision.state = one_of(line, "state", memory_states);
  revision.project = id_or_nothing(line, "project");
  revision.valid_from = time_or_none(line, "valid_from");
  revision.valid_to = time_or_none(line, "valid_to");
  return revision;
}

std::optional<Scores> scores(const Json& line) {
  const auto found = line.find("scores");
  if (found == line.end() || found->is_null()) return std::nullopt;
  const auto& all = object(*found, "\"scores\"");
  const auto score = [&all](const char* field) { return std::clamp(real_of(all, field), 0.0, 1.0); };
  return Scores{score("utility"),  score("durability"), score("urgency"),
                score("identity"), score("confidence"), score("sensitivity")};
}

PackedMemory memory(const Json& line) {
  PackedMemory packed;
  auto& memory = packed.memory;
  memory.uuid = id_of(line, "uuid");
  memory.text = memory_text(line, "text");
  memory.reason = text_or_nothing(line, "reason");
  memory.kind = one_of(line, "kind", memory_kinds);
  memory.scene = text_or_nothing(line, "scene");
  memory.track = one_of(line, "track", tracks);
  memory.state = one_of(line, "state", memory_states);
  memory.origin = one_of(line, "origin", origins);
  memory.made_by = one_of(line, "made_by", made_by);
  memory.scores = scores(line);
  memory.valid_from = time_or_none(line, "valid_from");
  memory.valid_to = time_or_none(line, "valid_to");
  memory.created_at = time_of(line, "created_at");
  memory.updated_at = time_of(line, "updated_at");
  packed.project = id_or_nothing(line, "project");
  for (const auto& one : list_of(line, "sources")) {
    object(one, "a source");
    packed.sources.push_back({id_of(one, "turn"), text_or_nothing(one, "quote"), time_or_none(one, "said_at")});
  }
  for (const auto& one : list_of(line, "history")) packed.history.push_back(revision(one));
  return packed;
}

// Of another program: a text, and whatever else is known.
PackedMemory foreign_memory(const Json& line) {
  if (const auto type = text_or_nothing(line, "type"); !type.empty() && type != "memory") {
    throw Wrong{fmt::format("\"{}\" is no memory; only an export of selfmind's own has other lines", type)};
  }
  PackedMemory packed;
  auto& memory = packed.memory;
  memory.text = memory_text(line, "text");
  const auto kind = text_or_nothing(line, "kind");
  const bool known =
      std::any_of(std::begin(memory_kinds), std::end(memory_kinds), [&kind](const char* name) { return kind == name; });
  memory.kind = known ? kind : "fact";
  auto at = time_or_none(line, "created_at");
  if (!at) at = time_or_none(line, "at");
  memory.created_at = memory.updated_at = at.value_or(Time{});
  memory.uuid = derived_uuid(memory.created_at, memory.text);
  return packed;
}

PackedProbe probe(const Json& line) {
  PackedProbe probe;
  probe.uuid = id_of(line, "uuid");
  probe.project = id_or_nothing(line, "project");
  probe.query = text_of(line, "query");
  if (utf8::trim(probe.query).empty()) throw Wrong{"a probe asks nothing"};
  probe.memories = texts_of(line, "memories");
  probe.turns = texts_of(line, "turns");
  probe.created_at = time_of(line, "created_at");
  return probe;
}

class Reader {
 public:
  void read(const Json& line, std::int64_t number) {
    object(line, "it");
    if (first_) {
      first_ = false;
      package_.own = text_or_nothing(line, "type") == "export" && text_or_nothing(line, "program") == export_program;
      if (package_.own) return head(line);
    }
    if (!package_.own) return add_memory(foreign_memory(line), number);
    const auto type = text_of(line, "type");
    if (type == "project") return package_.projects.push_back(project(line));
    if (type == "chat") return package_.chats.push_back(chat(line));
    if (type == "turn") return package_.turns.push_back(turn(line));
    if (type == "change") return package_.changes.push_back(change(line));
    if (type == "memory") return add_memory(memory(line), number);
    if (type == "relation") {
      return package_.relations.push_back({id_of(line, "from"), one_of(line, "kind", relations), id_of(line, "to")});
    }
    if (type == "probe") return package_.probes.push_back(probe(line));
    if (type == "tombstone") return package_.tombstones.push_back({id_of(line, "uuid"), time_of(line, "at")});
    throw Wrong{fmt::format("there is no type \"{}\"", type)};
  }

  Package take() { return std::move(package_); }

 private:
  static void head(const Json& line) {
    if (number_of(line, "format") > export_format) {
      throw Wrong{"it was written by a newer selfmind; update the plugin", ErrorKind::too_new};
    }
  }
  void add_memory(PackedMemory memory, std::int64_t number) {
    memory.line = number;
    package_.memories.push_back(std::move(memory));
  }

  Package package_;
  bool first_ = true;
};

Result<Package> read_lines(const std::string& path, std::ifstream& file) {
  Reader reader;
  std::string text;
  for (std::int64_t number = 1; std::getline(file, text); ++number) {
    constexpr std::string_view mark = "\xEF\xBB\xBF";  // a byte order mark
    if (number == 1 && text.starts_with(mark)) text.erase(0, mark.size());
    if (utf8::trim(text).empty()) continue;
    const auto wrong = [&](ErrorKind kind, std::string_view why) {
      return Error{kind, fmt::format("{}, line {}: {}. Nothing was imported.", path, number, why)};
    };
    const Json line = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (line.is_discarded()) return wrong(ErrorKind::invalid, "this is no JSON");
    try {
      reader.read(line, number);
    } catch (const Wrong& problem) {
      return wrong(problem.kind, problem.why);
    }
  }
  if (file.bad()) return Error{ErrorKind::io, fmt::format("{} could not be read to its end.", path)};
  return reader.take();
}

}  // namespace

std::string derived_uuid(Time at, std::string_view text) {
  const auto written = fmt::format("{}\n{}", to_millis(at), text);
  std::array<unsigned char, 16> hash{};
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(written.data()), written.size(),
                     nullptr, 0);
  std::uint64_t words[2] = {};
  for (std::size_t at_byte = 0; at_byte < hash.size(); ++at_byte) {
    words[at_byte / 8] |= std::uint64_t{hash[at_byte]} << (8 * (at_byte % 8));
  }
  return uuid7(at, words[0], words[1]);
}

Result<Package> read_package(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) {
    return Error{ErrorKind::not_found, fmt::format("There is no file {}; name an export.", path)};
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{ErrorKind::io, fmt::format("{} cannot be read; give yourself the right to.", path)};
  constexpr std::string_view magic("SQLite format 3\0", 16);
  std::string start(magic.size(), '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (start == magic) return read_selfmind_file(path);
  file.clear();
  file.seekg(0);
  return read_lines(path, file);
}

}  // namespace selfmind::store

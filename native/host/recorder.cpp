#include "host/recorder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/log.h"
#include "learn/json.h"
#include "store/schema.h"
#include "turn/json.h"

namespace selfmind::host {
namespace {

using Json = nlohmann::ordered_json;

Error refused(const std::string& path, std::string_view why) {
  return {ErrorKind::io, fmt::format("Nothing can be recorded into {}: {}; name another file.", path, why)};
}

void mask(Json& json, text::SecretMask& secrets) {
  if (json.is_string()) {
    json = secrets.mask(json.get_ref<const std::string&>());
  } else if (json.is_structured()) {
    for (auto& item : json) mask(item, secrets);
  }
}

Json form(const recall::Preset& preset) {
  return {{"preset", preset.name},
          {"text_weight", preset.text_weight},
          {"min_score", preset.min_score},
          {"min_score_memory", preset.min_score_memory},
          {"mmr", {{"enabled", preset.mmr}, {"lambda", preset.mmr_lambda}}},
          {"temporal_decay", {{"enabled", preset.temporal_decay}, {"half_life_days", preset.half_life_days}}},
          {"candidate_multiplier", preset.candidate_multiplier}};
}

// Masks a text that came in pieces: what a piece alone does not show, all of them together do.
void mask_pieces(const std::vector<std::string*>& pieces, std::string& before, text::SecretMask& secrets) {
  constexpr std::size_t look_back = 64u << 10;
  std::string whole = before;
  for (const auto* piece : pieces) whole += *piece;
  const std::string masked = secrets.mask(whole);
  std::size_t at = before.size();
  for (auto* piece : pieces) {
    const std::size_t size = piece->size();
    *piece = masked.substr(at, size);
    at += size;
  }
  before = whole.substr(whole.size() - std::min(whole.size(), look_back));
}

}  // namespace

Recorder::Recorder(std::FILE* file, Clock& clock) : file_(file), clock_(clock), start_(clock.now()) {}

Recorder::~Recorder() {
  for (auto& [number, pieces] : pieces_) write_pieces(pieces);
  if (file_ != nullptr) std::fclose(file_);
}

Result<std::unique_ptr<Recorder>> Recorder::open(const std::string& path, Clock& clock) {
  const int file = ::open(path.c_str(), O_CREAT | O_RDWR | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0600);
  if (file < 0) return refused(path, std::generic_category().message(errno));
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(::fdopen(file, "a"), std::fclose);
  struct stat status {};
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return refused(path, "it is no file");
  const std::string beginning = fmt::format("{{\"{}\":", recording_mark);
  std::string found(beginning.size(), '\0');
  if (status.st_size > 0 &&
      (::pread(file, found.data(), found.size(), 0) != static_cast<ssize_t>(found.size()) || found != beginning)) {
    return refused(path, "it holds something else");
  }
  if ((status.st_mode & 077) != 0 && ::fchmod(file, 0600) != 0) return refused(path, "others can read it");
  std::unique_ptr<Recorder> recorder(new Recorder(stream.release(), clock));
  recorder->write(Json{{recording_mark, recording_version},
                       {"version", program_version},
                       {"protocol", protocol_version},
                       {"schema", store::schema_version},
                       {"at", iso8601(clock.now())}});
  return recorder;
}

void Recorder::greeted(const Settings& settings, const std::string& sqlite, const std::string& journal) {
  hide(settings.endpoint.api_key);
  hide(settings.endpoint.auth_token);
  secrets_.use(settings.secret_patterns);
  auto greeting = line();
  const auto key = settings.from.find("key");
  greeting["settings"] = {{"chat_model", settings.chat_model},
                          {"memory_model", settings.memory_model},
                          {"base_url", without_credentials(settings.endpoint.base_url)},
                          {"key", key == settings.from.end() ? "" : key->second},
                          {"db", settings.db},
                          {"learning", settings.learning_mode()},
                          {"top_k", settings.top_k},
                          {"history_turns", settings.history_turns},
                          {"max_tokens", settings.max_tokens},
                          {"memory_max_tokens", settings.memory_max_tokens},
                          {"dedupe_threshold", settings.dedupe_threshold},
                          {"recall_deadline", settings.recall_deadline},
                          {"retrieval", form(settings.retrieval)},
                          {"sqlite", sqlite},
                          {"journal", journal}};
  write(std::move(greeting));
}

void Recorder::begin_turn(std::int64_t number, const turn::Settings& settings) {
  auto begin = line();
  begin["begin"] = number;
  begin["with"] = turn::to_json(settings);
  write(std::move(begin));
}

void Recorder::step(std::int64_t number, const turn::Event& event, const turn::Commands& commands) {
  auto step = line();
  step["of"] = number;
  step["event"] = turn::to_json(event);
  step["commands"] = turn::to_json(commands);
  auto& pieces = pieces_[number];
  const auto* delta = std::get_if<turn::TextDelta>(&event);
  if (delta == nullptr) {
    write_pieces(pieces);
    const bool over = std::any_of(commands.begin(), commands.end(), [](const turn::Command& command) {
      return std::holds_alternative<turn::ShowDone>(command) || std::holds_alternative<turn::Refuse>(command);
    });
    if (over) pieces_.erase(number);
    return write(std::move(step));
  }
  pieces.lines.push_back(std::move(step));
  constexpr std::string_view blanks = " \t\r\n";
  if (!delta->text.empty() && blanks.find(delta->text.back()) != std::string_view::npos) write_pieces(pieces);
}

void Recorder::begin_learning(const learn::Settings& settings) {
  auto begin = line();
  begin["begin"] = "learning";
  begin["with"] = learn::to_json(settings);
  write(std::move(begin));
}

void Recorder::step(const learn::Event& event, const learn::Commands& commands) {
  auto step = line();
  step["of"] = "learning";
  step["event"] = learn::to_json(event);
  step["commands"] = learn::to_json(commands);
  write(std::move(step));
}

Json Recorder::line() const { return {{"ms", (clock_.now() - start_).count()}}; }

void Recorder::write_pieces(Pieces& pieces) {
  std::vector<std::string*> came;
  std::vector<std::string*> shown;
  for (auto& line : pieces.lines) {
    for (auto& text : line["event"]["text"]) came.push_back(text.get_ptr<std::string*>());
    for (auto& command : line["commands"]) {
      if (!command.contains("show_text")) continue;
      for (auto& text : command["show_text"]) shown.push_back(text.get_ptr<std::string*>());
    }
  }
  mask_pieces(came, pieces.before, secrets_);
  mask_pieces(shown, pieces.shown_before, secrets_);
  for (const auto& line : pieces.lines) write_plain(line);
  pieces.lines.clear();
}

void Recorder::write(Json line) {
  mask(line, secrets_);
  write_plain(line);
}

void Recorder::write_plain(const Json& line) {
  if (file_ == nullptr) return;
  // A buffer's text may be no UTF-8.
  const std::string text = line.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) + '\n';
  if (std::fwrite(text.data(), 1, text.size(), file_) == text.size() && std::fflush(file_) == 0) return;
  log::error("the recording ends here: " + std::generic_category().message(errno));
  std::fclose(std::exchange(file_, nullptr));
}

}  // namespace selfmind::host

#include "cli/replay.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "cli/cli.h"
#include "cli/session.h"
#include "host/recorder.h"
#include "learn/json.h"
#include "learn/manager.h"
#include "text/secrets.h"
#include "turn/json.h"
#include "turn/turn.h"

namespace selfmind::cli {
namespace {

using Json = nlohmann::ordered_json;
using Plain = nlohmann::json;  // compared without regard to the order of keys

constexpr std::size_t shown_bytes = 200;  // of a value that differs

struct PlayedTurn {
  turn::Turn turn;
  int events = 0;
};

// The fresh reducers of one host's life, and the counts over all of the file.
class Player {
 public:
  explicit Player(std::ostream& out) : out_(out) {}

  // Nothing for a line that is only for readers.
  Result<void> take(const Json& line, int number) {
    if (line.contains(host::recording_mark)) return start(line);
    if (line.contains("begin")) return begin(line);
    if (line.contains("of")) return step(line, number);
    return {};
  }

  int turns = 0;
  int events = 0;
  int different = 0;

 private:
  Result<void> start(const Json& line) {
    if (line[host::recording_mark] != host::recording_version) {
      return Error{ErrorKind::too_new, "it was written by another version of the program"};
    }
    turns_.clear();
    manager_.reset();
    return {};
  }

  Result<void> begin(const Json& line) {
    if (line["begin"] == "learning") {
      auto settings = learn::settings_from(line.at("with"));
      if (!settings) return settings.error();
      manager_.emplace(std::move(*settings));
      learned_ = 0;
      return {};
    }
    auto settings = turn::settings_from(line.at("with"));
    if (!settings) return settings.error();
    turns_.insert_or_assign(line["begin"].get<std::int64_t>(), PlayedTurn{turn::Turn(std::move(*settings)), 0});
    ++turns;
    return {};
  }

  Result<void> step(const Json& line, int number) {
    ++events;
    const Json& event_form = line.at("event");
    if (line["of"] == "learning") {
      if (!manager_) return Error{ErrorKind::invalid, "learning that was not begun"};
      auto event = learn::event_from(event_form);
      if (!event) return event.error();
      compare(line, learn::to_json(manager_->on(*event)),
              fmt::format("line {}, learning, event {} ({})", number, ++learned_, event_form.begin().key()));
      return {};
    }
    const auto turn_number = line["of"].get<std::int64_t>();
    const auto played = turns_.find(turn_number);
    if (played == turns_.end()) return Error{ErrorKind::invalid, "a turn that was not begun"};
    auto event = turn::event_from(event_form);
    if (!event) return event.error();
    compare(line, turn::to_json(played->second.turn.on(*event)),
            fmt::format("line {}, turn {}, event {} ({})", number, turn_number, ++played->second.events,
                        event_form.begin().key()));
    return {};
  }

  void compare(const Json& line, const Json& got_form, const std::string& where) {
    const Plain expected = line.at("commands");
    const Plain got = as_recorded(got_form);
    if (expected == got) return;
    ++different;
    out_ << where << '\n';
    for (const auto& change : Plain::diff(expected, got)) {
      const Plain::json_pointer path(change["path"].get<std::string>());
      const std::string was = change["op"] == "add" ? "nothing" : expected.at(path).dump();
      const std::string is = change.contains("value") ? change["value"].dump() : "nothing";
      out_ << fmt::format("  {}: expected {}, got {}\n", change["path"].get<std::string>(), shown(was, is),
                          shown(is, was));
    }
  }

  // A secret in what comes out now was masked in what came out then.
  Plain as_recorded(const Json& form) {
    Plain plain = Plain::parse(form.dump(-1, ' ', false, Json::error_handler_t::replace));
    for (auto& item : plain) mask(item);
    return plain;
  }

  void mask(Plain& json) {
    if (json.is_string()) {
      json = secrets_.mask(json.get_ref<const std::string&>());
    } else if (json.is_structured()) {
      for (auto& item : json) mask(item);
    }
  }

  // Of a long text the part that is not the same.
  static std::string shown(std::string_view text, std::string_view other) {
    constexpr std::size_t lead = 30;
    const auto split = std::mismatch(text.begin(), text.end(), other.begin(), other.end()).first - text.begin();
    const auto same = utf8::prefix(text, static_cast<std::size_t>(split)).size();
    const bool cut = text.size() > shown_bytes && same > lead;
    const auto from = cut ? utf8::prefix(text, same - lead).size() : 0;
    return (cut ? "…" : "") + utf8::excerpt(text.substr(from), shown_bytes);
  }

  std::ostream& out_;
  std::map<std::int64_t, PlayedTurn> turns_;
  std::optional<learn::Manager> manager_;
  int learned_ = 0;
  text::SecretMask secrets_;
};

Result<void> play(std::istream& in, Player& player) {
  int number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    const auto bad = [&](const std::string& why) {
      return Error{ErrorKind::invalid, number == 1 ? "it is no recording of selfmind-host"
                                                   : fmt::format("line {} is damaged ({})", number, why)};
    };
    const auto line = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!line.is_object() || (number == 1 && !line.contains(host::recording_mark))) return bad("no JSON object");
    try {
      if (auto taken = player.take(line, number); !taken) {
        return taken.error().kind == ErrorKind::too_new ? taken.error() : bad(taken.error().message);
      }
    } catch (const Json::exception&) {
      return bad("a field is missing or of another type");
    }
  }
  if (number == 0) return Error{ErrorKind::invalid, "it is empty"};
  return {};
}

}  // namespace

int replay(const std::string& file, std::ostream& out, std::ostream& err) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return fail(err, {ErrorKind::io, fmt::format("{} cannot be read; name a file that --record wrote.", file)});
  Player player(out);
  if (auto played = play(in, player); !played) {
    return fail(err, {played.error().kind, fmt::format("{} cannot be replayed: {}.", file, played.error().message)});
  }
  const std::string counts = fmt::format("{} turns, {} events: ", player.turns, player.events);
  if (player.different == 0) {
    out << counts << "all the same\n";
    return exit_done;
  }
  out << counts << player.different << " different\n";
  return exit_failed;
}

}  // namespace selfmind::cli

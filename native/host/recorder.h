// Recorder writes what happens to turns and to learning into a file, for a bug report: a JSON object a line, each event
// with the commands that came of it, secrets masked. `--replay` plays it again (cli/replay.h). Loop thread only; each
// line is on disk before the commands are performed, so that a crash leaves what led to it.
#pragma once
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/clock.h"
#include "base/result.h"
#include "host/settings.h"
#include "text/secrets.h"

namespace selfmind::host {

// The first line of a recording begins with this.
inline constexpr const char* recording_mark = "selfmind_recording";
inline constexpr int recording_version = 1;

class Recorder {
 public:
  // Makes the file, 0600, or goes on with a recording that is there already (the host was started again). Anything else
  // that is there is refused and left as it is.
  static Result<std::unique_ptr<Recorder>> open(const std::string& path, Clock& clock);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // A key that must not be in the file, whatever it looks like.
  void hide(const std::string& secret) { secrets_.add(secret); }
  void greeted(const Settings& settings, const std::string& sqlite, const std::string& journal);

  // `number` tells this editor's turns apart.
  void begin_turn(std::int64_t number, const turn::Settings& settings);
  void step(std::int64_t number, const turn::Event& event, const turn::Commands& commands);
  void begin_learning(const learn::Settings& settings);
  void step(const learn::Event& event, const learn::Commands& commands);

 private:
  // A reply's pieces wait here until a word is complete: a key may come in several.
  struct Pieces {
    std::string before;  // as it came
    std::string shown_before;
    std::vector<nlohmann::ordered_json> lines;
  };

  Recorder(std::FILE* file, Clock& clock);
  nlohmann::ordered_json line() const;
  void write(nlohmann::ordered_json line);
  void write_plain(const nlohmann::ordered_json& line);
  void write_pieces(Pieces& pieces);

  std::FILE* file_;  // owned; null after a failed write
  Clock& clock_;
  Time start_;
  text::SecretMask secrets_;
  std::map<std::int64_t, Pieces> pieces_;  // by turn
};

}  // namespace selfmind::host

// The settings as the host uses them: what the editor sent, else the environment, else the default.
#pragma once
#include <functional>
#include <map>
#include <string>

#include "claude/types.h"
#include "host/protocol.h"
#include "learn/events.h"
#include "recall/presets.h"
#include "text/secrets.h"
#include "turn/events.h"

namespace selfmind::host {

struct Settings {
  std::string chat_model = "claude-opus-4-8";
  std::string memory_model = "claude-opus-4-8";
  claude::Endpoint endpoint;
  std::string db;
  bool learning = true;
  bool review = false;  // what is learned waits for the user
  const char* learning_mode() const { return !learning ? "off" : review ? "review" : "auto"; }
  int top_k = 6;
  int history_turns = 12;
  int max_tokens = 16000;
  int memory_max_tokens = 1024;
  int learning_budget = 500'000;  // tokens a day
  double dedupe_threshold = learn::default_dedupe_threshold;
  int recall_deadline = 50;                                            // ms
  recall::Preset retrieval = *recall::preset(recall::default_preset);  // with what overrides it
  text::SecretPatterns secret_patterns;
  int secret_patterns_given = 0;
  // Where each comes from, by its name: "editor", a variable of the environment, or "default"; "key" stands for the
  // key, and is not there when there is none.
  std::map<std::string, std::string> from;
  // Settings that were given and have no effect beside the others: why, by name.
  std::map<std::string, std::string> useless;

  bool online() const { return endpoint.usable(); }
  std::string offline_why() const;  // empty when online

  turn::Settings for_turn() const;
  learn::Settings for_learning() const;
  // For people: {"name": {"value", "from"}} of every setting that counts, without any secret.
  rpc::Map shown() const;
  rpc::Map shown_useless() const;  // {"name": why}
};

// A variable's value, or null; the real one is ::getenv. Empty and blank values count as unset.
using Environment = std::function<const char*(const char*)>;

// ErrorKind::invalid names the setting and what it may be.
Result<Settings> settings(const SettingsParams& given, const Environment& environment);

// The variables that lead or secure connections and are set: {"HTTPS_PROXY": "http://proxy:3128"}, without credentials.
rpc::Map network_variables(const Environment& environment);

// A URL without the user name and password in it: what may be shown.
std::string without_credentials(std::string_view url);

}  // namespace selfmind::host

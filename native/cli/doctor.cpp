// doctor: what may be wrong with the store, the libraries and the configuration, and mending what can be mended.
#include "store/doctor.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <ostream>

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "host/protocol.h"
#include "host/settings.h"
#include "store/paths.h"
#include "store/stats.h"

extern char** environ;

namespace selfmind::cli {
namespace {

using store::Finding;

void found(std::vector<Finding>& findings, const char* check, std::string text, std::string advice) {
  findings.push_back({check, Finding::found, std::move(text), std::move(advice)});
}

bool is_set(const char* name) {
  const char* value = ::getenv(name);
  return value != nullptr && *value != '\0';
}

// Of the host, then those by which the tests and `make demo` find things.
constexpr std::array known_variables = {"SELFMIND_DB",      "SELFMIND_CHAT_MODEL", "SELFMIND_MEMORY_MODEL",
                                        "SELFMIND_BIN",     "SELFMIND_NVIM",       "SELFMIND_GOLDEN",
                                        "SELFMIND_FIGURES", "SELFMIND_DEMO_SAY",   "SELFMIND_DEMO_OPEN"};

// A name that nothing reads is a slip of the pen.
void check_names(std::vector<Finding>& findings) {
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view line = *entry;
    const auto name = line.substr(0, line.find('='));
    if (!name.starts_with("SELFMIND_")) continue;
    const bool known =
        std::any_of(known_variables.begin(), known_variables.end(), [name](const char* one) { return name == one; });
    if (known) continue;
    found(findings, "settings", fmt::format("{} is set, and nothing reads it", name),
          "the names are SELFMIND_DB, SELFMIND_CHAT_MODEL and SELFMIND_MEMORY_MODEL");
  }
}

bool is_here(std::string_view url) {
  const auto server = url.substr(std::min(url.find("://") + 3, url.size()));
  return server.starts_with("localhost") || server.starts_with("127.") || server.starts_with("[::1]");
}

// Folders of certificates may be several, with colons between them.
bool any_readable(std::string_view paths) {
  while (true) {
    const auto end = std::min(paths.find(':'), paths.size());
    if (::access(std::string(paths.substr(0, end)).c_str(), R_OK) == 0) return true;
    if (end == paths.size()) return false;
    paths.remove_prefix(end + 1);
  }
}

void check_settings(std::vector<Finding>& findings) {
  const auto before = findings.size();
  check_names(findings);
  const auto settings = host::settings({}, ::getenv);
  if (!settings) {
    return found(findings, "settings", settings.error().message,
                 "correct the variable ANTHROPIC_BASE_URL, or unset it");
  }
  if (is_set("ANTHROPIC_API_KEY") && is_set("ANTHROPIC_AUTH_TOKEN")) {
    found(findings, "settings", "ANTHROPIC_API_KEY and ANTHROPIC_AUTH_TOKEN are both set, and only the key is sent",
          "unset the one that you do not mean");
  }
  const auto url = host::without_credentials(settings->endpoint.base_url);
  const bool has_key = settings->from.contains("key");
  if (has_key && url.starts_with("http://") && !is_here(url)) {
    found(findings, "settings", fmt::format("the key would go to {} unencrypted", url), "use https://");
  }
  for (const char* name : {"SSL_CERT_FILE", "SSL_CERT_DIR"}) {
    if (!is_set(name) || any_readable(::getenv(name))) continue;
    found(findings, "settings", fmt::format("{} = {} cannot be read", name, ::getenv(name)),
          "correct the variable, or unset it");
  }
  if (findings.size() > before) return;
  findings.push_back({"settings",
                      Finding::fine,
                      fmt::format("of the environment: {} answers, {} learns, at {}{}", settings->chat_model,
                                  settings->memory_model, url, has_key ? "" : "; no key, so only offline"),
                      {}});
}

const char* word_for(Finding::State state) {
  return state == Finding::fine ? "ok" : state == Finding::found ? "found" : "fixed";
}

rpc::Value encoded(const std::vector<Finding>& findings) {
  rpc::Array list;
  for (const auto& finding : findings) {
    list.push_back(rpc::Map{{"check", finding.check},
                            {"state", word_for(finding.state)},
                            {"text", finding.text},
                            {"advice", finding.advice}});
  }
  return list;
}

}  // namespace

int doctor(const Options& options, const DoctorOptions& own, Streams& streams) {
  const auto path = options.db.empty() ? store::default_path() : options.db;
  if (path.empty()) {
    return fail(streams.err, {ErrorKind::invalid, "The store has no place; set SELFMIND_DB to a file."});
  }
  auto findings = store::examine(path, streams.clock, streams.ids, own.fix);
  findings.push_back({"versions",
                      Finding::fine,
                      fmt::format("selfmind-host {}, protocol {}, schema {}, SQLite {}{}", host::program_version,
                                  host::protocol_version, store::schema_version, store::sqlite_version(),
                                  own.libraries.empty() ? "" : ", " + own.libraries),
                      {}});
  check_settings(findings);
  const bool well = std::none_of(findings.begin(), findings.end(),
                                 [](const Finding& finding) { return finding.state == Finding::found; });
  if (options.json) {
    print_json(streams.out, rpc::Map{{"db", path}, {"ok", well}, {"findings", encoded(findings)}});
  } else {
    for (const auto& finding : findings) {
      streams.out << fmt::format("{:<6} {:<9} {}{}\n", word_for(finding.state), finding.check, finding.text,
                                 finding.advice.empty() ? "" : ": " + finding.advice);
    }
  }
  if (well) return exit_done;
  return fail(streams.err, {ErrorKind::invalid, own.fix ? "Not everything could be mended; what is left says how."
                                                        : "Something was found; see what is said of it, or run "
                                                          "`selfmind-host doctor --fix`."});
}

}  // namespace selfmind::cli

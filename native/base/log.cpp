#include "base/log.h"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace selfmind::log {
namespace {

spdlog::level::level_enum to_spdlog(Level level) {
  switch (level) {
    case Level::debug:
      return spdlog::level::debug;
    case Level::info:
      return spdlog::level::info;
    case Level::warning:
      return spdlog::level::warn;
    case Level::error:
      return spdlog::level::err;
    case Level::off:
      return spdlog::level::off;
  }
  return spdlog::level::warn;
}

std::shared_ptr<spdlog::logger> make(const std::string& path) {
  if (path.empty())
    return std::make_shared<spdlog::logger>("selfmind", std::make_shared<spdlog::sinks::stderr_sink_mt>());
  return std::make_shared<spdlog::logger>("selfmind", std::make_shared<spdlog::sinks::basic_file_sink_mt>(path));
}

std::shared_ptr<spdlog::logger>& logger() {
  static std::shared_ptr<spdlog::logger> instance = [] {
    auto fresh = make({});
    fresh->set_level(spdlog::level::warn);
    return fresh;
  }();
  return instance;
}

}  // namespace

void open(const std::string& path, Level level) {
  try {
    logger() = make(path);
  } catch (const spdlog::spdlog_ex& failure) {
    logger() = make({});
    logger()->warn("log file not opened: {}", failure.what());
  }
  logger()->set_level(to_spdlog(level));
  logger()->flush_on(spdlog::level::info);
}

void debug(std::string_view text) { logger()->debug("{}", text); }
void info(std::string_view text) { logger()->info("{}", text); }
void warning(std::string_view text) { logger()->warn("{}", text); }
void error(std::string_view text) { logger()->error("{}", text); }

}  // namespace selfmind::log

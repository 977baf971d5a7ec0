#include "store/key.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sodium.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/log.h"

namespace selfmind::store {
namespace {

constexpr std::size_t key_bytes = crypto_generichash_KEYBYTES;

// As the queue and the journals, beside the file that a symbolic link leads to.
std::string key_path(Database& database) {
  const std::string file = sqlite3_db_filename(database.handle(), "main");
  return file.empty() ? std::string() : file + ".key";
}

Error refused(const std::string& path, int code) {
  return {ErrorKind::io, fmt::format("The key {} could not be written: {}; nothing was forgotten. Make room or give "
                                     "yourself the right to write there, and try again.",
                                     path, std::generic_category().message(code))};
}

Result<std::string> new_key() {
  if (sodium_init() < 0) return Error{ErrorKind::io, "The system gives no random numbers; nothing was forgotten."};
  std::string key(key_bytes, '\0');
  randombytes_buf(key.data(), key.size());
  return key;
}

Result<std::optional<std::string>> read_key(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    if (errno == ENOENT) return std::optional<std::string>();
    return Error{ErrorKind::io, fmt::format("The key {} could not be read: {}; give yourself the right to read it.",
                                            path, std::generic_category().message(errno))};
  }
  std::string key(key_bytes + 1, '\0');
  file.read(key.data(), static_cast<std::streamsize>(key.size()));
  key.resize(static_cast<std::size_t>(file.gcount()));
  if (key.size() == key_bytes) return std::optional<std::string>(std::move(key));
  log::warning(
      fmt::format("{} is no key of {} bytes; what was forgotten so far is known by its ids only.", path, key_bytes));
  return std::optional<std::string>();
}

// Whole or not at all: written beside, then put in its place.
Result<void> write_key(const std::string& path, const std::string& key) {
  const std::string unfinished = path + ".unfinished";
  ::unlink(unfinished.c_str());
  const int file = ::open(unfinished.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) return refused(path, errno);
  const bool written = ::write(file, key.data(), key.size()) == static_cast<ssize_t>(key.size()) && ::fsync(file) == 0;
  const int code = written ? 0 : errno;
  ::close(file);
  if (!written) return refused(path, code);
  if (::rename(unfinished.c_str(), path.c_str()) != 0) return refused(path, errno);
  // So that the key is not younger than what it made after a power cut.
  const int folder = ::open(std::filesystem::path(path).parent_path().c_str(), O_RDONLY | O_CLOEXEC);
  if (folder >= 0) {
    (void)::fsync(folder);
    ::close(folder);
  }
  return {};
}

}  // namespace

Result<std::optional<std::string>> words_key_if_any(Database& database) {
  auto& known = database.known_key();
  if (!known.empty()) return std::optional<std::string>(known);
  const auto path = key_path(database);
  if (path.empty()) return std::optional<std::string>();
  auto key = read_key(path);
  if (key && *key) known = **key;
  return key;
}

Result<std::string> words_key(Database& database) {
  auto there = words_key_if_any(database);
  if (!there) return there.error();
  if (*there) return std::move(**there);
  auto key = new_key();
  if (!key) return key;
  if (const auto path = key_path(database); !path.empty()) {
    if (auto written = write_key(path, *key); !written) return written.error();
  }
  database.known_key() = *key;
  return key;
}

}  // namespace selfmind::store

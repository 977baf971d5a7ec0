#include "store/bytes.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <unordered_map>

#include "base/log.h"
#include "base/utf8.h"
#include "store/cut.h"
#include "store/statement.h"

namespace selfmind::store {
namespace {

// Text that fills more than a page is split at page borders, so it is looked for in pieces; long ones, because
// sentences start alike.
constexpr std::size_t piece_bytes = 64;

void add_pieces(std::string_view words, std::vector<std::string>& pieces) {
  if (words.size() <= piece_bytes) {
    pieces.emplace_back(words);
    return;
  }
  for (std::size_t at = 0; at + piece_bytes <= words.size(); at += piece_bytes) {
    pieces.emplace_back(words.substr(at, piece_bytes));
  }
  pieces.emplace_back(words.substr(words.size() - piece_bytes));
}

std::vector<std::string> pieces_of(const std::vector<std::string>& words) {
  std::vector<std::string> pieces;
  for (const auto& one : words) {
    for (const auto& spelling : spellings(one)) {
      add_pieces(spelling, pieces);
      add_pieces(json_escaped(spelling), pieces);
    }
  }
  std::sort(pieces.begin(), pieces.end());
  pieces.erase(std::unique(pieces.begin(), pieces.end()), pieces.end());
  return pieces;
}

// Looks for all pieces in one pass: forgetting a project has thousands of them, and the file may be large.
class Finder {
 public:
  explicit Finder(std::vector<std::string> pieces) {
    for (auto& piece : pieces) {
      if (piece.size() < sizeof(std::uint64_t)) {
        short_.push_back(std::move(piece));
        continue;
      }
      const auto start = start_of(piece.data());
      maybe_[slot(start)] = true;
      by_start_[start].push_back(std::move(piece));
    }
  }

  bool any_in(std::string_view bytes) const {
    for (const auto& piece : short_) {
      if (bytes.find(piece) != std::string_view::npos) return true;
    }
    if (by_start_.empty()) return false;
    for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size(); ++at) {
      const auto start = start_of(bytes.data() + at);
      if (!maybe_[slot(start)]) continue;
      const auto found = by_start_.find(start);
      if (found == by_start_.end()) continue;
      for (const auto& piece : found->second) {
        if (bytes.substr(at).starts_with(piece)) return true;
      }
    }
    return false;
  }

 private:
  static constexpr unsigned slot_bits = 16;

  static std::uint64_t start_of(const char* bytes) {
    std::uint64_t start;
    std::memcpy(&start, bytes, sizeof start);
    return start;
  }
  static std::size_t slot(std::uint64_t start) {
    return static_cast<std::size_t>((start * 0x9E37'79B9'7F4A'7C15u) >> (64 - slot_bits));
  }

  std::vector<std::string> short_;
  std::vector<bool> maybe_ = std::vector<bool>(std::size_t{1} << slot_bits);
  std::unordered_map<std::uint64_t, std::vector<std::string>> by_start_;  // by their first 8 bytes
};

// Fills the buffer from `offset`; returns how many bytes there were.
using ReadAt = std::function<std::size_t(char* buffer, std::size_t size, std::int64_t offset)>;

bool stands_in(const ReadAt& read, const Finder& finder) {
  constexpr std::size_t chunk = 1u << 20;
  std::string buffer(chunk, '\0');
  for (std::int64_t offset = 0;;) {
    const auto size = read(buffer.data(), chunk, offset);
    if (finder.any_in(std::string_view(buffer.data(), size))) return true;
    if (size < chunk) return false;
    offset += static_cast<std::int64_t>(chunk - piece_bytes);  // a piece may lie across two chunks
  }
}

// Through SQLite's own descriptor: opening and closing the file beside it would drop the locks of every connection that
// this process has to it.
bool stands_in_open_file(Database& database, const Finder& pieces) {
  sqlite3_file* file = nullptr;
  sqlite3_file_control(database.handle(), "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (file == nullptr || file->pMethods == nullptr) return false;
  return stands_in(
      [file](char* buffer, std::size_t size, std::int64_t offset) -> std::size_t {
        sqlite3_int64 end = 0;
        if (file->pMethods->xFileSize(file, &end) != SQLITE_OK || offset >= end) return 0;
        const auto wanted = std::min<std::int64_t>(static_cast<std::int64_t>(size), end - offset);
        const int code = file->pMethods->xRead(file, buffer, static_cast<int>(wanted), offset);
        return code == SQLITE_OK ? static_cast<std::size_t>(wanted) : 0;
      },
      pieces);
}

bool stands_in(const std::filesystem::path& path, const Finder& pieces) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  return stands_in(
      [&file](char* buffer, std::size_t size, std::int64_t offset) {
        file.clear();
        file.seekg(offset);
        file.read(buffer, static_cast<std::streamsize>(size));
        return static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0));
      },
      pieces);
}

// In WAL mode old bytes leave the log only so. Another reader makes it give up, which is not an error but a row.
void empty_log(Database& database) {
  if (database.journal_mode() != "wal") return;
  if (auto done = database.execute("PRAGMA wal_checkpoint(TRUNCATE)"); !done) log::warning(done.error().message);
}

}  // namespace

Result<void> rebuild(Database& database) {
  empty_log(database);
  {
    // Always: secure_delete leaves parts of moved cells in the gaps of pages, too short and too common to be looked
    // for.
    const auto rebuilt = database.execute_in_turn("VACUUM");
    if (!rebuilt) {
      log::warning(rebuilt.error().message);
      return rebuilt.error();
    }
    empty_log(database);
  }
  return {};
}

bool stand_in_store(Database& database, const std::vector<std::string>& words) {
  const Finder pieces(pieces_of(words));
  if (stands_in_open_file(database, pieces)) return true;
  return stands_in(database.path() + "-wal", pieces) || stands_in(database.path() + "-journal", pieces);
}

bool stand_in_file(const std::string& path, const std::vector<std::string>& words) {
  return stands_in(path, Finder(pieces_of(words)));
}

}  // namespace selfmind::store

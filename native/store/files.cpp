#include "store/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace selfmind::store {
namespace {

Error refused(std::string_view what, const std::string& path, int code) {
  return {ErrorKind::io, fmt::format("{} {}: {}; choose another place for the store with --db or SELFMIND_DB.", what,
                                     path, std::generic_category().message(code))};
}

Result<void> make_folders(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (folder.empty() || std::filesystem::is_directory(folder, ignored)) return {};
  if (folder.has_relative_path()) {
    if (auto above = make_folders(folder.parent_path()); !above) return above;
  }
  // Another editor may be making the same folder now.
  if (::mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return refused("Cannot make the folder", folder.string(), errno);
}

// By name only: closing a descriptor of the file would drop the locks that this process' other connections hold.
Result<struct stat> look(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return refused("Cannot look at the store", path, errno);
  if (!S_ISREG(status.st_mode)) {
    return Error{ErrorKind::io, fmt::format("{} is not a file; name a file for the store.", path)};
  }
  return status;
}

}  // namespace

Result<void> make_private_file(const std::string& path) {
  if (auto made = make_folders(std::filesystem::path(path).parent_path()); !made) return made;
  const int file = ::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) {
    ::close(file);
    return {};
  }
  if (errno != EEXIST) return refused("Cannot make the store", path, errno);
  if (auto looked = look(path); !looked) return looked.error();
  return {};
}

Result<void> close_to_others(const std::string& path) {
  const auto status = look(path);
  if (!status) return status.error();
  const bool open_to_others = (status->st_mode & 077) != 0;
  if (open_to_others && status->st_uid == ::geteuid() && ::chmod(path.c_str(), 0600) != 0) {
    return refused("Cannot take other people's rights from", path, errno);
  }
  return {};
}

}  // namespace selfmind::store

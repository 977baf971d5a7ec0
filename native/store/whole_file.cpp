#include "store/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace selfmind::store {
namespace {

Error refused(const std::string& path, int code) {
  return {ErrorKind::io,
          fmt::format("{} could not be written: {}; name another file.", path, std::generic_category().message(code))};
}

Error is_there(const std::string& path) {
  return {ErrorKind::invalid, fmt::format("{} is there already; name another file, or move it away.", path)};
}

bool exists(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

// Of a file or a folder.
Result<void> to_disk(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return refused(path, errno);
  // Some file systems cannot do it for folders.
  const bool failed = ::fsync(file) != 0 && errno != EINVAL && errno != ENOTSUP;
  const int code = errno;
  ::close(file);
  if (failed) return refused(path, code);
  return {};
}

// link() never replaces anything, which rename() does.
Result<void> take_name(const std::string& unfinished, const std::string& path, IfThere if_there) {
  if (if_there == IfThere::refuse) {
    if (::link(unfinished.c_str(), path.c_str()) == 0) {
      ::unlink(unfinished.c_str());
      return {};
    }
    if (errno == EEXIST || exists(path)) return is_there(path);
    // A file system without links.
  }
  if (::rename(unfinished.c_str(), path.c_str()) != 0) return refused(path, errno);
  return {};
}

}  // namespace

Result<void> write_whole(const std::string& path, IfThere if_there,
                         const std::function<Result<void>(const std::string& unfinished)>& write) {
  if (if_there == IfThere::refuse && exists(path)) return is_there(path);
  const std::string unfinished = path + ".unfinished";
  ::unlink(unfinished.c_str());  // of one that was killed
  const int file = ::open(unfinished.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0) return refused(path, errno);
  ::close(file);
  auto done = write(unfinished);
  if (done) done = to_disk(unfinished);
  if (done) done = take_name(unfinished, path, if_there);
  if (!done) {
    ::unlink(unfinished.c_str());
    return done;
  }
  const auto folder = std::filesystem::path(path).parent_path();
  return to_disk(folder.empty() ? "." : folder.string());
}

}  // namespace selfmind::store

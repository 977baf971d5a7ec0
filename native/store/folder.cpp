// look_at of projects.h: the file system's side of a project. Starts no process.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/utf8.h"
#include "store/git_config.h"
#include "store/projects.h"

namespace selfmind::store {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t git_file_bytes = 1u << 20;  // a configuration of a megabyte is no configuration

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(git_file_bytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return text;
}

// A path written in a git file, seen from `base`; empty when it leads nowhere.
fs::path resolved(const fs::path& base, std::string_view written) {
  std::error_code failed;
  const auto path = fs::canonical(base / utf8::trim(written), failed);
  return failed ? fs::path() : path;
}

// The git folder of `top` itself; empty when it has none.
fs::path git_folder(const fs::path& top) {
  const fs::path dot_git = top / ".git";
  std::error_code ignored;
  if (fs::is_directory(dot_git, ignored)) return fs::exists(dot_git / "HEAD", ignored) ? dot_git : fs::path();
  if (!fs::is_regular_file(dot_git, ignored)) return {};
  constexpr std::string_view mark = "gitdir:";
  const std::string text = read_file(dot_git);
  return text.starts_with(mark) ? resolved(top, std::string_view(text).substr(mark.size())) : fs::path();
}

// What all work trees of one repository share.
fs::path common_folder(const fs::path& git) {
  const std::string text = read_file(git / "commondir");
  const auto common = text.empty() ? fs::path() : resolved(git, text);
  return common.empty() ? git : common;
}

// A linked work tree stands for the repository it belongs to, so that all of them are one project without a remote too.
fs::path home_of(const fs::path& top, const fs::path& git, const fs::path& common) {
  if (git == common) return top;
  return common.filename().string().starts_with('.') ? common.parent_path() : common;
}

std::vector<std::string> remotes_in(const fs::path& config) {
  auto remotes = git_remotes(read_file(config));
  std::stable_partition(remotes.begin(), remotes.end(),
                        [](const GitRemote& remote) { return remote.name == "origin"; });
  std::vector<std::string> normalised;
  for (const auto& remote : remotes) {
    auto key = normalise_remote(remote.url);
    if (key.empty() || std::find(normalised.begin(), normalised.end(), key) != normalised.end()) continue;
    normalised.push_back(std::move(key));
  }
  return normalised;
}

}  // namespace

Result<ProjectFacts> look_at(const std::string& folder) {
  std::error_code failed;
  const fs::path start = fs::canonical(folder, failed);
  if (failed || !fs::is_directory(start, failed)) {
    return Error{ErrorKind::not_found, fmt::format("There is no folder {}; name one that exists.", folder)};
  }
  for (fs::path top = start;; top = top.parent_path()) {
    if (const auto git = git_folder(top); !git.empty()) {
      const auto common = common_folder(git);
      return ProjectFacts{home_of(top, git, common).string(), remotes_in(common / "config")};
    }
    if (top == top.root_path()) return ProjectFacts{start.string(), {}};
  }
}

}  // namespace selfmind::store

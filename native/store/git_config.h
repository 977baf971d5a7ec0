// Reading a git configuration's text. Pure; used by folder.cpp.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace selfmind::store {

struct GitRemote {
  std::string name;
  std::string url;
};

// Every `url` of every [remote "name"] section, in the order of the file. What cannot be read is passed over.
std::vector<GitRemote> git_remotes(std::string_view config);

}  // namespace selfmind::store

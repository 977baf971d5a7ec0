// A file that is there whole or not at all, for its owner alone: backups and exports.
#pragma once
#include <functional>
#include <string>

#include "base/result.h"

namespace selfmind::store {

enum class IfThere { refuse, replace };

// `write` fills the file that it is named, empty and with mode 0600, in the folder of `path`; when it is done that file
// is brought to the disk and takes the name `path`. ErrorKind::invalid when `path` exists and is not to be replaced.
Result<void> write_whole(const std::string& path, IfThere if_there,
                         const std::function<Result<void>(const std::string& unfinished)>& write);

}  // namespace selfmind::store

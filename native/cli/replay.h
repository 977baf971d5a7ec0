// Plays a recording (host/recorder.h) again: its events go to fresh turns and a fresh learning manager, and the
// commands that come out are compared with those that came out then.
#pragma once
#include <iosfwd>
#include <string>

namespace selfmind::cli {

// exit_done: "N turns, M events: all the same". exit_failed: what differs, or one sentence on `err` when the file is no
// recording or a damaged one.
int replay(const std::string& file, std::ostream& out, std::ostream& err);

}  // namespace selfmind::cli

#include "store/ticket.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <thread>
#include <utility>

namespace selfmind::store {
namespace {

// The file holds one native 64-bit integer, the next number. Who stands in the queue is told by locks alone, which the
// kernel takes back from whoever dies: byte 0 is locked while a number is drawn, byte `first_place` + n by number n.
// Locks reach beyond the end of the file, so it stays this small.
//
// The locks belong to the open file and not to the process (F_OFD_SETLK: Linux, and macOS where its headers have it).
// POSIX locks would be shared by all connections of a process and lost when any of them closes the file.
constexpr off_t drawing = 0;
constexpr off_t first_place = 16;
constexpr std::int64_t last_number = std::int64_t{1} << 60;

using std::chrono::milliseconds;
using std::chrono::steady_clock;

[[maybe_unused]] constexpr milliseconds longest_pause{20};

#ifdef F_OFD_SETLK

enum class Locked { yes, taken, impossible };

struct flock one_byte(off_t at, short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = at;
  lock.l_len = 1;
  return lock;
}

Locked lock(int file, off_t at) {
  struct flock wanted = one_byte(at, F_WRLCK);
  if (::fcntl(file, F_OFD_SETLK, &wanted) == 0) return Locked::yes;
  return errno == EAGAIN || errno == EACCES ? Locked::taken : Locked::impossible;
}

void unlock(int file, off_t at) {
  struct flock wanted = one_byte(at, F_UNLCK);
  static_cast<void>(::fcntl(file, F_OFD_SETLK, &wanted));
}

// The smallest number in the queue below `number`.
std::optional<std::int64_t> first_before(int file, std::int64_t number) {
  std::optional<std::int64_t> first;
  while (first.value_or(number) > 0) {
    struct flock others = one_byte(first_place, F_RDLCK);
    others.l_len = static_cast<off_t>(first.value_or(number));
    if (::fcntl(file, F_OFD_GETLK, &others) != 0 || others.l_type == F_UNLCK) break;
    first = others.l_start - first_place;  // one of them, not the first one yet
  }
  return first;
}

// A number of one's own; none when the file cannot be used, or somebody is stopped in the middle of drawing.
std::optional<std::int64_t> draw_number(int file, steady_clock::time_point limit) {
  for (Locked locked = lock(file, drawing); locked != Locked::yes; locked = lock(file, drawing)) {
    if (locked == Locked::impossible || steady_clock::now() >= limit) return std::nullopt;
    std::this_thread::sleep_for(milliseconds(1));
  }
  std::int64_t next = 0;
  if (::pread(file, &next, sizeof next, 0) != sizeof next || next < 0 || next > last_number) next = 0;
  // Numbers above are taken only when somebody has emptied the file.
  Locked mine = lock(file, first_place + static_cast<off_t>(next));
  while (mine == Locked::taken) mine = lock(file, first_place + static_cast<off_t>(++next));
  const std::int64_t following = next + 1;
  const bool written = ::pwrite(file, &following, sizeof following, 0) == sizeof following;
  unlock(file, drawing);
  if (mine != Locked::yes || !written) return std::nullopt;
  return next;
}

// How long to sleep before the next look: an eighth of the time that the first in the queue has taken so far, so that
// little is lost when it is done, and longer for who has others before it.
steady_clock::duration pause(steady_clock::duration so_far, std::int64_t places) {
  const auto next_one = std::clamp<steady_clock::duration>(so_far / 8, std::chrono::microseconds(100), longest_pause);
  return std::min<steady_clock::duration>(next_one * std::min<std::int64_t>(places, 100), longest_pause);
}

#endif

}  // namespace

Ticket Ticket::draw([[maybe_unused]] const std::string& path, [[maybe_unused]] milliseconds patience) {
  Ticket ticket;
#ifdef F_OFD_SETLK
  if (path.empty()) return ticket;
  const auto limit = steady_clock::now() + patience;
  ticket.file_ = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (ticket.file_ < 0) return ticket;
  const auto number = draw_number(ticket.file_, limit);
  if (!number) return Ticket();
  auto moved_up = steady_clock::now();
  std::int64_t seen = -1;
  while (const auto first = first_before(ticket.file_, *number)) {
    const auto now = steady_clock::now();
    if (now >= limit) {
      ticket.has_turn_ = false;
      break;
    }
    if (std::exchange(seen, *first) != *first) moved_up = now;
    std::this_thread::sleep_for(pause(now - moved_up, *number - *first));
  }
#endif
  return ticket;
}

Ticket::Ticket(Ticket&& other) noexcept : file_(std::exchange(other.file_, -1)), has_turn_(other.has_turn_) {}

Ticket& Ticket::operator=(Ticket&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(has_turn_, other.has_turn_);
  return *this;
}

Ticket::~Ticket() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace selfmind::store

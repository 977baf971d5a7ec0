// Ticket: a writer's place in the queue of all programs on one store. SQLite's own wait for its lock is a lottery with
// ever longer pauses, in which ten busy writers make one of them lose for seconds; with a number each, they write in
// the order they came. The queue is a courtesy: SQLite's lock alone keeps the store whole, so where the queue cannot be
// used (a file system without locks, a folder that cannot be written) there is none. Any thread.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace selfmind::store {

class Ticket {
 public:
  // Draws the next number and waits until every smaller one is given back, `patience` at most. An empty path: no queue.
  static Ticket draw(const std::string& path, std::chrono::milliseconds patience);

  Ticket() = default;  // for who needs none
  Ticket(Ticket&& other) noexcept;
  Ticket& operator=(Ticket&& other) noexcept;
  // Gives the number back, as the end of its process does.
  ~Ticket();

  // False when patience ended first. Where there is no queue it is always one's turn.
  bool has_turn() const { return has_turn_; }

 private:
  int file_ = -1;
  bool has_turn_ = true;
};

}  // namespace selfmind::store

// Do the user's words carry what a memory says? A memory model may quote truly and then say something else. Pure.
#pragma once
#include <cstddef>
#include <string_view>

#include "base/clock.h"

namespace selfmind::learn {

struct Support {
  double share = 0;              // of the memory's words that say something, those that were said, 0 to 1
  std::size_t carried = 0;       // how many of them were said, or are of a date that was
  std::size_t added = 0;         // how many were not said and are no words of any sentence ("uses", "has")
  bool of_the_chat = false;      // it speaks of the assistant, of whom nothing was said
  bool negated = false;          // it denies, and nothing that was said does
  bool number_invented = false;  // it has a number that was not said and is no part of a date
  bool name_invented = false;    // a name, or a file or an identifier
};

// `said`: the user's own words, and the assistant's where the user agreed to them. A date may be written out where the
// user names a time, counted from `said_at`.
Support support(std::string_view memory, std::string_view said, Time said_at);

}  // namespace selfmind::learn

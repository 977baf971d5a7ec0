// A store in a file, with the product's schema, full of made-up text.
#pragma once
#include <string>
#include <vector>

#include "text.h"

namespace selfmind::bench {

// Which items there are, and of how many words: memories alone have 18; `brief` are memories and messages, as many of
// each and 18 words long; `mixed` are memories of 18 words, messages of 40 and replies of 250, as many of each.
// Messages and replies stand in chats of 10 to 40 turns, and each memory names the message that it came from. One
// memory in five is global, everything else is one project's.
enum class Kind { memories, brief, mixed };

struct Contents {
  std::size_t items = 0;
  std::size_t chats = 0;
  std::size_t vocabulary = 0;  // different words that there are to choose from
};

// The project's id in the store is `the_project`.
Contents write_store(const std::string& path, Kind kind, std::size_t items);
inline constexpr std::int64_t the_project = 1;

// How many words all items have together.
double words_in(Kind kind, std::size_t items);

// The store's last item ends with this; nothing else has it.
inline constexpr const char* last_word = "ultimazzup";

}  // namespace selfmind::bench

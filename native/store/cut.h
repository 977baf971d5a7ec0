// Cutting words out of text, wherever they stand verbatim. Pure; used by erase.cpp, feed.cpp and bytes.cpp.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace selfmind::store {

inline constexpr std::string_view forgotten_mark = "[forgotten]";
// In what is recalled of the log; the log itself keeps the words.
inline constexpr std::string_view superseded_mark = "[superseded]";

// The forms in which `words` may stand in a text we made of them: as they are, in one line, and with &, < and >
// escaped.
std::vector<std::string> spellings(std::string_view words);

// As they stand inside a JSON string.
std::string json_escaped(std::string_view words);

// Too short to be cut from texts that need not mean the same thing by them.
bool is_short(std::string_view words);

// Nothing but marks, blanks, or nothing at all.
bool nothing_left(std::string_view text);
bool is_only(std::string_view mark, std::string_view text);
std::string without(std::string_view mark, std::string_view text);

class Cutter {
 public:
  explicit Cutter(const std::vector<std::string>& words, std::string_view mark = forgotten_mark);

  // Each returns whether anything was cut, and puts the mark in its place.
  bool cut(std::string& text) const;
  // In a text of ours made of excerpts: one that "…" ends in the middle of the words is cut as well.
  bool cut_block(std::string& block) const;
  // Inside the strings of a JSON document, which stays one.
  bool cut_json(std::string& json) const;

 private:
  std::string_view mark_;
  std::vector<std::string> needles_;  // the longest first, so that none is cut in two by a part of it
};

// What was said in chats that go, to find the excerpts of it in blocks that were sent elsewhere, and in answers out of
// memory: lines of ours (turn/memory_block.cpp) that give a text of the log, or the part of it in question.
class Excerpts {
 public:
  explicit Excerpts(const std::vector<std::string>& texts);

  bool cut(std::string& block) const;

 private:
  bool is_one(std::string_view given) const;

  std::vector<std::string> texts_;  // each in one line
};

}  // namespace selfmind::store

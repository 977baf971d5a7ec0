// What of a message the user says themselves: its sentences, without what is pasted or quoted. Pure; linear time.
#pragma once
#include <string_view>
#include <vector>

namespace selfmind::learn {

// The sentences of the message, verbatim, in its order. Left out are fenced and indented code, lines behind ">", logs,
// stack traces, diffs, mails with their headers, markup, and what follows a line that announces a text ("translate
// this:"). A guess, and meant to leave out too much rather than too little.
std::vector<std::string_view> spoken_sentences(std::string_view message);

// Do words of another stand in the sentence: three or more between quotation marks?
bool quotes_words(std::string_view sentence);

}  // namespace selfmind::learn

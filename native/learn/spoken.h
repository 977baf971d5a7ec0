// What of a message the user says themselves: its sentences, without what is pasted or quoted. Pure; linear time.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace selfmind::learn {

// The sentences of the message, verbatim, in its order. Left out are fenced and indented code, lines behind ">", logs,
// stack traces, diffs, mails with their headers, markup, and what follows a line that announces a text ("translate
// this:"). A guess, and meant to leave out too much rather than too little.
std::vector<std::string_view> spoken_sentences(std::string_view message);

// The message with "[…]" in place of what is pasted or quoted in it and tells somebody what to do, or speaks as the
// user or of them: taken for the user's own it would be an order or a memory. What else is pasted, as a log or code,
// stays.
std::string without_foreign_claims(std::string_view message);

// The reply without what it repeats of that, from five words on; "[…]" in its place.
std::string without_repeated_claims(std::string_view reply, std::string_view message);

// Do words of another stand in the sentence: three or more between quotation marks?
bool quotes_words(std::string_view sentence);

}  // namespace selfmind::learn

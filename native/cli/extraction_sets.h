// Extraction sets: what is worth remembering in a text, answers of a scripted memory model, pairs of memories. JSON
// objects, a line each, and any of the three in any file.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace selfmind::cli {

struct Labelled {
  std::string type;  // a kind, or another set's word for it: "commitment", "opinion"
  std::string quote;
};

// {"id","text","memories":[{"type","content"?,"quote"?}], "lang"?, "class"?, "reply"?}
struct Exchange {
  std::string id;
  std::string text;
  std::string reply;
  std::string group;  // its "class"
  std::vector<Labelled> memories;
};

// {"of": id of an exchange, "answer": the model's text, "memories": what has to survive, "stop_reason"?,
// "unreadable"?: the answer is none, and has to be taken for none}
struct ScriptedAnswer {
  std::string of;
  std::string answer;
  bool cut = false;
  bool unreadable = false;
  std::vector<Labelled> memories;
};

// {"a","b","same","why"?}
struct Pair {
  std::string a;
  std::string b;
  bool same = false;
};

struct ExtractionSets {
  std::vector<Exchange> exchanges;
  std::vector<ScriptedAnswer> answers;
  std::vector<Pair> pairs;
};

// ErrorKind::io: a file cannot be read; ErrorKind::invalid: a line is none of these; it names the line.
Result<ExtractionSets> read_extraction_sets(const std::vector<std::string>& files);

}  // namespace selfmind::cli

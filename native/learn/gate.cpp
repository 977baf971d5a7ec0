#include "learn/gate.h"

#include <algorithm>

#include "base/limits.h"
#include "base/utf8.h"
#include "learn/spoken.h"
#include "text/words.h"

namespace selfmind::learn {
namespace {

// Models straighten quotation marks and re-flow lines; what is left after this has to be the same.
std::string comparable(std::string_view text) {
  std::string folded = text::fold(text);
  for (const std::string_view mark : {"“", "”", "„", "‘", "’", "\"", "'"}) {
    for (auto at = folded.find(mark); at != std::string::npos; at = folded.find(mark, at))
      folded.erase(at, mark.size());
  }
  std::string out;
  for (const char c : folded) {
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!space) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  return std::string(utf8::trim(out));
}

// What the user says themselves, in one piece: a quotation may go over the end of a sentence, not into what is pasted.
std::string spoken(std::string_view message) {
  std::string text;
  for (const auto sentence : spoken_sentences(message)) {
    text += sentence;
    text += ' ';
  }
  return comparable(text);
}

bool known_kind(const std::string& kind) {
  return std::find(std::begin(store::memory_kinds), std::end(store::memory_kinds), kind) !=
         std::end(store::memory_kinds);
}

}  // namespace

std::vector<store::MemoryDraft> gate(const std::vector<Candidate>& candidates, const store::QueueEntry& entry) {
  const std::string said = spoken(entry.user_text);
  std::vector<store::MemoryDraft> drafts;
  for (const auto& candidate : candidates) {
    if (drafts.size() == limits::memories_per_turn) break;
    const std::string text = utf8::clean(utf8::trim(candidate.text));
    const std::string quote = comparable(candidate.quote);
    if (text.empty() || text.size() > limits::memory_bytes || !known_kind(candidate.kind)) continue;
    if (quote.empty() || said.find(quote) == std::string::npos) continue;
    store::MemoryDraft draft;
    draft.text = text;
    draft.kind = candidate.kind;
    draft.made_by = entry.by_rules ? "rules" : "learn";
    if (entry.review) draft.state = "quarantined";
    draft.project = entry.project;
    draft.evidence.push_back({entry.turn, std::string(utf8::trim(candidate.quote))});
    drafts.push_back(std::move(draft));
  }
  return drafts;
}

}  // namespace selfmind::learn

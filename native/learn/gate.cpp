#include "learn/gate.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/limits.h"
#include "base/utf8.h"
#include "learn/comparison.h"
#include "learn/forms.h"
#include "learn/phrase.h"
#include "learn/relation.h"
#include "learn/spoken.h"
#include "learn/support.h"
#include "text/words.h"

namespace selfmind::learn {
namespace {

// Of a memory's words this share was said; the rest is how one speaks of a user.
constexpr double support_min = 0.34;
// And this share in the sentences that it quotes; the others may say what they speak of.
constexpr double quoted_min = 0.2;
// By the model's own scores: below the first two it is dropped, below or above the others it waits.
constexpr double durability_min = 0.25;
constexpr double utility_min = 0.1;
constexpr double confidence_min = 0.3;
constexpr double sensitivity_max = 0.8;
// A validity farther away is a mistake.
constexpr auto validity_max = std::chrono::days(20 * 366);

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
class Spoken {
 public:
  explicit Spoken(std::string_view message) : sentences_(spoken_sentences(message)) {
    for (const auto sentence : sentences_) {
      text_ += comparable(sentence);
      ends_.push_back(text_.size());
      text_ += ' ';
      as_written_ += sentence;
      as_written_ += '\n';
    }
  }

  // The sentences that a quotation touches; none: it does not stand here.
  std::vector<std::string_view> around(std::string_view quote) const {
    const std::string wanted = comparable(quote);
    const auto begin = wanted.empty() ? std::string::npos : text_.find(wanted);
    std::vector<std::string_view> touched;
    if (begin == std::string::npos) return touched;
    for (std::size_t i = 0; i < sentences_.size(); ++i) {
      const auto from = i == 0 ? 0 : ends_[i - 1] + 1;
      if (from < begin + wanted.size() && begin < ends_[i]) touched.push_back(sentences_[i]);
    }
    return touched;
  }

  const std::string& as_written() const { return as_written_; }

 private:
  std::vector<std::string_view> sentences_;
  std::string text_;
  std::vector<std::size_t> ends_;
  std::string as_written_;
};

// "client_secret: [secret: secret]": the marks apart there is but a word.
bool tells_of_a_secret_alone(std::string text) {
  constexpr std::string_view mark = "[secret: ";
  constexpr std::size_t words_min = 3;
  bool marked = false;
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    const auto end = text.find(']', at);
    text.erase(at, end == std::string::npos ? end : end + 1 - at);
    marked = true;
  }
  return marked && words_of(text).size() < words_min;
}

bool known_kind(const std::string& kind) {
  return std::find(std::begin(store::memory_kinds), std::end(store::memory_kinds), kind) !=
         std::end(store::memory_kinds);
}

// What holds for the user anywhere; anything else belongs to what it was said about. A fact does where they speak of
// themselves: "the database", "our server" are a project's.
bool may_hold_everywhere(const std::string& kind, std::string_view quote) {
  static const std::set<std::string, std::less<>> self = {
      "i",      "i'm", "i've", "i'd", "my",   "me", "mine", "ich", "mein", "meine", "meinen",
      "meinem", "mir", "mich", "je",  "j'ai", "j",  "mon",  "ma",  "mes",  "moi",   "我"};
  if (kind == "preference" || kind == "identity") return true;
  if (kind != "fact" && kind != "lesson" && kind != "correction") return false;
  const auto words = words_of(quote);
  return std::any_of(words.begin(), words.end(), [](const Word& word) { return self.count(word.folded) > 0; });
}

std::string track_of(const Candidate& candidate) {
  if (candidate.track == "autobiographical" || candidate.track == "epistemic") return candidate.track;
  const bool happened = candidate.kind == "incident" || candidate.kind == "lesson" || candidate.kind == "correction";
  return happened ? "autobiographical" : "epistemic";
}

std::string scene_of(const Candidate& candidate) {
  const std::string scene = utf8::clean(utf8::trim(text::fold(candidate.scene)));
  const bool one_line = scene.find_first_of("\n\r") == std::string::npos;
  return one_line && scene.size() <= limits::scene_bytes ? scene : std::string();
}

bool is_over(const std::optional<Time>& end, Time said_at) { return end && *end < said_at; }

// Its first or its last moment; nothing where it is no day, or one out of reach.
std::optional<Time> day(const std::string& written, Time said_at, bool last) {
  if (written.empty()) return std::nullopt;
  const auto span = parse_day(written);
  if (!span) return std::nullopt;
  const Time time = last ? span->last() : span->from;
  if (time < said_at - validity_max || time > said_at + validity_max) return std::nullopt;
  return time;
}

class Gate {
 public:
  Gate(const store::QueueEntry& entry, const std::vector<store::Memory>& known)
      : entry_(entry), known_(known), spoken_(entry.user_text) {}

  std::optional<store::MemoryDraft> pass(const Candidate& candidate) const {
    auto draft = candidate.assents_to.empty() ? stated(candidate) : assented(candidate);
    if (!draft || !fits(candidate, *draft)) return std::nullopt;
    if (entry_.review) draft->state = "quarantined";
    return draft;
  }

 private:
  std::optional<store::MemoryDraft> begun(const Candidate& candidate) const {
    store::MemoryDraft draft;
    draft.text = utf8::clean(utf8::trim(candidate.text));
    if (draft.text.empty() || draft.text.size() > limits::memory_bytes || !known_kind(candidate.kind)) return {};
    draft.kind = candidate.kind;
    draft.made_by = entry_.by_rules ? "rules" : "learn";
    draft.track = track_of(candidate);
    draft.scene = scene_of(candidate);
    draft.scores = candidate.scores;
    const bool everywhere = candidate.everywhere && may_hold_everywhere(candidate.kind, candidate.quote);
    draft.project = everywhere ? store::no_id : entry_.project;
    draft.evidence.push_back({entry_.turn, std::string(utf8::trim(candidate.quote))});
    return draft;
  }

  // The user says so.
  std::optional<store::MemoryDraft> stated(const Candidate& candidate) const {
    const auto sentences = spoken_.around(candidate.quote);
    const auto says = [&](std::string_view sentence) { return asserts(sentence, candidate.kind); };
    auto draft = begun(candidate);
    if (!draft || std::none_of(sentences.begin(), sentences.end(), says)) return std::nullopt;
    if (entry_.by_rules) return draft;
    const auto found = support(draft->text, spoken_.as_written(), entry_.said_at);
    if (found.share < support_min || found.number_invented || found.negated || found.of_the_chat) return std::nullopt;
    if (turns_it(draft->text, sentences)) return std::nullopt;
    if (support(draft->text, joined(sentences), entry_.said_at).share < quoted_min) return std::nullopt;
    if (tells_of_a_secret_alone(draft->text) || says_too_little(found, candidate.quote) ||
        is_fragment(candidate.quote, sentences))
      return std::nullopt;
    if (found.name_invented || says_other(found, *draft, candidate.quote)) draft->state = "quarantined";
    if (std::any_of(sentences.begin(), sentences.end(), names_a_time)) add_validity(candidate, *draft);
    if (is_over(draft->valid_to, entry_.said_at)) return std::nullopt;
    if (!spoken_.around(candidate.reason).empty()) draft->reason = utf8::trim(candidate.reason);
    relate(candidate, *draft);
    return draft;
  }

  static std::string joined(const std::vector<std::string_view>& sentences) {
    std::string all;
    for (const auto sentence : sentences) all.append(sentence).append("\n");
    return all;
  }

  // "The legal desk is in charge of the store", of "The QA lead looks after the store": much of it nobody said, and
  // much of what was said it leaves out. It may be a good paraphrase, so the user has the last word.
  bool says_other(const Support& found, const store::MemoryDraft& draft, const std::string& quote) const {
    constexpr double share_min = 0.5;
    constexpr std::size_t added_max = 2, left_out_max = 1;
    return found.share < share_min && found.added > added_max &&
           support(quote, draft.text, entry_.said_at).added > left_out_max;
  }

  // "Prefers charts over tables", of "I like tables better than charts".
  static bool turns_it(std::string_view text, const std::vector<std::string_view>& sentences) {
    const auto compared = comparisons_in(text);
    if (compared.empty()) return false;
    std::vector<Comparison> said;
    for (const auto sentence : sentences) {
      for (auto& comparison : comparisons_in(sentence)) said.push_back(std::move(comparison));
    }
    return are_turned(compared, said) && !are_alike(compared, said);
  }

  // "The port", of a longer sentence: that says nothing yet.
  static bool is_fragment(const std::string& quote, const std::vector<std::string_view>& sentences) {
    constexpr std::size_t words_min = 3;
    const auto words = words_of(quote).size();
    return words < words_min && std::none_of(sentences.begin(), sentences.end(), [&](std::string_view sentence) {
             return words_of(sentence).size() < words_min + 1;
           });
  }

  // "The user has to do with ports", of a sentence that says much more: one word of it is no memory.
  bool says_too_little(const Support& found, const std::string& quote) const {
    return found.carried < 2 && support(quote, quote, entry_.said_at).carried > 2;
  }

  // The user only agrees. What the assistant said is then what the memory says, so the user has the last word.
  std::optional<store::MemoryDraft> assented(const Candidate& candidate) const {
    const auto proposed = comparable(candidate.assents_to);
    auto draft = begun(candidate);
    if (!draft || !is_assent(entry_.user_text) || spoken_.around(candidate.quote).empty()) return std::nullopt;
    if (proposed.empty() || comparable(entry_.before_text).find(proposed) == std::string::npos) return std::nullopt;
    const auto found = support(draft->text, spoken_.as_written() + candidate.assents_to, entry_.said_at);
    if (found.share < support_min || found.number_invented) return std::nullopt;
    draft->evidence.push_back({entry_.before, std::string(utf8::trim(candidate.assents_to))});
    draft->origin = "assistant";
    draft->state = "quarantined";
    return draft;
  }

  // By the model's own judgement.
  static bool fits(const Candidate& candidate, store::MemoryDraft& draft) {
    if (!candidate.scores) return true;
    const auto& scores = *candidate.scores;
    if (scores.durability < durability_min || scores.utility < utility_min) return false;
    if (scores.confidence < confidence_min || scores.sensitivity >= sensitivity_max) draft.state = "quarantined";
    return true;
  }

  void add_validity(const Candidate& candidate, store::MemoryDraft& draft) const {
    draft.valid_from = day(candidate.valid_from, entry_.said_at, /*last=*/false);
    draft.valid_to = day(candidate.valid_to, entry_.said_at, /*last=*/true);
    if (draft.valid_from && draft.valid_to && *draft.valid_to < *draft.valid_from) {
      draft.valid_from.reset();
      draft.valid_to.reset();
    }
  }

  void relate(const Candidate& candidate, store::MemoryDraft& draft) const {
    for (const auto id : candidate.known) {
      const auto is_it = [id](const store::Memory& memory) { return memory.id == id; };
      if (std::none_of(known_.begin(), known_.end(), is_it)) continue;
      if (candidate.relation == Candidate::Relation::same && draft.same_as == store::no_id) draft.same_as = id;
      if (candidate.relation == Candidate::Relation::replaces) draft.replaces.push_back(id);
    }
  }

  const store::QueueEntry& entry_;
  const std::vector<store::Memory>& known_;
  Spoken spoken_;
};

// The same words of the user's, told twice in words of the model's.
bool is_said_already(const store::MemoryDraft& draft, const std::vector<store::MemoryDraft>& before) {
  const auto quote = comparable(draft.evidence.front().quote);
  return std::any_of(before.begin(), before.end(), [&](const auto& other) {
    const auto others = comparable(other.evidence.front().quote);
    const bool one_quotation = others.find(quote) != std::string::npos || quote.find(others) != std::string::npos;
    return one_quotation && (comparable(draft.text) == quote || are_one_telling(draft.text, other.text));
  });
}

}  // namespace

std::vector<store::MemoryDraft> gate(const std::vector<Candidate>& candidates, const store::QueueEntry& entry,
                                     const std::vector<store::Memory>& known) {
  std::vector<store::MemoryDraft> drafts;
  if (plays_a_part(entry.user_text)) return drafts;
  const Gate gate(entry, known);
  for (const auto& candidate : candidates) {
    if (drafts.size() == limits::memories_per_turn) break;
    auto draft = gate.pass(candidate);
    if (draft && !is_said_already(*draft, drafts)) drafts.push_back(std::move(*draft));
  }
  return drafts;
}

}  // namespace selfmind::learn

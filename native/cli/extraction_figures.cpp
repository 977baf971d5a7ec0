#include "cli/extraction_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "learn/duplicate.h"
#include "learn/gate.h"
#include "learn/rules.h"
#include "text/secrets.h"
#include "text/words.h"

namespace selfmind::cli {
namespace {

using Drafts = std::vector<store::MemoryDraft>;

constexpr int answer_tokens = 1024;  // as learning asks for

// Other sets have two words more.
bool is_kind(const std::string& kind, const std::string& type) {
  if (type == "commitment") return kind == "plan" || kind == "task";
  if (type == "opinion") return kind == "preference";
  return kind == type;
}

// Half of the labelled words stand in what was kept.
bool overlaps(const std::string& kept, const std::string& labelled) {
  const auto list = text::words(kept);
  const std::set<std::string> words(list.begin(), list.end());
  const auto wanted = text::words(labelled);
  const auto common =
      std::count_if(wanted.begin(), wanted.end(), [&](const auto& word) { return words.count(word) > 0; });
  return !wanted.empty() && 2 * common >= static_cast<std::ptrdiff_t>(wanted.size());
}

const std::string& quote_of(const store::MemoryDraft& draft) { return draft.evidence.front().quote; }

bool rests_on(const store::MemoryDraft& draft, const std::vector<Labelled>& memories) {
  return std::any_of(memories.begin(), memories.end(),
                     [&](const Labelled& memory) { return overlaps(quote_of(draft), memory.quote); });
}

void count(Quality& quality, bool wanted, bool kept) {
  if (kept) quality.precision.add(wanted);
  if (wanted) quality.recall.add(kept);
}

void count_quotes(const Exchange& exchange, const Drafts& drafts, ExtractionFigures& figures) {
  const auto has_quote = [](const Labelled& memory) { return !memory.quote.empty(); };
  if (!std::all_of(exchange.memories.begin(), exchange.memories.end(), has_quote)) return;
  bool wrong = false;
  for (const auto& draft : drafts) {
    const bool right = rests_on(draft, exchange.memories);
    figures.memories.add(right);
    if (!exchange.memories.empty()) figures.quotes.precision.add(right);
    wrong = wrong || !right;
  }
  for (const auto& memory : exchange.memories) {
    figures.quotes.recall.add(std::any_of(drafts.begin(), drafts.end(),
                                          [&](const auto& draft) { return overlaps(quote_of(draft), memory.quote); }));
  }
  if (wrong) figures.wrong.push_back(exchange.id);
}

// One of the memories that have to survive for each that does, and the other way round.
bool pair_up(const Drafts& drafts, std::vector<Labelled> wanted, Quality& memories) {
  bool all = true;
  for (const auto& draft : drafts) {
    const auto found = std::find_if(wanted.begin(), wanted.end(), [&](const Labelled& memory) {
      return is_kind(draft.kind, memory.type) && overlaps(quote_of(draft), memory.quote);
    });
    memories.precision.add(found != wanted.end());
    all = all && found != wanted.end();
    if (found == wanted.end()) continue;
    memories.recall.add(true);
    wanted.erase(found);
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) memories.recall.add(false);
  return all && wanted.empty();
}

}  // namespace

std::optional<double> Share::value() const {
  if (of == 0) return std::nullopt;
  return static_cast<double>(right) / static_cast<double>(of);
}

store::QueueEntry entry_of(const Exchange& exchange) {
  store::QueueEntry entry;
  entry.id = entry.turn = entry.session = 1;
  // As the store would have it: secrets never come as far as the memory model.
  entry.user_text = text::redact(text::without_private(exchange.text).text).text;
  entry.reply_text = exchange.reply;
  return entry;
}

ExtractionFigures rule_figures(const std::vector<Exchange>& exchanges) {
  std::vector<Drafts> drafts;
  for (const auto& exchange : exchanges) {
    drafts.push_back(learn::gate(learn::recognise(entry_of(exchange).user_text), entry_of(exchange)));
  }
  return figures_of(exchanges, drafts);
}

ExtractionFigures figures_of(const std::vector<Exchange>& exchanges, const std::vector<Drafts>& all_drafts) {
  ExtractionFigures figures;
  figures.n = exchanges.size();
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    const auto& exchange = exchanges[i];
    const auto& drafts = all_drafts[i];
    const bool wanted = !exchange.memories.empty();
    count(figures.texts, wanted, !drafts.empty());
    if (!exchange.group.empty()) {
      count(figures.classes[exchange.group], wanted, !drafts.empty());
      ++figures.class_sizes[exchange.group];
    }
    if (wanted && drafts.empty()) figures.missed.push_back(exchange.id);
    std::set<std::string> types;
    for (const auto& memory : exchange.memories) types.insert(memory.type);
    for (const auto& type : types) {
      figures.types[type].add(
          std::any_of(drafts.begin(), drafts.end(), [&](const auto& draft) { return is_kind(draft.kind, type); }));
    }
    count_quotes(exchange, drafts, figures);
  }
  return figures;
}

Result<AnswerFigures> answer_figures(const std::vector<ScriptedAnswer>& answers,
                                     const std::vector<Exchange>& exchanges) {
  AnswerFigures figures;
  figures.n = answers.size();
  for (const auto& answer : answers) {
    const auto exchange =
        std::find_if(exchanges.begin(), exchanges.end(), [&](const auto& one) { return one.id == answer.of; });
    if (exchange == exchanges.end()) {
      return Error{
          ErrorKind::invalid,
          fmt::format("There is an answer to \"{}\", which is in none of the files; give its file too.", answer.of)};
    }
    claude::Reply reply;
    reply.text = answer.answer;
    reply.stop_reason = answer.cut ? claude::StopReason::max_tokens : claude::StopReason::end_turn;
    const auto read = learn::read_extraction(reply, answer_tokens);
    const auto drafts = read ? learn::gate(*read, entry_of(*exchange)) : Drafts{};
    const bool as_wanted = pair_up(drafts, answer.memories, figures.memories) && answer.unreadable != read.ok();
    if (!as_wanted) figures.differ.push_back(answer.of);
  }
  return figures;
}

std::vector<Threshold> threshold_figures(const std::vector<Pair>& pairs) {
  std::vector<Threshold> figures;
  for (int tenths = 3; tenths <= 9; ++tenths) {
    Threshold at;
    at.threshold = tenths / 10.0;
    for (const auto& pair : pairs) {
      store::Memory known;
      known.id = 1;
      known.text = pair.a;
      store::MemoryDraft draft;
      draft.text = pair.b;
      count(at.overlap, pair.same, learn::word_overlap(pair.a, pair.b) >= at.threshold);
      count(at.duplicate, pair.same, learn::find_duplicate(draft, {&known, 1}, at.threshold).has_value());
    }
    figures.push_back(at);
  }
  return figures;
}

}  // namespace selfmind::cli

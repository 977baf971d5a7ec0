// rank(): what is asked, what is found, what is listed. Pure over an index.
#include "recall/rank.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "recall/candidates.h"
#include "recall/excerpt.h"
#include "recall/plain.h"
#include "recall/select.h"

namespace selfmind::recall {
namespace {

// Of those that did not make the list this many are explained.
constexpr std::size_t explained = 10;

std::vector<ScorePart> parts_of(const Candidate& candidate) {
  std::vector<ScorePart> parts;
  for (std::size_t part = 0; part < candidate.parts.size(); ++part) {
    if (candidate.parts[part] != 0) parts.push_back({part_names[part], candidate.parts[part]});
  }
  return parts;
}

Hit hit(const Index::State& state, const Question& question, const Candidate& candidate) {
  const auto& item = state.entries[candidate.slot].item;
  return {item, candidate.score(), parts_of(candidate),
          excerpt(state.vocabulary, item.text, question, limits::excerpt_bytes)};
}

void describe(const Question& question, Explanation& into) {
  for (const auto& word : question.words) into.words.push_back(word.text);
  for (const auto& word : question.unknown) into.words.push_back(word + "*");
  for (const auto& span : question.times) {
    const auto last_day = span.to - std::chrono::milliseconds(1);
    into.times.push_back(iso_date(span.from) + " to " + iso_date(last_day));
  }
}

Explanation run(const Index& index, std::string_view query, const Context& context, std::size_t k, bool explaining) {
  const auto& state = index.state();
  const auto& preset = context.preset;
  const auto view = View::of(state, context);
  Explanation result;
  result.needed = preset.min_score;
  result.needed_memory = preset.min_score_memory;
  const Time now = context.now == Time{} ? state.newest : context.now;
  const auto question = understand(state, view, query, preset, now);
  if (explaining) describe(question, result);
  if (view.items == 0 || k == 0) return result;

  const bool fused = preset.method == Method::fused;
  auto found = fused ? candidates(state, view, question, context, now, k)
                     : plain_candidates(state, view, question, context, now, k);
  if (fused) result.confidence = confidence(found.evidence);

  Selection selection(state, query, k);
  auto& list = found.list;
  for (std::size_t next = 0; next < list.size(); ++next) {
    if (selection.full() && (!explaining || result.missed.size() >= explained)) break;
    auto candidate = std::move(list[next]);
    const auto& item = state.entries[candidate.slot].item;
    const double needed = item.kind == store::ItemKind::memory ? result.needed_memory : result.needed;
    std::string why;
    if (context.skip && context.skip(item)) {
      why = "it stands in the conversation already";
    } else if (fused && result.confidence < needed) {
      why = fmt::format("the confidence is below {:.2f}", needed);
    } else if (fused && selection.put_back(candidate)) {
      const auto place =
          std::upper_bound(list.begin() + static_cast<std::ptrdiff_t>(next) + 1, list.end(), candidate, better);
      list.insert(place, std::move(candidate));
      continue;
    } else {
      why = selection.offer(candidate, fused);
    }
    if (!why.empty() && explaining && result.missed.size() < explained) {
      result.missed.push_back({hit(state, question, candidate), why});
    }
  }
  for (const auto& candidate : selection.list()) result.hits.push_back(hit(state, question, candidate));
  return result;
}

}  // namespace

std::vector<Hit> rank(const Index& index, std::string_view query, const Context& context, std::size_t k) {
  return run(index, query, context, k, /*explaining=*/false).hits;
}

Explanation explain(const Index& index, std::string_view query, const Context& context, std::size_t k) {
  return run(index, query, context, k, /*explaining=*/true);
}

}  // namespace selfmind::recall

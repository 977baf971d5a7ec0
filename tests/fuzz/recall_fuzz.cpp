// libFuzzer over a whole recall: the bytes are texts and a question, cut at the byte 0x1F. It never crashes or hangs,
// and what it says holds: parts add up, lists fall, excerpts are valid and short, an explanation has the same list, and
// an index that items have left answers as one that never had them. The first byte chooses preset and k.
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "base/limits.h"
#include "base/utf8.h"
#include "recall/rank.h"

using namespace selfmind;

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

std::vector<std::string_view> cut(std::string_view bytes) {
  std::vector<std::string_view> pieces;
  for (std::size_t end; (end = bytes.find('\x1F')) != std::string_view::npos; bytes.remove_prefix(end + 1)) {
    pieces.push_back(bytes.substr(0, end));
  }
  pieces.push_back(bytes);
  return pieces;
}

// Which item a text becomes depends on its place alone.
store::Item item_of(std::string_view text, store::Id id) {
  store::Item item;
  item.id = id;
  item.text = std::string(text);
  item.at = from_millis(1'780'000'000'000 + id * 3'600'000);
  item.project = id % 3;
  if (id % 4 == 0) {
    item.kind = store::ItemKind::memory;
    item.turns = {id - 1, id - 3};
  } else {
    item.kind = store::ItemKind::turn;
    item.session = id / 8;
    if (id % 5 == 1) item.speaker = "operator";
    item.role = id % 4 == 3 ? store::Role::assistant : store::Role::user;
  }
  return item;
}

void check(const std::vector<recall::Hit>& hits, std::size_t k, bool falls) {
  demand(hits.size() <= k);
  for (std::size_t i = 0; i < hits.size(); ++i) {
    double sum = 0;
    for (const auto& part : hits[i].parts) sum += part.value;
    demand(std::isfinite(hits[i].score) && std::abs(sum - hits[i].score) < 1e-6);
    demand(!falls || i == 0 || hits[i].score <= hits[i - 1].score);
    demand(hits[i].excerpt.size() <= limits::excerpt_bytes);
    // Texts are clean when they are stored; here they are not, and an excerpt keeps what it is given.
    demand(!utf8::valid(hits[i].item.text) || utf8::valid(hits[i].excerpt));
    demand(hits[i].item.project != 2);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  static const auto names = recall::preset_names();
  recall::Context context;
  context.preset = *recall::preset(names[data[0] % names.size()]);
  context.project = 1;
  context.now = from_millis(1'790'000'000'000);
  if (data[0] & 0x80) context.preset.min_score = context.preset.min_score_memory = 0;
  const std::size_t k = (data[0] >> 2) % 16;

  const auto pieces = cut({reinterpret_cast<const char*>(data + 1), size - 1});
  const auto question = pieces.back();
  recall::Index index;
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) index.put(item_of(pieces[i], static_cast<store::Id>(i + 1)));

  const auto hits = recall::rank(index, question, context, k);
  check(hits, k, !context.preset.mmr);
  const auto explanation = recall::explain(index, question, context, k);
  demand(explanation.confidence >= 0 && explanation.confidence <= 1);
  demand(explanation.hits.size() == hits.size());
  for (std::size_t i = 0; i < hits.size(); ++i) demand(explanation.hits[i].score == hits[i].score);
  for (const auto& missed : explanation.missed) demand(!missed.why.empty());

  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    const auto item = item_of(pieces[i], static_cast<store::Id>(i + 1));
    index.put(item);  // replaced by itself
    if (i % 2 == 0) index.erase(item.kind, item.id);
  }
  check(recall::rank(index, question, context, k), k, !context.preset.mmr);
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    const auto item = item_of(pieces[i], static_cast<store::Id>(i + 1));
    index.erase(item.kind, item.id);
  }
  demand(index.size() == 0 && recall::rank(index, question, context, k).empty());
  return 0;
}

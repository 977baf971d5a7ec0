// The rankings of the published designs, to compare with. Pure.
#pragma once
#include "recall/candidates.h"

namespace selfmind::recall {

// The candidates of Method::bm25, scenes and anamnesis, best first.
Candidates plain_candidates(const Index::State& state, const View& view, const Question& question,
                            const Context& context, Time now, std::size_t k);

}  // namespace selfmind::recall

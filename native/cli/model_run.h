// A run of requests to a model, for an evaluation: a few at a time, each tried again as the chat does it.
#pragma once
#include <iosfwd>
#include <optional>
#include <vector>

#include "claude/types.h"
#include "cli/network.h"

namespace selfmind::cli {

struct ModelAnswers {
  std::vector<std::optional<claude::Reply>> replies;  // in the order of the requests; none: it was not answered
  std::size_t answered = 0;
  std::vector<claude::Usage> used;  // by every try that the server counted tokens for
  std::optional<Error> failed;      // why it ended early; with neither this nor all answers it was interrupted
};

// What takes longer than a second is said on `err` now and then. The first request goes alone: what it teaches about
// the model (claude/knowledge.h) holds for the others. A request that fails for good ends the run.
ModelAnswers ask_all(Network& network, const claude::Endpoint& endpoint, const std::vector<claude::Request>& requests,
                     std::ostream& err);

}  // namespace selfmind::cli

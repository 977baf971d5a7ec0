#include "claude/knowledge.h"

#include <algorithm>

namespace selfmind::claude {
namespace {

void apply(const Description& description, Accepts& accepts) {
  if (description.context) accepts.context = *description.context;
  if (description.max_output) accepts.max_output = *description.max_output;
  if (description.whole_api) accepts.cache_control = true;
  // That it can think says nothing about whether it does when it is not asked to.
  if (description.thinks && !*description.thinks) accepts.thinks = false;
  if (description.adaptive) accepts.adaptive = *description.adaptive;
  if (description.disabled) accepts.disabled = *description.disabled;
  if (description.between_tools) accepts.between_tools = *description.between_tools;
  if (description.effort) accepts.effort = *description.effort;
  if (description.structured_outputs) accepts.structured_outputs = *description.structured_outputs;
}

void apply(const Refused& refused, Accepts& accepts) {
  switch (refused.field) {
    case Field::thinking:
      accepts.adaptive = accepts.disabled = accepts.between_tools = false;
      break;
    case Field::adaptive:
      accepts.adaptive = false;
      break;
    case Field::disabled:
      accepts.disabled = false;
      break;
    case Field::between_tools:
      accepts.between_tools = false;
      break;
    case Field::output_config:
      accepts.effort = accepts.structured_outputs = false;
      break;
    case Field::effort:
      accepts.effort = false;
      break;
    case Field::format:
      accepts.structured_outputs = false;
      break;
    case Field::cache_control:
      accepts.cache_control = false;
      break;
    case Field::system_blocks:
      accepts.system_blocks = false;
      break;
    case Field::thinking_blocks:
      accepts.thinking_blocks = false;
      break;
    case Field::these_thinking_blocks:
      break;  // the others may go on
    case Field::context:
      accepts.context = refused.limit;
      break;
    case Field::max_tokens:
      accepts.max_output = accepts.max_output == 0 ? refused.limit : std::min(accepts.max_output, refused.limit);
      break;
  }
}

}  // namespace

Accepts Knowledge::about(const Endpoint& endpoint, const std::string& model) const {
  Accepts accepts = claude::accepts(model);
  // Another server may have given one of Claude's names to a model that does as it likes.
  accepts.obeys = endpoint.official();
  const auto found = entries_.find({endpoint.base_url, model});
  if (found == entries_.end()) return accepts;
  apply(found->second.description, accepts);
  for (const auto& refusal : found->second.refusals)
    apply(refusal, accepts);  // what it did says more than what it says
  accepts.without_thinking = found->second.thinking;
  return accepts;
}

void Knowledge::refused(const Endpoint& endpoint, const std::string& model, const Refused& what,
                        const std::set<std::size_t>& thinking) {
  Entry& entry = entries_[{endpoint.base_url, model}];
  if (what.field == Field::these_thinking_blocks) {
    entry.thinking.insert(thinking.begin(), thinking.end());
    return;
  }
  const bool known = std::any_of(entry.refusals.begin(), entry.refusals.end(), [&what](const Refused& before) {
    return before.field == what.field && before.limit == what.limit;
  });
  if (!known) entry.refusals.push_back(what);
}

void Knowledge::said(const Endpoint& endpoint, const std::string& model, const Description& description) {
  entries_[{endpoint.base_url, model}].description = description;
}

bool Knowledge::first_request(const Endpoint& endpoint, const std::string& model) {
  return !std::exchange(entries_[{endpoint.base_url, model}].asked, true);
}

}  // namespace selfmind::claude

// Rules of thinking: the form asked for, and the blocks given back.
#include "support/messages_server/blocks.h"
#include "support/messages_server/rules.h"

namespace messages_server {
namespace {

std::string thinking_type(const Call& call) {
  return call.body.contains("thinking") ? call.body["thinking"]["type"].get<std::string>() : "";
}

Verdict thinking_shape(const Call& call) {
  if (!call.body.contains("thinking")) return {};
  const Json& thinking = call.body["thinking"];
  const Json type = thinking.value("type", Json());
  std::vector<std::string_view> known = {"type"};
  if (type == "enabled") {
    known.insert(known.end(), {"budget_tokens", "display"});
  } else if (type == "adaptive") {
    known.push_back("display");
  } else if (type != "disabled" && type != "between_tools") {
    return invalid(
        "thinking: Input tag does not match any of the expected tags: 'adaptive', 'enabled', 'disabled', "
        "'between_tools'");
  }
  if (call.has_beta("thinking-binding-controls-2026-08-01")) known.push_back("block_binding");
  const std::string path = "thinking." + type.get<std::string>() + ".";
  if (const std::string key = unknown_key(thinking, known); !key.empty()) return extra(path + key);

  const Json display = thinking.value("display", Json("omitted"));
  const bool updates = display == "updates" && call.has_beta("thinking-display-updates-2026-08-18");
  if (display != "summarized" && display != "omitted" && !updates) {
    return invalid(path + "display: Input should be 'summarized' or 'omitted'");
  }
  return {};
}

Verdict thinking_form_accepted(const Call& call) {
  const std::string type = thinking_type(call);
  if (type == "adaptive" && !call.model->adaptive) return invalid("adaptive thinking is not supported on this model");
  if (type == "enabled" && !call.model->enabled) {
    return invalid(
        "\"thinking.type.enabled\" is not supported for this model. Use \"thinking.type.adaptive\" and "
        "\"output_config.effort\" to control thinking behavior.");
  }
  if (type == "disabled" && call.model->disabled == Disabled::refused) {
    return invalid("\"thinking.type.disabled\" is not supported for this model.");
  }
  if (type == "between_tools" && !call.model->between_tools) {
    return invalid("\"thinking.type.between_tools\" is not supported for this model.");
  }
  return {};
}

Verdict little_thinking_little_effort(const Call& call) {
  const std::string type = thinking_type(call);
  const bool limited =
      type == "between_tools" || (type == "disabled" && call.model->disabled == Disabled::up_to_high_effort);
  const Json effort = call.body.value("output_config", Json::object()).value("effort", Json());
  if (!limited || (effort != "xhigh" && effort != "max")) return {};
  return invalid("\"thinking.type." + type + "\" is only supported with an effort of up to high on this model.");
}

Verdict budget_in_range(const Call& call) {
  if (thinking_type(call) != "enabled") return {};
  const Json budget = call.body["thinking"].value("budget_tokens", Json());
  if (budget.is_null()) return invalid("thinking.enabled.budget_tokens: Field required");
  if (!budget.is_number_integer()) return invalid("thinking.enabled.budget_tokens: Input should be a valid integer");
  if (budget < 1024) {
    return invalid("thinking.enabled.budget_tokens: Input should be greater than or equal to 1024");
  }
  if (budget >= call.body["max_tokens"]) return invalid("`max_tokens` must be greater than `thinking.budget_tokens`.");
  return {};
}

// --- blocks given back ---------------------------------------------------------------------------------------------

Verdict signatures_are_ours(const Call& call) {
  for (const Block& block : blocks_of(call.body["messages"])) {
    if (block.type() == "thinking" && !call.issued.find(block.json["signature"])) {
      return invalid(block.path() + ": Invalid `signature` in `thinking` block");
    }
  }
  return {};
}

Verdict thinking_unchanged(const Call& call) {
  for (const Block& block : blocks_of(call.body["messages"])) {
    if (block.type() != "thinking") continue;
    if (call.issued.find(block.json["signature"])->thinking != block.json["thinking"]) {
      return invalid(block.path() +
                     ": `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. "
                     "These blocks must remain as they were in the original response.");
    }
  }
  return {};
}

Verdict thinking_bound_to_this_conversation(const Call& call) {
  if (!call.model->preserved) return {};
  for (const Block& block : blocks_of(call.body["messages"])) {
    if (block.type() != "thinking") continue;
    const Issued::Block& issued = *call.issued.find(block.json["signature"]);
    if (issued.model != call.body["model"]) continue;  // another model's blocks are dropped silently
    if (issued.prefix != prefix_hash(call.body, block.message)) {
      return invalid(
          block.path() +
          ": Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove "
          "the block, or set `thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\".");
    }
  }
  return {};
}

}  // namespace

const std::vector<Rule>& thinking_rules() {
  static const std::vector<Rule> rules = {
      {"thinking has its shape", thinking_shape},
      {"the model takes this form of thinking", thinking_form_accepted},
      {"no high effort with little thinking", little_thinking_little_effort},
      {"budget_tokens is in range", budget_in_range},
      {"thinking blocks carry a signature of ours", signatures_are_ours},
      {"thinking blocks are as they were given", thinking_unchanged},
      {"thinking blocks stand where they were given", thinking_bound_to_this_conversation},
  };
  return rules;
}

}  // namespace messages_server

#include "claude/fields.h"

#include <nlohmann/json.hpp>

#include "support/catch.h"

namespace selfmind::claude {
namespace {

using Json = nlohmann::ordered_json;

std::string api(const std::string& message) {
  return Json{{"type", "error"}, {"error", {{"type", "invalid_request_error"}, {"message", message}}}}.dump();
}

std::string openai(const std::string& message, const Json& param = nullptr) {
  return Json{{"error", {{"message", message}, {"type", "invalid_request_error"}, {"param", param}, {"code", 400}}}}
      .dump();
}

std::string pydantic(const Json& loc, const std::string& message) {
  return Json{{"detail", Json::array({{{"type", "extra_forbidden"},
                                       {"loc", loc},
                                       {"msg", message},
                                       {"input", {{"cache_control", "thinking effort"}}}}})}}
      .dump();
}

Field field(const std::string& body, int status = 400) {
  INFO(body);
  const auto refused = refused_field(status, body);
  REQUIRE(refused.has_value());
  return refused->field;
}

const std::string extra = "Extra inputs are not permitted";

}  // namespace

TEST_CASE("a refusal in the API's own words names its field") {
  CHECK(field(api("thinking: " + extra)) == Field::thinking);
  CHECK(field(api("adaptive thinking is not supported on this model")) == Field::adaptive);
  CHECK(field(api("\"thinking.type.disabled\" is not supported for this model.")) == Field::disabled);
  CHECK(field(api("thinking: Input tag 'between_tools' found using 'type' does not match any of the expected tags: "
                  "'adaptive', 'enabled', 'disabled'")) == Field::between_tools);
  CHECK(field(api("\"thinking.type.disabled\" is not supported for this model. Use \"thinking.type.adaptive\" and "
                  "\"output_config.effort\" to control thinking behavior.")) == Field::disabled);
  CHECK(field(api("output_config.effort: 'low' may not be set while thinking is off")) == Field::effort);
  CHECK(field(api("output_config: " + extra)) == Field::output_config);
  CHECK(field(api("output_config.effort: " + extra)) == Field::effort);
  CHECK(field(api("This model does not support the effort parameter.")) == Field::effort);
  CHECK(field(api("output_config.format: structured outputs are not supported on this model.")) == Field::format);
  CHECK(field(api("output_config.format.schema: Schema is too complex for compilation.")) == Field::format);
  CHECK(field(api("messages.4.content.1.text.cache_control: " + extra)) == Field::cache_control);
  CHECK(field(api("system.0.cache_control: " + extra)) == Field::cache_control);
  CHECK(field(api("system: Input should be a valid string")) == Field::system_blocks);
  CHECK(field(api("messages.1.content.0: Input tag 'thinking' found using 'type' does not match any of the expected "
                  "tags: 'text', 'image'")) == Field::thinking_blocks);
}

TEST_CASE("a thinking block that is not from here is told from a server that knows none") {
  CHECK(field(api("messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different "
                  "conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "
                  "\"drop_block\".")) == Field::these_thinking_blocks);
  CHECK(field(api("messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message "
                  "cannot be modified. These blocks must remain as they were in the original response.")) ==
        Field::these_thinking_blocks);
  CHECK(field(api("messages.1.content.0.thinking.signature: Field required")) == Field::these_thinking_blocks);
}

TEST_CASE("other servers name a field in their own way") {
  CHECK(field(openai("Unrecognized request argument supplied: thinking")) == Field::thinking);
  CHECK(field(openai("Unknown parameter.", "output_config")) == Field::output_config);
  CHECK(field(openai("litellm.BadRequestError: AnthropicException - "
                     R"({"type":"error","error":{"message":"adaptive thinking is not supported on this model"}})")) ==
        Field::adaptive);
  CHECK(field(openai("[{'type': 'extra_forbidden', 'loc': ('body', 'thinking'), 'msg': 'Extra inputs are not "
                     "permitted', 'input': {'type': 'adaptive', 'cache_control': 1}}]")) == Field::thinking);
  CHECK(field(pydantic({"body", "thinking"}, extra), 422) == Field::thinking);
  CHECK(field(pydantic({"body", "output_config", "effort"}, extra), 422) == Field::effort);
  CHECK(field(pydantic({"body", "system", 0, "cache_control"}, extra)) == Field::cache_control);
  CHECK(field(pydantic({"body", "system", "str"}, "Input should be a valid string")) == Field::system_blocks);
  CHECK(field(pydantic({"body", "messages", 1, "content", 0, "type"}, "Input should be 'text' or 'image'")) ==
        Field::thinking_blocks);
  CHECK(field(openai("json: cannot unmarshal array into Go struct field MessagesRequest.system of type string")) ==
        Field::system_blocks);
  CHECK(field(R"({"detail":"thinking is an unknown field"})") == Field::thinking);
}

TEST_CASE("a limit of max_tokens is taken from the refusal") {
  const auto refused = refused_field(400, api("max_tokens: 128000 > 64000, which is the maximum allowed number of "
                                              "output tokens for claude-haiku-4-5"));
  REQUIRE(refused.has_value());
  CHECK(refused->field == Field::max_tokens);
  CHECK(refused->limit == 64000);
}

TEST_CASE("a context that is too small is taken from the refusal") {
  for (const char* words :
       {"'max_tokens' or 'max_completion_tokens' is too large: 16000. This model's maximum context length is 8192 "
        "tokens "
        "and your request has 300 input tokens (16000 > 8192 - 300).",
        "This model's maximum context length is 8192 tokens. However, you requested 16300 tokens (300 in the messages, "
        "16000 in the completion)."}) {
    const auto refused = refused_field(400, openai(words));
    REQUIRE(refused.has_value());
    CHECK(refused->field == Field::context);
    CHECK(refused->limit == 8192);
  }
}

TEST_CASE("what leaving a field out would not mend is no refusal of a field") {
  for (const auto& body :
       {api("prompt is too long: 205351 tokens > 200000 maximum"), api("Your credit balance is too low."),
        api("messages: text content blocks must be non-empty"), api("max_tokens: Field required"),
        api("max_tokens: > maximum"), api("max_tokens: 5 > 99999999999999999999, the maximum"),
        api("its maximum context length is unknown"), std::string("<html>thinking</html>"), std::string(),
        std::string("{}"), std::string("[]"), std::string(R"({"detail":[]})"), std::string(R"({"detail":[3]})"),
        std::string(R"({"detail":[{"loc":"thinking"}]})"), std::string(R"({"error":{"message":7}})")}) {
    INFO(body);
    CHECK_FALSE(refused_field(400, body).has_value());
  }
  for (const int status : {200, 401, 404, 429, 500}) {
    CHECK_FALSE(refused_field(status, api("thinking: " + extra)).has_value());
  }
}

}  // namespace selfmind::claude

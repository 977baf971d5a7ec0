#include "claude/models.h"

#include "claude/types.h"
#include "support/catch.h"

namespace selfmind::claude {

TEST_CASE("what the models accept is as published") {
  const Model opus = model("claude-opus-4-8");
  CHECK(opus.known);
  CHECK(opus.adaptive_thinking);
  CHECK(opus.disable_thinking);
  CHECK(opus.structured_outputs);

  const Model haiku = model("claude-haiku-4-5");
  CHECK_FALSE(haiku.adaptive_thinking);
  CHECK(haiku.disable_thinking);
  CHECK(haiku.structured_outputs);

  for (const auto* id :
       {"claude-opus-5-5", "claude-fable-5", "claude-fable-5-2", "claude-mythos-5-1", "claude-sonnet-5-5"}) {
    INFO(id);
    CHECK(model(id).known);
    CHECK(model(id).adaptive_thinking);
    CHECK_FALSE(model(id).disable_thinking);
  }
  for (const auto* id :
       {"claude-opus-5", "claude-sonnet-5", "claude-haiku-5-5", "claude-opus-4-6", "claude-sonnet-4-6"}) {
    INFO(id);
    CHECK(model(id).adaptive_thinking);
    CHECK(model(id).disable_thinking);
  }
  CHECK_FALSE(model("claude-opus-4-5").adaptive_thinking);
  CHECK_FALSE(model("claude-sonnet-4-5").adaptive_thinking);
}

TEST_CASE("a model is found with a date behind it or a vendor in front") {
  for (const auto* id : {"claude-haiku-4-5-20251001", "claude-haiku-4-5@20251001", "anthropic/claude-haiku-4-5",
                         "anthropic.claude-haiku-4-5", "us.anthropic.claude-haiku-4-5-20251001"}) {
    INFO(id);
    CHECK(model(id).id == "claude-haiku-4-5");
  }
  CHECK(model("claude-opus-5-5").id == "claude-opus-5-5");
  CHECK(model("claude-opus-5").id == "claude-opus-5");
}

TEST_CASE("an unknown model accepts nothing") {
  for (const auto* id :
       {"", "llama3.2", "claude-opus-9", "claude-opus-4-8-turbo", "my-claude-opus-4-8", "claude-opus-4-8-2025"}) {
    INFO(id);
    const Model unknown = model(id);
    CHECK_FALSE(unknown.known);
    CHECK_FALSE(unknown.adaptive_thinking);
    CHECK_FALSE(unknown.disable_thinking);
    CHECK_FALSE(unknown.structured_outputs);
  }
}

TEST_CASE("an endpoint knows whether it is Anthropic's own and whether it can be used") {
  const auto at = [](const char* url) {
    Endpoint endpoint;
    endpoint.base_url = url;
    return endpoint;
  };
  CHECK(Endpoint{}.official());
  CHECK(at("https://API.Anthropic.com:443/").official());
  CHECK_FALSE(at("http://localhost:11434").official());
  CHECK_FALSE(at("https://api.anthropic.com.example.org").official());
  CHECK_FALSE(at("https://api.anthropic.com@example.org").official());
  CHECK_FALSE(Endpoint{}.usable());
  CHECK(at("http://localhost:11434").usable());
}

}  // namespace selfmind::claude

#include "claude/models.h"

#include "claude/types.h"
#include "support/catch.h"

namespace selfmind::claude {
namespace {

// As published, written down a second time: context and output in thousands of tokens, the thinking forms accepted,
// effort levels, cache minimum, dollars per million tokens.
struct Published {
  const char* id;
  int context, output;
  bool thinks;
  const char* forms;
  const char* efforts;
  bool structured;
  int cache;
  double input, write, write_1h, read, out;
};

const char* const five = "low medium high xhigh max";

const Published published[] = {
    {"claude-fable-5-2", 1000, 128, true, "adaptive", five, true, 0, 8, 10, 16, .20, 40},
    {"claude-mythos-5-2", 1000, 128, true, "adaptive", five, true, 0, 8, 10, 16, .20, 40},
    {"claude-fable-5-1", 1000, 128, true, "adaptive", five, true, 0, 10, 12.5, 20, .25, 50},
    {"claude-fable-5", 1000, 128, true, "adaptive", five, true, 512, 10, 12.5, 20, 1, 50},
    {"claude-mythos-5-1", 0, 0, true, "adaptive", five, true, 0, 0, 0, 0, 0, 0},
    {"claude-mythos-5", 0, 0, true, "adaptive", five, true, 0, 0, 0, 0, 0, 0},
    {"claude-mythos-preview", 0, 0, true, "adaptive", five, false, 0, 0, 0, 0, 0, 0},
    {"claude-opus-5-5", 1000, 128, true, "adaptive", five, true, 0, 4, 5, 8, .20, 20},
    {"claude-opus-5", 1000, 128, true, "adaptive disabled", five, true, 512, 5, 6.25, 10, .5, 25},
    {"claude-opus-4-8", 1000, 128, false, "adaptive disabled", five, true, 1024, 5, 6.25, 10, .5, 25},
    {"claude-opus-4-7", 1000, 128, false, "adaptive disabled", five, true, 2048, 5, 6.25, 10, .5, 25},
    {"claude-opus-4-6", 1000, 128, false, "adaptive budget disabled", "low medium high max", true, 4096, 5, 6.25, 10,
     .5, 25},
    {"claude-sonnet-5-5", 1000, 128, true, "adaptive between_tools", five, true, 0, 2, 2.5, 4, .10, 10},
    {"claude-sonnet-5", 1000, 128, true, "adaptive disabled", five, true, 1024, 2, 2.5, 4, .20, 10},
    {"claude-sonnet-4-6", 1000, 128, false, "adaptive budget disabled", "low medium high max", true, 1024, 3, 3.75, 6,
     .3, 15},
    {"claude-haiku-5-5", 1000, 128, true, "adaptive disabled", five, true, 0, .10, .125, .20, .01, .50},
    {"claude-haiku-4-5", 200, 64, false, "budget disabled", "", true, 4096, 1, 1.25, 2, .10, 5},
    {"claude-opus-4-5", 200, 64, false, "budget disabled", "low medium high", true, 4096, 5, 6.25, 10, .5, 25},
    {"claude-sonnet-4-5", 200, 64, false, "budget disabled", "", true, 1024, 3, 3.75, 6, .3, 15},
};

std::string forms(const Model& model) {
  std::string out;
  for (const auto& [accepted, name] :
       {std::pair{model.adaptive, "adaptive"}, std::pair{model.budget, "budget"}, std::pair{model.disabled, "disabled"},
        std::pair{model.between_tools, "between_tools"}}) {
    if (accepted) out += (out.empty() ? "" : " ") + std::string(name);
  }
  return out;
}

}  // namespace

TEST_CASE("every row of the table is as published") {
  for (const auto& row : published) {
    INFO(row.id);
    const Model* known = model(row.id);
    REQUIRE(known != nullptr);
    CHECK(known->id == row.id);
    CHECK(known->context == row.context * 1000);
    CHECK(known->max_output == row.output * 1000);
    CHECK(known->thinks == row.thinks);
    CHECK(forms(*known) == row.forms);
    CHECK(known->efforts == row.efforts);
    CHECK(known->structured_outputs == row.structured);
    CHECK(known->min_cacheable == row.cache);
    CHECK(known->price.input == row.input);
    CHECK(known->price.write_5m == row.write);
    CHECK(known->price.write_1h == row.write_1h);
    CHECK(known->price.read == row.read);
    CHECK(known->price.output == row.out);
    CHECK(known->long_price.known() == (std::string(row.id) == "claude-haiku-5-5"));
  }
}

TEST_CASE("a model is found with a date behind it or a vendor in front") {
  for (const auto* id : {"claude-haiku-4-5-20251001", "claude-haiku-4-5@20251001", "anthropic/claude-haiku-4-5",
                         "anthropic.claude-haiku-4-5", "us.anthropic.claude-haiku-4-5-20251001"}) {
    INFO(id);
    REQUIRE(model(id) != nullptr);
    CHECK(model(id)->id == "claude-haiku-4-5");
  }
  CHECK(model("claude-opus-5-5")->id == "claude-opus-5-5");
  CHECK(model("claude-opus-5")->id == "claude-opus-5");
}

TEST_CASE("an unknown model accepts nothing but the plainest request") {
  for (const auto* id :
       {"", "llama3.2", "claude-opus-9", "claude-opus-4-8-turbo", "my-claude-opus-4-8", "claude-opus-4-8-2025"}) {
    INFO(id);
    CHECK(model(id) == nullptr);
    const Accepts unknown = accepts(id);
    CHECK_FALSE(unknown.adaptive);
    CHECK_FALSE(unknown.disabled);
    CHECK_FALSE(unknown.between_tools);
    CHECK_FALSE(unknown.effort);
    CHECK_FALSE(unknown.structured_outputs);
    CHECK_FALSE(unknown.cache_control);
    CHECK(unknown.max_output == 0);
  }
}

TEST_CASE("a request costs what its tokens cost, each kind at its own price") {
  Usage usage;
  usage.input = 1'000'000;
  usage.output = 100'000;
  usage.cache_read = 2'000'000;
  usage.cache_write = 400'000;
  CHECK(*cost(usage, "claude-opus-4-8") == Approx(5 + 2.5 + 1 + 2.5));
  CHECK(*cost(usage, "anthropic/claude-fable-5-2") == Approx(8 + 4 + 0.4 + 4));
  CHECK(*cost({}, "claude-opus-4-8") == 0);
}

TEST_CASE("a prompt of more than 100,000 tokens makes every token of Haiku 5.5 dearer") {
  Usage usage;
  usage.input = 20'000;
  usage.cache_read = 70'000;
  usage.cache_write = 10'000;
  usage.output = 1'000;
  CHECK(*cost(usage, "claude-haiku-5-5") == Approx((20 * .10 + 70 * .01 + 10 * .125 + .50) / 1000));
  usage.input += 1;
  CHECK(*cost(usage, "claude-haiku-5-5") == Approx((20.001 * .50 + 70 * .05 + 10 * .625 + 2.50) / 1000));
}

TEST_CASE("what an unknown model costs is not guessed") {
  Usage usage;
  usage.input = 1000;
  CHECK_FALSE(cost(usage, "llama3.2").has_value());
  CHECK_FALSE(cost(usage, "claude-mythos-preview").has_value());
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

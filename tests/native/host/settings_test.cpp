// What the host makes of what the editor sends and of its environment.
#include "host/settings.h"

#include <cmath>

#include "support/catch.h"

using namespace selfmind;

namespace {

Result<host::Settings> settings(const host::SettingsParams& given,
                                std::map<std::string, std::string> environment = {}) {
  return host::settings(given, [environment = std::move(environment)](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

std::string text_at(const rpc::Map& map, const std::string& name, const char* part) {
  return *rpc::Value(map).find(name)->find(part)->as_string();
}

// What the editor sends as `retrieval`.
Result<host::Settings> retrieval(rpc::Map given) {
  const auto params = host::SettingsParams::decode(rpc::Map{{"retrieval", std::move(given)}});
  if (!params) return params.error();
  return settings(*params);
}

std::vector<std::string> names(const rpc::Map& map) {
  std::vector<std::string> names;
  for (const auto& [name, value] : map) names.push_back(name);
  return names;
}

}  // namespace

TEST_CASE("a base URL without a server, or with blanks in it, is refused with one sentence") {
  const auto url = GENERATE(as<std::string>(), "http://", "https:///v1", "http://:8080", "http://me:pw@", "ftp://x",
                            "x", "http://a b", "http://a\nb");
  host::SettingsParams given;
  given.base_url = url;
  const auto result = settings(given);
  CAPTURE(url);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().kind == ErrorKind::invalid);
  CHECK(result.error().message.find("must begin with http:// or https:// and name a server") != std::string::npos);
  CHECK(result.error().message.find("pw") == std::string::npos);
}

TEST_CASE("a base URL that names a server is taken in one spelling") {
  host::SettingsParams given;
  given.base_url = " http://[::1]:8080/v1// ";
  CHECK(settings(given)->endpoint.base_url == "http://[::1]:8080/v1");
}

TEST_CASE("a NUL byte in a setting is refused by the setting's name") {
  host::SettingsParams given;
  given.db = std::string("/tmp/a\0b", 8);
  CHECK(settings(given).error().message == "The setting \"db\" has a NUL byte in it; take it out.");
  given.db.reset();
  given.base_url = std::string("http://a\0b", 10);
  CHECK(settings(given).error().message.find("base_url") != std::string::npos);
}

TEST_CASE("each setting says where it comes from, and shows no secret") {
  host::SettingsParams given;
  given.top_k = 3;
  const auto result = settings(given, {{"ANTHROPIC_BASE_URL", "https://me:tiger77@example.org/"},
                                       {"ANTHROPIC_API_KEY", "key-of-the-test"},
                                       {"SELFMIND_DB", "/tmp/x.db"}});
  REQUIRE(result.ok());
  const auto shown = result->shown();
  CHECK(text_at(shown, "base_url", "value") == "https://example.org");
  CHECK(text_at(shown, "base_url", "from") == "ANTHROPIC_BASE_URL");
  CHECK(text_at(shown, "top_k", "from") == "editor");
  CHECK(text_at(shown, "learning", "from") == "default");
  CHECK(text_at(shown, "db", "from") == "SELFMIND_DB");
  CHECK(result->from.at("key") == "ANTHROPIC_API_KEY");
  CHECK(result->endpoint.base_url == "https://me:tiger77@example.org");
}

TEST_CASE("proxies and certificates are named without credentials") {
  const auto network = host::network_variables([](const char* name) -> const char* {
    const std::string_view variable(name);
    if (variable == "HTTPS_PROXY") return "http://me:tiger77@proxy:3128";
    if (variable == "all_proxy") return "me:tiger77@proxy:1080";
    return variable == "SSL_CERT_FILE" ? "/etc/ca.pem" : nullptr;
  });
  CHECK(network ==
        rpc::Map{{"HTTPS_PROXY", "http://proxy:3128"}, {"all_proxy", "proxy:1080"}, {"SSL_CERT_FILE", "/etc/ca.pem"}});
}

TEST_CASE("retrieval without a setting is that of the default preset") {
  const auto result = settings({});
  REQUIRE(result.ok());
  CHECK(result->retrieval.name == "default");
  CHECK(result->retrieval.min_score == recall::preset("default")->min_score);
  CHECK(text_at(result->shown(), "retrieval.preset", "from") == "default");
  CHECK(result->useless.empty());
}

TEST_CASE("what is given of retrieval overrides the preset, and the rest stays the preset's") {
  const auto result = retrieval({{"preset", "anamnesis"},
                                 {"text_weight", 1},
                                 {"mmr", rpc::Map{{"lambda", 0.25}}},
                                 {"temporal_decay", rpc::Map{{"enabled", true}, {"half_life_days", 10}}},
                                 {"candidate_multiplier", 2.5}});
  REQUIRE(result.ok());
  const auto& preset = result->retrieval;
  CHECK(preset.method == recall::Method::anamnesis);
  CHECK(preset.text_weight == 1);
  CHECK(preset.min_score == 0.20);
  CHECK(preset.mmr);
  CHECK(preset.mmr_lambda == 0.25);
  CHECK(preset.temporal_decay);
  CHECK(preset.half_life_days == 10);
  CHECK(preset.candidate_multiplier == 2.5);
  CHECK(result->useless.empty());
  const auto shown = result->shown();
  CHECK(text_at(shown, "retrieval.preset", "from") == "editor");
  CHECK(text_at(shown, "retrieval.mmr.lambda", "from") == "editor");
  CHECK(text_at(shown, "retrieval.mmr.enabled", "from") == "default");
  CHECK(*rpc::Value(shown).find("retrieval.min_score")->find("value")->as_double() == 0.20);
}

TEST_CASE("a minimum that is given counts for messages and for memories alike") {
  const auto name = GENERATE(as<std::string>(), "default", "anamnesis");
  CAPTURE(name);
  const auto result = retrieval({{"preset", name}, {"min_score", 0}});
  REQUIRE(result.ok());
  CHECK(result->retrieval.min_score == 0);
  CHECK(result->retrieval.min_score_memory == 0);
  CHECK(text_at(result->shown(), "retrieval.min_score", "from") == "editor");
}

TEST_CASE("what the preset cannot use is named with the reason, and is not taken") {
  const rpc::Map all = {{"text_weight", 0.9},
                        {"vector_weight", 0.9},
                        {"min_score", 0.9},
                        {"mmr", rpc::Map{{"enabled", false}, {"lambda", 0.9}}},
                        {"temporal_decay", rpc::Map{{"enabled", false}, {"half_life_days", 9}}},
                        {"candidate_multiplier", 9}};
  const auto with = [&all](const char* preset) {
    rpc::Map given = all;
    given.emplace_back("preset", preset);
    auto result = retrieval(std::move(given));
    REQUIRE(result.ok());
    return std::move(*result);
  };
  const std::vector<std::string> of_anamnesis = {"retrieval.candidate_multiplier",
                                                 "retrieval.mmr.enabled",
                                                 "retrieval.mmr.lambda",
                                                 "retrieval.temporal_decay.enabled",
                                                 "retrieval.temporal_decay.half_life_days",
                                                 "retrieval.text_weight",
                                                 "retrieval.vector_weight"};
  SECTION("default has a minimum alone") {
    const auto result = with("default");
    CHECK(names(result.shown_useless()) == of_anamnesis);
    CHECK(result.useless.at("retrieval.text_weight") == "retrieval.preset is \"default\"");
    CHECK(result.retrieval.min_score == 0.9);
    CHECK(result.retrieval.text_weight == recall::preset("default")->text_weight);
  }
  SECTION("selfmind and scenes have nothing") {
    const auto* name = GENERATE("selfmind", "scenes");
    CAPTURE(name);
    const auto result = with(name);
    CHECK(result.useless.size() == of_anamnesis.size() + 1);
    CHECK(result.useless.contains("retrieval.min_score"));
    CHECK(result.retrieval.min_score == recall::preset(name)->min_score);
    CHECK_FALSE(rpc::Value(result.shown()).find("retrieval.min_score"));
  }
  SECTION("anamnesis has all, but no vectors, and numbers only where their switch is on") {
    const auto result = with("anamnesis");
    CHECK(names(result.shown_useless()) == std::vector<std::string>{"retrieval.mmr.lambda",
                                                                    "retrieval.temporal_decay.half_life_days",
                                                                    "retrieval.vector_weight"});
    CHECK(result.useless.at("retrieval.mmr.lambda") == "retrieval.mmr.enabled is false");
    CHECK(result.useless.at("retrieval.vector_weight") == "there are no vectors yet");
    CHECK_FALSE(result.retrieval.mmr);
  }
}

TEST_CASE("a preset that is not known is refused with those that are") {
  CHECK(retrieval({{"preset", "best"}}).error().message ==
        "There is no preset \"best\"; known: default, selfmind, scenes, anamnesis.");
}

TEST_CASE("the user's patterns of secrets are taken, and shown by their number alone") {
  const auto params = host::SettingsParams::decode(
      rpc::Map{{"secrets", rpc::Map{{"patterns", rpc::Array{"Operation Zebra", "ACME-*"}}}}});
  REQUIRE(params.ok());
  const auto result = settings(*params);
  REQUIRE(result.ok());
  CHECK(text::find_secrets("Operation Zebra", result->secret_patterns).size() == 1);
  CHECK(text_at(result->shown(), "secrets.patterns", "value") == "(2 given)");
  CHECK(text_at(result->shown(), "secrets.patterns", "from") == "editor");
}

TEST_CASE("a wrong pattern of secrets is refused, not left out") {
  const auto [given, message] = GENERATE(table<rpc::Map, std::string>({
      {{{"patterns", "ACME-*"}}, "The setting \"secrets.patterns\" must be a list of strings."},
      {{{"patterns", rpc::Array{1}}}, "The setting \"secrets.patterns\" must be a list of strings."},
      {{{"pattern", rpc::Array{}}}, "secrets: there is no field \"pattern\"."},
      {{{"patterns", rpc::Array{"a*"}}},
       "The setting \"secrets.patterns\" has \"a*\", which needs at least 4 characters beside \"*\" and blanks."},
  }));
  const auto params = host::SettingsParams::decode(rpc::Map{{"secrets", given}});
  const auto error = params ? settings(*params).error() : params.error();
  CHECK(error.kind == ErrorKind::invalid);
  CHECK(error.message == message);
}

TEST_CASE("a setting of retrieval of the wrong type, out of its range or unknown is refused by its name") {
  const auto [given, message] = GENERATE(table<rpc::Map, std::string>({
      {{{"text_weight", "much"}}, "The setting \"retrieval.text_weight\" must be a number."},
      {{{"vector_weight", 1.5}}, "The setting \"retrieval.vector_weight\" must be from 0 to 1; it is 1.5."},
      {{{"min_score", std::nan("")}}, "The setting \"retrieval.min_score\" must be from 0 to 1; it is nan."},
      {{{"mmr", rpc::Map{{"lambda", true}}}}, "The setting \"retrieval.mmr.lambda\" must be a number."},
      {{{"mmr", rpc::Map{{"enabled", 1}}}}, "retrieval.mmr: \"enabled\" must be true or false."},
      {{{"mmr", rpc::Map{{"lamda", 1}}}}, "retrieval.mmr: there is no field \"lamda\"."},
      {{{"temporal_decay", rpc::Map{{"half_life_days", 0}}}},
       "The setting \"retrieval.temporal_decay.half_life_days\" must be from 0.01 to 100000; it is 0."},
      {{{"candidate_multiplier", 0.5}},
       "The setting \"retrieval.candidate_multiplier\" must be from 1 to 100; it is 0.5."},
      {{{"weights", 1}}, "retrieval: there is no field \"weights\"."},
  }));
  const auto result = retrieval(given);
  CAPTURE(message);
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().kind == ErrorKind::invalid);
  CHECK(result.error().message == message);
}

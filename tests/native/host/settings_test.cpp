// What the host makes of what the editor sends and of its environment.
#include "host/settings.h"

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

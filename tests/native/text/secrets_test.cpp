#include "text/secrets.h"

#include "support/catch.h"

using selfmind::text::SecretMask;

namespace {

std::string mask(const std::string& text) { return SecretMask().mask(text); }

}  // namespace

TEST_CASE("what looks like a secret is masked, the words around it stay") {
  const auto [text, secret] = GENERATE(table<std::string, std::string>({
      {"my key is sk-ant-api03-AbCd_efgh-0123456789, keep it", "sk-ant-api03-AbCd_efgh-0123456789"},
      {"curl -H 'x-api-key: hunter2hunter2'", "hunter2hunter2"},
      {"ANTHROPIC_API_KEY=abcdef123 nvim", "abcdef123"},
      {"Authorization: Bearer abc.def-123\n", "abc.def-123"},
      {"authorization: basic dXNlcjpwYXNz", "dXNlcjpwYXNz"},
      {R"({"password": "correcthorse"})", "correcthorse"},
      {R"({\"password\":\"correcthorse\"})", "correcthorse"},
      {"token = 0123456789abcdef", "0123456789abcdef"},
      {"push to https://me:tiger77@git.example.org/x", "me:tiger77"},
      {"ghp_0123456789abcdefghij is the one", "ghp_0123456789abcdefghij"},
      {"it broke off at ghp_0123", "ghp_0123"},
      {R"([{"text":"it broke off at ghp_0123"}])", "ghp_0123"},
      {"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"},
      {"-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----", "\nMIIE\nabc\n"},
  }));
  const std::string masked = mask(text);
  CAPTURE(text, masked);
  const auto at = text.find(secret);
  CHECK(masked.find(secret) == std::string::npos);
  CHECK(masked.size() == text.size());
  CHECK(masked.substr(0, at) == text.substr(0, at));
  CHECK(masked.substr(at + secret.size()) == text.substr(at + secret.size()));
  CHECK(mask(masked) == masked);
}

TEST_CASE("ordinary text is left alone") {
  const auto text = GENERATE(as<std::string>(), "", "The risk-averse task-list asks for sk-1.",
                             "My token: yes. The secret of it, and a password manager.",
                             "see https://example.org/a?b@c and mail me@example.org",
                             "-----BEGIN CERTIFICATE-----\nMIIE\n", "ключ 🔑 \xff\xfe", "x: sk-");
  CHECK(mask(text) == text);
}

TEST_CASE("a secret that was named once is masked without its name too") {
  SecretMask secrets;
  secrets.add("key-of-the-test");
  CHECK(secrets.mask("it was key-of-the-test.") == "it was [secret*******].");
  CHECK(secrets.mask("it was key-of-the") == "it was [secret**]");  // broken off
  CHECK(secrets.mask("it was key-of") == "it was key-of");
  CHECK(secrets.mask("my password is tiger77") == "my password is tiger77");
  CHECK(secrets.mask("password: tiger77") == "password: *******");
  CHECK(secrets.mask("they quote tiger77 here") == "they quote ******* here");
}

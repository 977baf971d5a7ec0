#include "text/secrets.h"

#include <random>

#include "support/catch.h"

using selfmind::text::Findings;
using selfmind::text::in_words;
using selfmind::text::redact;
using selfmind::text::SecretMask;
using selfmind::text::SecretPatterns;
using selfmind::text::unusual_words;
using selfmind::text::without_private;

namespace {

std::string mask(const std::string& text) { return SecretMask().mask(text); }

// Made up, and put together here so that nothing in this file looks like a key to a scanner.
std::string key(const std::string& beginning, const std::string& rest) { return beginning + rest; }
const std::string body = std::string("a8Kf02Lq9") + "Zx7Wm3Rt5Yb1Nc4Vd6";
const std::string hex = std::string("9f2c4e8a1b7d") + "3f6059c2e4a8b1d7f360";

struct Positive {
  std::string text;
  std::string secret;
  std::string what;
};

std::vector<Positive> positives() {
  const std::string jwt = key("eyJhbGciOi", "JIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl");
  const std::string sk_ant = key("sk-", "ant-api03-" + body);
  return {
      // By their shape
      {"my key is " + sk_ant + ", keep it", sk_ant, "Anthropic key"},
      {"use " + key("sk-", "proj-" + body), key("sk-", "proj-" + body), "API key"},
      {"export X=" + key("gh", "p_" + body), key("gh", "p_" + body), "GitHub token"},
      {"(" + key("gh", "o_" + body) + ")", key("gh", "o_" + body), "GitHub token"},
      {key("github", "_pat_11A" + body), key("github", "_pat_11A" + body), "GitHub token"},
      {key("gl", "pat-" + body), key("gl", "pat-" + body), "GitLab token"},
      {key("xo", "xb-123456789012-" + body), key("xo", "xb-123456789012-" + body), "Slack token"},
      {"https://hooks.slack.com/services/" + key("T0", "1AB/B02CD/" + body),
       "hooks.slack.com/services/" + key("T0", "1AB/B02CD/" + body), "Slack webhook"},
      {"the id " + key("AK", "IAQ7X2M5N8P1R4T6W9") + " is live", key("AK", "IAQ7X2M5N8P1R4T6W9"), "AWS access key"},
      {"I saw " + key("AK", "IARLUCRWVQKPNMTZNQ") + ", too", key("AK", "IARLUCRWVQKPNMTZNQ"), "AWS access key"},
      {key("AI", "zaSy" + body + "Qq12"), key("AI", "zaSy" + body + "Qq12"), "Google key"},
      {key("ya", "29.a0Af_" + body), key("ya", "29.a0Af_" + body), "Google token"},
      {key("h", "f_" + body), key("h", "f_" + body), "Hugging Face token"},
      {"//r/:_authToken=" + key("np", "m_" + body), key("np", "m_" + body), "npm token"},
      {key("py", "pi-AgEI" + body), key("py", "pi-AgEI" + body), "PyPI token"},
      {key("sk", "_live_" + body), key("sk", "_live_" + body), "Stripe key"},
      {key("wh", "sec_" + body), key("wh", "sec_" + body), "Stripe webhook secret"},
      {key("S", "G.abcdefghijk1234.") + body, key("S", "G.abcdefghijk1234.") + body, "SendGrid key"},
      {key("h", "vs.CAES" + body), key("h", "vs.CAES" + body), "Vault token"},
      {key("gl", "sa_" + body), key("gl", "sa_" + body), "Grafana token"},
      {key("dckr", "_pat_" + body), key("dckr", "_pat_" + body), "Docker token"},
      {key("shp", "at_" + hex), key("shp", "at_" + hex), "Shopify token"},
      {key("dap", "i" + hex), key("dap", "i" + hex), "Databricks token"},
      {key("AGE-SECRET", "-KEY-1QQ2WERTY3UIOP4ASDFGH5JKL6"), key("AGE-SECRET", "-KEY-1QQ2WERTY3UIOP4ASDFGH5JKL6"),
       "age key"},
      {"bot 123456789:" + key("AA", "Hk3jP9vQ2xZ7mN4bV6cX8zL1kJ5hG0fDs"),
       "123456789:" + key("AA", "Hk3jP9vQ2xZ7mN4bV6cX8zL1kJ5hG0fDs"), "Telegram token"},
      {jwt, jwt, "JWT"},
      {"it broke off at " + key("gh", "p_0123"), key("gh", "p_0123"), "GitHub token"},
      {R"([{"text":"it broke off at )" + key("gh", "p_0123") + R"("}])", key("gh", "p_0123"), "GitHub token"},
      {"我用的是" + key("gh", "p_" + body) + "，别忘了", key("gh", "p_" + body), "GitHub token"},
      {"-----BEGIN RSA PRIVATE"
       " KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----",
       "\nMIIE\nabc\n", "private key"},
      {"-----BEGIN OPENSSH PRIVATE"
       " KEY-----\n" +
           body + "\n" + body,
       "\n" + body + "\n" + body, "private key"},
      {"-----BEGIN PGP PRIVATE"
       " KEY BLOCK-----\n\n" +
           body + "\n-----END PGP PRIVATE KEY BLOCK-----",
       "\n\n" + body + "\n", "private key"},
      // In URLs
      {"push to https://me:tiger77@git.example.org/x", "tiger77", "password"},
      {"DATABASE_URL=postgres://app:s3cr3tpw@db:5432/main", "s3cr3tpw", "password"},
      {"redis://:Zq8xLm2p@cache:6379/0", "Zq8xLm2p", "password"},
      {"mongodb+srv://root:pa/w0rd1@cluster0.example.net", "pa/w0rd1", "password"},
      {"git clone https://" + body + "@git.example.org/a.git", body, "token"},
      // By the words before them
      {"curl -H 'x-api-key: hunter2hunter2'", "hunter2hunter2", "API key"},
      {"ANTHROPIC_API_KEY=abcdef123 nvim", "abcdef123", "API key"},
      {"Authorization: Bearer abc.def-123\n", "abc.def-123", "bearer token"},
      {"curl -H \"Authorization: Bearer " + body + "\"", body, "bearer token"},
      {"authorization: Basic " + key("dXNl", "cjpwYXNz"), key("dXNl", "cjpwYXNz"), "login"},
      {"Authorization: token " + hex, hex, "authorization header"},
      {R"({"password": "correcthorse"})", "correcthorse", "password"},
      {R"({\"password\":\"correcthorse\"})", "correcthorse", "password"},
      {"token = 0123456789abcdef", "0123456789abcdef", "token"},
      {"DB_PASSWORD=hunter2", "hunter2", "password"},
      {"DB_PASSWORD: hunter2\nDB_USER: app", "hunter2", "password"},
      {"PGPASSWORD=tigerlily psql -h db", "tigerlily", "password"},
      {"MYSQL_PWD=Zw9!kd mysql", "Zw9!kd", "password"},
      {"Server=db;User Id=sa;Password=Ab12cd;Database=x", "Ab12cd", "password"},
      {"jdbc:mysql://db/x?user=app&password=tiger77&ssl=true", "tiger77", "password"},
      {"mysqldump --password tiger77 x", "tiger77", "password"},
      {"deploy --api-token " + body, body, "token"},
      {"curl -u admin:tiger77 http://localhost:8080", "tiger77", "password"},
      {"<password>tiger77</password>", "tiger77", "password"},
      {"'password' => 'tiger lily garden gate',", "tiger lily garden gate", "password"},
      {"password = \"correct horse battery staple\"", "correct horse battery staple", "password"},
      {"aws_secret_access_key = wJal" + body + "/K7MDENG", "wJal" + body + "/K7MDENG", "access key"},
      {"AccountName=x;AccountKey=" + body + "==;Suffix=y", body + "==", "account key"},
      {"client_secret: " + body, body, "secret"},
      {"const apiKey = '" + hex + "';", hex, "API key"},
      {"STRIPE_KEY=" + body, body, "key"},
      {"https://x.blob.example.net/a?sv=2024&sig=" + body + "%3D", body + "%3D", "signature"},
      {"csrf_token=" + hex + "&next=/", hex, "token"},
      // In prose
      {"My password is hunter2.", "hunter2", "password"},
      {"my password is dragonfly", "dragonfly", "password"},
      {"My password is \"dragonfly\", do not tell", "dragonfly", "password"},
      {"the password for the staging db is Tr0ub4dor&3", "Tr0ub4dor&3", "password"},
      {"set the root password to hunter2x please", "hunter2x", "password"},
      {"password: 12345678", "12345678", "password"},
      {"Password: dragonfly\n", "dragonfly", "password"},
      {"my pin is 4711", "4711", "PIN"},
      {"the API key is " + hex, hex, "API key"},
      {"mein Passwort ist tiger77", "tiger77", "password"},
      {"Das Kennwort lautet Sommer2024!", "Sommer2024!", "password"},
      {"Passwort für den Server: Sommer2024!", "Sommer2024!", "password"},
      {"mon mot de passe est soleil99", "soleil99", "password"},
      {"Mot de passe : soleil99", "soleil99", "password"},
      {"我的密码是hunter2，谢谢", "hunter2", "password"},
      {"密码：Abc12345", "Abc12345", "password"},
      {"数据库的密码是 tiger77。", "tiger77", "password"},
      {"令牌: " + body, body, "token"},
  };
}

std::vector<std::string> negatives() {
  return {
      "",
      "The risk-averse task-list asks for sk-1.",
      "My token: yes. The secret of it, and a password manager.",
      "see https://example.org/a?b@c and mail me@example.org",
      "-----BEGIN CERTIFICATE-----\nMIIE\n",
      "ключ 🔑 \xff\xfe",
      "x: sk-",
      "the token is expired",
      "password: see the vault",
      "set password to empty",
      "function login(user: string, password: string, token: string)",
      "interface A { token?: string; password: string | null }",
      "api_key = os.environ[\"X\"]",
      "api_key = os.environ.get(\"ANTHROPIC_API_KEY\")",
      "PASSWORD=${DB_PASSWORD}",
      "PASSWORD=$DB_PASSWORD",
      "password: ${{ secrets.DB_PASSWORD }}",
      "password: {{ vault_db_password }}",
      "API_KEY=<your-key>",
      "api_key: your-api-key-here",
      "token=xxxx",
      "password=********",
      "password=changeme",
      "password: changeme123 is in the example",
      "SECRET_KEY=...",
      "password = getpass.getpass()",
      "password = get_password(user)",
      "self.password = password",
      "connect(user=user, password=password)",
      "connect(user=user, password=pw)",
      "password = request.form['password']",
      "const token = await getToken();",
      "let token = process.env.TOKEN",
      "const bool has_token = !utf8::trim(answer->auth_token8).empty();",
      "token := os.Getenv(\"TOKEN\")",
      "if password == other_password then",
      "if (token != null) return",
      "max_tokens: 4096",
      "max_tokens = 16000",
      "eos_token = \"endoftext50256\"",
      "token: 42",
      "std::string token = next_token(text);",
      "token::Kind kind; secret::redact(x)",
      "The password is stored in the keychain.",
      "The password is hashed with bcrypt.",
      "the token is base64-encoded",
      "The password is at least 12 characters long.",
      "Is my password secure? My password is too weak, they say.",
      "my password is wrong",
      "my password is not accepted",
      "password must have a digit; the password is case-sensitive",
      "password: required",
      "\"password\": \"Passwort\", \"token\": \"Token\"",
      "\"password\": \"Enter your password\"",
      "label = \"Password:\"",
      "password: /run/secrets/db_password",
      "password_file: /run/secrets/db1",
      "PASSWORD_HASH=md5-of-it and PASSWORD_MIN_LENGTH=12",
      "secretName: app-tls-v2",
      "secret: app-tls-v2",
      "tokens: 128, secrets: 3, passwords: none",
      "commit 9f2c4e8a1b7d3f6059c2e4a8b1d7f36012345678",
      "sha256:9f2c4e8a1b7d3f6059c2e4a8b1d7f3609f2c4e8a1b7d3f6059c2e4a8b1d7f360",
      "id 550e8400-e29b-41d4-a716-446655440000",
      "primary_key = user_id2, sort_key: created_at",
      "postgres://user:password@localhost/db",
      "postgres://app:${DB_PASSWORD}@db/main",
      "http://localhost:8080/a@b",
      "ssh://git@github.com/a/b.git and git@github.com:a/b.git",
      "http://[::1]:8080/ and https://example.org:443/x@y",
      "bearer token authentication, Bearer tokens",
      "Authorization: Bearer <token>",
      "Authorization: Bearer $TOKEN",
      "basic authentication with the basic understanding",
      "docker run -u 1000:1000 x",
      "use --password to be asked, or --password-file",
      "pass the token to the parser; pass: 12 fail: 3",
      "Passwort: siehe Tresor",
      "Das Passwort ist abgelaufen.",
      "mein Passwort ist falsch",
      "le mot de passe est incorrect pour tous",
      "mon mot de passe est faible",
      "密码是什么？",
      "密码已经过期了",
      "令牌过期了，请重新登录",
      "How do I keep a secret? The key to it is patience.",
      "the files that begin with -----BEGIN PRIVATE"
      " KEY----- are to be kept",
      "<sk-button class=\"sk-fading-circle sk-circle-dot\">",
      "sk-learn and hf_hub_download are libraries; npm_config_registry too",
      "the secret is [secret: GitHub token], and password=[secret: password]",
  };
}

}  // namespace

TEST_CASE("a secret is taken out and named, and the words around it stay") {
  const auto all = positives();
  REQUIRE(all.size() >= 60);
  for (const auto& [text, secret, what] : all) {
    const auto redacted = redact(text);
    CAPTURE(text, secret, what, redacted.text);
    CHECK(redacted.text.find(secret) == std::string::npos);
    const auto at = text.rfind(secret);
    REQUIRE(at != std::string::npos);
    const std::string named = what;
    CHECK(redacted.text == text.substr(0, at) + "[secret: " + named + "]" + text.substr(at + secret.size()));
    CHECK(redacted.found == Findings{{named, 1}});
    CHECK(redact(redacted.text).text == redacted.text);
  }
}

TEST_CASE("what only talks of secrets is left alone") {
  const auto all = negatives();
  REQUIRE(all.size() >= 60);
  for (const auto& text : all) {
    CAPTURE(text);
    CHECK(redact(text).text == text);
    CHECK(redact(text).found.empty());
  }
}

TEST_CASE("a text full of almost-secrets takes a moment, not minutes") {
  const auto piece =
      GENERATE(as<std::string>(), "password=", "sk-", "my password is ", "token: ", "://", "://a:b", "@",
               "-----BEGIN PRIVATE"
               " KEY-----",
               "-----BEGIN ", "eyJ.", "a:", "Bearer ", "[secret: ", "key", "<private>", "密码", "pass for ", "curl -u ",
               "\"password\": \"", "ghp_1", "123456789:AA", "pw_1", "x", "--a", "\xff");
  std::string text;
  // Quadratic time would take minutes for the first two, and seconds for the others.
  const std::size_t size = piece == "password=" || piece == "sk-" ? 1u << 20 : 1u << 17;
  while (text.size() < size) text += piece;
  const auto own = SecretPatterns::from({"pass*word*=x", "*BEGIN*", "a:ba:b*"});
  REQUIRE(own);
  const auto redacted = redact(text, *own);
  CHECK(redact(redacted.text, *own).text == redacted.text);
}

TEST_CASE("what was redacted stays as it is, whatever it was") {
  std::minstd_rand chance(7);
  std::vector<std::string> pieces = {" ",
                                     "\n",
                                     ":",
                                     "=",
                                     "\"",
                                     "'",
                                     "@",
                                     "://",
                                     "[",
                                     "]",
                                     "<",
                                     ",",
                                     ";",
                                     "is ",
                                     "\\",
                                     "&",
                                     "[secret: token]",
                                     "[private]",
                                     "[secret",
                                     "ist ",
                                     "是",
                                     "：",
                                     "-----END",
                                     ".",
                                     "/",
                                     "\xf0"};
  for (const auto& positive : positives()) {
    pieces.push_back(positive.text);
    pieces.push_back(positive.secret);
    pieces.push_back(positive.text.substr(0, positive.text.size() / 2));
  }
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (int k = 0; k < 6; ++k) text += pieces[chance() % pieces.size()];
    const auto redacted = redact(text);
    CAPTURE(text, redacted.text);
    REQUIRE(redact(redacted.text).text == redacted.text);
    REQUIRE(redact(redacted.text).found.empty());
    const auto masked = mask(text);
    REQUIRE(masked.size() == text.size());
  }
}

TEST_CASE("several secrets are counted by what they are") {
  const auto redacted = redact("password=tiger77 and password=lily7788, " + key("gh", "p_" + body));
  CHECK(redacted.text == "password=[secret: password] and password=[secret: password], [secret: GitHub token]");
  CHECK(in_words(redacted.found) == "2 passwords and 1 GitHub token");
  CHECK(in_words({{"password", 1}, {"PIN", 1}, {"private part", 3}}) == "1 password, 1 PIN and 3 private parts");
}

TEST_CASE("what was a secret once is one where it stands alone") {
  const auto first = redact("my password is tiger77");
  REQUIRE(first.values.size() == 1);
  CHECK(first.values[0].value == "tiger77");
  CHECK(redact("You gave me tiger77, change it.", {}, first.values).text ==
        "You gave me [secret: password], change it.");
  CHECK(redact("tiger771 and mytiger77", {}, first.values).text == "tiger771 and mytiger77");
}

TEST_CASE("what stands between private tags is left out, also where they do not end") {
  CHECK(without_private("a <private>b</private> c").text == "a [private] c");
  CHECK(without_private("a <PRIVATE>b\nc</Private>d<private>e").text == "a [private]d[private]");
  CHECK(without_private("<private>a<private>b</private>c</private>d").text == "[private]d");
  CHECK(without_private("a </private> b < private>").text == "a </private> b < private>");
  CHECK(without_private("a <private>b</private>").found == Findings{{"private part", 1}});
  CHECK(without_private("[private]").found.empty());
  const auto told = without_private("a <private> she is ill </private>");
  CHECK(redact("So she is ill.", {}, told.values).text == "So [secret: private part].");
}

TEST_CASE("a reply that repeats a sentence or a number of a private part repeats nothing of it in the store") {
  const auto told = without_private(
      "Is that fair in 2026? <private>I earn 45,000 crowns (before tax). My manager is leaving in 2026.</private>");
  const auto kept = [&](const char* reply) { return redact(reply, {}, told.values).text; };
  CHECK(kept("With 45,000 crowns you earn well.") == "With [secret: private part] crowns you earn well.");
  CHECK(kept("You say \"My manager is leaving in 2026\".") == "You say \"[secret: private part]\".");
  // A small number and a year mean something else elsewhere.
  const auto born = without_private("<private>My twins were born in 1999, all 4 of us live at no. 123456</private>");
  CHECK(redact("In 1999 we had 4 of 123456.", {}, born.values).text == "In 1999 we had 4 of [secret: private part].");
  // What stands in the open part, too, is no secret.
  CHECK(kept("In 2026 crowns are worth less.") == "In 2026 crowns are worth less.");
}

TEST_CASE("a user's own patterns are taken out, by the word") {
  const auto own =
      SecretPatterns::from({"Operation Zebra", "ACME-*", "*.corp.example", "cust*-id*", "secret", "*ivate"});
  REQUIRE(own);
  const auto [text, redacted] = GENERATE(table<std::string, std::string>({
      {"Is Operation Zebra late?", "Is [secret: own pattern] late?"},
      {"ticket ACME-1234, and ACME-", "ticket [secret: own pattern], and [secret: own pattern]"},
      {"ssh db1.corp.example now", "ssh [secret: own pattern] now"},
      {"(customer-id77) cust 4-id", "([secret: own pattern]) cust 4-id"},
      {"the secret [secret: token] of [private]", "the [secret: own pattern] [secret: token] of [private]"},
      {"operation zebra", "operation zebra"},
      {"Macme-12", "Macme-12"},
  }));
  CHECK(redact(text, *own).text == redacted);
  CHECK(redact(redacted, *own).text == redacted);
}

TEST_CASE("a pattern that cannot be used is refused with the reason") {
  const auto [pattern, why] = GENERATE(table<std::string, std::string>({
      {"", "needs at least 4 characters"},
      {"***", "needs at least 4 characters"},
      {"a b c", "needs at least 4 characters"},
      {"line\nbreak", "control character"},
      {std::string(201, 'x'), "longer than 200 bytes"},
  }));
  const auto own = SecretPatterns::from({"fine-one", pattern});
  REQUIRE_FALSE(own);
  CHECK(own.error().message.find(why) != std::string::npos);
  CHECK_FALSE(SecretPatterns::from(std::vector<std::string>(101, "pattern")));
}

TEST_CASE("a commit id, a checksum and a UUID are pointed out, not taken for secrets") {
  const std::string commit = "9f2c4e8a1b7d3f6059c2e4a8b1d7f36012345678";
  const std::string uuid = "550e8400-e29b-41d4-a716-446655440000";
  const auto text = "since commit " + commit + " the row " + uuid + " is wrong, in release-2024-11-30 too";
  CHECK(unusual_words(text) == std::vector<std::string_view>{commit, uuid});
  CHECK(unusual_words("token=" + commit + ", parseConfigFile2 and src/io/loop_v2.cpp").empty());
}

TEST_CASE("a recording's mask has the length of the secret") {
  for (const auto& [text, secret, what] : positives()) {
    const auto masked = mask(text);
    CAPTURE(text, masked);
    const auto at = text.rfind(secret);
    CHECK(masked.find(secret) == std::string::npos);
    CHECK(masked.size() == text.size());
    CHECK(masked.substr(0, at) == text.substr(0, at));
    CHECK(masked.substr(at + secret.size()) == text.substr(at + secret.size()));
    CHECK(mask(masked) == masked);
  }
}

TEST_CASE("a recording has neither a private part nor what a user's pattern finds") {
  SecretMask secrets;
  secrets.use(*SecretPatterns::from({"ACME-*"}));
  CHECK(secrets.mask("a <private>she is ill</private> ACME-123456") == "a <private>[secret**]</private> [secret***]");
  CHECK(secrets.mask("a <private>[secret**]</private>") == "a <private>[secret**]</private>");
  CHECK(secrets.mask("As she is ill.") == "As [secret**].");
}

TEST_CASE("a secret that was named once is masked without its name too") {
  SecretMask secrets;
  secrets.add("key-of-the-test");
  CHECK(secrets.mask("it was key-of-the-test.") == "it was [secret*******].");
  CHECK(secrets.mask("it was key-of-the") == "it was [secret**]");  // broken off
  CHECK(secrets.mask("it was key-of") == "it was key-of");
  CHECK(secrets.mask("they quote tiger77 here") == "they quote tiger77 here");
  CHECK(secrets.mask("password: tiger77") == "password: *******");
  CHECK(secrets.mask("they quote tiger77 here") == "they quote ******* here");
}

// What secrets look like, and what stands in their places and is none: how keys begin, what values are named by, how a
// word is made. Tables, and the judgement of one word; secret_finder.cpp alone includes it, and looks for them in
// texts.
#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "text/characters.h"

namespace selfmind::text::shapes_of_secrets {

inline constexpr std::size_t npos = std::string_view::npos;
inline constexpr std::size_t looked_at = 256;  // bytes of a word by which it is judged, however long it is

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
inline bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
inline bool is_alpha(char c) { return is_upper(c) || is_lower(c); }
inline bool is_alnum(char c) { return is_alpha(c) || is_digit(c); }
inline bool is_word(char c) { return is_alnum(c) || c == '_'; }
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
inline bool is_key_character(char c) { return is_alnum(c) || c == '-' || c == '_'; }
inline bool beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

inline std::string lowered(std::string_view text) {
  std::string out(text);
  for (auto& c : out) c = lower_ascii(c);
  return out;
}

inline bool starts_with_any_case(std::string_view text, std::string_view beginning) {
  return text.size() >= beginning.size() && std::equal(beginning.begin(), beginning.end(), text.begin(),
                                                       [](char a, char b) { return a == lower_ascii(b); });
}

template <std::size_t n>
inline bool is_one_of(std::string_view word, const std::array<std::string_view, n>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// How a word is made.
struct Make {
  std::size_t digits = 0, upper = 0, lower = 0, others = 0, changes = 0;
  bool mixed() const { return digits > 0 && upper + lower > 0; }
  bool letters_only() const { return digits + others == 0; }
  bool digits_only() const { return digits > 0 && upper + lower + others == 0; }
};

inline Make make_of(std::string_view word) {
  Make make;
  char before = 0;
  for (const char c : word.substr(0, looked_at)) {
    const char kind = is_digit(c) ? 'd' : is_upper(c) ? 'u' : is_lower(c) ? 'l' : 'o';
    ++(kind == 'd' ? make.digits : kind == 'u' ? make.upper : kind == 'l' ? make.lower : make.others);
    const bool counts = kind != 'o' && before != 'o' && before != 0 && kind != before;
    if (counts && !(before == 'u' && kind == 'l')) ++make.changes;
    before = kind;
  }
  return make;
}

// Letters and digits without a pattern, as in a key: "a8Kf02Lq…", "0f3a9c71…".
inline bool looks_random(std::string_view word) {
  const Make make = make_of(word);
  return word.size() >= 16 && make.mixed() && make.digits >= 2 && make.changes >= 4;
}

// "app-tls-v2", "us-east-1", "ConfigMap.v1": names that people give.
inline bool is_name(std::string_view word) {
  if (word.find_first_of("-_./") == npos) return false;
  std::size_t digits = 0;
  bool letters_after = false;
  for (const char c : word.substr(0, looked_at)) {
    if (is_digit(c)) {
      ++digits;
    } else if (is_alpha(c)) {
      letters_after = letters_after || digits > 0;
      if (letters_after && digits > 0) return false;
    } else if (c == '-' || c == '_' || c == '.' || c == '/') {
      digits = 0;
      letters_after = false;
    } else {
      return false;
    }
    if (digits > 3) return false;
  }
  return true;
}

// Keys by their beginnings ----------------------------------------------------------------------------------------

struct Shape {
  std::string_view text;
  std::size_t bytes_min;  // of the whole key
  std::string_view what;
  std::string_view more = {};  // characters beside letters, digits, "-" and "_"
};
// Of two that begin alike the longer one stands first.
inline constexpr std::array shapes = {
    Shape{"sk-ant-", 16, "Anthropic key"},
    Shape{"sk_live_", 20, "Stripe key"},
    Shape{"sk_test_", 20, "Stripe key"},
    Shape{"rk_live_", 20, "Stripe key"},
    Shape{"rk_test_", 20, "Stripe key"},
    Shape{"whsec_", 20, "Stripe webhook secret"},
    Shape{"sk-", 20, "API key"},
    Shape{"github_pat_", 20, "GitHub token"},
    Shape{"ghp_", 20, "GitHub token"},
    Shape{"gho_", 20, "GitHub token"},
    Shape{"ghu_", 20, "GitHub token"},
    Shape{"ghs_", 20, "GitHub token"},
    Shape{"ghr_", 20, "GitHub token"},
    Shape{"glpat-", 16, "GitLab token"},
    Shape{"gldt-", 16, "GitLab token"},
    Shape{"glrt-", 16, "GitLab token"},
    Shape{"glptt-", 16, "GitLab token"},
    Shape{"glcbt-", 16, "GitLab token"},
    Shape{"xoxb-", 16, "Slack token"},
    Shape{"xoxp-", 16, "Slack token"},
    Shape{"xoxa-", 16, "Slack token"},
    Shape{"xoxr-", 16, "Slack token"},
    Shape{"xoxs-", 16, "Slack token"},
    Shape{"xoxe-", 16, "Slack token"},
    Shape{"xoxe.", 16, "Slack token", "."},
    Shape{"xapp-", 16, "Slack token"},
    Shape{"hooks.slack.com/services/", 40, "Slack webhook", "/"},
    Shape{"discord.com/api/webhooks/", 50, "Discord webhook", "/"},
    Shape{"discordapp.com/api/webhooks/", 50, "Discord webhook", "/"},
    Shape{"AKIA", 20, "AWS access key"},
    Shape{"ASIA", 20, "AWS access key"},
    Shape{"AIza", 30, "Google key"},
    Shape{"GOCSPX-", 24, "Google key"},
    Shape{"ya29.", 30, "Google token", "."},
    Shape{"hf_", 20, "Hugging Face token"},
    Shape{"npm_", 20, "npm token"},
    Shape{"pypi-", 20, "PyPI token"},
    Shape{"rubygems_", 24, "RubyGems key"},
    Shape{"dckr_pat_", 20, "Docker token"},
    Shape{"dop_v1_", 20, "DigitalOcean token"},
    Shape{"doo_v1_", 20, "DigitalOcean token"},
    Shape{"shpat_", 24, "Shopify token"},
    Shape{"shpss_", 24, "Shopify token"},
    Shape{"shppa_", 24, "Shopify token"},
    Shape{"SG.", 40, "SendGrid key", "."},
    Shape{"sq0atp-", 20, "Square token"},
    Shape{"sq0csp-", 20, "Square token"},
    Shape{"lin_api_", 24, "Linear key"},
    Shape{"ntn_", 30, "Notion token"},
    Shape{"figd_", 24, "Figma token"},
    Shape{"hvs.", 24, "Vault token", "."},
    Shape{"hvb.", 24, "Vault token", "."},
    Shape{"glsa_", 24, "Grafana token"},
    Shape{"glc_", 24, "Grafana token"},
    Shape{"NRAK-", 24, "New Relic key"},
    Shape{"sntrys_", 24, "Sentry token"},
    Shape{"sntryu_", 24, "Sentry token"},
    Shape{"nfp_", 24, "Netlify token"},
    Shape{"PMAK-", 24, "Postman key"},
    Shape{"gsk_", 24, "API key"},
    Shape{"xai-", 24, "API key"},
    Shape{"pplx-", 24, "API key"},
    Shape{"r8_", 24, "API key"},
    Shape{"pa-", 24, "API key"},
    Shape{"dapi", 36, "Databricks token"},
    Shape{"tskey-", 20, "Tailscale key"},
    Shape{"pul-", 36, "Pulumi token"},
    Shape{"AGE-SECRET-KEY-1", 40, "age key"},
    Shape{"eyJ", 24, "JWT", "."},
};

// What a value is named by --------------------------------------------------------------------------------------

// A password may be any word; a key or token looks as if a machine had made it.
enum class Kind { password, key, loose_key, pin };

struct Name {
  std::string_view text;  // in lower case; "_" stands for "_", "-", a blank or nothing
  std::string_view what;
  Kind kind;
  bool whole = false;  // no letter before it
};
inline constexpr std::array names = {
    Name{"password", "password", Kind::password},
    Name{"passwd", "password", Kind::password},
    Name{"passphrase", "passphrase", Kind::password},
    Name{"passwort", "password", Kind::password},
    Name{"kennwort", "password", Kind::password},
    Name{"mot_de_passe", "password", Kind::password},
    Name{"密码", "password", Kind::password},
    Name{"密碼", "password", Kind::password},
    Name{"口令", "password", Kind::password},
    Name{"pwd", "password", Kind::password, true},
    Name{"pass", "password", Kind::password, true},
    Name{"pw", "password", Kind::password, true},
    Name{"pin", "PIN", Kind::pin, true},
    Name{"api_key", "API key", Kind::key},
    Name{"access_key", "access key", Kind::key},
    Name{"secret_key", "secret key", Kind::key},
    Name{"private_key", "private key", Kind::key},
    Name{"encryption_key", "encryption key", Kind::key},
    Name{"signing_key", "signing key", Kind::key},
    Name{"auth_key", "key", Kind::key},
    Name{"account_key", "account key", Kind::key},
    Name{"master_key", "key", Kind::key},
    Name{"token", "token", Kind::key},
    Name{"secret", "secret", Kind::key},
    Name{"credential", "credential", Kind::key},
    Name{"authorization", "authorization header", Kind::key},
    Name{"schlüssel", "key", Kind::key},
    Name{"clé_d'api", "API key", Kind::key},
    Name{"clé_api", "API key", Kind::key},
    Name{"jeton", "token", Kind::key, true},
    Name{"令牌", "token", Kind::key},
    Name{"密钥", "key", Kind::key},
    Name{"密鑰", "key", Kind::key},
    Name{"秘钥", "key", Kind::key},
    Name{"sig", "signature", Kind::loose_key, true},
    Name{"key", "key", Kind::loose_key},
};

inline constexpr std::array first_bytes = [] {
  std::array<bool, 256> first{};
  for (const auto& name : names) {
    const auto c = static_cast<unsigned char>(name.text.front());
    first[c] = true;
    if (c >= 'a' && c <= 'z') first[c - 'a' + 'A'] = true;
  }
  return first;
}();

// How many bytes of `text` the name takes; 0: it is another word.
inline std::size_t name_bytes(std::string_view text, std::string_view name) {
  std::size_t at = 0;
  for (const char c : name) {
    if (c == '_') {
      if (at < text.size() && (text[at] == '_' || text[at] == '-' || text[at] == ' ')) ++at;
    } else if (at < text.size() && lower_ascii(text[at]) == c) {
      ++at;
    } else {
      return 0;
    }
  }
  return at;
}

// Stand in a value's place and are none: what languages write there, and what people write there for nothing.
inline constexpr auto no_values = std::to_array<std::string_view>({"string",      "str",
                                                                   "text",        "number",
                                                                   "int",         "integer",
                                                                   "bool",        "boolean",
                                                                   "any",         "null",
                                                                   "nil",         "none",
                                                                   "undefined",   "true",
                                                                   "false",       "void",
                                                                   "optional",    "option",
                                                                   "required",    "bytes",
                                                                   "char",        "varchar",
                                                                   "object",      "list",
                                                                   "array",       "vec",
                                                                   "map",         "dict",
                                                                   "promise",     "auto",
                                                                   "const",       "self",
                                                                   "this",        "new",
                                                                   "value",       "values",
                                                                   "input",       "args",
                                                                   "params",      "config",
                                                                   "settings",    "options",
                                                                   "request",     "response",
                                                                   "data",        "result",
                                                                   "env",         "environ",
                                                                   "process",     "os",
                                                                   "empty",       "blank",
                                                                   "unset",       "default",
                                                                   "example",     "sample",
                                                                   "test",        "dummy",
                                                                   "placeholder", "changeme",
                                                                   "change-me",   "change_me",
                                                                   "todo",        "tbd",
                                                                   "fixme",       "redacted",
                                                                   "hidden",      "masked",
                                                                   "secret",      "password",
                                                                   "passwort",    "kennwort",
                                                                   "passwd",      "pass",
                                                                   "pwd",         "pw",
                                                                   "token",       "key",
                                                                   "yes",         "no",
                                                                   "on",          "off",
                                                                   "see",         "siehe",
                                                                   "voir",        "missing",
                                                                   "invalid",     "expired",
                                                                   "valid",       "unknown",
                                                                   "user",        "username",
                                                                   "login",       "admin-password",
                                                                   "file",        "prompt",
                                                                   "ask",         "await",
                                                                   "return",      "if",
                                                                   "not",         "and",
                                                                   "or",          "the",
                                                                   "a",           "async",
                                                                   "function",    "lambda",
                                                                   "readonly"});

// "My password is …" goes on like this where no password follows.
inline constexpr auto states = std::to_array<std::string_view>(
    {"weak",      "strong",   "wrong",   "right",     "correct",    "incorrect",  "good",    "bad",    "old",
     "short",     "long",     "safe",    "unsafe",    "secure",     "insecure",   "stored",  "saved",  "hashed",
     "encrypted", "visible",  "gone",    "lost",      "leaked",     "forgotten",  "there",   "here",   "too",
     "also",      "still",    "now",     "only",      "always",     "never",      "in",      "at",     "under",
     "set",       "reset",    "shown",   "different", "same",       "important",  "needed",  "public", "private",
     "accepted",  "rejected", "refused", "falsch",    "richtig",    "abgelaufen", "schwach", "sicher", "weg",
     "faux",      "correcte", "faible",  "fort",      "incorrecte", "broken",     "fine",    "ok"});

// After a password that is a plain word, a sentence goes on so.
inline constexpr auto connectives = std::to_array<std::string_view>(
    {"and", "but", "for", "so", "please", "und", "aber", "bitte", "et", "mais", "can", "could", "on", "ok"});

// A word that is written where a value is to come: "<your-key>", "xxxx", "${TOKEN}", "your_password_here".
inline bool is_placeholder(std::string_view value) {
  const std::string word = lowered(value.substr(0, looked_at));
  if (is_one_of(word, no_values)) return true;
  if (std::none_of(word.begin(), word.end(), [](char c) { return is_alnum(c) || beyond_ascii(c); })) return true;
  if (word.find_first_not_of(word.front()) == npos) return true;
  if (word.find_first_not_of("x*.-_") == npos) return true;
  constexpr auto parts = std::to_array<std::string_view>({"your", "example", "placeholder", "changeme", "change-me",
                                                          "redacted", "dummy", "xxxx", "****", "insert", "<", "...."});
  if (std::any_of(parts.begin(), parts.end(), [&](auto part) { return word.find(part) != npos; })) return true;
  const char first = word.front();
  if (first == '<' || first == '{' || first == '[' || first == '(' || first == '&' || first == '%') return true;
  if (first == '$' || first == ':' || first == '@' || first == '#') {  // $TOKEN, ${TOKEN}, $(pass show x), :name
    const auto rest = word.substr(std::min<std::size_t>(1, word.size()));
    return rest.empty() || rest.front() == '{' || rest.front() == '(' || rest.front() == '[' ||
           (!is_digit(rest.front()) && std::all_of(rest.begin(), rest.end(), is_word));
  }
  if (word.starts_with("/") || word.starts_with("./") || word.starts_with("~/") || word.starts_with("../")) return true;
  return word.find("://") != npos || word.starts_with("vault:") || word.starts_with("arn:") ||
         word.starts_with("file:") || word.starts_with("env:");
}

// os.environ["X"], config.password, getPassword(), user_password: code that yields the value.
inline bool is_code(std::string_view value) {
  value = value.substr(0, looked_at);
  if (value.find_first_of("([") != npos && is_word(value.front())) return true;
  const Make make = make_of(value);
  if (value.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") != npos) return false;
  const bool chain = value.find('.') != npos && make.digits == 0;
  const bool snake = value.find('_') != npos && (make.digits == 0 || is_name(value));
  const bool camel = make.digits == 0 && make.others == 0 && make.upper > 0 && make.changes > 0;
  return chain || snake || camel;
}

}  // namespace selfmind::text::shapes_of_secrets

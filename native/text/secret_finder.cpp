// find_secrets() of secrets.h. One pass; every look ahead is bounded, or ends where the next one begins.
#include <algorithm>
#include <array>
#include <optional>

#include "text/characters.h"
#include "text/secrets.h"

namespace selfmind::text {
namespace {

constexpr std::size_t npos = std::string_view::npos;
constexpr std::size_t looked_at = 256;  // bytes of a word by which it is judged, however long it is
constexpr std::size_t broken_off_bytes_min = 8;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_alpha(char c) { return is_upper(c) || is_lower(c); }
bool is_alnum(char c) { return is_alpha(c) || is_digit(c); }
bool is_word(char c) { return is_alnum(c) || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_key_character(char c) { return is_alnum(c) || c == '-' || c == '_'; }
bool beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

std::string lowered(std::string_view text) {
  std::string out(text);
  for (auto& c : out) c = lower_ascii(c);
  return out;
}

bool starts_with_any_case(std::string_view text, std::string_view beginning) {
  return text.size() >= beginning.size() && std::equal(beginning.begin(), beginning.end(), text.begin(),
                                                       [](char a, char b) { return a == lower_ascii(b); });
}

template <std::size_t n>
bool is_one_of(std::string_view word, const std::array<std::string_view, n>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// How a word is made.
struct Make {
  std::size_t digits = 0, upper = 0, lower = 0, others = 0, changes = 0;
  bool mixed() const { return digits > 0 && upper + lower > 0; }
  bool letters_only() const { return digits + others == 0; }
  bool digits_only() const { return digits > 0 && upper + lower + others == 0; }
};

Make make_of(std::string_view word) {
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
bool looks_random(std::string_view word) {
  const Make make = make_of(word);
  return word.size() >= 16 && make.mixed() && make.digits >= 2 && make.changes >= 4;
}

// "app-tls-v2", "us-east-1", "ConfigMap.v1": names that people give.
bool is_name(std::string_view word) {
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
constexpr std::array shapes = {
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
constexpr std::array names = {
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

constexpr std::array first_bytes = [] {
  std::array<bool, 256> first{};
  for (const auto& name : names) {
    const auto c = static_cast<unsigned char>(name.text.front());
    first[c] = true;
    if (c >= 'a' && c <= 'z') first[c - 'a' + 'A'] = true;
  }
  return first;
}();

// How many bytes of `text` the name takes; 0: it is another word.
std::size_t name_bytes(std::string_view text, std::string_view name) {
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

// What joins a name to its value.
enum class Joint { none, tight, loose, colon, prose, to, flag, tag };

// Stand in a value's place and are none: what languages write there, and what people write there for nothing.
constexpr auto no_values = std::to_array<std::string_view>({"string",      "str",
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
constexpr auto states = std::to_array<std::string_view>(
    {"weak",      "strong",   "wrong",   "right",     "correct",    "incorrect",  "good",    "bad",    "old",
     "short",     "long",     "safe",    "unsafe",    "secure",     "insecure",   "stored",  "saved",  "hashed",
     "encrypted", "visible",  "gone",    "lost",      "leaked",     "forgotten",  "there",   "here",   "too",
     "also",      "still",    "now",     "only",      "always",     "never",      "in",      "at",     "under",
     "set",       "reset",    "shown",   "different", "same",       "important",  "needed",  "public", "private",
     "accepted",  "rejected", "refused", "falsch",    "richtig",    "abgelaufen", "schwach", "sicher", "weg",
     "faux",      "correcte", "faible",  "fort",      "incorrecte", "broken",     "fine",    "ok"});

// After a password that is a plain word, a sentence goes on so.
constexpr auto connectives = std::to_array<std::string_view>(
    {"and", "but", "for", "so", "please", "und", "aber", "bitte", "et", "mais", "can", "could", "on", "ok"});

// A word that is written where a value is to come: "<your-key>", "xxxx", "${TOKEN}", "your_password_here".
bool is_placeholder(std::string_view value) {
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
bool is_code(std::string_view value) {
  value = value.substr(0, looked_at);
  if (value.find_first_of("([") != npos && is_word(value.front())) return true;
  const Make make = make_of(value);
  if (value.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") != npos) return false;
  const bool chain = value.find('.') != npos && make.digits == 0;
  const bool snake = value.find('_') != npos && (make.digits == 0 || is_name(value));
  const bool camel = make.digits == 0 && make.others == 0 && make.upper > 0 && make.changes > 0;
  return chain || snake || camel;
}

// Finder ----------------------------------------------------------------------------------------------------------

class Finder {
 public:
  explicit Finder(std::string_view text) : text_(text) {}

  std::vector<Secret> all() {
    bool inside_word = false;
    for (std::size_t at = 0; at < text_.size(); ++at) {
      const char c = text_[at];
      if (c == '[') {
        if (const auto end = mark_end(at)) {
          at = *end - 1;
          inside_word = false;
          continue;
        }
      }
      std::optional<Secret> found;
      if (c == ':') found = in_url(at);
      if (c == '-') found = private_key(at);
      if (!found && is_alnum(c) && !inside_word) found = key(at);
      if (!found && is_digit(c) && !inside_word) found = telegram(at);
      if (!found && first_bytes[static_cast<unsigned char>(c)]) found = named(at);
      if (!found && (c == 'b' || c == 'B') && !inside_word) found = header(at);
      if (!found && c == '-' && at > 0 && is_blank(text_[at - 1])) found = curl_user(at);
      inside_word = is_alnum(c);
      if (!found) continue;
      secrets_.push_back(*found);
      at = found->to - 1;
      inside_word = true;
    }
    return std::move(secrets_);
  }

 private:
  bool at_end(std::size_t at) const { return at >= text_.size(); }
  char character(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  // "[secret: …]", "[secret***]" and "[private]" are ours.
  std::optional<std::size_t> mark_end(std::size_t at) const {
    const auto rest = text_.substr(at, 48);
    if (!rest.starts_with("[secret") && !rest.starts_with("[private]")) return {};
    const auto end = rest.find(']');
    if (end == npos || rest.substr(0, end).find('\n') != npos) return {};
    return at + end + 1;
  }

  // The end of the run of key characters around `at`, looked for once for each run.
  std::size_t run_end(std::size_t at) {
    if (at < run_from_ || at >= run_to_) {
      run_from_ = at;
      run_to_ = at;
      while (run_to_ < text_.size() && is_key_character(text_[run_to_])) ++run_to_;
    }
    return run_to_;
  }

  std::optional<Secret> key(std::size_t at) {
    const auto rest = text_.substr(at, 40);
    for (const auto& shape : shapes) {
      if (shape.text.front() != rest.front() || !rest.starts_with(shape.text)) continue;
      std::size_t end = std::max(run_end(at), std::min(at + shape.text.size(), text_.size()));
      while (!shape.more.empty() && end < text_.size() && end - at < 8192 &&
             (is_key_character(text_[end]) ||
              (shape.more.find(text_[end]) != npos && is_key_character(character(end + 1))))) {
        ++end;
      }
      const auto body = text_.substr(at + shape.text.size(), end - at - shape.text.size());
      const Make make = make_of(body);
      const bool aws = shape.what == "AWS access key";  // its form is strict: one in thirty has no digit
      if (aws && (end - at != 20 || make.lower + make.others > 0)) break;
      if (shape.what == "JWT" && end - at >= 24 && body.find('.') == npos && end != text_.size()) break;
      // Words joined by hyphens, as in a class of CSS, have no digits.
      if (!aws && make.digits == 0 && !(make.upper > 1 && make.lower > 1)) break;
      if (is_placeholder(body)) break;
      // A text that broke off, also one in a JSON string, may end with the beginning of one.
      const bool broken_off = end == text_.size() || text_[end] == '"';
      if (end - at >= (broken_off ? broken_off_bytes_min : shape.bytes_min)) return Secret{at, end, shape.what};
      break;
    }
    return {};
  }

  // 123456789:AA…, 35 characters behind the colon.
  std::optional<Secret> telegram(std::size_t at) const {
    std::size_t colon = at;
    while (colon - at < 12 && is_digit(character(colon))) ++colon;
    if (colon - at < 8 || !text_.substr(colon).starts_with(":AA")) return {};
    std::size_t end = colon + 1;
    while (end - colon < 64 && is_key_character(character(end))) ++end;
    return end - colon == 36 ? std::optional(Secret{at, end, "Telegram token"}) : std::nullopt;
  }

  std::optional<Secret> private_key(std::size_t at) {
    if (!text_.substr(at).starts_with("-----BEGIN ")) return {};
    const auto head = text_.substr(at + 11, 80).find("-----");
    if (head == npos || text_.substr(at + 11, head).find("PRIVATE KEY") == npos) return {};
    const std::size_t from = at + 11 + head + 5;
    if (!end_mark_ || *end_mark_ < from) end_mark_ = std::min(text_.find("-----END", from), text_.size());
    std::size_t start = from;
    while (start < text_.size() && (is_blank(text_[start]) || text_[start] == '\\')) ++start;
    if (text_.substr(start).starts_with("[secret")) return {};
    const std::size_t to = *end_mark_;
    if (to < text_.size()) {
      const auto body = text_.substr(start, std::min(to, start + looked_at) - start);
      const bool any = std::any_of(body.begin(), body.end(), is_alnum);
      return any && start < to ? std::optional(Secret{from, to, "private key"}) : std::nullopt;
    }
    // Without an end: prose that names such a line goes on with short words.
    std::size_t word = start;
    while (word - start < 40 && (is_alnum(character(word)) || character(word) == '+' || character(word) == '/')) ++word;
    return word - start >= 16 ? std::optional(Secret{from, to, "private key"}) : std::nullopt;
  }

  // The password in scheme://user:password@host.
  std::optional<Secret> in_url(std::size_t at) const {
    if (!text_.substr(at).starts_with("://")) return {};
    const std::size_t user = at + 3;
    const auto part = text_.substr(user, 512);
    std::size_t end = std::min(part.find_first_of("?# \t\r\n\"'<>\\`", 0), part.size());
    if (const auto slash = part.substr(0, end).find('/'); slash != npos) {
      // A "/" before the "@" belongs to the password when no port stands before it.
      const auto before = part.substr(0, slash);
      const auto colon = before.find(':');
      const bool host = colon == npos || colon + 1 == slash || make_of(before.substr(colon + 1)).digits_only();
      if (host || before.find('@') != npos) end = slash;
    }
    const auto login = part.substr(0, end);
    const auto host = login.rfind('@');
    const auto colon = login.find(':');
    if (host == npos) return {};
    if (colon == npos || colon > host) {  // https://TOKEN@host
      const auto token = login.substr(0, host);
      return looks_random(token) ? std::optional(Secret{user, user + host, "token"}) : std::nullopt;
    }
    const auto password = login.substr(colon + 1, host - colon - 1);
    if (password.empty() || is_placeholder(password)) return {};
    return Secret{user + colon + 1, user + host, "password", password.size() >= 6};
  }

  // "Bearer abc123", "Authorization: Basic bmFtZTp3b3Jk"
  std::optional<Secret> header(std::size_t at) const {
    if (lower_ascii(character(at + 1)) != 'e' && lower_ascii(character(at + 1)) != 'a') return {};
    const auto rest = text_.substr(at, 8);
    const bool bearer = starts_with_any_case(rest, "bearer ");
    const bool basic = starts_with_any_case(rest, "basic ");
    if (!bearer && !basic) return {};
    const std::size_t from = at + (bearer ? 7 : 6);
    std::size_t end = from;
    while (end < text_.size() && (is_key_character(text_[end]) || std::string_view(".~+/=").find(text_[end]) != npos))
      ++end;
    while (end > from && text_[end - 1] == '.') --end;
    const auto value = text_.substr(from, end - from);
    if (value.size() < 8 || is_placeholder(value)) return {};
    const Make make = make_of(value);
    const auto before = lowered(text_.substr(at > 24 ? at - 24 : 0, std::min<std::size_t>(at, 24)));
    const bool in_header = before.find("authorization") != npos;
    if (basic) {
      const bool encoded = make.upper > 0 && make.lower > 0 && value.find_first_of("-_.~") == npos;
      return in_header && encoded ? std::optional(Secret{from, end, "login", true}) : std::nullopt;
    }
    const bool made = make.mixed() && (in_header || !is_name(value));
    return made ? std::optional(Secret{from, end, "bearer token", true}) : std::nullopt;
  }

  // curl -u name:password
  std::optional<Secret> curl_user(std::size_t at) const {
    const auto rest = text_.substr(at, 8);
    const std::size_t skip = rest.starts_with("-u ") ? 3 : rest.starts_with("--user ") ? 7 : 0;
    if (skip == 0) return {};
    const auto before = text_.substr(at > 200 ? at - 200 : 0, std::min<std::size_t>(at, 200));
    if (before.rfind("curl") == npos) return {};
    const auto login = text_.substr(at + skip, looked_at);
    const auto end = std::min(login.find_first_of(" \t\r\n\"'`"), login.size());
    const auto colon = login.substr(0, end).find(':');
    if (colon == npos || colon + 1 >= end || is_placeholder(login.substr(colon + 1, end - colon - 1))) return {};
    return Secret{at + skip + colon + 1, at + skip + end, "password", end - colon > 6};
  }

  // Values behind names -------------------------------------------------------------------------------------------

  std::optional<Secret> named(std::size_t at) {
    const bool letter_before = at > 0 && is_alpha(text_[at - 1]) && !(is_lower(text_[at - 1]) && is_upper(text_[at]));
    const char first = lower_ascii(text_[at]);
    for (const auto& name : names) {
      if (name.text.front() != first || (name.whole && letter_before)) continue;
      const auto bytes = name_bytes(text_.substr(at, 24), name.text);
      if (bytes == 0) continue;
      auto found = value_of(name, at, at + bytes);
      if (!found) continue;
      // "token: ghp_…" is better called by what it is.
      if (const auto shape = key(found->from)) {
        found->what = shape->what;
        found->to = std::max(found->to, shape->to);
      }
      return found;
    }
    return {};
  }

  std::optional<Secret> value_of(const Name& name, std::size_t from, std::size_t at) const {
    const bool chinese = beyond_ascii(name.text.front());
    for (int i = 0; i < 3 && (is_digit(character(at)) || (character(at) == '_' && is_digit(character(at + 1)))); ++i)
      ++at;
    if (is_word(character(at)) || (!chinese && beyond_ascii(character(at)) && !at_quote(at) && !at_colon(at)))
      return {};
    // Tokens of a text, not of a login.
    if (name.text == "token") {
      const auto before = lowered(text_.substr(from > 6 ? from - 6 : 0, std::min<std::size_t>(from, 6)));
      for (const std::string_view word : {"eos", "bos", "pad", "stop", "page", "unk", "mask", "next", "cls", "sep"}) {
        if (before.ends_with(std::string(word) + "_") || before.ends_with(std::string(word) + " ")) return {};
      }
    }
    const std::size_t behind_name = at;
    const Joint joint = joint_at(name, from, at);
    if (joint == Joint::none) return {};
    return judge(name, from, behind_name, joint, at, chinese);
  }

  bool at_colon(std::size_t at) const { return text_.substr(at).starts_with("："); }
  bool at_quote(std::size_t at) const { return !opening_quote(at).empty(); }

  void skip_blanks(std::size_t& at) const {
    for (int i = 0; i < 16 && (character(at) == ' ' || character(at) == '\t'); ++i) ++at;
  }

  // Moves `at` to the value.
  Joint joint_at(const Name& name, std::size_t from, std::size_t& at) const {
    // DB_PASSWORD, --password: written as computers read it.
    if (from >= 2 && text_.substr(from - 2, 2) == "--" && character(at) == ' ' && character(at + 1) != '-') {
      skip_blanks(at);
      return Joint::flag;
    }
    std::size_t dashes = from;
    while (dashes > 0 && from - dashes < 32 && is_key_character(text_[dashes - 1])) --dashes;
    if (from - dashes > 2 && text_.substr(dashes, 2) == "--" && character(at) == ' ' && character(at + 1) != '-') {
      skip_blanks(at);
      return Joint::flag;
    }
    if (from > 0 && text_[from - 1] == '<' && character(at) == '>') {
      ++at;
      return Joint::tag;
    }
    const std::size_t start = at;
    while (at - start < 4 && (character(at) == '"' || character(at) == '\'' || character(at) == '\\' ||
                              character(at) == '`' || character(at) == ']' || character(at) == '?')) {
      ++at;
    }
    skip_blanks(at);
    if (const Joint sign = sign_at(start, at); sign != Joint::none) return sign;
    return words_at(name, at);
  }

  Joint sign_at(std::size_t start, std::size_t& at) const {
    if (at_colon(at)) {
      at += std::string_view("：").size();
      skip_blanks(at);
      return Joint::colon;
    }
    const char c = character(at);
    const char next = character(at + 1);
    if (c == ':' && next == ':') return Joint::none;
    if (c == ':' && next != '=') {
      ++at;
      skip_blanks(at);
      return Joint::colon;
    }
    if (c == '=' && next == '~') return Joint::none;
    const bool arrow = c == '=' && next == '>';
    if (c == '=' || (c == ':' && next == '=')) {
      const bool blank_before = at > start && is_blank(text_[at - 1]);
      at += c == ':' || arrow ? 2 : 1;
      for (int i = 0; i < 2 && character(at) == '='; ++i) ++at;  // a comparison
      const std::size_t value = at;
      skip_blanks(at);
      return blank_before || at > value || c == ':' || arrow ? Joint::loose : Joint::tight;
    }
    return Joint::none;
  }

  // "is", and "for the staging database is" between the name and "is".
  Joint words_at(const Name& name, std::size_t& at) const {
    constexpr auto ways = std::to_array<std::string_view>({"for ", "of ", "on ", "für ", "von ", "de ", "pour "});
    const auto rest = text_.substr(at, 72);
    if (const Joint joint = verb_at(at); joint != Joint::none) return joint;
    if (name.kind == Kind::loose_key) return Joint::none;
    if (std::none_of(ways.begin(), ways.end(), [&](auto way) { return starts_with_any_case(rest, way); }))
      return Joint::none;
    for (std::size_t i = 1; i < rest.size() && rest[i] != '\n' && rest[i] != '.' && rest[i] != ';' && rest[i] != ',';
         ++i) {
      std::size_t here = at + i;
      if (rest[i] == ':' && character(here + 1) == ' ') {
        here += 2;
        skip_blanks(here);
        at = here;
        return Joint::to;
      }
      if (rest[i - 1] != ' ') continue;
      if (verb_at(here) != Joint::none) {
        at = here;
        return Joint::to;
      }
    }
    return Joint::none;
  }

  Joint verb_at(std::size_t& at) const {
    struct Verb {
      std::string_view text;
      Joint joint;
    };
    constexpr std::array verbs = {
        Verb{"is now ", Joint::prose}, Verb{"is ", Joint::prose},      Verb{"is: ", Joint::prose},
        Verb{"was ", Joint::prose},    Verb{"ist ", Joint::prose},     Verb{"ist: ", Joint::prose},
        Verb{"lautet ", Joint::prose}, Verb{"lautet: ", Joint::prose}, Verb{"est ", Joint::prose},
        Verb{"to ", Joint::to},        Verb{"auf ", Joint::to},        Verb{"是", Joint::prose},
        Verb{"为", Joint::prose},      Verb{"為", Joint::prose},
    };
    const auto rest = text_.substr(at, 12);
    const char first = lower_ascii(character(at));
    for (const auto& verb : verbs) {
      if (verb.text.front() != first) continue;
      if (!starts_with_any_case(rest, verb.text)) continue;
      at += verb.text.size();
      if (at_colon(at)) at += std::string_view("：").size();
      if (character(at) == ':') ++at;
      skip_blanks(at);
      return verb.joint;
    }
    return Joint::none;
  }

  // What closes the quotation that begins here; empty: none begins.
  std::string_view opening_quote(std::size_t at) const {
    struct Quote {
      std::string_view open, close;
    };
    constexpr std::array quotes = {Quote{"\\\"", "\\\""}, Quote{"\"", "\""}, Quote{"'", "'"},
                                   Quote{"`", "`"},       Quote{"“", "”"},   Quote{"„", "“"},
                                   Quote{"«", "»"},       Quote{"「", "」"}, Quote{"‘", "’"}};
    const auto rest = text_.substr(at, 4);
    for (const auto& quote : quotes) {
      if (rest.starts_with(quote.open)) return quote.close;
    }
    return {};
  }

  // The end of a value that stands in no quotes.
  std::size_t bare_end(std::size_t at, bool ascii_only) const {
    std::size_t end = at;
    for (; end < text_.size(); ++end) {
      const char c = text_[end];
      if (is_blank(c) || c == '"' || c == '\'' || c == '`' || c == '<' || c == '\0') break;
      if (c == '\\' && std::string_view("\"nrt'\\").find(character(end + 1)) != npos) break;
      if ((c == ';' || c == '&' || c == ',') && assignment_follows(end + 1)) break;
      if (!beyond_ascii(c)) continue;
      if (ascii_only) break;
      const auto rest = text_.substr(end, 3);
      if (rest.starts_with("\xE3\x80") || rest.starts_with("\xEF\xBC") || rest.starts_with("”") ||
          rest.starts_with("»"))
        break;
    }
    while (end > at && std::string_view(".,;:)}]").find(text_[end - 1]) != npos) --end;
    return end;
  }

  bool assignment_follows(std::size_t at) const {
    skip_blanks(at);
    std::size_t end = at;
    while (end - at < 40 && (is_key_character(character(end)) || character(end) == ' ')) ++end;
    return end > at && (character(end) == '=' || character(end) == ':');
  }

  // Nothing more is said: the line, the sentence or the expression ends here, or goes on with "and".
  bool ends_here(std::size_t at) const {
    const std::size_t after = at;
    skip_blanks(at);
    const char c = character(at);
    if (at_end(at) || c == '\n' || c == '\r' || c == '\\') return true;
    if (after == at) return !is_word(c) && c != '-' && c != '/';
    if (beyond_ascii(c) || c == '[') return false;  // a mark stands for a word
    std::size_t end = at;
    while (end - at < 12 && is_alpha(character(end))) ++end;
    return end == at || is_one_of(lowered(text_.substr(at, end - at)), connectives);
  }

  std::optional<Secret> judge(const Name& name, std::size_t from, std::size_t behind_name, Joint joint, std::size_t at,
                              bool chinese) const {
    if (name.text == "authorization") {  // a scheme of its own; Bearer and Basic are header()'s
      for (const std::string_view scheme : {"bearer ", "basic ", "digest ", "negotiate "}) {
        if (starts_with_any_case(text_.substr(at, 12), scheme)) return {};
      }
      for (const std::string_view scheme : {"token ", "apikey ", "api-key "}) {
        if (starts_with_any_case(text_.substr(at, 12), scheme)) at += scheme.size();
      }
    }
    const auto close = opening_quote(at);
    const bool quoted = !close.empty();
    std::size_t to = 0;
    if (quoted) {
      at += close == "\\\""                                             ? 2
            : text_[at] == '"' || text_[at] == '\'' || text_[at] == '`' ? 1
                                                                        : std::string_view("“").size();
      if (close == "»") at = at - std::string_view("“").size() + std::string_view("«").size();
      const auto line = text_.substr(at, looked_at);
      const auto end = std::min(line.find(close), line.find('\n'));
      if (end == npos || line.substr(end, close.size()) != close) {
        to = bare_end(at, chinese);  // it does not end: a text that broke off
      } else {
        to = at + end;
      }
    } else {
      to = bare_end(at, chinese && joint != Joint::tight);
    }
    if (to <= at) return {};
    const auto value = text_.substr(at, to - at);
    if (is_placeholder(value) || value.substr(0, looked_at).find("[secret") != npos) return {};
    const Value what{value, quoted, ends_here(to), character(to)};
    const bool yes = name.kind == Kind::password    ? is_password(joint, what, from)
                     : name.kind == Kind::pin       ? is_pin(joint, what)
                     : name.kind == Kind::loose_key ? is_loose_key(name, joint, what, from, behind_name)
                                                    : is_key(joint, what);
    if (!yes) return {};
    return Secret{at, to, name.what, true};
  }

  struct Value {
    std::string_view text;
    bool quoted;
    bool last;   // of its line or sentence
    char after;  // the character behind it
  };

  static bool is_key(Joint joint, const Value& value) {
    if (value.text.find_first_of(" (){}") != npos || (!value.quoted && is_code(value.text))) return false;
    const Make make = make_of(value.text);
    if (make.digits_only()) return value.text.size() >= 16 && joint != Joint::prose;
    if (!make.mixed()) {
      // Base64 happens to have no digit sometimes.
      return value.text.size() >= 24 && make.upper >= 4 && make.lower >= 4 && make.changes >= 6;
    }
    if (value.text.size() < 8 || is_name(value.text)) return false;
    if (joint == Joint::prose || joint == Joint::to || (joint == Joint::colon && !value.last)) {
      return make.changes >= 3 || (make.digits >= 4 && value.text.size() >= 12);
    }
    return true;
  }

  // What is called no more than "key" must look like one: DEPLOY_KEY=, "sig=" in a URL.
  bool is_loose_key(const Name& name, Joint joint, const Value& value, std::size_t from, std::size_t) const {
    if (joint != Joint::tight && joint != Joint::loose && joint != Joint::colon) return false;
    const char before = from > 0 ? text_[from - 1] : '\0';
    if (name.text == "sig" ? before != '&' && before != '?' : before != '_' && before != '-' && !is_lower(before))
      return false;
    if (value.text.find_first_of(" .:") != npos || is_name(value.text)) return false;
    return looks_random(value.text) && value.text.size() >= 20;
  }

  static bool is_pin(Joint joint, const Value& value) {
    return joint == Joint::prose && value.last && make_of(value.text).digits_only() && value.text.size() >= 4 &&
           value.text.size() <= 12;
  }

  bool is_password(Joint joint, const Value& value, std::size_t from) const {
    const auto& word = value.text;
    const Make make = make_of(word);
    if (value.quoted) return is_quoted_password(joint, word);
    const std::string low = lowered(word.substr(0, looked_at));
    if (word.size() < 4 || word.front() == '!' || word.front() == '=' || is_code(word)) return false;
    const bool names_itself = low.find("passw") != npos || low.find("secret") != npos;
    const bool symbols = make.others > 0 && word.find_first_of("!@#$%^&*+=?~|") != npos;
    const bool strong = (make.mixed() || symbols) && !(names_itself && is_name(word) && joint != Joint::tight);
    const bool call = value.after == ')' || value.after == ',' || value.after == ';';
    switch (joint) {
      case Joint::tight:
        return strong || make.digits_only() || !(call && make.letters_only());
      case Joint::flag:
      case Joint::tag:
        return strong || make.digits_only() || (value.last && !names_itself);
      case Joint::loose:
      case Joint::colon:
        if (strong) return !(is_name(word) && !value.last);
        if (make.digits_only()) return value.last;
        return value.last && !call && !names_itself && word.size() >= 6 && make.upper <= 1 && !is_one_of(low, states);
      case Joint::prose:
        if (strong) return !is_technical(low);
        if (!value.last) return false;
        if (make.digits_only()) return true;
        return is_somebodys(from) && make.others == 0 && !names_itself && !is_one_of(low, states);
      case Joint::to:
        return (make.mixed() || (symbols && value.last)) && word.size() >= 6 && !is_technical(low) && !is_name(word);
      default:
        return false;
    }
  }

  static bool is_quoted_password(Joint joint, std::string_view word) {
    if (word.size() < 4) return false;
    const Make make = make_of(word);
    if (word.find(' ') == npos) {
      const std::string low = lowered(word.substr(0, looked_at));
      const bool names_itself = low.find("passw") != npos && make.digits == 0;
      return !names_itself && !(joint == Joint::prose && is_one_of(low, states));
    }
    // Several words: what asks for one, or one of those made of words.
    const std::string low = " " + lowered(word.substr(0, looked_at)) + " ";
    constexpr auto prose =
        std::to_array<std::string_view>({" your ", " a ", " the ", " must ", " is ", " enter ", " not ", " to ",
                                         "passw", " and ", " ihr ", " votre ", " please ", " or "});
    return std::none_of(prose.begin(), prose.end(), [&](auto part) { return low.find(part) != npos; }) &&
           make.upper <= 1;
  }

  // "base64-encoded", "sha256", "utf-8": said of a password, none itself.
  static bool is_technical(std::string_view word) {
    constexpr auto starts =
        std::to_array<std::string_view>({"base64", "sha", "md5", "utf-8", "utf8", "aes", "rsa-", "ed25519", "argon2",
                                         "bcrypt", "pbkdf2", "oauth2", "scrypt", "http"});
    return std::any_of(starts.begin(), starts.end(), [&](auto start) { return word.starts_with(start); });
  }

  // "my password", "mein Passwort", "我的密码": then any word may be it.
  bool is_somebodys(std::size_t from) const {
    const auto before = lowered(text_.substr(from > 32 ? from - 32 : 0, std::min<std::size_t>(from, 32)));
    for (const std::string_view whose :
         {"my ", "our ", "mein ", "unser ", "mon ", "notre ", "meine ", "我的", "我们的"}) {
      if (before.rfind(whose) != npos && before.find_first_of(".\n", before.rfind(whose)) == npos) return true;
    }
    return false;
  }

  std::string_view text_;
  std::vector<Secret> secrets_;
  std::size_t run_from_ = 0, run_to_ = 0;
  std::optional<std::size_t> end_mark_;
};

}  // namespace

std::vector<Secret> find_secrets(std::string_view text, const SecretPatterns& own) {
  std::vector<Secret> secrets = Finder(text).all();
  const auto built_in = secrets.size();
  own.find(text, secrets);
  if (secrets.size() == built_in) return secrets;
  std::stable_sort(secrets.begin(), secrets.end(), [](const Secret& a, const Secret& b) { return a.from < b.from; });
  std::vector<Secret> apart;
  for (const auto& secret : secrets) {
    if (!apart.empty() && secret.from < apart.back().to) {
      apart.back().to = std::max(apart.back().to, secret.to);
    } else {
      apart.push_back(secret);
    }
  }
  return apart;
}

std::vector<std::string_view> unusual_words(std::string_view text) {
  const auto secrets = find_secrets(text);
  std::vector<std::string_view> words;
  std::size_t next = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_alnum(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && (is_key_character(text[end]) || text[end] == '+' || text[end] == '=')) ++end;
    const auto word = text.substr(at, end - at);
    while (next < secrets.size() && secrets[next].to <= at) ++next;
    const bool secret = next < secrets.size() && secrets[next].from < end;
    if (!secret && looks_random(word) && !is_name(word)) words.push_back(word);
    at = end;
  }
  return words;
}

}  // namespace selfmind::text

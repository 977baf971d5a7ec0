// find_secrets() of secrets.h. One pass; every look ahead is bounded, or ends where the next one begins.
#include <algorithm>
#include <array>
#include <optional>

#include "text/secret_shapes.h"
#include "text/secrets.h"

namespace selfmind::text {
namespace {

using namespace shapes_of_secrets;

constexpr std::size_t broken_off_bytes_min = 8;

// What joins a name to its value.
enum class Joint { none, tight, loose, colon, prose, to, flag, tag };

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

#include "store/git_config.h"

namespace selfmind::store {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
}
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

class ConfigReader {
 public:
  explicit ConfigReader(std::string_view text) : text_(text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
  }

  std::vector<GitRemote> read() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_blank(c) || c == '\n') {
        ++at_;
      } else if (c == '[') {
        ++at_;
        read_section();
      } else if (is_name(c)) {
        read_entry();
      } else {
        skip_line();
      }
    }
    return std::move(remotes_);
  }

 private:
  bool ends() const { return at_ >= text_.size() || text_[at_] == '\n'; }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  void skip_line() {
    while (!ends()) ++at_;
  }
  // Names of sections and keys have no case.
  std::string read_name() {
    std::string name;
    while (at_ < text_.size() && is_name(text_[at_])) name += lower(text_[at_++]);
    return name;
  }

  // [remote "name"], or the old form [remote.name]; entries may follow on the same line.
  void read_section() {
    skip_blanks();
    const std::string section = read_name();
    skip_blanks();
    std::string subsection;
    if (at_ < text_.size() && text_[at_] == '"') {
      subsection = read_subsection();
      in_remote_ = section == "remote";
    } else {
      in_remote_ = section.starts_with("remote.");
      if (in_remote_) subsection = section.substr(7);
    }
    remote_ = subsection;
    while (!ends() && text_[at_] != ']') ++at_;
    if (!ends()) ++at_;
  }

  std::string read_subsection() {
    std::string name;
    for (++at_; !ends() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      name += text_[at_];
    }
    if (!ends()) ++at_;
    return name;
  }

  void read_entry() {
    const std::string key = read_name();
    skip_blanks();
    if (ends() || text_[at_] != '=') return skip_line();
    ++at_;
    std::string value = read_value();
    if (in_remote_ && key == "url" && !value.empty()) remotes_.push_back({remote_, std::move(value)});
  }

  std::string read_value() {
    skip_blanks();
    std::string value;
    std::size_t kept = 0;  // blanks after this are kept only when more follows
    bool quoted = false;
    for (; !ends(); ++at_) {
      const char c = text_[at_];
      if (c == '"') {
        quoted = !quoted;
        kept = value.size();
      } else if (c == '\\') {
        read_escape(value);
        kept = value.size();
      } else if (!quoted && (c == '#' || c == ';')) {
        skip_line();
        break;
      } else {
        value += c;
        if (quoted || !is_blank(c)) kept = value.size();
      }
    }
    value.resize(kept);
    return value;
  }

  // at_ is on the backslash; it is left on the last character of the escape.
  void read_escape(std::string& value) {
    if (at_ + 1 >= text_.size()) return;
    if (text_.substr(at_ + 1).starts_with("\r\n")) ++at_;
    switch (const char c = text_[++at_]) {
      case '\n':
        break;  // the value goes on in the next line
      case 'n':
        value += '\n';
        break;
      case 't':
        value += '\t';
        break;
      case 'b':
        value += '\b';
        break;
      default:
        value += c;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool in_remote_ = false;
  std::string remote_;
  std::vector<GitRemote> remotes_;
};

}  // namespace

std::vector<GitRemote> git_remotes(std::string_view config) { return ConfigReader(config).read(); }

}  // namespace selfmind::store

// Finds secrets in a text and takes them out: keys by their usual beginnings, private keys, passwords in URLs, what
// follows "password:", "my token is" or "Bearer". There is one finder: what redact() takes out of the store and what
// SecretMask hides in a recording is the same. Pure; any bytes are accepted; linear time.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace selfmind::text {

struct Secret {
  std::size_t from = 0;
  std::size_t to = 0;
  std::string_view what;    // "GitHub token", "password", …; from a table that lives for ever
  bool by_context = false;  // found by the words before it: without them nothing would show what it is
};

// What a user never wants to be stored: words as they are, "*" for any part of a word.
class SecretPatterns {
 public:
  SecretPatterns() = default;
  // ErrorKind::invalid says which pattern cannot be used, and why.
  static Result<SecretPatterns> from(const std::vector<std::string>& patterns);

  void find(std::string_view text, std::vector<Secret>& secrets) const;

 private:
  struct Pattern {
    bool open_start = false, open_end = false;  // "*" at that end
    std::vector<std::string> parts;             // between the "*"
  };
  std::vector<Pattern> patterns_;
};

// In their order, none inside another.
std::vector<Secret> find_secrets(std::string_view text, const SecretPatterns& own = {});

// How often each kind of secret was found, in the order of the text.
using Findings = std::vector<std::pair<std::string, int>>;
void add(Findings& findings, std::string_view what, int count = 1);
// "2 passwords and 1 GitHub token"
std::string in_words(const Findings& findings);

// A secret that is known from elsewhere.
struct Known {
  std::string value;
  std::string what;
};

struct Redacted {
  std::string text;
  Findings found;
  std::vector<Known> values;  // of what was found by what stands around it: without that nothing would show it
};

// With "[secret: GitHub token]" in a secret's place. What was redacted stays as it is when it is redacted again.
// `known` is taken out where it stands as a word.
Redacted redact(std::string_view text, const SecretPatterns& own = {}, const std::vector<Known>& known = {});

// "<private>…</private>", also where it does not end, becomes "[private]". Its values are what stood there, and its
// sentences and numbers, which a reply may repeat.
Redacted without_private(std::string_view text);

// Words that look as if a machine had made them and are secrets by no form: a commit id, a checksum, a UUID. They stay.
std::vector<std::string_view> unusual_words(std::string_view text);

// For recordings. The mark has as many bytes as the secret had, so that lengths and places in the text stay as they
// were.
class SecretMask {
 public:
  // An exact secret, wherever it stands. Short ones are no secrets.
  void add(std::string secret);
  void use(SecretPatterns own) { own_ = std::move(own); }
  // What was found by the words before it ("password: …") is known from then on, and masked without them too.
  std::string mask(std::string_view text);

 private:
  std::vector<std::string> known_;
  SecretPatterns own_;
};

}  // namespace selfmind::text

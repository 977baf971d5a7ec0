// Takes out of a text what looks like a secret: keys by their usual beginnings, what follows "Bearer" or
// "password:", user names and passwords in URLs, private keys. A guess, and meant to take too much rather than too
// little. Pure; any bytes are accepted.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace selfmind::text {

// The mark has as many bytes as the secret had, so that lengths and places in the text stay as they were.
class SecretMask {
 public:
  // An exact secret, wherever it stands. Short ones are no secrets.
  void add(std::string secret);
  // What was found by the words before it ("password: …") is known from then on, and masked without them too.
  std::string mask(std::string_view text);

 private:
  std::vector<std::string> known_;
};

}  // namespace selfmind::text

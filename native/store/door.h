// The door through which what people and models say enters the store: what comes out of it is valid UTF-8 and has no
// secrets in it. Each verb that writes such text passes it through a Door once, in place of utf8::clean(); behind the
// door, in the files, the index, titles, what is learned from and recordings of them, there is nothing to look for.
#pragma once
#include <string>
#include <string_view>

#include "store/database.h"
#include "text/secrets.h"

namespace selfmind::store {

class Door {
 public:
  // With a chat, what was said there after "my password is" is known in that chat as long as this process lives.
  explicit Door(Database& database, Id chat = no_id) : database_(database), chat_(chat) {}

  // What the user typed: also without what stands between private tags.
  std::string typed(std::string_view text);
  // What the user is typing: its last word is not known for a secret, being perhaps half of one.
  std::string draft(std::string_view text);
  // What a model or a server said.
  std::string said(std::string_view text);
  // A reply's content blocks, a JSON array. A thinking block is signed, so one that holds a secret goes as a whole.
  // Empty where a secret lies across blocks, or the blocks cannot be read: then the reply is its text alone.
  std::string said_blocks(const std::string& content);

  // In words, as "1 GitHub token"; empty: nothing was found.
  std::string kept_out() const { return text::in_words(found_); }
  bool found_any() const { return !found_.empty(); }
  const text::Findings& found() const { return found_; }

 private:
  std::string without_secrets(const std::string& text);
  std::string blocks_without_secrets(const std::string& content);
  void take(text::Redacted& redacted);

  Database& database_;
  Id chat_;
  text::Findings found_;
  bool remembers_ = true;  // what is found is known in the chat from then on
};

// Nothing but marks, punctuation and blanks: there was only a secret.
bool was_only_secret(std::string_view text);

}  // namespace selfmind::store

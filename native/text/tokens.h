// Tokens: the words of a text as the default ranking knows them, before stemming. Identifiers stand in one piece and in
// their parts; Chinese, Japanese, Korean and Thai as characters and pairs, also when glued to other letters. Any bytes
// are accepted. One thread at a time.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/characters.h"

namespace selfmind::text {

enum class TokenKind : std::uint8_t {
  word,       // don't -> dont, Straße -> strasse
  whole,      // parseConfig, parse_config and parse-config -> parseconfig; v1.2.3 -> 1.2.3, 1.2 and 1; C++ -> c++
  part,       // of an identifier: parse, config; of E5108: 5108
  character,  // 茶; also an emoji
  pair,       // 喜欢
};

struct Token {
  std::uint32_t begin = 0;  // in the splitter's buffer
  std::uint32_t length = 0;
  TokenKind kind = TokenKind::word;
  bool name = false;           // written with a capital though no sentence starts there
  std::uint32_t sentence = 0;  // in which it stands
};

// Is there a question in it? A mark that no sentence ends with, as in a URL, is none.
bool asks(std::string_view text);

class Tokens {
 public:
  // In the order of the text, an identifier before its parts. Valid until the next call.
  const std::vector<Token>& split(std::string_view text);
  // Whether a sentence ends with a question mark. Sentences are numbered from 0.
  bool is_question(std::uint32_t sentence) const { return sentence < questions_.size() && questions_[sentence]; }
  // All that the tokens lie in.
  std::string_view bytes() const { return buffer_; }
  std::string_view text(const Token& token) const { return {buffer_.data() + token.begin, token.length}; }

 private:
  struct Atom {  // a run of letters, digits and marks
    std::size_t begin = 0;
    std::size_t end = 0;
    char before = 0;  // what joins it to the atom before: . / _ - and so on
    bool digits = true;
    bool ascii = true;
    bool capital = false;
  };

  struct Character {
    CharacterClass kind;
    std::size_t bytes;
  };

  void read();
  bool read_plain_word();
  void read_chunk();
  Atom read_atom();
  void read_ending(Atom& atom);
  Character character() const;  // the one at at_
  void end_sentence(std::string_view sign);
  void end_chunk();
  bool versions();
  void identifier();
  void component(std::size_t first, std::size_t last);
  void atom(const Atom& atom, TokenKind kind);
  void emit(std::string_view text, TokenKind kind, bool name);
  void emit_joined(std::size_t first, std::size_t last, bool with_joiners);
  std::string_view text_of(const Atom& atom) const { return source_.substr(atom.begin, atom.end - atom.begin); }

  std::string normal_;       // the text in NFKC, where it is not ASCII
  std::string_view source_;  // what is being read
  std::size_t at_ = 0;       // as far as this
  std::string buffer_;       // the source in small letters, then the bytes of the tokens that are not as written there
  std::vector<Token> tokens_;
  std::vector<Atom> chunk_;  // atoms that are joined: an identifier, a path, a version, or one word
  std::vector<std::size_t> cuts_;
  std::vector<bool> questions_;  // by sentence that has ended
  bool sentence_start_ = true;
};

}  // namespace selfmind::text

#include "store/chats.h"

#include <algorithm>
#include <sstream>

#include "base/utf8.h"
#include "store/statement.h"
#include "text/words.h"

namespace selfmind::store {
namespace {

constexpr std::size_t excerpt_bytes = 100;  // beside a title, in a list

std::vector<std::string> split(std::string_view words) {
  std::istringstream folded(text::fold(words));
  std::vector<std::string> all;
  for (std::string word; folded >> word;) all.push_back(std::move(word));
  return all;
}

bool has_all(const std::string& folded, const std::vector<std::string>& words) {
  return std::all_of(words.begin(), words.end(),
                     [&folded](const auto& word) { return folded.find(word) != std::string::npos; });
}

std::string line_with(std::string_view text, const std::string& word) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = utf8::trim(text.substr(0, end));
    if (text::fold(line).find(word) != std::string::npos) return utf8::excerpt(line, excerpt_bytes);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return {};
}

// The newest turn of the chat that has the words; whether there is one.
Result<bool> find_turn(Database& database, const std::vector<std::string>& words, FoundChat& chat) {
  auto rows = query(
      database, "SELECT iif(role = 'user', id, parent), text FROM turn WHERE session = ? ORDER BY id DESC", chat.id);
  if (!rows) return rows.error();
  while (true) {
    const auto row = rows->step();
    if (!row) return row.error();
    if (!*row) return false;
    const auto said = rows->text(1);
    if (!has_all(text::fold(said), words)) continue;
    chat.turn = rows->integer(0);
    chat.excerpt = line_with(said, words.front());
    return true;
  }
}

}  // namespace

Result<std::vector<FoundChat>> find_chats(Database& database, Id project, std::string_view words) {
  auto transaction = Transaction::read(database);
  if (!transaction) return transaction.error();
  auto chats = collect(
      query(database,
            "SELECT id, uuid, title, updated_at, (SELECT count(*) FROM turn WHERE session = session.id AND role = "
            "'user') AS messages FROM session WHERE project IS ? AND (messages > 0 OR draft <> '') "
            "ORDER BY updated_at DESC, id DESC",
            or_null(project)),
      [](const Statement& row) {
        return FoundChat{row.integer(0), row.text(1), row.text(2), from_millis(row.integer(3)),
                         row.integer(4), no_id,       {}};
      });
  if (!chats) return chats;
  const auto wanted = split(words);
  if (wanted.empty()) return chats;
  std::vector<FoundChat> found;
  for (auto& chat : *chats) {
    const auto said = find_turn(database, wanted, chat);
    if (!said) return said.error();
    if (*said || has_all(text::fold(chat.title), wanted)) found.push_back(std::move(chat));
  }
  return found;
}

}  // namespace selfmind::store

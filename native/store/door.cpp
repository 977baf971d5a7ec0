#include "store/door.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/utf8.h"

namespace selfmind::store {
namespace {

using Json = nlohmann::ordered_json;  // keys stay in the order in which the API gave them

// Members of a block that are no words: changed, the API would refuse the block.
bool is_opaque(std::string_view name) {
  return name == "type" || name == "id" || name == "signature" || name == "data" || name == "tool_use_id" ||
         name.starts_with("encrypted_");
}

std::string member(const Json& block, const char* name) {
  const auto found = block.is_object() ? block.find(name) : block.end();
  return found != block.end() && found->is_string() ? found->get<std::string>() : std::string();
}

template <class F>
void each_text(Json& value, const F& change) {
  if (value.is_string()) {
    change(value.get_ref<std::string&>());
  } else if (value.is_array()) {
    for (auto& part : value) each_text(part, change);
  } else if (value.is_object()) {
    for (auto& [name, part] : value.items()) {
      if (!is_opaque(name)) each_text(part, change);
    }
  }
}

std::string text_of(const Json& blocks) {
  std::string text;
  for (const auto& block : blocks) {
    if (member(block, "type") == "text") text += member(block, "text");
  }
  return text;
}

}  // namespace

std::string Door::without_secrets(const std::string& text) {
  auto redacted = text::redact(text, database_.secret_patterns(), database_.secrets_said(chat_));
  take(redacted);
  return std::move(redacted.text);
}

// What was found, and what is known of this chat from now on.
void Door::take(text::Redacted& redacted) {
  constexpr std::size_t known_max = 256;  // each is looked for in every text of the chat; a private key has fifty lines
  for (const auto& [what, count] : redacted.found) text::add(found_, what, count);
  auto& known = database_.secrets_said(chat_);
  for (auto& one : redacted.values) {
    if (chat_ == no_id || !remembers_) return;
    const auto same = [&one](const text::Known& other) { return other.value == one.value; };
    if (std::any_of(known.begin(), known.end(), same)) continue;
    if (known.size() == known_max) known.erase(known.begin());
    known.push_back(std::move(one));
  }
}

std::string Door::typed(std::string_view text) {
  auto open = text::without_private(utf8::clean(text));
  auto redacted = without_secrets(open.text);
  take(open);  // not before: a short private word may stand elsewhere in the message
  return redacted;
}

std::string Door::draft(std::string_view text) {
  remembers_ = false;
  return typed(text);
}

std::string Door::said(std::string_view text) { return without_secrets(utf8::clean(text)); }

std::string Door::said_blocks(const std::string& content) {
  auto kept = blocks_without_secrets(content);
  // In the blocks alone, not in the reply's text.
  if (kept != content && !found_any()) text::add(found_, "secret");
  return kept;
}

std::string Door::blocks_without_secrets(const std::string& content) {
  if (content.empty()) return {};
  Json blocks = Json::parse(content, nullptr, /*allow_exceptions=*/false);
  const auto& known = database_.secrets_said(chat_);
  const auto clean = [&](const std::string& text) {
    return text::redact(text, database_.secret_patterns(), known).text;
  };
  if (!blocks.is_array()) return clean(content) == content ? content : std::string();
  const std::string whole = clean(text_of(blocks));
  bool changed = false;
  const auto change = [&](std::string& text) {
    auto redacted = clean(text);
    changed = changed || redacted != text;
    text = std::move(redacted);
  };
  Json kept = Json::array();
  for (auto& block : blocks) {
    if (member(block, "type") == "thinking") {
      const auto thought = member(block, "thinking");
      if (clean(thought) != thought) {
        changed = true;
        text::add(found_, "thought");
        continue;
      }
    } else {
      each_text(block, change);
    }
    kept.push_back(std::move(block));
  }
  if (text_of(kept) != whole) return {};
  return changed ? kept.dump(-1, ' ', false, Json::error_handler_t::replace) : content;
}

bool was_only_secret(std::string_view text) {
  bool marks = false;
  std::string left;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto rest = text.substr(at);
    const auto end = rest.starts_with("[secret: ") || rest.starts_with("[private]") ? rest.find(']') : rest.npos;
    if (end != rest.npos) {
      marks = true;
      at += end;
    } else {
      left += text[at];
    }
  }
  return marks && left.find_first_not_of(" \t\r\n.,;:!?\"'`()") == std::string::npos;
}

}  // namespace selfmind::store

#include "claude/fields.h"

#include <algorithm>
#include <array>
#include <string>

#include <nlohmann/json.hpp>

#include "claude/errors.h"

namespace selfmind::claude {
namespace {

using Json = nlohmann::ordered_json;

bool has(std::string_view text, std::string_view what) { return text.find(what) != std::string_view::npos; }

template <std::size_t N>
bool has_any(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(), [text](std::string_view word) { return has(text, word); });
}

template <std::size_t N>
std::size_t first_of(std::string_view text, const std::array<std::string_view, N>& words) {
  std::size_t first = std::string_view::npos;
  for (const auto word : words) first = std::min(first, text.find(word));
  return first;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
  return text;
}

// "thinking.type: …", from pydantic's {"loc":["body","thinking","type"],"msg":"…"}. What was sent is in there too, as
// `input`, and is not looked at: it may hold any word.
std::string pydantic_sentence(const Json& item) {
  std::string path;
  const auto loc = item.find("loc");
  if (loc != item.end() && loc->is_array()) {
    for (const auto& part : *loc) {
      if (part == "body") continue;
      path += (path.empty() ? "" : ".") + (part.is_string() ? part.get<std::string>() : part.dump());
    }
  }
  const auto message = item.find("msg");
  return path + ": " + (message != item.end() && message->is_string() ? message->get<std::string>() : "");
}

// OpenAI's form names the field apart from the sentence.
std::string openai_parameter(const Json& body) {
  const auto error = body.find("error");
  if (error == body.end() || !error->is_object()) return {};
  const auto parameter = error->find("param");
  return parameter != error->end() && parameter->is_string() ? parameter->get<std::string>() + ": " : "";
}

// The complaint as "path: words", in lower case and without quotation marks around the names.
std::string sentence_in(const Json& body) {
  if (!body.is_object()) return {};
  std::string out;
  const auto detail = body.find("detail");
  if (detail != body.end() && detail->is_array() && !detail->empty() && detail->front().is_object()) {
    out = pydantic_sentence(detail->front());
  } else {
    out = openai_parameter(body) + complaint_in(body).message;
    // Some servers put pydantic's list into their sentence as it is printed.
    out.resize(std::min({out.find("'input'"), out.find("\"input\""), out.size()}));
  }
  std::erase_if(out, [](char c) { return c == '`' || c == '"' || c == '\''; });
  return lower(std::move(out));
}

bool is_unknown_there(std::string_view sentence) {
  constexpr std::array<std::string_view, 8> words = {
      "extra",     "not permitted",         "unknown",           "unexpected", "unrecognized",
      "forbidden", "unsupported parameter", "additional propert"};
  return has_any(sentence, words);
}

// The form named first: what to use instead is named behind it.
Field form_of_thinking(std::string_view sentence) {
  constexpr std::array<std::pair<std::string_view, Field>, 3> forms = {{
      {"adaptive", Field::adaptive},
      {"disabled", Field::disabled},
      {"between_tools", Field::between_tools},
  }};
  Field found = Field::thinking;
  std::size_t first = std::string_view::npos;
  for (const auto& [name, field] : forms) {
    const std::string form(name);
    const std::size_t at = std::min({sentence.find("thinking.type." + form), sentence.find("input tag " + form),
                                     sentence.find("type=" + form), sentence.find(form + " thinking")});
    if (at < first) found = field;
    first = std::min(first, at);
  }
  return found;
}

// The number at `at`; 0: none, or one that means nothing here.
int number_at(std::string_view sentence, std::size_t at) {
  constexpr int most = 100'000'000;
  int number = 0;
  for (; at < sentence.size() && sentence[at] >= '0' && sentence[at] <= '9'; ++at) {
    number = number * 10 + (sentence[at] - '0');
    if (number > most) return 0;
  }
  return number;
}

// "max_tokens: 128000 > 64000, which is the maximum allowed …", and of other servers "… is too large: 16000. This
// model's maximum context length is 8192 tokens …".
std::optional<Refused> too_many_tokens(std::string_view sentence) {
  constexpr std::string_view more = " > ";
  constexpr std::string_view whole = "maximum context length is ";
  if (const auto at = sentence.find(whole); at != std::string_view::npos) {
    const int limit = number_at(sentence, at + whole.size());
    return limit > 0 ? std::optional(Refused{Field::context, limit}) : std::nullopt;
  }
  const auto at = sentence.find(more);
  if (at == std::string_view::npos || !has(sentence, "max_tokens") || !has(sentence, "maximum")) return std::nullopt;
  const int limit = number_at(sentence, at + more.size());
  return limit > 0 ? std::optional(Refused{Field::max_tokens, limit}) : std::nullopt;
}

std::optional<Refused> about_thinking(std::string_view sentence) {
  if (has(sentence, "signature") || (has(sentence, "blocks") && has(sentence, "cannot be modified"))) {
    return Refused{Field::these_thinking_blocks};
  }
  const bool in_messages = sentence.starts_with("messages") || has(sentence, ".content.");
  if (in_messages) return Refused{Field::thinking_blocks};
  return Refused{is_unknown_there(sentence) ? Field::thinking : form_of_thinking(sentence)};
}

constexpr std::array<std::string_view, 7> output_words = {
    "output_config", "effort", "structured output", "json_schema", "json schema", "output_format", "response_format"};

Field about_output(std::string_view sentence) {
  constexpr std::array<std::string_view, 4> of_formats = {"format", "structured output", "json_schema", "json schema"};
  if (has_any(sentence, of_formats)) return Field::format;
  return has(sentence, "effort") ? Field::effort : Field::output_config;
}

bool about_system(std::string_view sentence) {
  return (sentence.starts_with("system") || has(sentence, ".system") || has(sentence, "body, system")) &&
         has_any(sentence, std::array<std::string_view, 3>{"string", "str type", "list"});
}

// "messages.1.content.0.type: Input should be 'text' …"; of what we send only thinking is out of the ordinary.
bool about_a_kind_of_block(std::string_view sentence) {
  return sentence.starts_with("messages.") && has(sentence, "content") &&
         has_any(sentence, std::array<std::string_view, 2>{"type: ", "tag"});
}

}  // namespace

const char* to_text(Field field) {
  switch (field) {
    case Field::thinking:
      return "thinking";
    case Field::adaptive:
      return "adaptive thinking";
    case Field::disabled:
      return "thinking disabled";
    case Field::between_tools:
      return "thinking between tools";
    case Field::output_config:
      return "output_config";
    case Field::effort:
      return "output_config.effort";
    case Field::format:
      return "output_config.format";
    case Field::cache_control:
      return "cache_control";
    case Field::system_blocks:
      return "system as a list";
    case Field::thinking_blocks:
      return "thinking blocks";
    case Field::these_thinking_blocks:
      return "thinking blocks of another conversation";
    case Field::max_tokens:
      return "so many max_tokens";
    case Field::context:
      return "more max_tokens than its context has room for";
  }
  return "a field";
}

// In an order: "messages.0.content.1.text.cache_control" is about cache_control, wherever it stands.
std::optional<Refused> refused_field(int status, std::string_view body) {
  if (status != 400 && status != 422) return std::nullopt;
  const std::string sentence = sentence_in(Json::parse(body, nullptr, /*allow_exceptions=*/false));
  if (has(sentence, "cache_control")) return Refused{Field::cache_control};
  if (auto tokens = too_many_tokens(sentence)) return tokens;
  // "thinking.type.disabled is not supported, use output_config.effort" is about what it names first.
  const auto thinking = sentence.find("thinking");
  const auto output = first_of(sentence, output_words);
  if (output < thinking) return Refused{about_output(sentence)};
  if (thinking != std::string::npos) return about_thinking(sentence);
  if (about_system(sentence)) return Refused{Field::system_blocks};
  if (about_a_kind_of_block(sentence)) return Refused{Field::thinking_blocks};
  return std::nullopt;
}

}  // namespace selfmind::claude

// Which answer each request gets; see server.h.
#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "base/utf8.h"
#include "support/messages_server/answers.h"
#include "support/messages_server/server.h"

namespace messages_server {
namespace {

constexpr std::string_view messages_path = "/v1/messages";
constexpr std::string_view models_path = "/v1/models/";
constexpr std::int64_t thought_tokens = 1500;  // of max_tokens, whether it is shown or not
constexpr const char* thought_text = "The user wants an answer; look at what was given first.";

std::string request_id(int number) { return "req_local" + std::to_string(number); }

// Secrets are logged by their length only.
Json logged_headers(const Headers& headers) {
  Json all = Json::object();
  for (const auto& [name, value] : headers) {
    const bool secret = name == "x-api-key" || name == "authorization";
    all[name] = secret ? Json(value.size()) : Json(selfmind::utf8::clean(value));
  }
  return all;
}

Json logged_body(const std::string& body) {
  const Json parsed = Json::parse(body, nullptr, /*allow_exceptions=*/false);
  return parsed.is_discarded() ? Json(selfmind::utf8::clean(body)) : parsed;
}

std::string unescaped(const std::string& path) {
  std::string out;
  for (std::size_t at = 0; at < path.size(); ++at) {
    const bool escape = path[at] == '%' && at + 2 < path.size();
    out += escape ? static_cast<char>(std::strtol(path.substr(at + 1, 2).c_str(), nullptr, 16)) : path[at];
    at += escape ? 2 : 0;
  }
  return out;
}

// Cuts the text where max_tokens is at an end, at four characters a token.
void limit(Speech& speech, std::int64_t max_tokens) {
  const std::int64_t spent = speech.thought ? thought_tokens : 0;
  std::size_t left = static_cast<std::size_t>(std::max<std::int64_t>(max_tokens - spent, 0)) * 4;
  for (std::size_t i = 0; i < speech.parts.size(); ++i) {
    std::string& part = speech.parts[i];
    if (part.size() <= left) {
      left -= part.size();
      continue;
    }
    part = selfmind::utf8::prefix(part, left);
    speech.parts.resize(part.empty() ? i : i + 1);
    speech.stop_reason = "max_tokens";
    return;
  }
}

// What GET /v1/models/{id} says of a model.
Json description(const std::string& id, const Model& model) {
  const auto can = [](bool supported) { return Json{{"supported", supported}}; };
  Json effort = can(!model.efforts.empty());
  const std::string efforts = " " + std::string(model.efforts) + " ";
  for (const char* level : {"low", "medium", "high", "xhigh", "max"}) {
    effort[level] = can(efforts.find(" " + std::string(level) + " ") != std::string::npos);
  }
  Json thinking = can(true);
  thinking["types"] = {{"adaptive", can(model.adaptive)},
                       {"enabled", can(model.enabled)},
                       {"disabled", can(model.disabled != Disabled::refused)},
                       {"between_tools", can(model.between_tools)}};
  return {
      {"id", id},
      {"type", "model"},
      {"display_name", id},
      {"created_at", "2026-01-01T00:00:00Z"},
      {"max_input_tokens", model.max_output == 64'000 ? 200'000 : 1'000'000},
      {"max_tokens", model.max_output},
      {"capabilities", {{"effort", effort}, {"structured_outputs", can(model.structured)}, {"thinking", thinking}}}};
}

}  // namespace

bool Journal::open(const std::string& path) {
  if (path.empty()) return true;
  file_.open(path, std::ios::app);
  return file_.is_open();
}

void Journal::add(Json line) {
  if (file_.is_open()) file_ << line.dump() << std::endl;
  lines_.push_back(std::move(line));
}

std::string Service::start() {
  if (!journal_.open(options_.log)) return "cannot write " + options_.log;
  if (options_.script.empty()) return {};
  std::ifstream file(options_.script);
  if (!file) return "cannot read " + options_.script;
  std::ostringstream lines;
  lines << file.rdbuf();
  return script_.add(lines.str());
}

Reply Service::answer(const Request& request, std::uint64_t now_ms, int& number) {
  number = 0;
  const std::string path = request.path.substr(0, request.path.find('?'));
  if (path == "/__log" && request.method == "GET") return json_reply(200, journal_.lines());
  if (path == "/__script" && request.method == "POST") {
    const std::string wrong = script_.add(request.body);
    return plain_reply(wrong.empty() ? 200 : 400, "text/plain", wrong.empty() ? "added\n" : wrong + "\n");
  }
  if (path.starts_with(models_path) && request.method == "GET") {
    return answer_model(request, unescaped(path.substr(models_path.size())));
  }
  number = ++requests_;
  if (path == messages_path && request.method == "POST") return answer_message(request, now_ms, number);
  const int status = path == messages_path ? 405 : 404;
  log(number, request, logged_body(request.body), status, "path");
  return error_reply(status, status == 405 ? "Method Not Allowed" : "Not Found", "", request_id(number));
}

Reply Service::too_large(const Request& request, int& number) {
  number = ++requests_;
  log(number, request, nullptr, 413, "the body is too large");
  return plain_reply(413, "text/html", "<html><head><title>413 Request Entity Too Large</title></head></html>");
}

Reply Service::answer_message(const Request& request, std::uint64_t now_ms, int number) {
  const Judgement judgement = judge(request, options_.key, *options_.profile, issued_);
  if (judgement.refused) {
    const Refusal& refusal = *judgement.refused;
    log(number, request, logged_body(request.body), refusal.status,
        refusal.rule + ": " + refusal.path + " " + refusal.message);
    return json_reply(refusal.status,
                      error_answer(*options_.profile, refusal.type, refusal.path, refusal.message, request_id(number)));
  }
  const Json& body = judgement.body;
  const Entry entry = script_.next(kind_of(body));
  Speech speech = default_speech(body, *find_model(body["model"].get<std::string>(), *options_.profile), now_ms);
  limit(speech, body["max_tokens"]);
  apply_text(entry, speech);
  Reply reply = speech_reply(entry, speech, body.value("stream", false), request_id(number));
  reply.headers.emplace_back("request-id", request_id(number));

  std::string sent;
  for (const Piece& piece : reply.pieces) sent += piece.bytes;
  if (reply.chunked) issued_.remember(body, sent);
  log(number, request, body, reply.pieces.empty() ? 0 : reply.status, "");
  return reply;
}

Speech Service::default_speech(const Json& body, const Model& model, std::uint64_t now_ms) {
  Speech speech;
  speech.id = "msg_local" + std::to_string(requests_);
  speech.model = body["model"];
  speech.usage = cache_.charge(body, model, now_ms);
  speech.thought = think(body, model);
  speech.parts = parts_of(kind_of(body) == Kind::learn ? extraction_text(body) : chat_text(body));
  speech.dialect = options_.profile->dialect;
  return speech;
}

std::optional<Thought> Service::think(const Json& body, const Model& model) {
  if (options_.profile->muses) return Thought{thought_text, ""};
  const Json asked = body.value("thinking", Json::object());
  const Json type = asked.value("type", Json(model.thinks_by_default ? "adaptive" : "disabled"));
  if (type != "adaptive" || options_.think == 0 || ++thoughts_ % options_.think != 0) return {};
  const std::string display = asked.value("display", model.omits_thinking ? "omitted" : "summarized");
  // The same form as a real one, and one of its own for each block.
  const std::string signature = "bG9jYWxTaWduYXR1cmU" + std::to_string(thoughts_) + "x" +
                                std::to_string(prefix_hash(body, body["messages"].size())) + "==";
  return Thought{display == "omitted" ? "" : thought_text, signature};
}

// Not counted among the requests: it comes beside one, sooner or later.
Reply Service::answer_model(const Request& request, const std::string& id) {
  const Entry entry = script_.next(Kind::model);
  const Model* model = find_model(id, *options_.profile);
  Reply reply;
  if (Verdict refused = check_key(request, options_.key)) {
    reply = json_reply(refused->status,
                       error_answer(*options_.profile, refused->type, "", refused->message, request_id(0)));
  } else if (entry.match) {
    reply = speech_reply(entry, {}, /*stream=*/true, request_id(0));
  } else if (model == nullptr || !options_.profile->lists_models) {
    reply = json_reply(404, error_answer(*options_.profile, "not_found_error", "", "Not Found", request_id(0)));
  } else if (options_.profile->describes_models) {
    reply = json_reply(200, description(id, *model));
  } else {
    Json listed = {{"id", id}, {"object", "model"}, {"created", 0}, {"owned_by", options_.profile->name}};
    if (options_.profile->context > 0) listed["max_model_len"] = options_.profile->context;
    reply = json_reply(200, listed);
  }
  journal_.add({{"model", id}, {"headers", logged_headers(request.headers)}, {"answered", reply.status}});
  return reply;
}

void Service::closed_early(int number, std::uint64_t after_ms) {
  journal_.add({{"closed_early", true}, {"n", number}, {"ms", after_ms}});
}

void Service::log(int number, const Request& request, const Json& body, int answered, const std::string& why) {
  journal_.add({{"n", number},
                {"path", selfmind::utf8::clean(request.path)},
                {"headers", logged_headers(request.headers)},
                {"body", body},
                {"raw", selfmind::utf8::clean(request.body)},
                {"answered", answered},
                {"why", why}});
}

}  // namespace messages_server

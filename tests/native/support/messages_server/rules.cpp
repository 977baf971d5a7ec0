#include "support/messages_server/rules.h"

#include <algorithm>

namespace messages_server {
namespace {

// Line and column of a byte, as the API counts them.
std::string position(const std::string& text, std::size_t byte) {
  const std::string_view before = std::string_view(text).substr(0, byte);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n');
  return "line " + std::to_string(line) + " column " +
         std::to_string(before.size() - (start == std::string_view::npos ? 0 : start + 1));
}

Verdict parse(const std::string& text, Json& body) {
  try {
    body = Json::parse(text);
  } catch (const Json::parse_error& failure) {
    const bool surrogate = std::string_view(failure.what()).find("surrogate") != std::string_view::npos;
    return invalid(std::string("The request body is not valid JSON: ") +
                   (surrogate ? "no low surrogate in string: " : "unexpected character: ") +
                   position(text, failure.byte));
  }
  if (!body.is_object()) return invalid("Input should be a valid dictionary");
  return {};
}

Verdict check(const Rule& rule, const Call& call) {
  try {
    return rule.check(call);
  } catch (const Json::exception& failure) {
    // A rule reads fields as what they should be; where no rule in front of it has looked, they may be something else.
    return invalid(std::string("Input should have another type: ") + failure.what());
  }
}

Verdict first_refusal(const std::vector<Rule>& rules, const Call& call) {
  for (const Rule& rule : rules) {
    if (Verdict verdict = check(rule, call)) {
      verdict->rule = rule.name;
      return verdict;
    }
  }
  return {};
}

}  // namespace

Refusal invalid(std::string message) { return {400, "invalid_request_error", std::move(message), {}, {}}; }

Refusal extra(const std::string& path) { return invalid(path + ": Extra inputs are not permitted"); }

const Model* Call::named_model() const { return find_model(body["model"].get<std::string>(), profile); }

std::string Call::version() const {
  const std::string* version = http.header("anthropic-version");
  return version ? *version : "";
}

bool Call::has_beta(std::string_view name) const {
  const std::string* betas = http.header("anthropic-beta");
  return betas && betas->find(name) != std::string::npos;
}

std::string unknown_key(const Json& object, const std::vector<std::string_view>& known) {
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) return key;
  }
  return {};
}

Verdict check_cache_control(const Json& block, const std::string& path) {
  const auto found = block.find("cache_control");
  if (found == block.end() || found->is_null()) return {};
  const std::string here = path + (path.empty() ? "" : ".") + "cache_control";
  if (!found->is_object()) return invalid(here + ": Input should be a valid dictionary");
  if (const std::string key = unknown_key(*found, {"type", "ttl"}); !key.empty()) return extra(here + "." + key);
  if (found->value("type", Json()) != "ephemeral") return invalid(here + ".type: Input should be 'ephemeral'");
  const Json ttl = found->value("ttl", Json("5m"));
  if (ttl != "5m" && ttl != "1h") return invalid(here + ".ttl: Input should be '5m' or '1h'");
  return {};
}

Judgement judge(const Request& request, const std::string& key, const Profile& profile, const Issued& issued) {
  Judgement judgement;
  Call call{request, key, profile, issued, judgement.body, nullptr};
  if ((judgement.refused = first_refusal(header_rules(), call))) return judgement;
  if ((judgement.refused = parse(request.body, judgement.body))) {
    judgement.refused->rule = "body is JSON";
    return judgement;
  }
  if (const RefusedField field = take_in(judgement.body, profile); !field.path.empty()) {
    const int status = profile.errors == ErrorShape::pydantic ? 422 : 400;
    judgement.refused = {status, "invalid_request_error", field.message, "this server knows the field", field.path};
    return judgement;
  }
  if ((judgement.refused = first_refusal(field_rules(), call))) return judgement;
  call.model = call.named_model();
  for (const auto* rules : {&message_rules(), &thinking_rules(), &output_rules()}) {
    if ((judgement.refused = first_refusal(*rules, call))) break;
  }
  return judgement;
}

}  // namespace messages_server

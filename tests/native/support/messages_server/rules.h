// What the real Messages API refuses, as lists of small rules in the order in which they are tried. The first that has
// something to say decides; each may rely on those in front of it. Pure.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/messages_server/http.h"
#include "support/messages_server/issued.h"
#include "support/messages_server/json.h"
#include "support/messages_server/models.h"
#include "support/messages_server/profiles.h"

namespace messages_server {

struct Refusal {
  int status;
  std::string type;
  std::string message;
  std::string rule;  // which one it was; filled in by the judge
  std::string path;  // of the field the server does not know, apart from the message
};
using Verdict = std::optional<Refusal>;  // none: nothing to say

Refusal invalid(std::string message);
// The API's words for a field it does not know.
Refusal extra(const std::string& path);

// One request under judgement. `body` and `model` are there for the rules of the body only.
struct Call {
  const Request& http;
  const std::string& key;  // the one that is right; empty: any or none
  const Profile& profile;
  const Issued& issued;
  const Json& body;
  const Model* model;

  // The one that the body names, or null.
  const Model* named_model() const;
  std::string version() const;
  bool has_beta(std::string_view name) const;
};

struct Rule {
  const char* name;
  Verdict (*check)(const Call& call);
};

// What is wrong with the request, and its body as JSON where it is right.
struct Judgement {
  Verdict refused;
  Json body;
};
Judgement judge(const Request& request, const std::string& key, const Profile& profile, const Issued& issued);

// The groups, in this order. Each in its own file, rules_….cpp.
const std::vector<Rule>& header_rules();
const std::vector<Rule>& field_rules();
const std::vector<Rule>& message_rules();
const std::vector<Rule>& thinking_rules();
const std::vector<Rule>& output_rules();

// The first key of `object` that is not among `known`; empty when there is none.
std::string unknown_key(const Json& object, const std::vector<std::string_view>& known);

// What is wrong with the key of a request; `right` is the one that is, empty: any or none.
Verdict check_key(const Request& request, const std::string& right);

// What is wrong with a cache_control, if there is one in `block`, which stands at `path`.
Verdict check_cache_control(const Json& block, const std::string& path);

}  // namespace messages_server

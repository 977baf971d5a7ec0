// Rules of output_config: effort, and the schema the answer must have.
#include <algorithm>

#include "support/messages_server/rules.h"

namespace messages_server {
namespace {

Json output_config(const Call& call) { return call.body.value("output_config", Json::object()); }

Verdict output_config_shape(const Call& call) {
  const std::string key = unknown_key(output_config(call), {"effort", "format"});
  return key.empty() ? Verdict() : extra("output_config." + key);
}

Verdict effort_accepted(const Call& call) {
  const Json effort = output_config(call).value("effort", Json());
  if (effort.is_null()) return {};
  constexpr std::string_view all = " low medium high xhigh max ";
  const std::string padded = effort.is_string() ? " " + effort.get<std::string>() + " " : "?";
  if (all.find(padded) == std::string_view::npos) {
    return invalid("output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'");
  }
  if (call.model->efforts.empty()) return invalid("This model does not support the effort parameter.");
  const std::string accepted = " " + std::string(call.model->efforts) + " ";
  if (accepted.find(padded) != std::string::npos) return {};
  return invalid("output_config.effort: effort level '" + effort.get<std::string>() +
                 "' is not supported on this model.");
}

Verdict format_accepted(const Call& call) {
  const Json format = output_config(call).value("format", Json());
  if (format.is_null()) return {};
  if (!call.model->structured)
    return invalid("output_config.format: structured outputs are not supported on this model.");
  if (!format.is_object() || format.value("type", Json()) != "json_schema") {
    return invalid("output_config.format.type: Input should be 'json_schema'");
  }
  if (!format.value("schema", Json()).is_object()) return invalid("output_config.format.schema: Field required");
  if (const std::string key = unknown_key(format, {"type", "schema"}); !key.empty()) {
    return extra("output_config.format." + key);
  }
  return {};
}

// --- the schema ----------------------------------------------------------------------------------------------------

const std::vector<std::string_view>& supported_keywords() {
  static const std::vector<std::string_view> keywords = {
      "type",  "enum",        "const",   "anyOf",      "allOf",       "$ref",
      "$defs", "definitions", "default", "properties", "required",    "additionalProperties",
      "items", "minItems",    "format",  "pattern",    "description", "title"};
  return keywords;
}

std::string type_of(const Json& schema) {
  const Json type = schema.value("type", Json());
  return type.is_string() ? type.get<std::string>() : "";
}

Verdict check_keywords(const Json& schema) {
  if (const std::string key = unknown_key(schema, supported_keywords()); !key.empty()) {
    return invalid("output_config.format.schema: For '" + type_of(schema) + "' type, property '" + key +
                   "' is not supported");
  }
  if (schema.contains("minItems") && schema["minItems"] != 0 && schema["minItems"] != 1) {
    return invalid(
        "output_config.format.schema: For 'array' type, 'minItems' values other than 0 or 1 are not supported");
  }
  if (schema.contains("$ref") && !schema["$ref"].get<std::string>().starts_with("#")) {
    return invalid("output_config.format.schema: External $ref is not supported");
  }
  const std::string pattern = schema.value("pattern", "");
  if (pattern.find("(?") != std::string::npos || pattern.find("\\1") != std::string::npos) {
    return invalid("output_config.format.schema: 'pattern' with look-around or back-references is not supported");
  }
  static const std::vector<std::string> formats = {"date-time", "time", "date", "duration", "email",
                                                   "hostname",  "uri",  "ipv4", "ipv6",     "uuid"};
  if (schema.contains("format") && std::find(formats.begin(), formats.end(), schema["format"]) == formats.end()) {
    return invalid("output_config.format.schema: 'format' value " + schema["format"].dump() + " is not supported");
  }
  return {};
}

Verdict check_object(const Json& schema) {
  if (type_of(schema) != "object" && !schema.contains("properties")) return {};
  if (schema.value("additionalProperties", Json()) != false) {
    return invalid(
        "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false");
  }
  const Json properties = schema.value("properties", Json::object());
  for (const Json& name : schema.value("required", Json::array())) {
    if (!name.is_string() || !properties.contains(name.get<std::string>())) {
      return invalid("output_config.format.schema: 'required' names " + name.dump() + ", which is no property");
    }
  }
  return {};
}

using Check = Verdict (*)(const Json& schema);

Verdict walk(const Json& schema, Check check) {
  if (!schema.is_object()) return invalid("output_config.format.schema: Input should be an object");
  if (Verdict verdict = check(schema)) return verdict;
  for (const char* list : {"anyOf", "allOf"}) {
    for (const Json& part : schema.value(list, Json::array())) {
      if (Verdict verdict = walk(part, check)) return verdict;
    }
  }
  for (const char* map : {"properties", "$defs", "definitions"}) {
    const Json parts = schema.value(map, Json::object());
    for (const auto& [name, part] : parts.items()) {
      if (Verdict verdict = walk(part, check)) return verdict;
    }
  }
  return schema.contains("items") ? walk(schema["items"], check) : Verdict();
}

Verdict schema_rule(const Call& call, Check check) {
  const Json config = output_config(call);
  const Json format = config.value("format", Json());
  return format.is_null() ? Verdict() : walk(format["schema"], check);
}

Verdict schema_keywords(const Call& call) { return schema_rule(call, check_keywords); }
Verdict schema_objects_closed(const Call& call) { return schema_rule(call, check_object); }

}  // namespace

const std::vector<Rule>& output_rules() {
  static const std::vector<Rule> rules = {
      {"output_config has its shape", output_config_shape},
      {"the model takes this effort", effort_accepted},
      {"the format has its shape, and the model takes one", format_accepted},
      {"the schema has supported keywords only", schema_keywords},
      {"every object of the schema is closed", schema_objects_closed},
  };
  return rules;
}

}  // namespace messages_server

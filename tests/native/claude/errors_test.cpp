// Answers that are no stream, each one sentence.
#include <nlohmann/json.hpp>

#include <sstream>

#include "base/utf8.h"
#include "claude/decode.h"
#include "support/catch.h"
#include "support/transcripts.h"

namespace selfmind::claude {
namespace {

using Json = nlohmann::json;

Endpoint anthropic() {
  Endpoint out;
  out.api_key = "sk-ant-api03-SECRET_secret";
  return out;
}

Endpoint local() {
  Endpoint out;
  out.base_url = "http://user:password@LocalHost:8080/v1";
  return out;
}

std::string answer(const std::string& type, const std::string& message) {
  return Json{{"type", "error"}, {"error", {{"type", type}, {"message", message}}}}.dump();
}

Error error(int status, const std::string& body, const http::Headers& headers = {}, const Endpoint& at = anthropic()) {
  Error out = error_from_response(status, headers, body, at);
  INFO(out.message);
  CHECK(out.message.find_first_of("\r\n\t{<") == std::string::npos);
  CHECK(out.message.ends_with('.'));
  CHECK(out.message.size() < 420);
  CHECK(utf8::valid(out.message));
  CHECK(out.message.find("SECRET") == std::string::npos);
  CHECK(out.message.find("password") == std::string::npos);
  return out;
}

bool says(const Error& error, const std::string& words) {
  INFO(error.message);
  return error.message.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("every recorded error answer is one sentence of its own") {
  const std::vector<std::pair<ErrorKind, std::string>> expected = {
      {ErrorKind::rejected, "text content blocks must be non-empty"},
      {ErrorKind::auth, "Anthropic refused the key (401): \"invalid x-api-key\"; check ANTHROPIC_API_KEY."},
      {ErrorKind::auth, "Not allowed for this workspace"},
      {ErrorKind::rejected,
       "does not know what was asked for (404): \"model: claude-nonesuch\"; check the model's name"},
      {ErrorKind::too_large, "too large for Anthropic (413); send less text"},
      {ErrorKind::rate_limited, "try again in 12 s"},
      {ErrorKind::overloaded, "had a failure of its own (500): \"Internal server error\""},
      {ErrorKind::overloaded, "had a failure of its own (502); send again"},
      {ErrorKind::overloaded, "is overloaded (529): \"Overloaded\""},
      {ErrorKind::overloaded, "is overloaded (529): \"Overloaded\""},
      {ErrorKind::rejected, "compat server, OpenAI shaped"},
      {ErrorKind::rejected, "FastAPI / Voyage shaped error"},
      {ErrorKind::overloaded, "had a failure of its own (500); send again"},
  };
  std::istringstream lines(test::read_file(test::transcript_folder() / "90_http_errors.jsonl"));
  std::size_t n = 0;
  for (std::string line; std::getline(lines, line); ++n) {
    REQUIRE(n < expected.size());
    const Json recorded = Json::parse(line);
    http::Headers headers;
    for (const auto& [name, value] : recorded["headers"].items()) headers.emplace_back(name, value.get<std::string>());
    const Error told = error(recorded["status"].get<int>(), recorded["body"].get<std::string>(), headers);
    CHECK(told.kind == expected[n].first);
    CHECK(says(told, expected[n].second));
  }
  CHECK(n == expected.size());
}

TEST_CASE("the type of an error counts for more than its status") {
  CHECK(error(400, answer("overloaded_error", "Overloaded")).kind == ErrorKind::overloaded);
  CHECK(error(200, answer("rate_limit_error", "slow down")).kind == ErrorKind::rate_limited);
  const std::string spent =
      R"({"error":{"type":"invalid_request_error","message":"limit","details":{"error_code":"enforced_spend_limit_reached"}}})";
  CHECK(error(400, spent).kind == ErrorKind::rate_limited);
  CHECK(says(error(400, spent), "spending limit"));
}

TEST_CASE("a pause that the server asks for is told in seconds") {
  const auto asked = [](const http::Headers& headers) { return error(429, answer("rate_limit_error", "no"), headers); };
  CHECK(says(asked({{"retry-after", "0.4"}}), "try again in 1 s."));
  CHECK(says(asked({{"retry-after-ms", "2500"}, {"retry-after", "9"}}), "try again in 3 s."));
  CHECK(says(asked({{"retry-after", "Wed, 21 Oct 2026 07:28:00 GMT"}}), "try again in a minute."));
  CHECK(says(asked({{"retry-after", "nan"}}), "try again in a minute."));
  CHECK(says(asked({}), "spending limit"));
}

TEST_CASE("the sentence about a key fits what was configured") {
  const std::string body = answer("authentication_error", "no");
  CHECK(says(error(401, body), "check ANTHROPIC_API_KEY"));
  Endpoint endpoint;
  endpoint.auth_token = "token-SECRET";
  CHECK(says(error(401, body, {}, endpoint), "check ANTHROPIC_AUTH_TOKEN"));
  CHECK(says(error(401, body, {}, local()), "The server at localhost:8080 wants a key (401)"));
}

TEST_CASE("a key that the server repeats is not shown") {
  CHECK(says(error(401, answer("authentication_error", "bad key sk-ant-api03-SECRET_secret!")), "bad key [key]!"));
  CHECK(says(error(401, answer("authentication_error", "sk-proj-SECRETSECRET of another")), "[key] of another"));
  Endpoint endpoint;
  endpoint.api_key = " my-SECRET-key\n";
  CHECK(says(error(401, answer("authentication_error", "my-SECRET-key?"), {}, endpoint), "[key]?"));
}

TEST_CASE("the server's words are cut and put on one line") {
  const Error cut =
      error(400, answer("invalid_request_error", "line\n\ttwo \"quoted\" " + std::string(400, 'x') + "é"));
  CHECK(says(cut, "line two 'quoted' xxx"));
  std::string umlauts;
  for (int i = 0; i < 300; ++i) umlauts += "ü";
  CHECK(says(error(400, answer("invalid_request_error", "a" + umlauts)), "…"));
  CHECK(says(error(500, answer("api_error", "upstream said: {\"error\":{\"type\":\"x\"}}")), "\"upstream said\""));
}

TEST_CASE("an address without a Messages API is told as such") {
  CHECK(says(error(404, "<html>Not Found</html>", {}, local()),
             "no Messages API at this address (404); check the base URL"));
  const Error page = error(200, "<html>Log in to the network</html>", {}, local());
  CHECK(page.kind == ErrorKind::protocol);
  CHECK(says(page, "check the base URL"));
  CHECK(error(302, "", {}, local()).kind == ErrorKind::protocol);
}

TEST_CASE("any body, whatever it holds, gives a sentence") {
  for (const auto* body : {"", "null", "[]", "3", "\"text\"", "{}", R"({"error":null})", R"({"error":"plain words"})",
                           R"({"error":{"message":7,"type":[]}})", R"({"detail":[{"msg":"field required"}]})",
                           R"({"detail":[]})", R"({"message":"m"})", R"({"error":{"details":"x"}})", "\xFF\xFE{"}) {
    INFO(body);
    for (const int status :
         {200, 302, 400, 401, 402, 403, 404, 408, 409, 413, 418, 422, 429, 499, 500, 503, 504, 529}) {
      CHECK_FALSE(error(status, body).message.empty());
    }
  }
  CHECK(says(error(400, R"({"error":"plain words"})"), "plain words"));
  CHECK(says(error(422, R"({"detail":[{"msg":"field required"}]})"), "field required"));
}

}  // namespace selfmind::claude

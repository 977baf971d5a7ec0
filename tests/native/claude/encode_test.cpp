#include "claude/encode.h"

#include <nlohmann/json.hpp>

#include "base/limits.h"
#include "support/catch.h"

namespace selfmind::claude {
namespace {

using Json = nlohmann::ordered_json;

Message user(std::string text, bool cache_here = false) { return {true, {TextBlock{std::move(text), cache_here}}}; }
Message assistant(std::string json, bool without_thinking = false) {
  return {false, {RawBlocks{std::move(json), without_thinking}}};
}

Request request(std::vector<Message> messages) {
  Request out;
  out.model = "claude-opus-4-8";
  out.max_tokens = 16000;
  out.messages = std::move(messages);
  return out;
}

Json encoded(const Request& request) { return Json::parse(encode(request)); }

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("the whole body of a request, in its fixed order") {
  Request asked = request({user("Hi"), assistant(R"([{"type":"text","text":"Hello."}])"), user("And now?", true)});
  asked.system = "You are helpful.";
  asked.cache_system = true;
  asked.thinking = Thinking::adaptive;
  asked.output_schema = R"({"type":"object","properties":{"b":{"type":"string"},"a":{"type":"string"}}})";
  CHECK(
      encode(asked) ==
      R"({"model":"claude-opus-4-8","max_tokens":16000,"stream":true,)"
      R"("system":[{"type":"text","text":"You are helpful.","cache_control":{"type":"ephemeral"}}],)"
      R"("thinking":{"type":"adaptive"},)"
      R"("output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"string"}}}}},)"
      R"("messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]},)"
      R"({"role":"assistant","content":[{"type":"text","text":"Hello."}]},)"
      R"({"role":"user","content":[{"type":"text","text":"And now?","cache_control":{"type":"ephemeral"}}]}]})");
}

TEST_CASE("a plain request has no field that was not asked for") {
  CHECK(encode(request({user("Hi")})) == R"({"model":"claude-opus-4-8","max_tokens":16000,"stream":true,)"
                                         R"("messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]})");
}

TEST_CASE("a request is a byte prefix of the next one") {
  std::vector<Message> messages = {user("One")};
  const std::string first = encode(request(messages));
  messages.push_back(
      assistant(R"([{"type":"thinking","thinking":"","signature":"c2ln"},{"type":"text","text":"Two"}])"));
  messages.push_back(user("Three"));
  const std::string second = encode(request(messages));
  const std::string shared = first.substr(0, first.size() - 2);  // without the end of the list and of the body
  CHECK(second.substr(0, shared.size()) == shared);
}

TEST_CASE("blocks from the API go back as they came, unknown ones too") {
  const std::string raw =
      R"([{"type":"thinking","thinking":"","signature":"c2ln"},{"type":"future","z":1,"a":[1.5,-0.1,9007199254740993,null,true],"é":"ü\u0000"},{"type":"redacted_thinking","data":"ZGF0YQ=="},{"type":"text","text":"x","citations":[]}])";
  const Json content = encoded(request({user("a"), assistant(raw), user("b")}))["messages"][1]["content"];
  CHECK(content == Json::parse(raw));
  CHECK(content.dump() == Json::parse(raw).dump());
}

TEST_CASE("thinking blocks are left out where asked, and nothing else") {
  const std::string raw =
      R"([{"type":"thinking","thinking":"t","signature":"s"},{"type":"redacted_thinking","data":"d"},{"type":"text","text":"x"}])";
  const Json content = encoded(request({user("a"), assistant(raw, true), user("b")}))["messages"][1]["content"];
  CHECK(content == Json::parse(R"([{"type":"text","text":"x"}])"));
}

TEST_CASE("what the API would refuse is not sent") {
  SECTION("blank text, and messages of nothing else") {
    const Json messages = encoded(request({user(" \n"), user("a"), assistant(R"([{"type":"text","text":""}])"),
                                           Message{true, {TextBlock{"", true}, TextBlock{"b", false}}}}))["messages"];
    CHECK(messages == Json::parse(R"([{"role":"user","content":[{"type":"text","text":"a"},
                                                                {"type":"text","text":"b"}]}])"));
  }
  SECTION("a stored reply that is no list of blocks") {
    for (const char* stored : {"half [", R"(["text"])"}) {
      const Json messages = encoded(request({user("a"), assistant(stored), user("b")}))["messages"];
      REQUIRE(messages.size() == 1);  // two messages of the user's in a row are one: not every server joins them
      CHECK(messages[0]["content"].size() == 2);
    }
  }
  SECTION("a call of a tool, since no tools are declared") {
    const Json messages = encoded(request(
        {user("a"),
         assistant(
             R"([{"type":"text","text":"x"},{"type":"tool_use","id":"t","name":"n","input":{}},{"type":"server_tool_use","id":"s","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"s","content":[]}])"),
         user("b")}))["messages"];
    CHECK(messages[1]["content"] == Json::parse(R"([{"type":"text","text":"x"}])"));
  }
  SECTION("bytes that are no UTF-8") {
    const Json body = encoded(request({user("caf\xE9 \xED\xA0\x80")}));
    CHECK(body["messages"][0]["content"][0]["text"].get<std::string>().substr(0, 6) == "caf\xEF\xBF\xBD");
  }
  SECTION("a reply at the end, which would be a prefill") {
    const Json messages = encoded(request({user("a"), Message{false, {TextBlock{"Once upon", false}}}}))["messages"];
    REQUIRE(messages.size() == 1);
    CHECK(messages[0]["role"] == "user");
  }
  SECTION("a thought that nobody signed") {
    for (const char* raw : {R"([{"type":"thinking","thinking":"t"},{"type":"text","text":"x"}])",
                            R"([{"type":"thinking","thinking":"t","signature":""},{"type":"text","text":"x"}])"}) {
      const Json content = encoded(request({user("a"), assistant(raw), user("b")}))["messages"][1]["content"];
      CHECK(content == Json::parse(R"([{"type":"text","text":"x"}])"));
    }
  }
  SECTION("a fifth cache breakpoint: the newest ones stay") {
    Request asked = request({});
    asked.system = "s";
    asked.cache_system = true;
    for (int i = 0; i < 6; ++i) asked.messages.push_back(user(std::to_string(i), true));
    const std::string body = encode(asked);
    CHECK(count(body, "cache_control") == 4);
    const Json messages = Json::parse(body)["messages"];
    CHECK_FALSE(messages[0]["content"][2].contains("cache_control"));
    CHECK(messages[0]["content"][3].contains("cache_control"));
    asked.cache_system = false;
    CHECK(count(encode(asked), "cache_control") == 4);
  }
}

TEST_CASE("a model is sent only what it accepts") {
  Request asked = request({user("Hi", true)});
  asked.system = "s";
  asked.cache_system = true;
  asked.output_schema = R"({"type":"object"})";
  const auto sent = [&asked](const char* id, Thinking thinking) {
    asked.model = id;
    asked.thinking = thinking;
    return encoded(asked);
  };
  CHECK(sent("claude-opus-4-8", Thinking::adaptive)["thinking"]["type"] == "adaptive");
  CHECK(sent("claude-opus-4-8", Thinking::disabled)["thinking"]["type"] == "disabled");
  CHECK_FALSE(sent("claude-haiku-4-5", Thinking::adaptive).contains("thinking"));
  CHECK(sent("claude-haiku-4-5", Thinking::disabled)["thinking"]["type"] == "disabled");
  CHECK(sent("claude-haiku-4-5", Thinking::unset).contains("output_config"));
  CHECK_FALSE(sent("claude-mythos-preview", Thinking::unset).contains("output_config"));

  const Json local = sent("qwen3:8b", Thinking::disabled);
  CHECK_FALSE(local.contains("thinking"));
  CHECK_FALSE(local.contains("output_config"));
  CHECK(local["system"] == "s");
  CHECK(local.dump().find("cache_control") == std::string::npos);
}

TEST_CASE("a model that cannot be kept from thinking is asked for little, and given room for it") {
  Request asked = request({user("Hi")});
  asked.max_tokens = 1024;
  asked.thinking = Thinking::disabled;
  const auto sent = [&asked](const char* id) {
    asked.model = id;
    return encoded(asked);
  };
  CHECK(sent("claude-sonnet-5-5")["thinking"]["type"] == "between_tools");
  CHECK(sent("claude-sonnet-5-5")["max_tokens"] == 17024);
  for (const char* id : {"claude-opus-5-5", "claude-fable-5-2", "claude-mythos-5"}) {
    INFO(id);
    CHECK_FALSE(sent(id).contains("thinking"));
    CHECK(sent(id)["output_config"]["effort"] == "low");
    CHECK(sent(id)["max_tokens"] == 17024);
  }
  CHECK(sent("qwen3:8b")["max_tokens"] == 17024);  // it may be one that thinks
  for (const char* id : {"claude-opus-4-8", "claude-haiku-4-5", "claude-sonnet-5"}) {
    INFO(id);
    CHECK_FALSE(sent(id).contains("output_config"));
    CHECK(sent(id)["max_tokens"] == 1024);
  }
}

TEST_CASE("max_tokens is never more than the model gives") {
  Request asked = request({user("Hi")});
  asked.max_tokens = 1'000'000;
  asked.model = "claude-haiku-4-5";
  CHECK(encoded(asked)["max_tokens"] == 64'000);
  asked.model = "claude-opus-5-5";
  asked.thinking = Thinking::disabled;
  CHECK(encoded(asked)["max_tokens"] == 128'000);
  asked.model = "llama3.2";
  asked.thinking = Thinking::unset;
  CHECK(encoded(asked)["max_tokens"] == 1'000'000);
}

TEST_CASE("max_tokens leaves room for the prompt in a small context") {
  Request asked = request({user(std::string(9000, 'x'))});
  asked.model = "llama3.2";
  Accepts accepts;
  accepts.context = 8192;
  const auto sent = [&] { return Json::parse(encode(asked, accepts))["max_tokens"].get<int>(); };
  CHECK(sent() < 8192 - 3000);
  CHECK(sent() > 8192 - 3000 - 200);
  asked.max_tokens = 500;
  CHECK(sent() == 500);
  asked.max_tokens = 16000;
  asked.messages[0] = user(std::string(90000, 'x'));
  CHECK(sent() == 1024);
}

TEST_CASE("nothing is ever sent that would choose the words for the model") {
  Request asked = request({user("Hi")});
  asked.thinking = Thinking::adaptive;
  asked.output_schema = R"({"type":"object"})";
  for (const char* id : {"claude-opus-4-5", "claude-opus-4-8", "claude-fable-5-2", "llama3.2"}) {
    asked.model = id;
    const Json body = encoded(asked);
    for (const char* field : {"temperature", "top_p", "top_k", "tools", "tool_choice", "stop_sequences"}) {
      INFO(id << " " << field);
      CHECK_FALSE(body.contains(field));
    }
  }
}

TEST_CASE("the HTTP request carries the key in one header and nowhere else") {
  Endpoint endpoint;
  endpoint.api_key = " key-123\r\n";
  endpoint.auth_token = "token-456";
  const http::Request sent = http_request(request({user("Hi")}), Accepts{}, endpoint);
  CHECK(sent.method == "POST");
  CHECK(sent.url == "https://api.anthropic.com/v1/messages");
  REQUIRE(http::find(sent.headers, "x-api-key") != nullptr);
  CHECK(*http::find(sent.headers, "x-api-key") == "key-123");
  CHECK(http::find(sent.headers, "authorization") == nullptr);
  CHECK(*http::find(sent.headers, "anthropic-version") == "2023-06-01");
  CHECK(*http::find(sent.headers, "content-type") == "application/json");
  CHECK(http::find(sent.headers, "accept") != nullptr);
  CHECK(sent.body.find("key-123") == std::string::npos);
  CHECK(sent.first_line_timeout == limits::first_event_timeout);
  CHECK(sent.idle_timeout == limits::idle_timeout);
  CHECK(sent.connect_timeout == limits::connect_timeout);

  endpoint.api_key = " ";
  CHECK(*http::find(http_request(request({user("Hi")}), Accepts{}, endpoint).headers, "authorization") ==
        "Bearer token-456");
  endpoint.auth_token.clear();
  const http::Request keyless = http_request(request({user("Hi")}), Accepts{}, endpoint);
  CHECK(http::find(keyless.headers, "authorization") == nullptr);
  CHECK(http::find(keyless.headers, "x-api-key") == nullptr);
}

TEST_CASE("the path is appended to the base URL once") {
  const auto url = [](const char* base) {
    Endpoint endpoint;
    endpoint.base_url = base;
    return http_request(request({user("Hi")}), Accepts{}, endpoint).url;
  };
  CHECK(url("http://localhost:8080") == "http://localhost:8080/v1/messages");
  CHECK(url(" http://localhost:8080// ") == "http://localhost:8080/v1/messages");
  CHECK(url("http://localhost:8080/v1/") == "http://localhost:8080/v1/messages");
  CHECK(url("https://openrouter.ai/api") == "https://openrouter.ai/api/v1/messages");
}

}  // namespace selfmind::claude

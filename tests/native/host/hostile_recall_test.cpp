// Recall through the protocol, asked what nobody means well: each question gets hits or none, never an error.
#include "host/host.h"

#include "http/fake.h"
#include "rpc/codec.h"
#include "support/catch.h"
#include "support/hostile.h"
#include "support/manual_loop.h"
#include "support/temporary.h"

using namespace selfmind;
using rpc::Map;
using rpc::Value;

namespace {

class PlayedTransport final : public rpc::Transport {
 public:
  void write(std::string sent) override {
    auto decoded = sent_.feed(sent);
    REQUIRE(decoded.ok());
    for (auto& message : *decoded) {
      if (auto* response = std::get_if<rpc::Response>(&message)) responses.push_back(std::move(*response));
    }
  }
  void start(std::function<void(std::string_view)> on_bytes, std::function<void(const Error*)>) override {
    bytes = std::move(on_bytes);
  }
  std::function<void(std::string_view)> bytes;
  std::vector<rpc::Response> responses;

 private:
  rpc::Decoder sent_;
};

// A script that asks the host, one request after the other.
struct Script {
  test::TemporaryFolder folder;
  test::ManualLoop loop;
  PlayedTransport transport;
  http::FakeHttp http;
  SystemClock clock;
  RandomIds ids;
  std::uint32_t next_id = 1;
  host::Host host;

  Script()
      : host(
            loop, transport, http, clock, ids, [](const char*) -> const char* { return nullptr; }, [](bool) {},
            nullptr) {
    host.start();
    request("hello", Map{{"protocol", 1}, {"plugin", "test"}, {"settings", Map{{"db", folder / "memory.db"}}}});
  }

  rpc::Response request(const std::string& method, Map params) {
    transport.responses.clear();
    const auto id = next_id++;
    transport.bytes(rpc::encode(rpc::Request{id, method, {Value(std::move(params))}}));
    REQUIRE(loop.run_until([&] { return !transport.responses.empty(); }));
    REQUIRE(transport.responses.front().id == id);
    return transport.responses.front();
  }

  std::size_t recalled(const std::string& question) {
    const auto response =
        request("memory.recall", Map{{"folder", folder.path().string()}, {"query", question}, {"k", 5}});
    REQUIRE(response.error.is_nil());
    const auto* hits = response.result.find("hits");
    REQUIRE(hits != nullptr);
    REQUIRE(hits->as_array() != nullptr);
    return hits->as_array()->size();
  }

  void remember(const std::string& text) {
    const auto response = request("memory.remember", Map{{"folder", folder.path().string()}, {"text", text}});
    REQUIRE(response.error.is_nil());
  }
};

}  // namespace

TEST_CASE("two hundred hostile questions through the protocol each come back without an error") {
  Script script;
  script.remember("The staging database listens on port 5433.");
  script.remember("我喜欢喝绿茶。");
  const auto questions = test::hostile_questions();
  REQUIRE(questions.size() >= 200);
  for (const auto& question : questions) {
    INFO(question.substr(0, 60) << " (" << question.size() << " bytes)");
    CHECK(script.recalled(question) <= 5);
  }
  // And it still recalls.
  CHECK(script.recalled("Which port does the staging database listen on?") == 1);
  CHECK(script.recalled("\"staging database* AND (port") == 1);
  CHECK(script.recalled(std::string("staging\0database port", 21)) == 1);
  CHECK(script.recalled(std::string(1u << 20, '(') + "\nWhich port does the staging database listen on?") == 1);
}

// What must not become a memory though a memory model proposes it: three bugs that users of other systems have
// reported, each played through the real host with a model that makes the same mistake.
#include <regex>

#include "store/memories.h"
#include "support/catch.h"
#include "support/fakes.h"
#include "support/played_host.h"

using namespace selfmind;
using Json = nlohmann::ordered_json;

namespace {

class Chat {
 public:
  Chat() : host_(folder_ / "memory.db", clock_) {}

  // Says it, and has it answered.
  void say(const std::string& text) {
    clock_.advance(std::chrono::minutes(5));
    if (chat_ == 0) chat_ = host_.open_chat(folder_.path().string());
    host_.call("turn.start", {{"chat", chat_}, {"text", text}});
    last_ = &host_.request();
    asked = last_->request().body;
    test::PlayedHost::answer(*last_, test::streamed("Noted."));
    host_.event("turn/done");
  }
  // The request to learn from what was said.
  Json learn_request() {
    last_ = &host_.request();
    learning = last_->request().body;
    return Json::parse(learning);
  }
  // What the memory model proposes, in the form that its request asks for.
  void propose(const std::vector<Json>& memories) {
    propose_next(memories);
    until_learned(0);
  }
  void propose_next(const std::vector<Json>& memories) {
    const auto item = Json::parse(learning)["output_config"]["format"]["schema"]["properties"]["memories"]["items"];
    Json list = Json::array();
    for (const auto& memory : memories) {
      Json filled = Json::object();
      for (const auto& [name, part] : item["properties"].items()) {
        if (memory.contains(name)) {
          filled[name] = memory[name];
        } else if (part.contains("enum")) {
          filled[name] = part["enum"][0];
        } else if (part["type"] == "number") {
          filled[name] = name == "sensitivity" ? 0.1 : 0.9;
        } else if (part["type"] == "integer") {
          filled[name] = 0;
        } else {
          filled[name] = "";
        }
      }
      list.push_back(filled);
    }
    test::PlayedHost::answer(*last_, test::streamed(Json{{"memories", list}}.dump()));
  }
  void break_off() {
    last_->fail({ErrorKind::network, "The connection broke off."});
    host_.event("learn/failed");
  }
  void until_learned(std::int64_t queue) {
    while (*host_.call("stats", in_folder()).find("queue")->as_int() != queue) {
    }
  }
  rpc::Map in_folder(rpc::Map params = {}) {
    params.emplace_back("folder", folder_.path().string());
    return params;
  }
  std::vector<std::string> memories() {
    std::vector<std::string> texts;
    const auto list = host_.call("memory.list", in_folder({{"all", true}}));
    for (const auto& memory : *list.find("memories")->as_array()) texts.push_back(*memory.find("text")->as_string());
    return texts;
  }
  store::Memory stored(store::Id id) {
    auto database = store::Database::open(folder_ / "memory.db", clock_, ids_);
    REQUIRE(database.ok());
    auto memory = store::memory(*database, id);
    REQUIRE(memory.ok());
    return *memory;
  }

  std::string asked, learning;  // the newest request of each kind
  test::PlayedHost& host() { return host_; }

 private:
  test::TemporaryFolder folder_;
  test::MovedClock clock_{from_millis(1'790'000'000'000)};
  test::CountingIds ids_{1'000'000};
  test::PlayedHost host_;
  http::FakeHttp::Exchange* last_ = nullptr;
  std::int64_t chat_ = 0;
};

const std::string told = "My staging database listens on port 5433.";
const std::string noted = "The staging database of the user listens on port 5433.";

}  // namespace

// mem0ai/mem0#4573
TEST_CASE("neither the memory model's own prompt nor a memory that was recalled comes back as a new memory") {
  Chat chat;
  chat.host().call("memory.remember", chat.in_folder({{"text", noted}}));
  for (const char* question :
       {"Which port does my staging database listen on?", "And where does staging listen, again?"}) {
    INFO(question);
    chat.say(question);
    const auto request = chat.learn_request();
    CHECK(chat.learning.find("<recalled_memories") == std::string::npos);
    const auto prompt = request["system"].is_string() ? request["system"].get<std::string>()
                                                      : request["system"][0]["text"].get<std::string>();
    const auto rule = prompt.substr(0, prompt.find('.') + 1);
    chat.propose({
        {{"text", rule}, {"kind", "context"}, {"quote", rule}},
        {{"text", "The user keeps the long-term memory of a chat."}, {"kind", "context"}, {"quote", rule}},
        {{"text", "The user keeps the long-term memory of a chat."}, {"kind", "context"}, {"quote", question}},
        {{"text", "The user has said that " + noted}, {"kind", "fact"}, {"quote", noted}},
        {{"text", "The user's staging database listens on port 5433, as was recalled."},
         {"kind", "fact"},
         {"quote", question}},
    });
    CHECK(chat.memories() == std::vector<std::string>{noted});
  }
  CHECK(chat.asked.find("<recalled_memories") != std::string::npos);  // it was there to be learned again
}

// liliMozi/openhanako#992
TEST_CASE("a memory bears no date that stands in the prompt and was not said by the user") {
  Chat chat;
  chat.say(told);
  const auto request = chat.learn_request();
  const std::regex date("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  CHECK_FALSE(std::regex_search(request["system"].dump(), date));  // no example with one
  std::smatch found;
  const auto words = request["messages"].dump();
  REQUIRE(std::regex_search(words, found, date));  // today's
  const auto today = found.str();
  chat.propose({
      {{"text", "The staging database of the user has listened on port 5433 since " + today + "."},
       {"kind", "fact"},
       {"quote", told}},
      {{"text", noted}, {"kind", "fact"}, {"quote", told}, {"valid_from", today}, {"valid_to", today}},
  });
  REQUIRE(chat.memories() == std::vector<std::string>{noted});
  CHECK_FALSE(chat.stored(1).valid_from);
  CHECK_FALSE(chat.stored(1).valid_to);

  const std::string until = "I work from the Oslo office until 2026-12-04.";
  chat.say(until);
  chat.learn_request();
  chat.propose({{{"text", "The user works from the Oslo office until 2026-12-04."},
                 {"kind", "fact"},
                 {"quote", until},
                 {"valid_to", "2026-12-04"}}});
  REQUIRE(chat.memories().size() == 2);
  REQUIRE(chat.stored(2).valid_to);  // what the user does say counts
  CHECK(local_date(*chat.stored(2).valid_to) == "2026-12-04");
}

// macanderson/stella PR#671
TEST_CASE("a lesson that was forgotten is not mined again from an older message, and is learned when it is said anew") {
  Chat chat;
  const std::string lesson = "We learned that the replicas have to be paused before a migration.";
  const Json mined = {{"text", "The user learned that before a migration the replicas have to be paused."},
                      {"kind", "lesson"},
                      {"quote", lesson}};
  chat.say(lesson);
  chat.learn_request();
  chat.break_off();  // it waits, and the user has it remembered by hand
  chat.host().call("memory.remember", chat.in_folder({{"text", "Before a migration the replicas have to be paused."}}));
  chat.say("Thank you.");
  chat.learn_request();
  chat.break_off();
  chat.host().call("memory.forget", {{"ids", rpc::Array{1}}});
  REQUIRE(chat.memories().empty());

  chat.say("See you tomorrow.");
  chat.learn_request();
  REQUIRE(chat.learning.find("the replicas have to be paused before a migration") != std::string::npos);
  chat.propose_next({mined});
  chat.learn_request();
  chat.propose_next({});
  chat.learn_request();
  chat.propose({});
  CHECK(chat.memories().empty());

  chat.say("For the record: " + lesson);
  chat.learn_request();
  chat.propose({mined});
  CHECK(chat.memories() == std::vector<std::string>{mined["text"]});
}

#include "rpc/binder.h"

#include <optional>

#include "base/log.h"
#include "support/catch.h"

using namespace selfmind;
using namespace selfmind::rpc;

namespace {

std::string problem(const Value& params, const std::function<void(Fields&)>& read) {
  Fields fields(params);
  read(fields);
  const auto done = fields.done();
  return done ? "" : done.error().message;
}

struct Params {
  std::string text;
  static Result<Params> decode(const Value& value) {
    Fields fields(value);
    Params params{fields.text("text")};
    if (auto done = fields.done(); !done) return done.error();
    return params;
  }
};

struct Length {
  std::int64_t value;
};
Value encode(const Length& length) { return Map{{"length", length.value}}; }

// What a call was answered with, and how often.
struct Recorder {
  std::vector<Result<Value>> answers;
  Answer answer() {
    return [this](Result<Value> result) { answers.push_back(std::move(result)); };
  }
};

struct QuietLog {
  QuietLog() { log::open("", log::Level::off); }
  ~QuietLog() { log::open("", log::Level::warning); }
};

}  // namespace

TEST_CASE("fields are read by name and type") {
  const Value params = Map{{"text", "hi"},   {"k", 3},          {"all", true},          {"ids", Array{4, 5}},
                           {"nil", Value()}, {"none", Array{}}, {"more", Map{{"a", 1}}}};
  Fields fields(params);
  CHECK(fields.text("text") == "hi");
  CHECK(fields.text_or("folder", "/") == "/");
  CHECK(fields.text_or("nil", "was nil") == "was nil");
  CHECK(fields.integer("k") == 3);
  CHECK(fields.integer_or("n", 9) == 9);
  CHECK(fields.flag_or("all", false));
  CHECK(fields.flag_or("force", true));
  CHECK(fields.integers("ids") == std::vector<std::int64_t>{4, 5});
  CHECK(fields.integers("none").empty());
  CHECK(fields.any("absent") == nullptr);
  CHECK(fields.any("nil") == nullptr);
  REQUIRE(fields.any("more"));
  CHECK(fields.any("more")->find("a"));
  CHECK(fields.done().ok());
}

TEST_CASE("the first wrong field is named in a sentence") {
  CHECK(problem(Map{{"text", 5}}, [](Fields& f) { f.text("text"); }) == "\"text\" must be a string.");
  CHECK(problem(Map{}, [](Fields& f) { f.text("text"); }) == "\"text\" is missing.");
  CHECK(problem(Map{{"text", Value()}}, [](Fields& f) { f.text("text"); }) == "\"text\" is missing.");
  CHECK(problem(Map{{"k", "6"}}, [](Fields& f) { f.integer_or("k", 1); }) == "\"k\" must be an integer.");
  CHECK(problem(Map{{"k", 1.5}}, [](Fields& f) { f.integer("k"); }) == "\"k\" must be an integer.");
  CHECK(problem(Map{{"all", 1}}, [](Fields& f) { f.flag_or("all", false); }) == "\"all\" must be true or false.");
  CHECK(problem(Map{{"ids", Array{1, "2"}}}, [](Fields& f) { f.integers("ids"); }) ==
        "\"ids\" must be a list of integers.");
  CHECK(problem(Map{}, [](Fields& f) { f.integers("ids"); }) == "\"ids\" is missing.");
  CHECK(problem(Map{{"a", 1}, {"b", 1}}, [](Fields& f) {
          f.text("b");
          f.text("a");
        }) == "\"b\" must be a string.");
}

TEST_CASE("a field nobody asked for is wrong") {
  CHECK(problem(Map{{"text", "x"}, {"colour", "red"}}, [](Fields& f) { f.text("text"); }) ==
        "there is no field \"colour\".");
}

TEST_CASE("parameters that are no map are wrong, an empty Lua table is fine") {
  CHECK(problem(Value("text"), [](Fields&) {}) == "the parameters must be a map.");
  CHECK(problem(Array{1}, [](Fields&) {}) == "the parameters must be a map.");
  CHECK(problem(Value(), [](Fields&) {}) == "the parameters must be a map.");
  CHECK(problem(Array{}, [](Fields& f) { f.text_or("a", ""); }).empty());
}

TEST_CASE("a handler gets its own struct and its reply is encoded") {
  Binder binder;
  binder.bind<Params, Length>("text.length", [](Params params, Reply<Length> reply) {
    reply(Length{static_cast<std::int64_t>(params.text.size())});
  });
  Recorder recorder;
  binder.call("text.length", Map{{"text", "four"}}, recorder.answer());
  REQUIRE(recorder.answers.size() == 1);
  REQUIRE(recorder.answers[0]);
  CHECK(*recorder.answers[0] == Value(Map{{"length", 4}}));
}

TEST_CASE("wrong parameters are answered without calling the handler") {
  Binder binder;
  bool called = false;
  binder.bind<Params, Length>("turn.start", [&called](Params, Reply<Length> reply) {
    called = true;
    reply(Length{0});
  });
  Recorder recorder;
  binder.call("turn.start", Map{{"text", 5}}, recorder.answer());
  CHECK_FALSE(called);
  REQUIRE(recorder.answers.size() == 1);
  REQUIRE_FALSE(recorder.answers[0].ok());
  CHECK(recorder.answers[0].error().kind == ErrorKind::invalid);
  CHECK(recorder.answers[0].error().message == "turn.start: \"text\" must be a string.");
}

TEST_CASE("an unknown method is answered with its name") {
  Recorder recorder;
  Binder().call("turn.begin", Map{}, recorder.answer());
  REQUIRE(recorder.answers.size() == 1);
  REQUIRE_FALSE(recorder.answers[0].ok());
  CHECK(recorder.answers[0].error().kind == ErrorKind::invalid);
  CHECK(recorder.answers[0].error().message.find("\"turn.begin\"") != std::string::npos);
}

TEST_CASE("a reply may come later and from wherever it was moved to") {
  Binder binder;
  std::optional<Reply<Length>> kept;
  binder.bind<Params, Length>("slow", [&kept](Params, Reply<Length> reply) { kept.emplace(std::move(reply)); });
  Recorder recorder;
  binder.call("slow", Map{{"text", ""}}, recorder.answer());
  CHECK(recorder.answers.empty());
  (*kept)(Error{ErrorKind::busy, "Not now."});
  kept.reset();
  REQUIRE(recorder.answers.size() == 1);
  CHECK(recorder.answers[0].error().kind == ErrorKind::busy);
}

TEST_CASE("a reply that is dropped is answered with an error that names the method") {
  const QuietLog quiet;
  Binder binder;
  binder.bind<Params, Length>("forgetful", [](Params, Reply<Length>) {});
  Recorder recorder;
  binder.call("forgetful", Map{{"text", ""}}, recorder.answer());
  REQUIRE(recorder.answers.size() == 1);
  REQUIRE_FALSE(recorder.answers[0].ok());
  CHECK(recorder.answers[0].error().kind == ErrorKind::protocol);
  CHECK(recorder.answers[0].error().message.find("forgetful") != std::string::npos);
}

// --record and --replay: what is written, what is left out, and what a replay finds.
#include "cli/replay.h"

#include <sys/stat.h>

#include <sstream>

#include "host/recorder.h"
#include "learn/manager.h"
#include "support/catch.h"
#include "support/fakes.h"
#include "support/temporary.h"
#include "turn/turn.h"

using namespace selfmind;

namespace {

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

Outcome replay(const std::string& file) {
  std::ostringstream out, err;
  const int code = cli::replay(file, out, err);
  return {code, out.str(), err.str()};
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const auto at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

// One editor's recording: what it feeds to its reducers goes into the file too.
struct Recording {
  explicit Recording(const std::string& path) : recorder(std::move(*host::Recorder::open(path, clock))) {
    host::Settings settings;
    settings.endpoint.base_url = "https://me:tiger@gateway.example.org";
    settings.endpoint.api_key = "key-of-the-test";
    settings.from["key"] = "ANTHROPIC_API_KEY";
    recorder->greeted(settings, "3.40.1", "delete");
    recorder->begin_learning(learning);
  }
  void begin(std::int64_t number, const std::string& model = "claude-opus-4-8") {
    turn::Settings settings;
    settings.model = model;
    turn.emplace(settings);
    recorder->begin_turn(number, settings);
    current = number;
  }
  void feed(turn::Event event) {
    clock.advance(std::chrono::milliseconds(7));
    const auto commands = turn->on(event);
    recorder->step(current, event, commands);
  }
  void learn(learn::Event event) {
    const auto commands = manager.on(event);
    recorder->step(event, commands);
  }

  test::FakeClock clock;
  std::unique_ptr<host::Recorder> recorder;
  std::optional<turn::Turn> turn;
  std::int64_t current = 0;
  learn::Settings learning{"claude-haiku-4-5", "https://api.anthropic.com", 1024, 0.7};
  learn::Manager manager{learning};
};

turn::MessageKept kept(const std::string& text) {
  turn::MessageKept kept;
  kept.message.id = 4;
  kept.message.session = 1;
  kept.message.text = text;
  kept.session.id = 1;
  kept.session.project = 2;
  kept.log = {kept.message};
  kept.date = "2026-11-30";
  return kept;
}

claude::Reply said(const std::string& text) {
  claude::Reply reply;
  reply.text = text;
  reply.content = R"([{"type":"text","text":")" + text + "\"}]";
  reply.stop_reason = claude::StopReason::end_turn;
  return reply;
}

// A whole turn in which keys come up everywhere, and what is learned from it.
void tell(Recording& recording) {
  const std::string text =
      "My port is 5433 and my key is sk-ant-api03-0123456789abcdef; Authorization: Bearer abc.def-123";
  recording.begin(1);
  recording.feed(turn::Started{1, text});
  recording.feed(kept(text));
  recording.feed(turn::Recalled{});
  recording.feed(turn::RecallKept{});
  for (const char* piece : {"Your key sk-ant", "-api03-0123", "456789abcdef", " is safe", " with me."}) {
    recording.feed(turn::TextDelta{piece});
    recording.feed(turn::Thinking{});  // what comes between two pieces
  }
  recording.feed(turn::ReplyDone{said("Your key sk-ant-api03-0123456789abcdef is safe with me.")});
  store::Turn reply;
  reply.id = 5;
  reply.role = store::Role::assistant;
  reply.state = store::TurnState::done;
  recording.feed(turn::ReplyKept{reply});

  recording.learn(learn::Woken{});
  store::QueueEntry entry;
  entry.id = 9;
  entry.turn = 4;
  entry.user_text = text;
  entry.said_at = recording.clock.now();
  recording.learn(learn::Leased{entry, "2026-11-30"});
  recording.learn(learn::Extracted{
      said(R"({"memories":[{"text":"The port of the user is 5433.","kind":"fact","quote":"My port is 5433"}]})")});
  recording.learn(learn::Kept{});
}

}  // namespace

TEST_CASE("a recorded turn and what was learned from it replay the same") {
  test::TemporaryFolder folder;
  const auto file = folder / "record.jsonl";
  {
    Recording recording(file);
    tell(recording);
    recording.begin(2);
    recording.feed(turn::Started{1, "broken \xff text"});
    recording.feed(turn::StoreFailed{{ErrorKind::busy, "The store is locked."}});
  }
  const auto outcome = replay(file);
  CHECK(outcome.out == "2 turns, 22 events: all the same\n");
  CHECK(outcome.err.empty());
  CHECK(outcome.code == 0);
}

TEST_CASE("a recording holds no secret, also none that came in pieces, and is its owner's alone") {
  test::TemporaryFolder folder;
  const auto file = folder / "record.jsonl";
  {
    Recording recording(file);
    recording.begin(1);
    recording.feed(turn::Started{1, "what is key-of-the-test?"});
    tell(recording);
  }
  const auto text = folder.read("record.jsonl");
  for (const char* secret : {"sk-ant-", "api03", "456789abcdef", "abc.def-123", "key-of-the-test", "tiger"}) {
    INFO(secret);
    CHECK_FALSE(has(text, secret));
  }
  CHECK(has(text, "[secret"));
  CHECK(has(text, "ANTHROPIC_API_KEY"));
  CHECK(has(text, "https://gateway.example.org"));
  CHECK(has(text, R"({"ms":7,"of":1,"event":{"started")"));
  struct stat status {};
  REQUIRE(::stat(file.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("a replay that comes out differently says where and what") {
  test::TemporaryFolder folder;
  {
    Recording recording(folder / "record.jsonl");
    tell(recording);
  }
  const auto text = folder.read("record.jsonl");
  const auto file =
      folder.write("changed.jsonl", replaced(text, R"({"accept":{"turn":4}})", R"({"accept":{"turn":3}})"));
  auto outcome = replay(file);
  CHECK(outcome.code == 1);
  CHECK(outcome.out ==
        "line 6, turn 1, event 2 (kept)\n  /0/accept/turn: expected 3, got 4\n"
        "1 turns, 20 events: 1 different\n");

  folder.write("changed.jsonl", replaced(text, R"("text":"The port of the user is 5433.")", R"("text":"Another.")"));
  outcome = replay(file);
  CHECK(outcome.code == 1);
  CHECK(has(outcome.out, "learning, event 3 (extracted)"));
}

TEST_CASE("a recording goes on where the host was started again, and is played life by life") {
  test::TemporaryFolder folder;
  const auto file = folder / "record.jsonl";
  for (int life = 0; life < 2; ++life) {
    Recording recording(file);
    tell(recording);
  }
  CHECK(replay(file).out == "2 turns, 40 events: all the same\n");
}

TEST_CASE("a recording says how recall was set, and one from before that was recorded replays all the same") {
  test::TemporaryFolder folder;
  {
    Recording recording(folder / "record.jsonl");
    tell(recording);
  }
  auto text = folder.read("record.jsonl");
  const auto from = text.find(R"("retrieval":{"preset":"default",)");
  REQUIRE(from != std::string::npos);
  const auto after = text.find(R"("sqlite":)", from);
  REQUIRE(after != std::string::npos);
  text.erase(from, after - from);
  CHECK(replay(folder.write("older.jsonl", text)).out == "1 turns, 20 events: all the same\n");
}

TEST_CASE("what is no recording, or a damaged one, is one sentence") {
  test::TemporaryFolder folder;
  {
    Recording recording(folder / "record.jsonl");
    tell(recording);
  }
  const auto good = folder.read("record.jsonl");
  const auto [text, part] = GENERATE_COPY(table<std::string, std::string>({
      {"", "it is empty"},
      {"hello\n", "no recording of selfmind-host"},
      {"{}\n", "no recording of selfmind-host"},
      {"{\"selfmind_recording\":99}\n", "another version"},
      {good.substr(0, good.size() - 20), "line 24 is damaged"},
      {good + "[1]\n", "line 25 is damaged"},
      {good + R"({"of":7,"event":{"thinking":{}},"commands":[]})", "a turn that was not begun"},
      {good + R"({"of":1,"event":{"dreaming":{}},"commands":[]})", "an unknown name"},
      {good + R"({"of":1,"event":{"text":{"text":3}},"commands":[]})", "line 25 is damaged"},
      {good + R"({"of":1,"event":{"text":{"colour":"red"}},"commands":[]})", "a field that is not known"},
      {good + R"({"of":1})", "a field is missing"},
      {good + R"({"begin":{}})", "line 25 is damaged"},
  }));
  CAPTURE(text, part);
  const auto outcome = replay(folder.write("file", text));
  CHECK(outcome.code == 1);
  CHECK(has(outcome.err, part));
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
  CHECK(replay(folder / "nowhere").code == 1);
}

TEST_CASE("another file is not written into") {
  test::TemporaryFolder folder;
  test::FakeClock clock;
  const auto file = folder.write("letter.txt", "Dear Ann,\n");
  const auto opened = host::Recorder::open(file, clock);
  REQUIRE_FALSE(opened.ok());
  CHECK(has(opened.error().message, "holds something else"));
  CHECK(folder.read("letter.txt") == "Dear Ann,\n");
  CHECK_FALSE(host::Recorder::open(folder / "no/such/folder", clock).ok());
  CHECK_FALSE(host::Recorder::open(folder.path().string(), clock).ok());
}

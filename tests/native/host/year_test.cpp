// A year with a memory that learns by itself: 2,000 turns through the real host and a real store file, with a memory
// model that also misbehaves (support/scripted_memory_model.h), and what the user may expect to find in the end.
#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

#include "base/limits.h"
#include "store/memories.h"
#include "store/statement.h"
#include "support/catch.h"
#include "support/played_host.h"
#include "support/scripted_memory_model.h"
#include "text/secrets.h"
#include "text/words.h"

using namespace selfmind;
using test::Fact;
using test::Said;
using Json = nlohmann::ordered_json;

namespace {

constexpr int turns = 2000;
constexpr auto year = std::chrono::days(365);

// What is compared of a quotation: white space, quotation marks and case apart.
std::string comparable(std::string_view text) {
  std::string folded = text::fold(text);
  std::string out;
  for (const char c : folded) {
    if (c == '"' || c == '\'' || c == '.') continue;
    const bool space = c == ' ' || c == '\n' || c == '\t';
    if (!space) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const text::SecretPatterns& secret_patterns() {
  static const auto patterns = text::SecretPatterns::from({"ACME-*"});
  return *patterns;
}

struct Kept {
  store::Memory memory;
  std::vector<store::Evidence> evidence;
};

// The year as it is lived.
class Life {
 public:
  explicit Life(std::uint64_t seed) : year_(seed), model_(year_) {
    for (const char* name : {"harbour", "orchard", "lantern", "quarry"}) {
      std::filesystem::create_directories(folder_.path() / "projects" / name);
      folders_.push_back((folder_.path() / "projects" / name).string());
    }
    host_ = std::make_unique<test::PlayedHost>(db(), clock_, settings());
  }

  void live() {
    for (int i = 0; i < turns; ++i) {
      clock_.advance(std::chrono::minutes(dice_.below(2 * (year / std::chrono::minutes(1)) / turns)));
      if (i % 170 == 169) start_anew();
      if (i % 50 == 49) forget_something();
      if (i % 500 == 499) review();
      take_turn();
    }
    for (int i = 0; i < 20 && !queue_.empty(); ++i) take_turn();
    review();
    host_->quit();
    read_store();
  }

  std::string db() const { return (folder_.path() / "store" / "memory.db").string(); }
  const test::ScriptedYear& facts() const { return year_; }
  const test::ScriptedMemoryModel& model() const { return model_; }
  const std::vector<Kept>& kept() const { return kept_; }
  const std::deque<Said>& said() const { return said_; }
  const test::Lines& forgotten_words() const { return forgotten_words_; }
  const test::Lines& leaks() const { return leaks_; }
  const std::set<std::int64_t>& accepted() const { return accepted_; }
  std::size_t waiting_turns() const { return queue_.size(); }
  int questions = 0, forgotten = 0, failures = 0, requests = 0, recalls = 0;

  const Said* by_turn(std::int64_t turn) const {
    const auto found = by_turn_.find(turn);
    return found == by_turn_.end() ? nullptr : &said_[found->second];
  }

  // The last value of a fact that was told in a message from which was learned; -1: none was. A message that was never
  // answered, or is forgotten before its turn, teaches nothing.
  int version_learned(int fact) const {
    int version = -1;
    for (const auto& said : said_) {
      for (const auto& assertion : said.assertions) {
        if (assertion.fact == fact && said.learned) version = std::max(version, assertion.version);
      }
    }
    return version;
  }

  // The fact and its value that a memory states, or nothing. Two projects may have the same sentence.
  struct Claim {
    int fact = -1;
    int version = -1;
  };
  Claim claim_of(const std::string& text, const std::string& project) const {
    for (std::size_t i = 0; i < year_.facts.size(); ++i) {
      const auto& fact = year_.facts[i];
      for (auto& read = versions_read_[i]; read <= fact.version(); ++read) {
        for (const auto& one : fact.texts(read)) claims_[one].push_back({static_cast<int>(i), read});
        for (const auto& one : fact.sentences(read)) claims_[one].push_back({static_cast<int>(i), read});
      }
    }
    const auto found = claims_.find(text);
    if (found == claims_.end()) return {};
    for (const auto& claim : found->second) {
      const int where = year_.facts[static_cast<std::size_t>(claim.fact)].project;
      if (where == -1 || names_[static_cast<std::size_t>(where)] == project) return claim;
    }
    return found->second.front();
  }

  // Do the same words hold in another project? Then they stay.
  bool is_said_of_another(const std::string& words) const {
    for (const auto& fact : year_.facts) {
      if (!fact.told) continue;
      for (int version = 0; version <= fact.version(); ++version) {
        for (const auto& lines : {fact.texts(version), fact.sentences(version)}) {
          for (const auto& line : lines) {
            if (line.find(words) != std::string::npos) return true;
          }
        }
      }
    }
    return false;
  }

  // Every byte of every file in the store's folder.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path() / "store")) {
      if (entry.is_regular_file()) all[entry.path().filename().string()] = bytes_of(entry.path());
    }
    return all;
  }

 private:
  static rpc::Map settings() { return {{"secrets", rpc::Map{{"patterns", rpc::Array{"ACME-*"}}}}}; }

  struct Chat {
    std::int64_t id = 0;
    int turns = 0;
    std::vector<std::size_t> unanswered;
  };

  void start_anew() {
    host_->quit();
    host_->start();
  }

  void take_turn() {
    if (dice_.chance(0.2)) project_ = static_cast<int>(dice_.below(folders_.size()));
    auto& chat = chats_[project_];
    const bool fresh = chat.id == 0 || chat.turns > 8 + static_cast<int>(dice_.below(16));
    if (fresh) chat = {host_->open_chat(folders_[static_cast<std::size_t>(project_)], /*fresh=*/true), 0, {}};
    ++chat.turns;
    said_.push_back(year_.next(project_, fresh));
    auto& said = said_.back();
    said.turn = *host_->call("turn.start", {{"chat", chat.id}, {"text", said.text}}).find("turn")->as_int();
    by_turn_[said.turn] = said_.size() - 1;
    chat.unanswered.push_back(said_.size() - 1);

    auto& request = chat_request();
    look_at(Json::parse(request.request().body), "the chat, turn " + std::to_string(said.turn));
    if (dice_.chance(0.01)) {
      test::PlayedHost::refuse(request, 400, "invalid_request_error");
      host_->event("turn/done");
      return;
    }
    test::PlayedHost::answer(request, test::streamed(said.reply));
    host_->event("turn/done");
    queue_.insert(queue_.end(), chat.unanswered.begin(), chat.unanswered.end());
    chat.unanswered.clear();
    learn();
  }

  static bool learns(const http::FakeHttp::Exchange& request) {
    return request.request().body.find("\"output_config\":{\"format\"") != std::string::npos;
  }

  // Learning may still be at what was left over.
  http::FakeHttp::Exchange& chat_request() {
    while (true) {
      auto& request = host_->request();
      if (!learns(request)) return request;
      learn_from(request);
    }
  }

  void learn() {
    for (int left = limits::learn_per_turn; left > 0 && !queue_.empty(); --left) {
      if (!learn_from(host_->request())) return;
    }
  }

  // Which message a request is about. One of which a forget has left nothing is learned from no more.
  std::size_t queued(const Json& body) {
    const auto text = body["messages"].back()["content"].back()["text"].get<std::string>();
    for (; !queue_.empty(); queue_.pop_front()) {
      const auto typed = text::redact(text::without_private(said_[queue_.front()].text).text, secret_patterns()).text;
      if (text.find(typed) != std::string::npos || text.find("[forgotten]") != std::string::npos) return queue_.front();
    }
    FAIL("nobody expected to learn from this: " << text);
    return 0;
  }

  bool learn_from(http::FakeHttp::Exchange& request) {
    ++requests;
    const auto body = Json::parse(request.request().body);
    auto& said = said_[queued(body)];
    look_at(body, "learning from turn " + std::to_string(said.turn));
    const auto answer = model_.answer(body, said);
    ++said.tries;
    if (answer.kind == test::ModelAnswer::overloaded) {
      test::PlayedHost::refuse(request, 529, "overloaded_error");
    } else if (answer.kind == test::ModelAnswer::broken_off) {
      request.fail({ErrorKind::network, "The connection broke off."});
    } else {
      test::PlayedHost::answer(request, test::streamed(answer.text, answer.stop_reason));
    }
    if (answer.usable) {
      said.learned = true;
      queue_.pop_front();
    } else {
      ++failures;
      host_->event("learn/failed");
    }
    settle();
    return answer.usable;
  }

  // Until the store has what was learned, and the manager, most likely, is at rest again.
  void settle() {
    const auto open = [this] {
      return *host_->call("stats", {{"folder", folders_[0]}, {"all", true}}).find("queue")->as_int();
    };
    for (int i = 0; open() > static_cast<std::int64_t>(queue_.size()); ++i) {
      if (i == 1000)
        FAIL("turn " << said_.back().turn << ": " << open() << " turns wait to be learned from, not " << queue_.size());
    }
    open();
  }

  // Where something that is not the user's may not stand: in what is not the conversation itself.
  void look_at(const Json& body, const std::string& where) {
    std::string carried = body["system"].dump();
    const bool learns = body.contains("output_config");
    for (const auto& block : body["messages"].back()["content"]) {  // the others were the newest once
      const auto text = block["text"].get<std::string>();
      const bool recalled = text.rfind("<recalled_memories", 0) == 0;
      recalls += recalled ? 1 : 0;
      if (recalled) carried += text;
      if (const auto known = text.find("KNOWN"); learns && known != std::string::npos) {
        carried += text.substr(known, text.find("\n\n", known) - known);
      }
    }
    if (carried.find("ix") == std::string::npos) return;
    for (const auto& code : year_.planted) {
      const auto at = carried.find(code);
      if (at == std::string::npos) continue;
      const auto from = carried.rfind("\n", at);
      leaks_.push_back(where + ": " + carried.substr(from + 1, 200));
    }
  }

  struct Listed {
    std::int64_t id = 0;
    std::vector<std::pair<std::int64_t, std::string>> contradicts;
    std::string text, project;
  };
  std::vector<Listed> list(bool waiting) {
    std::vector<Listed> all;
    std::set<std::int64_t> seen;
    for (const auto& folder : folders_) {
      const auto result = host_->call("memory.list", {{"folder", folder}, {"all", !waiting}, {"waiting", waiting}});
      for (const auto& memory : *result.find("memories")->as_array()) {
        const auto id = *memory.find("id")->as_int();
        if (!seen.insert(id).second) continue;
        const auto* project = memory.find("project")->as_string();
        Listed one{id, {}, *memory.find("text")->as_string(), project ? *project : ""};
        if (const auto* doubts = memory.find("contradicts")->as_array()) {
          for (const auto& doubt : *doubts) {
            one.contradicts.emplace_back(*doubt.find("id")->as_int(), *doubt.find("text")->as_string());
          }
        }
        all.push_back(std::move(one));
      }
    }
    return all;
  }

  // The user has everything erased that the memory says of something.
  void forget_something() {
    std::map<int, rpc::Array> by_fact;
    for (const auto& one : list(/*waiting=*/false)) {
      const auto wrong = model_.about().find(one.text);
      const int fact = wrong != model_.about().end() ? wrong->second : claim_of(one.text, one.project).fact;
      if (fact >= 0) by_fact[fact].push_back(one.id);
    }
    std::vector<int> told;
    for (const auto& [fact, ids] : by_fact) {
      if (year_.facts[static_cast<std::size_t>(fact)].told) told.push_back(fact);
    }
    if (told.empty()) return;
    const int fact = told[dice_.below(told.size())];
    for (const auto& id : by_fact[fact]) {
      const auto history = host_->call("memory.history", {{"id", id}});
      for (const auto& revision : *history.find("revisions")->as_array())
        forgotten_words_.push_back(*revision.find("text")->as_string());
      for (const auto& source : *history.find("sources")->as_array())
        forgotten_words_.push_back(*source.find("quote")->as_string());
    }
    const auto result = host_->call("memory.forget", {{"ids", by_fact[fact]}});
    // What else came from these words is junk, and goes as well.
    for (const auto& sentence : *result.find("remaining")->as_array()) {
      const auto& text = *sentence.as_string();
      if (text.find(" came from the same words alone") == std::string::npos) continue;
      const std::int64_t id = std::stoll(text.substr(std::string_view("Memory ").size()));
      host_->call("memory.forget", {{"ids", rpc::Array{id}}});
    }
    year_.forget(fact);
    ++forgotten;
  }

  // The user answers what waits for them, and knows what is true.
  void review() {
    for (const auto& one : list(/*waiting=*/true)) {
      ++questions;
      const auto claim = claim_of(one.text, one.project);
      const auto bad = model_.bad_texts().find(one.text);
      const bool agreed = bad != model_.bad_texts().end() && bad->second == "assent";
      const auto* fact = claim.fact < 0 ? nullptr : &year_.facts[static_cast<std::size_t>(claim.fact)];
      const bool is_true =
          fact != nullptr && fact->told && fact->values[static_cast<std::size_t>(claim.version)] == fact->values.back();
      rpc::Array old;  // of what it may replace, what is about the same
      for (const auto& [id, text] : one.contradicts) {
        if (claim_of(text, one.project).fact == claim.fact) old.emplace_back(id);
      }
      if (is_true && !agreed && !old.empty()) {
        try {
          host_->call("memory.replace", {{"ids", rpc::Array{one.id}}, {"old", std::move(old)}});
        } catch (const std::exception&) {  // another one that was just answered took its place
          host_->call("memory.accept", {{"ids", rpc::Array{one.id}}});
        }
        accepted_.insert(one.id);
      } else if (agreed || is_true) {
        host_->call("memory.accept", {{"ids", rpc::Array{one.id}}});
        accepted_.insert(one.id);
      } else {
        host_->call("memory.archive", {{"ids", rpc::Array{one.id}}});
      }
    }
  }

  void read_store() {
    auto database = store::Database::open(db(), clock_, ids_);
    REQUIRE(database.ok());
    store::View view;
    view.all = true;
    auto memories = store::memories(*database, view);
    REQUIRE(memories.ok());
    for (auto& memory : *memories) {
      auto evidence =
          store::collect(store::query(*database, "SELECT turn, quote FROM memory_source WHERE memory = ?", memory.id),
                         [](const store::Statement& row) {
                           return store::Evidence{row.integer(0), row.text(1)};
                         });
      REQUIRE(evidence.ok());
      kept_.push_back({std::move(memory), std::move(*evidence)});
    }
  }

  const std::vector<std::string> names_ = {"harbour", "orchard", "lantern", "quarry"};
  test::TemporaryFolder folder_;
  test::MovedClock clock_{from_millis(1'736'150'400'000)};  // 2025-01-06T08:00Z
  test::CountingIds ids_{1'000'000};
  test::ScriptedYear year_;
  test::ScriptedMemoryModel model_;
  test::Dice dice_{4573};
  std::vector<std::string> folders_;
  std::unique_ptr<test::PlayedHost> host_;
  std::map<int, Chat> chats_;
  int project_ = 0;
  std::deque<Said> said_;
  std::map<std::int64_t, std::size_t> by_turn_;
  std::deque<std::size_t> queue_;
  test::Lines forgotten_words_, leaks_;
  std::set<std::int64_t> accepted_;
  std::vector<Kept> kept_;
  mutable std::map<std::string, std::vector<Claim>> claims_;
  mutable std::map<std::size_t, int> versions_read_;
};

// Three years, of which nothing was tuned on the last two; SELFMIND_YEAR plays another one.
std::vector<std::uint64_t> seeds() {
  const char* given = std::getenv("SELFMIND_YEAR");
  if (given != nullptr) return {std::strtoull(given, nullptr, 10)};
  return {992, 32, 33};
}

std::string shown(const test::Lines& lines, std::size_t most = 40) {
  std::string out;
  for (std::size_t i = 0; i < lines.size() && i < most; ++i) out += "\n  " + lines[i];
  return std::to_string(lines.size()) + out;
}

}  // namespace

TEST_CASE(
    "after a year of learning every memory is the user's own word, true now, said once, and nothing is that was "
    "forgotten",
    "[year]") {
  const auto seed = GENERATE(from_range(seeds()));
  CAPTURE(seed);
  Life life(seed);
  life.live();

  const auto& facts = life.facts().facts;
  std::map<std::string, std::map<std::string, int>> by_class;  // misbehaviour → state → count
  test::Lines unquoted, untrue, unknown, junk;
  std::vector<std::vector<const Kept*>> active(facts.size());
  int active_count = 0, superseded = 0, waiting = 0, archived = 0, assents = 0;
  for (const auto& kept : life.kept()) {
    const auto& memory = kept.memory;
    const auto label = std::to_string(memory.id) + " (" + memory.state + ") " + memory.text;
    active_count += memory.state == "active";
    superseded += memory.state == "superseded";
    waiting += memory.state == "quarantined";
    archived += memory.state == "archived";

    const auto claim = life.claim_of(memory.text, memory.project_name);
    bool quoted = !kept.evidence.empty(), asserted = false;
    std::string quotes;
    for (const auto& evidence : kept.evidence) {
      const auto* said = life.by_turn(evidence.turn);
      quotes += " | " + evidence.quote;
      if (said == nullptr) {  // a reply, which only an assent may quote
        quoted = quoted && memory.origin == "assistant";
        continue;
      }
      const auto words = comparable(evidence.quote);
      // The log has a mark where a secret was.
      const auto own = comparable(text::redact(said->own, secret_patterns()).text);
      quoted = quoted && !words.empty() && own.find(words) != std::string::npos;
      for (const auto& assertion : said->assertions) {
        if (assertion.fact != claim.fact) continue;
        const auto& fact = facts[static_cast<std::size_t>(claim.fact)];
        asserted = asserted || fact.values[static_cast<std::size_t>(assertion.version)] ==
                                   fact.values[static_cast<std::size_t>(claim.version)];
      }
    }
    if (!quoted && memory.state != "archived") unquoted.push_back(label + quotes);
    const auto bad = life.model().bad_texts().find(memory.text);
    if (claim.fact >= 0) {
      // What waited was put right by the user, who accepts what is true and archives what is not.
      const bool in_effect = memory.state == "active" || memory.state == "superseded";
      if (!asserted && in_effect && life.accepted().count(memory.id) == 0) untrue.push_back(label + quotes);
      if (memory.state == "active") active[static_cast<std::size_t>(claim.fact)].push_back(&kept);
    } else if (bad != life.model().bad_texts().end()) {
      ++by_class[bad->second][memory.state];
      if (memory.state == "active" && bad->second == "assent") {
        ++assents;
        if (life.accepted().count(memory.id) == 0) untrue.push_back(label + quotes);
      } else if (memory.state == "active") {
        junk.push_back(bad->second + ": " + label + quotes);
      }
    } else {
      unknown.push_back(label + quotes);
    }
  }

  int told = 0, changed = 0, missing = 0, repeated = 0;
  test::Lines not_one, lost;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const auto& fact = facts[i];
    repeated += fact.times_told > 1;
    const int version = life.version_learned(static_cast<int>(i));
    if (!fact.told || version < 0) continue;
    ++told;
    std::string list;
    bool current = false, outdated = false;
    for (const auto* kept : active[i]) {
      list += "\n      " + std::to_string(kept->memory.id) + " " + kept->memory.text + " <" +
              kept->memory.project_name + ">";
      for (const auto& evidence : kept->evidence) list += " | " + std::to_string(evidence.turn) + ": " + evidence.quote;
      auto texts = fact.texts(version);
      for (auto& sentence : fact.sentences(version)) texts.push_back(std::move(sentence));
      const bool says_it = std::find(texts.begin(), texts.end(), kept->memory.text) != texts.end();
      current = current || says_it;
      outdated = outdated || !says_it;
    }
    for (const auto& said : life.said()) {
      for (const auto& assertion : said.assertions) {
        if (assertion.fact == static_cast<int>(i))
          list += "\n      said in " + std::to_string(said.turn) + ": " + assertion.quote +
                  (said.learned ? "" : " (not learned from)");
      }
    }
    if (!current) {
      ++missing;
      lost.push_back(fact.texts(version).front() + list);
    }
    if (version == 0) continue;
    ++changed;
    // One that stands there in other words as well is too many, and counted there; it is no other version.
    if (outdated || !current)
      not_one.push_back(std::to_string(active[i].size()) + " of: " + fact.texts(version).front() + list);
  }
  test::Lines twice;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (active[i].size() < 2 || facts[i].version() > 0) continue;
    std::string list;
    for (const auto* kept : active[i])
      list += "\n      " + std::to_string(kept->memory.id) + " " + kept->memory.text + " <" +
              kept->memory.project_name + ">";
    twice.push_back(list);
  }

  test::Lines secrets, returned, back;
  const auto files = life.files();
  for (const auto& [name, bytes] : files) {
    for (const auto& secret : life.facts().secrets) {
      if (bytes.find(secret) != std::string::npos) secrets.push_back(name + ": " + secret);
    }
    for (const auto& words : life.forgotten_words()) {
      if (words.size() < 12 || bytes.find(words) == std::string::npos || life.is_said_of_another(words)) continue;
      returned.push_back(name + ": " + words);
    }
  }
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (!facts[i].forgotten) continue;
    for (const auto* kept : active[i]) back.push_back(kept->memory.text);
  }

  std::string classes;
  for (const auto& [name, count] : life.model().offered()) {
    classes += "\n  " + name + ": " + std::to_string(count) + " offered";
    if (const auto kept = by_class.find(name); kept != by_class.end()) {
      for (const auto& [state, n] : kept->second) classes += ", " + std::to_string(n) + " " + state;
    }
  }
  std::cout << "the year " << seed << ": " << life.said().size() << " turns, " << life.requests
            << " learn requests of which " << life.failures << " failed, " << life.waiting_turns()
            << " turns still waiting; " << told << " facts stand (" << changed << " changed, " << repeated
            << " told more than once), " << life.forgotten << " forgotten; " << life.kept().size()
            << " memories: " << active_count << " active, " << superseded << " superseded, " << waiting << " waiting, "
            << archived << " archived; " << life.questions << " questions to the user, " << assents
            << " assents accepted; " << missing << " facts are not there as they stand" << classes << std::endl;
  INFO("memories without a quotation that the user said: " << shown(unquoted));
  CHECK(unquoted.empty());
  INFO("memories that say something else than their quotation, or what nobody said: " << shown(untrue)
                                                                                      << shown(unknown));
  CHECK(untrue.empty());
  CHECK(unknown.empty());
  INFO("secrets in files: " << shown(secrets));
  CHECK(secrets.empty());
  INFO("what is not the user's in requests: " << shown(life.leaks()));
  CHECK(life.leaks().empty());
  INFO("changed facts without exactly one active version, the present one: " << shown(not_one));
  CHECK(not_one.empty());
  INFO("forgotten words in files: " << shown(returned) << "; learned again: " << shown(back));
  CHECK(returned.empty());
  CHECK(back.empty());
  const int distinct = told + assents;
  INFO("of " << active_count << " active memories for " << distinct << " facts, junk: " << shown(junk)
             << "; facts more than once: " << shown(twice));
  CHECK(active_count * 10 <= distinct * 11);
  // Else a store that learns nothing would do.
  INFO("facts that were told and are not there as they stand: " << shown(lost));
  CHECK(missing * 20 <= told);
  CHECK(life.waiting_turns() == 0);
}

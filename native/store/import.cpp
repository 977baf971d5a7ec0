#include "store/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "store/change.h"
#include "store/cut.h"
#include "store/cut_rows.h"
#include "store/door.h"
#include "store/memory_rows.h"
#include "store/projects.h"
#include "store/tombstones.h"

namespace selfmind::store {
namespace {

using ById = std::unordered_map<std::string, Id>;  // here, by unique id

Id found_in(const ById& ids, const std::string& uuid) {
  const auto found = ids.find(uuid);
  return found == ids.end() ? no_id : found->second;
}

class Import {
 public:
  Import(Database& database, Transaction& transaction, const Package& package, const ImportHow& how)
      : database_(database),
        transaction_(transaction),
        package_(package),
        how_(how),
        change_(database, transaction, {no_id, "import", "user", no_id, no_id, {}}) {}

  // In this order, as each refers to what comes before it.
  Result<Imported> run() {
    result_.own = package_.own;
    const auto parts = {&Import::projects, &Import::choose, &Import::chats,     &Import::turns,
                        &Import::memories, &Import::given,  &Import::relations, &Import::probes};
    for (const auto part : parts) {
      if (auto done = (this->*part)(); !done) return done.error();
      if (auto written = transaction_.so_far(); !written) return written.error();
    }
    result_.kept_out = text::in_words(kept_out_);
    return std::move(result_);
  }

 private:
  Result<Id> id_here(const char* sql, const std::string& uuid) { return number(query(database_, sql, uuid)); }

  void note(const Door& door) {
    for (const auto& [what, count] : door.found()) text::add(kept_out_, what, count);
  }
  std::string clean(const std::string& text, Id chat = no_id) {
    Door door(database_, chat);
    auto words = door.typed(text);
    note(door);
    return words;
  }

  Result<void> projects() {
    for (const auto& one : package_.projects) {
      const auto project =
          take_in(database_, transaction_, {one.uuid, one.name, one.remotes, one.paths, one.created_at});
      if (!project) return project.error();
      projects_[one.uuid] = project->id;
    }
    return {};
  }

  // Of a memory, a chat or a probe; what is said of a project that the file does not describe is a fault of the file.
  Result<Id> project_of(const std::string& uuid) const {
    if (uuid.empty()) return package_.own ? no_id : how_.project;
    const Id id = found_in(projects_, uuid);
    if (id != no_id) return id;
    return Error{ErrorKind::invalid,
                 fmt::format("The export names a project {} and does not say what it is. Nothing was imported.", uuid)};
  }

  // When the words that established a memory were said, as far as anybody knows.
  static Time said_at(const PackedMemory& packed) {
    Time said{};
    for (const auto& source : packed.sources) said = std::max(said, source.said_at.value_or(Time{}));
    return said == Time{} ? packed.memory.created_at : said;
  }

  Result<bool> was_forgotten(const PackedMemory& packed) {
    auto gone = is_forgotten_id(database_, packed.memory.uuid);
    if (!gone || *gone) return gone;
    const Time said = said_at(packed);
    gone = is_forgotten(database_, packed.memory.text, said);
    for (const auto& source : packed.sources) {
      if (gone && !*gone && !source.quote.empty()) gone = is_forgotten(database_, source.quote, said);
    }
    return gone;
  }

  // What says exactly this here already, as two stores may have learned the same.
  Id same_words(const PackedMemory& packed, Id project) {
    if (package_.own && packed.memory.state != "active") return no_id;
    return found_in(said_here_, words_key(project, clean_copy(packed.memory.text)));
  }
  static std::string words_key(Id project, std::string text) {
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return std::to_string(project) + ' ' + text;
  }
  Result<void> read_what_is_said() {
    auto rows = query(database_, "SELECT id, project, text FROM memory WHERE state IN ('active', 'quarantined')");
    if (!rows) return rows.error();
    while (true) {
      const auto more = rows->step();
      if (!more) return more.error();
      if (!*more) return {};
      said_here_.try_emplace(words_key(rows->integer(1), rows->text(2)), rows->integer(0));
    }
  }
  // Without counting what is found: it is counted when it is stored.
  std::string clean_copy(const std::string& text) { return Door(database_).typed(text); }

  static bool differs(const Memory& here, const PackedMemory& packed, const std::string& text, Id project) {
    const auto& there = packed.memory;
    return here.text != text || here.kind != there.kind || here.state != there.state || here.project != project ||
           here.scene != there.scene || here.track != there.track;
  }

  // Which memories are new. The words of those that are not to come back are cut from the log that comes with them.
  Result<void> choose() {
    if (auto read = read_what_is_said(); !read) return read;
    std::set<std::string> buried;
    for (const auto& tombstone : package_.tombstones) buried.insert(tombstone.uuid);
    for (const auto& packed : package_.memories) {
      const auto project = project_of(packed.project);
      if (!project) return project.error();
      const auto gone = was_forgotten(packed);
      if (!gone) return gone.error();
      auto here = id_here("SELECT id FROM memory WHERE uuid = ?", packed.memory.uuid);
      if (!here) return here.error();
      if (*here == no_id && (*gone || buried.count(packed.memory.uuid) > 0)) {
        ++result_.forgotten;
        add_words(packed);
        continue;
      }
      const bool by_id = *here != no_id;
      if (!by_id) here = same_words(packed, *project);
      if (*here == no_id && found_in(memories_, packed.memory.uuid) == no_id) {
        new_.push_back(&packed);
        continue;
      }
      memories_[packed.memory.uuid] = *here;
      if (auto done = compare(packed, *here, *project, by_id); !done) return done;
    }
    return tombstones();
  }

  void add_words(const PackedMemory& packed) {
    const auto add = [this](const std::string& words) {
      if (!words.empty() && !is_short(words)) forgotten_words_.push_back(words);
    };
    add(packed.memory.text);
    for (const auto& revision : packed.history) add(revision.text);
    for (const auto& source : packed.sources) add(source.quote);
  }

  Result<void> compare(const PackedMemory& packed, Id here, Id project, bool by_id) {
    const auto memory = store::memory(database_, here);
    if (!memory) return memory.error();
    // What the user has done since with another program's memory is no difference.
    const bool different = by_id && package_.own && differs(*memory, packed, clean_copy(packed.memory.text), project);
    ++(different ? result_.different : result_.known);
    if (!different) known_.push_back({&packed, here});
    return {};
  }

  Result<void> tombstones() {
    for (const auto& tombstone : package_.tombstones) {
      const auto here = id_here("SELECT id FROM memory WHERE uuid = ?", tombstone.uuid);
      if (!here) return here.error();
      // Erasing is the user's to do.
      if (*here != no_id) {
        result_.forgotten_there.push_back(*here);
        continue;
      }
      const auto known = is_forgotten_id(database_, tombstone.uuid);
      if (!known) return known.error();
      if (!*known) bury_id(transaction_, {tombstone.uuid, tombstone.at});
    }
    return {};
  }

  Result<void> chats() {
    const Cutter cutter(forgotten_words_);
    for (const auto& packed : package_.chats) {
      const auto gone = is_forgotten_id(database_, packed.uuid);
      if (!gone) return gone.error();
      if (*gone) {
        forgotten_chats_.insert(packed.uuid);
        ++result_.chats_forgotten;
        continue;
      }
      auto id = id_here("SELECT id FROM session WHERE uuid = ?", packed.uuid);
      if (!id) return id.error();
      if (*id == no_id) {
        const auto project = project_of(packed.project);
        if (!project) return project.error();
        auto title = clean(packed.title);
        auto draft = clean(packed.draft);
        cutter.cut(title);
        cutter.cut(draft);
        transaction_.run(
            "INSERT INTO session (uuid, project, title, draft, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
            packed.uuid, or_null(*project), title, draft, to_millis(packed.created_at), to_millis(packed.updated_at));
        if (auto done = transaction_.so_far(); !done) return done;
        *id = database_.last_insert_id();
        ++result_.chats;
        new_chats_.push_back(&packed);
      }
      chats_[packed.uuid] = *id;
    }
    return {};
  }

  Result<void> turns() {
    const Cutter cutter(forgotten_words_);
    for (const auto& packed : package_.turns) {
      if (forgotten_chats_.count(packed.chat) > 0) continue;
      auto id = id_here("SELECT id FROM turn WHERE uuid = ?", packed.uuid);
      if (!id) return id.error();
      if (*id == no_id) {
        id = add_turn(packed, cutter);
        if (!id) return id.error();
        ++result_.turns;
        new_turns_.push_back(&packed);
      }
      turns_[packed.uuid] = *id;
    }
    return settle_chats();
  }

  Result<Id> add_turn(const PackedTurn& packed, const Cutter& cutter) {
    const Id chat = found_in(chats_, packed.chat);
    if (chat == no_id) {
      return Error{ErrorKind::invalid, fmt::format("The export has a message {} of a chat that it does not have. "
                                                   "Nothing was imported.",
                                                   packed.uuid)};
    }
    Turn turn = packed.turn;
    Door door(database_, chat);
    turn.text = turn.role == Role::user ? door.typed(turn.text) : door.said(turn.text);
    turn.failure = door.said(turn.failure);
    turn.memory_block = door.said(turn.memory_block);
    turn.content = door.said_blocks(turn.content);
    note(door);
    bool cut = cutter.cut(turn.text);
    cut = cutter.cut_block(turn.memory_block) || cut;
    if (!turn.content.empty()) cut = cutter.cut_json(turn.content) || cut;
    if (turn.role == Role::user) {
      const auto gone = store::is_forgotten(database_, turn.text, turn.created_at);
      if (!gone) return gone.error();
      if (*gone) {
        turn.text = forgotten_mark;
        turn.memory_block.clear();
        cut = true;
      }
    }
    transaction_.run(
        "INSERT INTO turn (uuid, session, parent, role, state, text, content, memory_block, model, stop_reason, "
        "failure, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, created_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        packed.uuid, chat, or_null(found_in(turns_, packed.parent)), to_text(turn.role), to_text(turn.state), turn.text,
        turn.content, turn.memory_block, turn.model, turn.stop_reason, turn.failure, turn.usage.input,
        turn.usage.output, turn.usage.cache_read, turn.usage.cache_write, to_millis(turn.created_at));
    if (auto done = transaction_.so_far(); !done) return done.error();
    const Id id = database_.last_insert_id();
    const auto redacted = [&](const char* reason) {
      transaction_.run("INSERT INTO redaction (turn, reason, at, open) VALUES (?, ?, ?, 0)", id, reason,
                       to_millis(database_.clock().now()));
    };
    if (door.found_any()) redacted("secret");
    if (cut) redacted("forget");
    if (cut) cut_chats_.insert(chat);
    return id;
  }

  // Thinking is bound to the conversation that it was made in, and this may not be all of it.
  Result<void> settle_chats() {
    std::set<Id> touched;
    for (const auto* turn : new_turns_) touched.insert(found_in(chats_, turn->chat));
    for (const Id chat : touched) {
      leave_thinking_out(transaction_, chat);
    }
    for (const Id chat : cut_chats_) {
      if (auto done = retitle(database_, transaction_, chat); !done) return done;
    }
    for (const auto* chat : new_chats_) {
      const Id from = found_in(turns_, chat->history_from);
      if (from == no_id) continue;
      transaction_.run("UPDATE session SET history_from = ? WHERE id = ?", from, found_in(chats_, chat->uuid));
    }
    return {};
  }

  Result<void> memories() {
    // First here, so that the numbers stand in the order in which they came to be known.
    for (const auto* packed : new_) {
      if (auto added = add_memory(*packed); !added) return added;
    }
    for (const auto& [packed, here] : known_) {
      if (auto added = add_sources(*packed, here, /*count=*/false); !added) return added;
    }
    return {};
  }

  Result<void> add_memory(const PackedMemory& packed) {
    // Twice in one file.
    if (found_in(memories_, packed.memory.uuid) != no_id) {
      ++result_.known;
      return {};
    }
    const auto& memory = packed.memory;
    const auto text = clean(memory.text);
    if (was_only_secret(text)) {
      ++result_.left_out;
      return {};
    }
    const auto project = project_of(packed.project);
    if (!project) return project.error();
    const Time now = database_.clock().now();
    Memory row = memory;
    row.text = text;
    row.reason = clean(memory.reason);
    row.project = *project;
    row.revision = static_cast<std::int64_t>(packed.history.size()) + 1;
    if (row.created_at == Time{}) row.created_at = now;
    if (row.updated_at == Time{}) row.updated_at = now;
    if (!package_.own) {
      row.state = how_.trust ? "active" : "quarantined";
      row.origin = "import";
      row.made_by = "remember";
    }
    const Id id = insert_memory(database_, transaction_, row);
    if (auto done = transaction_.so_far(); !done) return done;
    memories_[row.uuid] = id;
    if (auto done = add_history(packed, id); !done) return done;
    change_.added(id);
    ++result_.memories;
    if (row.state == "quarantined") ++result_.waiting;
    return add_sources(packed, id, /*count=*/true);
  }

  // What became of it elsewhere; the import itself is the last thing that did.
  Result<void> add_history(const PackedMemory& packed, Id memory) {
    std::int64_t number = 0;
    for (const auto& revision : packed.history) {
      const auto change = change_of(revision.change);
      if (!change) return change.error();
      const auto project = project_of(revision.project);
      if (!project) return project.error();
      transaction_.run(
          "INSERT INTO memory_revision (memory, revision, change, text, reason, kind, scene, track, state, project, "
          "valid_from, valid_to) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          memory, ++number, *change, clean(revision.text), clean(revision.reason), revision.kind, revision.scene,
          revision.track, revision.state, or_null(*project), millis_or_null(revision.valid_from),
          millis_or_null(revision.valid_to));
    }
    return transaction_.so_far();
  }

  // A change that was made elsewhere is nothing to take back here: it counts as taken back by itself.
  Result<Id> change_of(std::int64_t number) {
    if (const auto known = changes_.find(number); known != changes_.end()) return known->second;
    const auto found = std::find_if(package_.changes.begin(), package_.changes.end(),
                                    [number](const PackedChange& one) { return one.number == number; });
    if (found == package_.changes.end()) {
      return Error{ErrorKind::invalid,
                   fmt::format("The export names a change {} and does not have it. Nothing was imported.", number)};
    }
    transaction_.run("INSERT INTO memory_change (verb, made_by, turn, session, at) VALUES (?, ?, ?, ?, ?)",
                     found->change.verb, found->change.made_by, or_null(found_in(turns_, found->turn)),
                     or_null(found_in(chats_, found->chat)), to_millis(found->change.at));
    if (auto done = transaction_.so_far(); !done) return done.error();
    const Id id = database_.last_insert_id();
    transaction_.run("UPDATE memory_change SET undone_by = id WHERE id = ?", id);
    changes_[number] = id;
    return id;
  }

  Result<void> add_sources(const PackedMemory& packed, Id memory, bool count) {
    for (const auto& source : packed.sources) {
      auto turn = Result<Id>(found_in(turns_, source.turn));
      if (*turn == no_id) turn = id_here("SELECT id FROM turn WHERE uuid = ?", source.turn);
      if (!turn) return turn.error();
      if (*turn == no_id) {
        result_.unfounded += count ? 1 : 0;
        continue;
      }
      const auto chat = number(query(database_, "SELECT session FROM turn WHERE id = ?", *turn));
      if (!chat) return chat.error();
      add_source(transaction_, memory, {*turn, Door(database_, *chat).typed(source.quote)});
    }
    return transaction_.so_far();
  }

  Result<void> given() {
    for (const auto* packed : new_turns_) {
      for (const auto& one : packed->given) {
        const Id memory = found_in(memories_, one.memory);
        if (memory == no_id) continue;
        transaction_.run("INSERT OR IGNORE INTO recall (turn, memory, revision, rank, score) VALUES (?, ?, ?, ?, ?)",
                         found_in(turns_, packed->uuid), memory, one.revision, one.rank, one.score);
      }
    }
    return {};
  }

  Result<void> relations() {
    std::set<std::string> added;
    for (const auto* packed : new_) added.insert(packed->memory.uuid);
    for (const auto& [from, kind, to] : package_.relations) {
      const Id one = found_in(memories_, from), other = found_in(memories_, to);
      const bool any_new = added.count(from) > 0 || added.count(to) > 0;
      if (one == no_id || other == no_id || one == other || !any_new) continue;
      transaction_.run("INSERT OR IGNORE INTO relation (from_memory, kind, to_memory, change) VALUES (?, ?, ?, ?)", one,
                       kind, other, change_.id());
    }
    return {};
  }

  Result<void> probes() {
    for (const auto& packed : package_.probes) {
      const auto project = project_of(packed.project);
      if (!project) return project.error();
      auto query_text = clean(packed.query);
      Cutter(forgotten_words_).cut(query_text);
      const auto known =
          number(query(database_, "SELECT count(*) FROM probe WHERE uuid = ?1 OR (query = ?2 AND project IS ?3)",
                       packed.uuid, query_text, or_null(*project)));
      if (!known) return known.error();
      std::set<Id> memories, turns;
      for (const auto& uuid : packed.memories) memories.insert(found_in(memories_, uuid));
      for (const auto& uuid : packed.turns) turns.insert(found_in(turns_, uuid));
      memories.erase(no_id);
      turns.erase(no_id);
      const bool should_find = !packed.memories.empty() || !packed.turns.empty();
      // With nothing left of what it should find it would ask for the opposite.
      if (*known > 0 || (should_find && memories.empty() && turns.empty()) || is_only(forgotten_mark, query_text))
        continue;
      transaction_.run("INSERT INTO probe (uuid, project, query, created_at) VALUES (?, ?, ?, ?)", packed.uuid,
                       or_null(*project), query_text, to_millis(packed.created_at));
      if (auto done = transaction_.so_far(); !done) return done;
      const Id id = database_.last_insert_id();
      for (const Id one : memories) {
        transaction_.run("INSERT INTO probe_expect (probe, memory) VALUES (?, ?)", id, one);
      }
      for (const Id one : turns) transaction_.run("INSERT INTO probe_expect (probe, turn) VALUES (?, ?)", id, one);
      ++result_.probes;
    }
    return {};
  }

  Database& database_;
  Transaction& transaction_;
  const Package& package_;
  const ImportHow& how_;
  OpenChange change_;
  Imported result_;
  text::Findings kept_out_;
  ById projects_, chats_, turns_, memories_;
  ById said_here_;  // by project and words
  std::map<std::int64_t, Id> changes_;
  std::vector<const PackedMemory*> new_;
  std::vector<std::pair<const PackedMemory*, Id>> known_;  // that say the same here
  std::vector<const PackedChat*> new_chats_;
  std::set<std::string> forgotten_chats_;
  std::set<Id> cut_chats_;  // with messages that words were cut from
  std::vector<const PackedTurn*> new_turns_;
  std::vector<std::string> forgotten_words_;  // of memories that do not come back
};

}  // namespace

Result<Imported> take_in(Database& database, const Package& package, const ImportHow& how) {
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  auto imported = Import(database, *transaction, package, how).run();
  if (!imported) return imported;
  if (auto done = transaction->commit(); !done) return done.error();
  return imported;
}

}  // namespace selfmind::store

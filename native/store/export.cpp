#include "store/export.h"

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "store/memory_rows.h"
#include "store/package.h"
#include "store/tombstones.h"

namespace selfmind::store {
namespace {

using Json = nlohmann::ordered_json;

void put(std::ostream& out, const Json& line) {
  out << line.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) << '\n';
}

void put_time(Json& line, const char* name, const std::optional<Time>& time) {
  if (time) line[name] = iso8601(*time);
}

std::optional<std::string> name_of(const std::string& uuid) {
  return uuid.empty() ? std::nullopt : std::optional(uuid);
}
Json or_nothing(const std::string& uuid) { return uuid.empty() ? Json(nullptr) : Json(uuid); }

class Export {
 public:
  Export(Database& database, const ExportWhat& what, std::ostream& out) : database_(database), what_(what), out_(out) {}

  Result<Exported> run() {
    put(out_, {{"type", "export"},
               {"program", export_program},
               {"format", export_format},
               {"version", what_.version},
               {"schema", schema_version},
               {"log", what_.log},
               {"at", iso8601(database_.clock().now())}});
    const auto done = {&Export::projects, &Export::chats,     &Export::turns,  &Export::changes,
                       &Export::memories, &Export::relations, &Export::probes, &Export::tombstones};
    for (const auto part : done) {
      if (auto written = (this->*part)(); !written) return written.error();
    }
    return count_;
  }

 private:
  // Calls `write` with every row.
  template <class Write, class... Values>
  Result<void> each(std::string_view sql, Write write, const Values&... values) {
    auto rows = query(database_, sql, values...);
    if (!rows) return rows.error();
    while (true) {
      const auto more = rows->step();
      if (!more) return more.error();
      if (!*more) return {};
      if (auto done = write(*rows); !done) return done;
    }
  }

  Result<void> projects() {
    return each(
        "SELECT id, uuid, name, created_at FROM project WHERE ?1 OR id = ?2 ORDER BY id",
        [this](const Statement& row) -> Result<void> {
          Json line = {{"type", "project"}, {"uuid", row.text(1)}, {"name", row.text(2)}};
          Json remotes = Json::array(), paths = Json::array();
          auto keys = each(
              "SELECT kind, value FROM project_key WHERE project = ? ORDER BY kind, value",
              [&](const Statement& key) -> Result<void> {
                (key.text(0) == "remote" ? remotes : paths).push_back(key.text(1));
                return {};
              },
              row.integer(0));
          if (!keys) return keys;
          line["remotes"] = std::move(remotes);
          line["paths"] = std::move(paths);
          line["created_at"] = iso8601(from_millis(row.integer(3)));
          put(out_, line);
          return {};
        },
        what_.all, what_.project);
  }

  Result<void> chats() {
    if (!what_.log) return {};
    return each(
        "SELECT session.uuid, coalesce(project.uuid, ''), title, draft, coalesce((SELECT uuid FROM turn WHERE turn.id "
        "= history_from), ''), session.created_at, updated_at FROM session "
        "LEFT JOIN project ON project.id = session.project "
        "WHERE ?1 OR session.project IS NULL OR session.project = ?2 ORDER BY session.id",
        [this](const Statement& row) -> Result<void> {
          ++count_.chats;
          put(out_, {{"type", "chat"},
                     {"uuid", row.text(0)},
                     {"project", or_nothing(row.text(1))},
                     {"title", row.text(2)},
                     {"draft", row.text(3)},
                     {"history_from", or_nothing(row.text(4))},
                     {"created_at", iso8601(from_millis(row.integer(5)))},
                     {"updated_at", iso8601(from_millis(row.integer(6)))}});
          return {};
        },
        what_.all, what_.project);
  }

  Result<void> turns() {
    if (!what_.log) return {};
    // What is still being written will be interrupted for whoever reads it here.
    return each(
        "SELECT turn.id, turn.uuid, session.uuid, coalesce(parent.uuid, ''), turn.role, iif(turn.state = 'streaming', "
        "'interrupted', turn.state), turn.text, turn.content, turn.memory_block, turn.model, turn.stop_reason, "
        "turn.failure, turn.input_tokens, turn.output_tokens, turn.cache_read_tokens, turn.cache_write_tokens, "
        "turn.created_at FROM turn JOIN session ON session.id = turn.session "
        "LEFT JOIN turn AS parent ON parent.id = turn.parent "
        "WHERE ?1 OR session.project IS NULL OR session.project = ?2 ORDER BY turn.id",
        [this](const Statement& row) -> Result<void> {
          ++count_.turns;
          Json line = {
              {"type", "turn"},      {"uuid", row.text(1)},  {"chat", row.text(2)}, {"parent", or_nothing(row.text(3))},
              {"role", row.text(4)}, {"state", row.text(5)}, {"text", row.text(6)}};
          constexpr const char* if_any[] = {"content", "memory_block", "model", "stop_reason", "failure"};
          for (int at = 0; at < 5; ++at) {
            if (auto text = row.text(7 + at); !text.empty()) line[if_any[at]] = std::move(text);
          }
          constexpr const char* tokens[] = {"input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"};
          for (int at = 0; at < 4; ++at) {
            if (const auto count = row.integer(12 + at); count > 0) line[tokens[at]] = count;
          }
          Json given = Json::array();
          auto read = each(
              "SELECT memory.uuid, recall.revision, rank, score FROM recall JOIN memory ON memory.id = recall.memory "
              "WHERE turn = ? ORDER BY rank",
              [&given](const Statement& one) -> Result<void> {
                given.push_back({{"memory", one.text(0)},
                                 {"revision", one.integer(1)},
                                 {"rank", one.integer(2)},
                                 {"score", one.real(3)}});
                return {};
              },
              row.integer(0));
          if (!read) return read;
          if (!given.empty()) line["given"] = std::move(given);
          line["created_at"] = iso8601(from_millis(row.integer(16)));
          put(out_, line);
          return {};
        },
        what_.all, what_.project);
  }

  Result<void> changes() {
    return each(
        "SELECT made.id, verb, made_by, coalesce(turn.uuid, ''), coalesce(session.uuid, ''), at "
        "FROM memory_change AS made LEFT JOIN turn ON turn.id = made.turn "
        "LEFT JOIN session ON session.id = made.session WHERE EXISTS (SELECT 1 FROM memory_revision AS of "
        "JOIN memory ON memory.id = of.memory WHERE of.change = made.id "
        "AND (?1 OR memory.project IS NULL OR memory.project = ?2)) ORDER BY made.id",
        [this](const Statement& row) -> Result<void> {
          Json line = {{"type", "change"},
                       {"number", row.integer(0)},
                       {"verb", row.text(1)},
                       {"made_by", row.text(2)},
                       {"at", iso8601(from_millis(row.integer(5)))}};
          if (const auto turn = name_of(row.text(3))) line["turn"] = *turn;
          if (const auto chat = name_of(row.text(4))) line["chat"] = *chat;
          put(out_, line);
          return {};
        },
        what_.all, what_.project);
  }

  Result<void> memories() {
    auto names = project_names();
    if (!names) return names;
    const auto all = collect_memories();
    if (!all) return all.error();
    for (const auto& memory : *all) {
      Json line = {{"type", "memory"},          {"uuid", memory.uuid},
                   {"text", memory.text},       {"kind", memory.kind},
                   {"scene", memory.scene},     {"track", memory.track},
                   {"state", memory.state},     {"origin", memory.origin},
                   {"made_by", memory.made_by}, {"project", or_nothing(names_[memory.project])}};
      if (!memory.reason.empty()) line["reason"] = memory.reason;
      if (const auto& scores = memory.scores) {
        line["scores"] = {{"utility", scores->utility},       {"durability", scores->durability},
                          {"urgency", scores->urgency},       {"identity", scores->identity},
                          {"confidence", scores->confidence}, {"sensitivity", scores->sensitivity}};
      }
      put_time(line, "valid_from", memory.valid_from);
      put_time(line, "valid_to", memory.valid_to);
      line["created_at"] = iso8601(memory.created_at);
      line["updated_at"] = iso8601(memory.updated_at);
      if (auto done = sources(memory.id, line); !done) return done;
      if (auto done = history(memory.id, line); !done) return done;
      ++count_.memories;
      put(out_, line);
    }
    return {};
  }

  Result<void> project_names() {
    names_[no_id] = {};
    return each("SELECT id, uuid FROM project", [this](const Statement& row) -> Result<void> {
      names_[row.integer(0)] = row.text(1);
      return {};
    });
  }

  Result<std::vector<Memory>> collect_memories() {
    return read_memories(database_, query_memories(database_,
                                                   "WHERE ?1 OR memory.project IS NULL OR memory.project = ?2 "
                                                   "ORDER BY memory.id",
                                                   what_.all, what_.project));
  }

  Result<void> sources(Id memory, Json& line) {
    Json list = Json::array();
    auto done = each(
        "SELECT turn.uuid, quote, turn.created_at FROM memory_source JOIN turn ON turn.id = memory_source.turn "
        "WHERE memory = ? ORDER BY memory_source.rowid",
        [&list](const Statement& row) -> Result<void> {
          list.push_back(
              {{"turn", row.text(0)}, {"quote", row.text(1)}, {"said_at", iso8601(from_millis(row.integer(2)))}});
          return {};
        },
        memory);
    if (done && !list.empty()) line["sources"] = std::move(list);
    return done;
  }

  Result<void> history(Id memory, Json& line) {
    Json list = Json::array();
    auto done = each(
        "SELECT revision, change, text, reason, kind, scene, track, state, project, valid_from, valid_to "
        "FROM memory_revision WHERE memory = ? ORDER BY revision",
        [&](const Statement& row) -> Result<void> {
          Json one = {{"revision", row.integer(0)},
                      {"change", row.integer(1)},
                      {"text", row.text(2)},
                      {"reason", row.text(3)},
                      {"kind", row.text(4)},
                      {"scene", row.text(5)},
                      {"track", row.text(6)},
                      {"state", row.text(7)},
                      {"project", or_nothing(names_[row.integer(8)])}};
          put_time(one, "valid_from", row.time_or_none(9));
          put_time(one, "valid_to", row.time_or_none(10));
          list.push_back(std::move(one));
          return {};
        },
        memory);
    if (done) line["history"] = std::move(list);
    return done;
  }

  Result<void> relations() {
    return each(
        "SELECT one.uuid, relation.kind, other.uuid FROM relation JOIN memory AS one ON one.id = from_memory "
        "JOIN memory AS other ON other.id = to_memory "
        "WHERE (?1 OR one.project IS NULL OR one.project = ?2) AND (?1 OR other.project IS NULL OR other.project = ?2) "
        "ORDER BY from_memory, to_memory",
        [this](const Statement& row) -> Result<void> {
          put(out_, {{"type", "relation"}, {"from", row.text(0)}, {"kind", row.text(1)}, {"to", row.text(2)}});
          return {};
        },
        what_.all, what_.project);
  }

  Result<void> probes() {
    return each(
        "SELECT probe.id, probe.uuid, coalesce(project.uuid, ''), query, probe.created_at FROM probe "
        "LEFT JOIN project ON project.id = probe.project "
        "WHERE ?1 OR probe.project IS NULL OR probe.project = ?2 ORDER BY probe.id",
        [this](const Statement& row) -> Result<void> {
          Json memories = Json::array(), turns = Json::array();
          auto read = each(
              "SELECT coalesce(memory.uuid, ''), coalesce(turn.uuid, '') FROM probe_expect "
              "LEFT JOIN memory ON memory.id = probe_expect.memory LEFT JOIN turn ON turn.id = probe_expect.turn "
              "WHERE probe = ? "
              "ORDER BY probe_expect.rowid",
              [&](const Statement& one) -> Result<void> {
                if (auto memory = one.text(0); !memory.empty()) memories.push_back(std::move(memory));
                if (auto turn = one.text(1); !turn.empty()) turns.push_back(std::move(turn));
                return {};
              },
              row.integer(0));
          if (!read) return read;
          ++count_.probes;
          put(out_, {{"type", "probe"},
                     {"uuid", row.text(1)},
                     {"project", or_nothing(row.text(2))},
                     {"query", row.text(3)},
                     {"memories", std::move(memories)},
                     {"turns", std::move(turns)},
                     {"created_at", iso8601(from_millis(row.integer(4)))}});
          return {};
        },
        what_.all, what_.project);
  }

  Result<void> tombstones() {
    const auto all = store::tombstones(database_);
    if (!all) return all.error();
    for (const auto& one : *all) {
      ++count_.tombstones;
      put(out_, {{"type", "tombstone"}, {"uuid", one.uuid}, {"at", iso8601(one.at)}});
    }
    return {};
  }

  Database& database_;
  const ExportWhat& what_;
  std::ostream& out_;
  Exported count_;
  std::map<Id, std::string> names_;  // of projects, by id
};

}  // namespace

Result<Exported> export_store(Database& database, const ExportWhat& what, std::ostream& out) {
  auto transaction = Transaction::read(database);
  if (!transaction) return transaction.error();
  auto exported = Export(database, what, out).run();
  if (exported && !out.flush()) {
    return Error{ErrorKind::io, "The export could not be written; make room, or name another file."};
  }
  return exported;
}

}  // namespace selfmind::store

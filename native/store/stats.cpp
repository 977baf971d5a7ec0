#include "store/stats.h"

#include <sqlite3.h>

#include "store/queue.h"
#include "store/statement.h"

namespace selfmind::store {
namespace {

using Counts = std::map<std::string, std::int64_t>;

// `what` is an expression over memory; `also` a condition that begins with AND, or nothing.
Result<Counts> count_by(Database& database, const std::string& what, const std::string& also, const View& view) {
  auto rows = query(database,
                    "SELECT " + what +
                        ", count(*) FROM memory WHERE (?1 OR project IS NULL OR project = ?2) "
                        "AND (?3 = '' OR kind = ?3) AND (?4 = '' OR scene = ?4) " +
                        also + " GROUP BY 1",
                    view.all, or_null(view.project), view.kind, view.scene);
  const auto counts = collect(std::move(rows), [](const Statement& row) {
    return std::pair<std::string, std::int64_t>(row.text(0), row.integer(1));
  });
  if (!counts) return counts.error();
  return Counts(counts->begin(), counts->end());
}

Result<void> count_memories(Database& database, const View& view, Stats& stats) {
  auto states = count_by(database, "state", "", view);
  if (!states) return states.error();
  auto kinds = count_by(database, "kind", "AND state = 'active'", view);
  if (!kinds) return kinds.error();
  auto scopes = count_by(database, "iif(project IS NULL, 'global', 'project')", "AND state = 'active'", view);
  if (!scopes) return scopes.error();
  stats.memories = std::move(*states);
  stats.kinds = std::move(*kinds);
  stats.scopes = std::move(*scopes);
  return {};
}

// Each query has one column per target and takes (all, project).
Result<void> count_into(Database& database, std::string_view sql, const View& view,
                        std::initializer_list<std::int64_t*> targets) {
  auto row = query(database, sql, view.all, or_null(view.project));
  if (!row) return row.error();
  if (const auto there = row->step(); !there) return there.error();
  int column = 0;
  for (auto* target : targets) *target = row->integer(column++);
  return {};
}

Result<std::map<std::string, Usage>> usage_by_model(Result<Statement> rows) {
  const auto usages = collect(std::move(rows), [](const Statement& row) {
    return std::pair<std::string, Usage>(row.text(0), {row.integer(1), row.integer(2), row.integer(3), row.integer(4)});
  });
  if (!usages) return usages.error();
  return std::map<std::string, Usage>(usages->begin(), usages->end());
}

Result<void> count_learning(Database& database, Stats& stats) {
  auto learning = usage_by_model(query(database,
                                       "SELECT model, sum(input_tokens), sum(output_tokens), sum(cache_read_tokens), "
                                       "sum(cache_write_tokens) FROM learning_usage GROUP BY model"));
  if (!learning) return learning.error();
  const auto calls = number(query(database, "SELECT coalesce(sum(calls), 0) FROM learning_usage"));
  if (!calls) return calls.error();
  const auto today = learning_tokens(database, database.clock().now());
  if (!today) return today.error();
  stats.learning = std::move(*learning);
  stats.learning_calls = *calls;
  stats.learning_today = *today;
  return {};
}

Result<void> count_log(Database& database, const View& view, Stats& stats) {
  if (auto done =
          count_into(database, "SELECT count(*) FROM session WHERE ?1 OR project IS ?2", view, {&stats.sessions});
      !done) {
    return done;
  }
  if (auto done = count_into(database,
                             "SELECT count(*) FROM turn JOIN session ON session.id = turn.session "
                             "WHERE ?1 OR session.project IS ?2",
                             view, {&stats.turns});
      !done) {
    return done;
  }
  auto chat = usage_by_model(query(database,
                                   "SELECT model, sum(input_tokens), sum(output_tokens), sum(cache_read_tokens), "
                                   "sum(cache_write_tokens) FROM turn JOIN session ON session.id = turn.session "
                                   "WHERE (?1 OR session.project IS ?2) AND model <> '' GROUP BY model",
                                   view.all, or_null(view.project)));
  if (!chat) return chat.error();
  stats.chat = std::move(*chat);
  return count_into(
      database,
      "SELECT count(*), coalesce(sum(parked), 0) FROM learn_queue JOIN turn ON turn.id = learn_queue.turn "
      "JOIN session ON session.id = turn.session WHERE ?1 OR session.project IS ?2",
      view, {&stats.queue, &stats.parked});
}

Result<void> describe_file(Database& database, Stats& stats) {
  const auto pages = number(query(database, "PRAGMA page_count"));
  if (!pages) return pages.error();
  const auto page_size = number(query(database, "PRAGMA page_size"));
  if (!page_size) return page_size.error();
  const auto version = number(query(database, "PRAGMA user_version"));
  if (!version) return version.error();
  stats.bytes = *pages * *page_size;
  stats.schema = static_cast<int>(*version);
  stats.sqlite = sqlite_version();
  stats.journal = database.journal_mode();
  return {};
}

}  // namespace

Result<Stats> stats(Database& database, const View& view) {
  auto transaction = Transaction::read(database);
  if (!transaction) return transaction.error();
  Stats stats;
  if (auto done = count_memories(database, view, stats); !done) return done.error();
  if (auto done = count_log(database, view, stats); !done) return done.error();
  if (auto done = count_learning(database, stats); !done) return done.error();
  if (auto done = describe_file(database, stats); !done) return done.error();
  return stats;
}

Usage total(const std::map<std::string, Usage>& by_model) {
  Usage all;
  for (const auto& [model, usage] : by_model) {
    all.input += usage.input;
    all.output += usage.output;
    all.cache_read += usage.cache_read;
    all.cache_write += usage.cache_write;
  }
  return all;
}

std::string sqlite_version() { return sqlite3_libversion(); }

}  // namespace selfmind::store

#include "store/memories.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "store/door.h"
#include "store/memory_rows.h"

namespace selfmind::store {

Result<Added> add_memory(Database& database, const MemoryDraft& draft, const Compare& compare) {
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  OpenChange change(database, *transaction, {no_id, "add", "user", no_id, no_id, {}});
  auto added = add_in_transaction(database, *transaction, change, draft, compare);
  if (!added) return added;
  if (was_only_secret(added->memory.text)) {
    return Error{ErrorKind::invalid,
                 "There is nothing to remember but a secret, and secrets are not stored; say what it is for instead."};
  }
  if (auto done = transaction->commit(); !done) return done.error();
  return added;
}

Result<std::vector<Memory>> memories(Database& database, const View& view) {
  auto transaction = Transaction::read(database);
  if (!transaction) return transaction.error();
  return read_memories(
      database,
      query_memories(database,
                     "WHERE (?1 OR (memory.state = iif(?5, 'quarantined', 'active') AND (memory.project IS NULL OR "
                     "memory.project = ?2))) "
                     "AND (?3 = '' OR memory.kind = ?3) AND (?4 = '' OR memory.scene = ?4) ORDER BY memory.id",
                     view.all, or_null(view.project), view.kind, view.scene, view.waiting));
}

namespace {

struct Step {
  const char* name;
  bool from_active, from_archived, from_waiting;
  const char* to;
};

Step step_of(Verb verb) {
  switch (verb) {
    case Verb::accept:
      return {"accept", false, false, true, "active"};
    case Verb::archive:
      return {"archive", true, false, true, "archived"};
    case Verb::unarchive:
      return {"unarchive", false, true, false, "active"};
    case Verb::replace:
      return {"replace", false, false, true, "active"};
  }
  return {};
}

// Empty where one of those that were named is none of them.
std::vector<Id> chosen_of(const std::vector<Doubt>& doubts, const std::vector<Id>& named) {
  std::vector<Id> all;
  for (const auto& doubt : doubts) all.push_back(doubt.id);
  if (named.empty()) return all;
  const auto is_one = [&all](Id id) { return std::find(all.begin(), all.end(), id) != all.end(); };
  return std::all_of(named.begin(), named.end(), is_one) ? named : std::vector<Id>();
}

bool fits(const Step& step, const Memory& memory) {
  if (memory.state == "active") return step.from_active;
  if (memory.state == "archived") return step.from_archived;
  return memory.state == "quarantined" && step.from_waiting;
}

}  // namespace

Result<std::vector<Memory>> change_state(Database& database, const std::vector<Id>& ids, Verb verb,
                                         const std::vector<Id>& old) {
  auto transaction = Transaction::write(database);
  if (!transaction) return transaction.error();
  const Step step = step_of(verb);
  OpenChange change(database, *transaction, {no_id, step.name, "user", no_id, no_id, {}});
  std::vector<Memory> changed;
  for (const Id id : std::set<Id>(ids.begin(), ids.end())) {
    auto one = memory(database, id);
    if (!one) return one.error();
    if (!fits(step, *one)) {
      return Error{ErrorKind::invalid, fmt::format("Memory {} is {}; nothing was changed.", id, one->state)};
    }
    if (verb == Verb::replace) {
      const auto replaced = chosen_of(one->contradicts, old);
      if (replaced.empty()) {
        return Error{
            ErrorKind::invalid,
            fmt::format("Memory {} contradicts none of these that stands; accept it instead. Nothing was changed.",
                        id)};
      }
      for (const Id other : replaced) change.supersede(other, id);
    }
    change.set_state(id, step.to);
    if (auto written = transaction->so_far(); !written) return written.error();
    auto now = memory(database, id);
    if (!now) return now.error();
    changed.push_back(std::move(*now));
  }
  if (auto done = transaction->commit(); !done) return done.error();
  return changed;
}

Result<Memory> memory(Database& database, Id id) {
  auto found = read_memories(database, query_memories(database, "WHERE memory.id = ?", id));
  if (!found) return found.error();
  if (found->empty())
    return Error{ErrorKind::not_found, fmt::format("There is no memory {}; :Memories lists them.", id)};
  return std::move(found->front());
}

}  // namespace selfmind::store

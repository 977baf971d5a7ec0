#include "store/projects.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "store/statement.h"

namespace selfmind::store {
namespace {

struct Owner {
  Project project;
  std::string key;  // the one it was found by
};

Result<std::optional<Owner>> owner_of(Database& database, std::string_view kind, const std::string& value) {
  return first(
      query(database,
            "SELECT project.id, project.name FROM project_key JOIN project ON project.id = project_key.project "
            "WHERE kind = ? AND value = ?",
            kind, value),
      [&value](const Statement& row) {
        return Owner{{row.integer(0), row.text(1)}, value};
      });
}

Error two_owners(const Owner& one, const Owner& other) {
  return {ErrorKind::ambiguous,
          fmt::format(
              "This folder's git remotes belong to two projects, \"{}\" ({}) and \"{}\" ({}); remove the remote that "
              "does not belong here, or work in another clone.",
              one.project.name, one.key, other.project.name, other.key)};
}

Result<std::optional<Project>> find_by_remote(Database& database, const ProjectFacts& facts) {
  std::optional<Owner> found;
  for (const auto& remote : facts.remotes) {
    const auto owner = owner_of(database, "remote", remote);
    if (!owner) return owner.error();
    if (!*owner) continue;
    if (found && found->project.id != (*owner)->project.id) return two_owners(*found, **owner);
    if (!found) found = **owner;
  }
  return found ? std::optional<Project>(found->project) : std::nullopt;
}

Result<std::optional<Project>> find_by_path(Database& database, const ProjectFacts& facts) {
  const auto owner = owner_of(database, "path", facts.path);
  if (!owner) return owner.error();
  if (!*owner) return std::optional<Project>();
  const Project project = (*owner)->project;
  if (facts.remotes.empty()) return std::optional<Project>(project);
  // The folder has remotes and no project knows them: where the path's owner has others, this is another repository
  // that was put in the same place.
  const auto others =
      number(query(database, "SELECT count(*) FROM project_key WHERE kind = 'remote' AND project = ?", project.id));
  if (!others) return others.error();
  return *others > 0 ? std::optional<Project>() : std::optional<Project>(project);
}

Result<std::optional<Project>> find(Database& database, const ProjectFacts& facts) {
  auto found = find_by_remote(database, facts);
  if (!found || *found) return found;
  return find_by_path(database, facts);
}

std::string name_for(const ProjectFacts& facts) {
  const std::string& key = facts.remotes.empty() ? facts.path : facts.remotes.front();
  std::string name = std::filesystem::path(key).filename().string();
  if (name.size() > 4 && name.ends_with(".git")) name.resize(name.size() - 4);
  return name.empty() ? key : name;
}

Project insert(Database& database, Transaction& transaction, const ProjectFacts& facts) {
  Project project{no_id, name_for(facts)};
  const Time now = database.clock().now();
  transaction.run("INSERT INTO project (uuid, name, created_at) VALUES (?, ?, ?)", database.ids().uuid(now),
                  project.name, to_millis(now));
  project.id = database.last_insert_id();
  return project;
}

// A key that another project owns stays with it.
void add_keys(Database& database, Transaction& transaction, Id project, const ProjectFacts& facts) {
  const auto add = [&](std::string_view kind, const std::string& value) {
    transaction.run(
        "INSERT INTO project_key (kind, value, project, added_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", kind,
        value, project, to_millis(database.clock().now()));
  };
  add("path", facts.path);
  for (const auto& remote : facts.remotes) add("remote", remote);
}

Result<std::optional<Project>> find_foreign(Database& database, const ForeignProject& foreign) {
  auto found =
      first(query(database, "SELECT id, name FROM project WHERE uuid = ?", foreign.uuid), [](const Statement& row) {
        return Project{row.integer(0), row.text(1)};
      });
  if (!found || *found) return found;
  found = find_by_remote(database, {{}, foreign.remotes});
  for (const auto& path : foreign.paths) {
    if (!found || *found) return found;
    found = find_by_path(database, {path, foreign.remotes});
  }
  return found;
}

}  // namespace

Result<Project> take_in(Database& database, Transaction& transaction, const ForeignProject& foreign) {
  auto found = find_foreign(database, foreign);
  if (!found) return found.error();
  Project project = found->value_or(Project{});
  const auto add = [&](std::string_view kind, const std::string& value) {
    if (value.empty()) return;
    transaction.run(
        "INSERT INTO project_key (kind, value, project, added_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", kind,
        value, project.id, to_millis(database.clock().now()));
  };
  if (!*found) {
    project.name = foreign.name;
    transaction.run("INSERT INTO project (uuid, name, created_at) VALUES (?, ?, ?)", foreign.uuid, foreign.name,
                    to_millis(foreign.created_at));
    if (auto done = transaction.so_far(); !done) return done.error();
    project.id = database.last_insert_id();
    for (const auto& path : foreign.paths) add("path", path);
  }
  for (const auto& remote : foreign.remotes) add("remote", remote);
  if (auto done = transaction.so_far(); !done) return done.error();
  return project;
}

Result<Project> resolve(Database& database, const ProjectFacts& facts, bool create) {
  auto transaction = create ? Transaction::write(database) : Transaction::read(database);
  if (!transaction) return transaction.error();
  const auto found = find(database, facts);
  if (!found) return found.error();
  if (!create) return found->value_or(Project{});
  const Project project = *found ? **found : insert(database, *transaction, facts);
  add_keys(database, *transaction, project.id, facts);
  if (auto done = transaction->commit(); !done) return done.error();
  return project;
}

}  // namespace selfmind::store

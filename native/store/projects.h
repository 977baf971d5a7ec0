// Which project a folder belongs to. A project owns a set of keys (its remotes, normalised, and its path), so it stays
// the same when it moves or is cloned again. One resolver, used for reading and for writing.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "store/database.h"

namespace selfmind::store {

class Transaction;

// What the file system says about a folder; no process is started for it.
struct ProjectFacts {
  std::string path;                  // the work tree's top, or the folder itself; absolute, symbolic links resolved
  std::vector<std::string> remotes;  // normalised URLs, "origin" first
};

// Reads the folder and the git configuration above it (work trees and submodules included). A folder that does not
// exist is an error.
Result<ProjectFacts> look_at(const std::string& folder);

// "git@host:owner/name.git", "https://user:pw@host/owner/name" and "ssh://git@host:22/owner/name/" are all
// "host/owner/name"; the host in lower case, never a user or a password.
std::string normalise_remote(std::string_view url);

// Finds the project by remote, else by path; a remote of another project vetoes a path match. Adds the keys that are
// new. `create` makes a project where there is none; without it the id is no_id then and nothing is written.
// ErrorKind::ambiguous, with the names, when the remotes belong to more than one project.
Result<Project> resolve(Database& database, const ProjectFacts& facts, bool create);

// A project of another store: what it is found by there.
struct ForeignProject {
  std::string uuid, name;
  std::vector<std::string> remotes, paths;
  Time created_at{};
};
// The same rules for it, inside the caller's transaction: the project with this uuid, else with one of these remotes,
// else of these paths; else a new one, with these keys. Never by its name. A known one gets the remotes that are new;
// its paths here are known better than there.
Result<Project> take_in(Database& database, Transaction& transaction, const ForeignProject& foreign);

}  // namespace selfmind::store

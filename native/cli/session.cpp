#include "cli/session.h"

#include <filesystem>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/cli.h"
#include "store/paths.h"
#include "store/projects.h"

namespace selfmind::cli {
namespace {

nlohmann::ordered_json to_json(const rpc::Value& value) {
  using nlohmann::ordered_json;
  if (const auto* b = value.as_bool()) return *b;
  if (const auto* i = value.as_int()) return *i;
  if (const auto* d = value.as_double()) return *d;
  if (const auto* s = value.as_string()) return *s;
  if (const auto* array = value.as_array()) {
    auto list = ordered_json::array();
    for (const auto& item : *array) list.push_back(to_json(item));
    return list;
  }
  if (const auto* map = value.as_map()) {
    auto object = ordered_json::object();
    for (const auto& [key, item] : *map) object[key] = to_json(item);
    return object;
  }
  return nullptr;
}

}  // namespace

Result<store::Database> open_store(const Options& options, Clock& clock, Ids& ids) {
  return store::Database::open(options.db.empty() ? store::default_path() : options.db, clock, ids);
}

Result<store::Id> project_in_view(store::Database& database, const Options& options, bool create) {
  if (options.global) return store::no_id;
  std::error_code problem;
  const auto here = std::filesystem::current_path(problem);
  if (problem && options.project.empty()) {
    return Error{ErrorKind::io, "The current folder cannot be read; name the project with --project."};
  }
  auto facts = store::look_at(options.project.empty() ? here.string() : options.project);
  if (!facts) return facts.error();
  auto project = store::resolve(database, *facts, create);
  if (!project) return project.error();
  return project->id;
}

Result<InView> open_in_view(const Options& options, Clock& clock, Ids& ids) {
  auto database = open_store(options, clock, ids);
  if (!database) return database.error();
  auto project = project_in_view(*database, options, /*create=*/false);
  if (!project) return project.error();
  store::View view;
  view.project = *project;
  return InView{std::move(*database), std::move(view)};
}

std::string counted(int count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

int fail(std::ostream& err, const Error& error) {
  err << "selfmind-host: " << error.message << '\n';
  return exit_failed;
}

void print_json(std::ostream& out, const rpc::Value& value) {
  // A folder's name may be no UTF-8, and stands in the store as a project's name.
  using nlohmann::ordered_json;
  out << to_json(value).dump(2, ' ', /*ensure_ascii=*/false, ordered_json::error_handler_t::replace) << '\n';
}

void print_list(std::ostream& out, const std::vector<store::Memory>& memories, bool with_state) {
  for (const auto& memory : memories) {
    const std::string scope = memory.project == store::no_id ? "global" : "project";
    out << fmt::format("{:>5}  {:<10}  {:<7}  ", memory.id, memory.kind, scope);
    if (with_state) out << fmt::format("{:<11}  {:<16}  ", memory.state, memory.project_name);
    out << memory.text << '\n';
  }
}

}  // namespace selfmind::cli

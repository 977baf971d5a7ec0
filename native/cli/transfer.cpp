// export and import: the store as JSON lines, and taking such a file in.
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "host/protocol.h"
#include "store/export.h"
#include "store/import.h"
#include "store/whole_file.h"

namespace selfmind::cli {
namespace {

// Whether a file of the user's may be replaced by an export.
Result<void> may_be_replaced(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  constexpr std::string_view start = R"({"type":"export",)";
  std::string there(start.size(), '\0');
  std::ifstream(path, std::ios::binary).read(there.data(), static_cast<std::streamsize>(there.size()));
  if (there == start) return {};
  return Error{ErrorKind::invalid,
               fmt::format("{} is there already and is no export; name another file, or move it away.", path)};
}

Result<store::Exported> export_to(store::Database& database, const store::ExportWhat& what, const std::string& path) {
  if (auto allowed = may_be_replaced(path); !allowed) return allowed.error();
  Result<store::Exported> exported = store::Exported{};
  std::error_code ignored;
  const auto whole = std::filesystem::absolute(path, ignored).string();
  auto written = store::write_whole(whole, store::IfThere::replace, [&](const std::string& unfinished) -> Result<void> {
    std::ofstream file(unfinished, std::ios::binary);
    exported = store::export_store(database, what, file);
    if (!exported) return exported.error();
    return {};
  });
  if (!written) return written.error();
  return exported;
}

void print(std::ostream& out, const store::Imported& imported) {
  out << "Imported: " << counted(imported.memories, "memory", "memories");
  if (imported.waiting > 0)
    out << fmt::format(" ({} waiting for you: memories --waiting, accept ID…)", imported.waiting);
  if (imported.chats > 0 || imported.turns > 0) {
    out << fmt::format(", {}, {}", counted(imported.chats, "chat", "chats"),
                       counted(imported.turns, "message or reply", "messages and replies"));
  }
  if (imported.probes > 0) out << ", " << counted(imported.probes, "probe", "probes");
  out << ".\n";
  const auto line = [&out](int count, const char* one, const char* many) {
    if (count > 0) out << counted(count, one, many) << ".\n";
  };
  line(imported.known, "was here already", "were here already");
  line(imported.different, "says something else here and stays as it is",
       "say something else here and stay as they are");
  line(imported.forgotten, "was forgotten here and is not brought back",
       "were forgotten here and are not brought back");
  line(imported.chats_forgotten, "chat was forgotten here and is not brought back",
       "chats were forgotten here and are not brought back");
  line(imported.left_out, "was nothing but a secret and is left out", "were nothing but a secret and are left out");
  line(imported.unfounded, "quotation has no message here; an export made with --log has it",
       "quotations have no message here; an export made with --log has them");
  if (!imported.forgotten_there.empty()) {
    out << fmt::format("Forgotten where this was exported, and still here: forget {}\n",
                       fmt::join(imported.forgotten_there, " "));
  }
  if (!imported.kept_out.empty()) out << "Kept out: " << imported.kept_out << ".\n";
}

rpc::Value encoded(const store::Imported& imported) {
  rpc::Array forgotten_there(imported.forgotten_there.begin(), imported.forgotten_there.end());
  return rpc::Map{{"own", imported.own},
                  {"memories", imported.memories},
                  {"waiting", imported.waiting},
                  {"known", imported.known},
                  {"different", imported.different},
                  {"forgotten", imported.forgotten},
                  {"chats_forgotten", imported.chats_forgotten},
                  {"left_out", imported.left_out},
                  {"chats", imported.chats},
                  {"turns", imported.turns},
                  {"probes", imported.probes},
                  {"unfounded", imported.unfounded},
                  {"forgotten_there", std::move(forgotten_there)},
                  {"kept_out", imported.kept_out}};
}

}  // namespace

int export_command(const Options& options, const ExportOptions& own, Streams& streams) {
  auto database = open_store(options, streams.clock, streams.ids);
  if (!database) return fail(streams.err, database.error());
  store::ExportWhat what;
  what.log = own.log;
  what.version = host::program_version;
  // An export that leaves out what nobody told it to would be a loss.
  what.all = options.project.empty() && !options.global;
  if (!what.all) {
    const auto project = project_in_view(*database, options, /*create=*/false);
    if (!project) return fail(streams.err, project.error());
    what.project = *project;
  }
  if (own.file.empty()) {
    // Not into the pipe at once: whoever reads it may stop, and would keep every writer out of the store.
    std::ostringstream lines;
    const auto exported = store::export_store(*database, what, lines);
    if (!exported) return fail(streams.err, exported.error());
    streams.out << std::move(lines).str() << std::flush;
    if (streams.out) return exit_done;
    return fail(streams.err, {ErrorKind::io, "The export could not be written; give it a file."});
  }
  const auto exported = export_to(*database, what, own.file);
  if (!exported) return fail(streams.err, exported.error());
  if (options.json) {
    print_json(streams.out, rpc::Map{{"path", own.file},
                                     {"memories", exported->memories},
                                     {"chats", exported->chats},
                                     {"turns", exported->turns},
                                     {"probes", exported->probes},
                                     {"tombstones", exported->tombstones}});
  } else {
    streams.out << fmt::format(
        "Exported to {}: {}{}.\n", own.file, counted(exported->memories, "memory", "memories"),
        own.log ? ", " + counted(exported->turns, "message or reply", "messages and replies") : "");
  }
  return exit_done;
}

int import_command(const Options& options, const ImportOptions& own, Streams& streams) {
  const auto package = store::read_package(own.file);
  if (!package) return fail(streams.err, package.error());
  auto database = open_store(options, streams.clock, streams.ids);
  if (!database) return fail(streams.err, database.error());
  store::ImportHow how;
  how.trust = own.trust;
  // Another program's memories are of no project, unless one is named.
  if (!package->own && !options.project.empty()) {
    const auto project = project_in_view(*database, options, /*create=*/true);
    if (!project) return fail(streams.err, project.error());
    how.project = *project;
  }
  const auto imported = store::take_in(*database, *package, how);
  if (!imported) return fail(streams.err, imported.error());
  if (options.json) {
    print_json(streams.out, encoded(*imported));
  } else {
    print(streams.out, *imported);
  }
  return exit_done;
}

}  // namespace selfmind::cli

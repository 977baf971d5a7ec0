#include "cli/cli.h"

#include <cstdlib>
#include <iostream>

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "cli/eval.h"
#include "cli/eval_extract.h"
#include "cli/replay.h"
#include "recall/presets.h"

namespace selfmind::cli {
namespace {

void add_common(CLI::App& command, Options& options) {
  command.add_option("--db", options.db, "the store's file")->type_name("PATH");
  command.add_option("--project", options.project, "a folder of the project (default: the current folder)")
      ->type_name("DIR");
  command.add_flag("--global", options.global, "the global scope alone")->excludes("--project");
  command.add_flag("--json", options.json, "print one JSON document");
}

}  // namespace

int run(int argc, char** argv, std::istream& in, std::ostream& out, std::ostream& err,
        const std::function<int(const std::string& record)>& serve, const WithNetwork& network,
        const std::string& libraries) {
  CLI::App app("The host of selfmind.nvim. Without a subcommand it speaks msgpack-RPC on stdin and stdout.",
               "selfmind-host");
  app.require_subcommand(0, 1);
  std::string record_file;
  std::string replay_file;
  auto* record_option = app.add_option("--record", record_file, "write what happens into FILE, for a bug report");
  record_option->type_name("FILE");
  auto* replay_option = app.add_option("--replay", replay_file, "play what --record wrote again, and compare");
  replay_option->type_name("FILE")->excludes(record_option);
  Options options;
  SystemClock clock;
  RandomIds ids;
  Streams streams{in, out, err, clock, ids};
  int code = exit_done;

  RememberOptions remember_options;
  auto* remember_command = app.add_subcommand("remember", "store a memory; prints its id, or the memory it duplicates");
  add_common(*remember_command, options);
  remember_command->add_option("text", remember_options.text, "what to remember; - reads stdin")->required();
  remember_command->add_flag("--force", remember_options.force, "store it even if it is known");
  remember_command->callback([&] { code = remember(options, remember_options, streams); });

  ForgetOptions forget_options;
  auto* forget_command = app.add_subcommand("forget", "erase memories for good; a chat, or a whole project");
  add_common(*forget_command, options);
  // As the lists print them: CLI11 alone would read 010 as octal.
  const auto decimal = [](const std::string& id) {
    const bool plain = !id.empty() && id.front() != '0' && id.find_first_not_of("0123456789") == std::string::npos;
    return plain ? std::string() : id + " is no id; ids are the numbers in the list of memories";
  };
  auto* forget_ids = forget_command->add_option("ids", forget_options.ids, "their ids")->check(decimal);
  auto* forget_chat = forget_command->add_option("--chat", forget_options.chat, "a chat, by its id as log shows it");
  forget_chat->type_name("ID")->check(decimal)->excludes(forget_ids);
  auto* forget_project =
      forget_command->add_flag("--whole-project", forget_options.whole_project, "every chat of the project");
  forget_project->excludes(forget_ids)->excludes(forget_chat)->excludes(forget_command->get_option("--global"));
  auto* keep_memories = forget_command->add_flag("--keep-memories", forget_options.keep_memories,
                                                 "what was learned there, or is the project's, stays");
  keep_memories->excludes(forget_ids);
  forget_command
      ->add_flag("--with-memories", forget_options.with_memories,
                 "it goes as well; the project with --whole-project, too")
      ->excludes(forget_ids)
      ->excludes(keep_memories);
  forget_command->add_flag("--dry-run", forget_options.dry_run, "only list what would go");
  forget_command->callback([&, forget_ids, forget_chat, forget_project] {
    if (forget_ids->count() + forget_chat->count() + forget_project->count() == 0) {
      throw CLI::RequiredError("An id, --chat or --whole-project");
    }
    code = forget(options, forget_options, streams);
  });

  MemoriesOptions memories_options;
  auto* memories_command = app.add_subcommand("memories", "list the memories of the project and the global ones");
  add_common(*memories_command, options);
  auto* all_flag = memories_command->add_flag("--all", memories_options.all, "every state's and every project's");
  memories_command->add_flag("--waiting", memories_options.waiting, "those that wait for you (learning = \"review\")")
      ->excludes(all_flag);
  memories_command->add_option("--kind", memories_options.kind, "only this kind")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(store::memory_kinds), std::end(store::memory_kinds))));
  memories_command->add_option("--scene", memories_options.scene, "only this scene");
  memories_command->callback([&] { code = memories(options, memories_options, streams); });

  RecallOptions recall_options;
  recall_options.preset = selfmind::recall::default_preset;
  auto* recall_command = app.add_subcommand("recall", "what the chat would recall for a message");
  add_common(*recall_command, options);
  recall_command->add_option("query", recall_options.query, "the message; - reads stdin")->required();
  recall_command->add_option("--k", recall_options.k, "how many (default 6)")->check(CLI::Range(1, 1000));
  recall_command->add_flag("--explain", recall_options.explain, "with the parts of each score");
  recall_command->add_option("--preset", recall_options.preset, "how to rank");
  recall_command->callback([&] { code = recall(options, recall_options, streams); });

  auto* probe_command = app.add_subcommand("probe", "your own questions, and whether recall finds what it should");
  probe_command->require_subcommand(1);
  ProbeAddOptions probe_add_options;
  auto* probe_add_command = probe_command->add_subcommand("add", "a question, and what it should find; prints its id");
  add_common(*probe_add_command, options);
  probe_add_command->add_option("query", probe_add_options.query, "the question")->required();
  auto* expected_ids = probe_add_command->add_option("ids", probe_add_options.ids,
                                                     "ids of memories; a turn's as turn:ID, as recall prints them");
  expected_ids->check([&](const std::string& id) { return decimal(id.starts_with("turn:") ? id.substr(5) : id); });
  probe_add_command->add_flag("--nothing", probe_add_options.nothing, "the question should find nothing")
      ->excludes(expected_ids);
  probe_add_command->callback([&] {
    if (probe_add_options.ids.empty() && !probe_add_options.nothing) throw CLI::RequiredError("An id, or --nothing");
    code = probe_add(options, probe_add_options, streams);
  });

  ProbeRunOptions probe_run_options;
  probe_run_options.preset = selfmind::recall::default_preset;
  auto* probe_run_command = probe_command->add_subcommand("run", "ask the probes of the project and the global ones");
  add_common(*probe_run_command, options);
  probe_run_command->add_option("--k", probe_run_options.ks, "cut-offs (default 3,6,10)")
      ->delimiter(',')
      ->check(CLI::Range(1, 1000));
  probe_run_command->add_option("--preset", probe_run_options.preset, "how to rank");
  probe_run_command->callback([&] { code = probe_run(options, probe_run_options, streams); });

  auto* probe_list_command = probe_command->add_subcommand("list", "list them");
  add_common(*probe_list_command, options);
  probe_list_command->callback([&] { code = probe_list(options, streams); });

  ProbeRemoveOptions probe_remove_options;
  auto* probe_remove_command = probe_command->add_subcommand("remove", "take one back");
  add_common(*probe_remove_command, options);
  probe_remove_command->add_option("id", probe_remove_options.id, "its id")->required()->check(decimal);
  probe_remove_command->callback([&] { code = probe_remove(options, probe_remove_options, streams); });

  StateOptions state_options;
  const auto add_state = [&](const char* name, const char* description, store::Verb verb) {
    auto* command = app.add_subcommand(name, description);
    add_common(*command, options);
    command->add_option("ids", state_options.ids, "their ids")->required()->check(decimal);
    if (verb == store::Verb::replace) {
      command->add_option("--old", state_options.old, "only these of what it contradicts")
          ->type_name("ID…")
          ->check(decimal);
    }
    command->callback([&, verb] { code = change_state(options, state_options, verb, streams); });
  };
  add_state("accept", "memories that wait for you become active", store::Verb::accept);
  add_state("replace", "the same, and what they contradict is superseded", store::Verb::replace);
  add_state("archive", "memories are not recalled any more; not an erasure", store::Verb::archive);
  add_state("unarchive", "archived memories are active again", store::Verb::unarchive);

  HistoryOptions history_options;
  auto* history_command = app.add_subcommand("history", "the versions of a memory, and the words that established it");
  add_common(*history_command, options);
  history_command->add_option("id", history_options.id, "its id")->required()->check(decimal);
  history_command->callback([&] { code = history(options, history_options, streams); });

  auto* undo_command = app.add_subcommand("undo", "take back the last change to the memories in view; not an erasure");
  add_common(*undo_command, options);
  undo_command->callback([&] { code = undo(options, streams); });

  AsOfOptions as_of_options;
  auto* as_of_command = app.add_subcommand("asof", "the memories as they were known then");
  add_common(*as_of_command, options);
  as_of_command->add_option("date", as_of_options.date, "YYYY-MM-DD (its end), or with THH:MM[:SS] and a zone")
      ->required();
  as_of_command->callback([&] { code = as_of(options, as_of_options, streams); });

  RollbackOptions rollback_options;
  auto* rollback_command = app.add_subcommand("rollback", "take back all that was learned in a chat, or since a time");
  add_common(*rollback_command, options);
  auto* rollback_chat = rollback_command->add_option("--chat", rollback_options.chat, "the chat's id, as log shows it");
  rollback_chat->type_name("ID")->check(decimal);
  auto* rollback_since =
      rollback_command->add_option("--since", rollback_options.since, "YYYY-MM-DD (its end), or with a time");
  rollback_since->type_name("DATE")->excludes(rollback_chat);
  rollback_command->add_flag("--dry-run", rollback_options.dry_run, "only list what would be taken back");
  rollback_command->callback([&] {
    if (rollback_chat->count() + rollback_since->count() == 0) throw CLI::RequiredError("--chat or --since");
    code = rollback(options, rollback_options, streams);
  });

  LogOptions log_options;
  auto* log_command = app.add_subcommand("log", "what was said on a day");
  add_common(*log_command, options);
  log_command->add_option("date", log_options.date, "YYYY-MM-DD (default: today)");
  log_command->callback([&] { code = log_of_day(options, log_options, streams); });

  DoctorOptions doctor_options;
  doctor_options.libraries = libraries;
  auto* doctor_command = app.add_subcommand("doctor", "look for what is wrong with the store and the settings");
  add_common(*doctor_command, options);
  doctor_command->add_flag("--fix", doctor_options.fix, "mend what can be mended");
  doctor_command->callback([&] { code = doctor(options, doctor_options, streams); });

  BackupOptions backup_options;
  auto* backup_command =
      app.add_subcommand("backup", "copy the store, also while it is in use; prints the copy's path");
  add_common(*backup_command, options);
  backup_command->add_option("file", backup_options.file, "a new file (default: beside the store, named for the time)");
  backup_command->callback([&] { code = backup(options, backup_options, streams); });

  BackupOptions restore_options;
  auto* restore_command = app.add_subcommand(
      "restore", "bring a backup back; what is there is backed up first, and what was forgotten stays so");
  add_common(*restore_command, options);
  restore_command->add_option("file", restore_options.file, "the backup");
  restore_command->callback([&] { code = restore(options, restore_options, streams); });

  ExportOptions export_options;
  auto* export_command_line = app.add_subcommand("export", "the whole store as JSON lines, without the chats");
  add_common(*export_command_line, options);
  export_command_line->add_option("file", export_options.file, "where to (default: stdout)");
  export_command_line->add_flag("--log", export_options.log, "with the chats");
  export_command_line->callback([&] { code = export_command(options, export_options, streams); });

  ImportOptions import_options;
  auto* import_command_line =
      app.add_subcommand("import", "take in an export, or SelfMind's memory.db; what is known already stays as it is");
  add_common(*import_command_line, options);
  import_command_line->add_option("file", import_options.file, "an export, or SelfMind's memory.db")->required();
  import_command_line->add_flag("--trust", import_options.trust, "what is no export of ours need not wait for you");
  import_command_line->callback([&] { code = import_command(options, import_options, streams); });

  auto* stats_command = app.add_subcommand("stats", "counts, size and tokens");
  add_common(*stats_command, options);
  stats_command->callback([&] { code = stats(options, streams); });

  EvalArguments eval_arguments;
  auto* eval_command_line = app.add_subcommand("eval", "recall figures over recall sets");
  eval_command_line->add_option("files", eval_arguments.files, "recall sets, one file each")->required();
  eval_command_line->add_option("--k", eval_arguments.ks, "cut-offs (default 3,6,10)")
      ->delimiter(',')
      ->check(CLI::Range(1, 1000));
  eval_command_line->add_option("--preset", eval_arguments.preset, "how to rank");
  eval_command_line->add_flag("--turns-only", eval_arguments.turns_only, "ignore the memory lines");
  eval_command_line->add_flag("--unrelated", eval_arguments.unrelated,
                              "ask each file the other files' questions too: they should find nothing");
  eval_command_line->add_flag("--json", eval_arguments.json, "print one JSON document");
  eval_command_line->callback([&] { code = eval_command(eval_arguments, out, err); });

  EvalExtractArguments eval_extract_arguments;
  auto* eval_extract_command_line =
      app.add_subcommand("eval-extract", "figures over extraction sets: what of a message becomes a memory");
  eval_extract_command_line->add_option("files", eval_extract_arguments.files, "extraction sets")->required();
  auto* eval_extract_model = eval_extract_command_line->add_option(
      "--model", eval_extract_arguments.model, "ask this memory model, which costs money (default: the rules)");
  eval_extract_model->type_name("NAME");
  eval_extract_command_line->add_flag("--dry-run", eval_extract_arguments.dry_run, "only say what that would cost")
      ->needs(eval_extract_model);
  eval_extract_command_line->add_flag("--json", eval_extract_arguments.json, "print one JSON document");
  eval_extract_command_line->callback([&] {
    code = eval_extract_command(eval_extract_arguments, {::getenv, network, clock}, out, err);
  });

  auto* version_command = app.add_subcommand("version", "host, protocol and schema version");
  version_command->add_flag("--json", options.json, "print one JSON document");
  version_command->callback([&] { code = version(options, streams); });

  for (auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    command->excludes(record_option)->excludes(replay_option);
  }

  try {
    app.parse(argc, argv);
    const bool recording = record_option->count() + replay_option->count() > 0;
    if (recording != app.get_subcommands().empty()) throw CLI::RequiredError("A subcommand, --record or --replay");
    if (record_option->count() > 0) return serve(record_file);
    if (replay_option->count() > 0) return replay(replay_file, out, err);
  } catch (const CLI::ParseError& problem) {
    const int parsed = app.exit(problem, out, err);
    return parsed == 0 ? exit_done : exit_usage;
  }
  return code;
}

}  // namespace selfmind::cli

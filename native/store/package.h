// What an export holds, as plain values: everything names everything else by its unique id, so that it means the same
// in another store. export.cpp writes it as JSON lines, package.cpp reads them, import.cpp takes them in.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/records.h"

namespace selfmind::store {

inline constexpr int export_format = 1;
inline constexpr const char* export_program = "selfmind.nvim";

struct PackedProject {
  std::string uuid, name;
  std::vector<std::string> remotes, paths;
  Time created_at{};
};

struct PackedChat {
  std::string uuid, project, title, draft;
  std::string history_from;  // the first turn that is still sent; empty: all are
  Time created_at{}, updated_at{};
};

struct PackedGiven {
  std::string memory;
  std::int64_t revision = 0, rank = 0;
  double score = 0;
};

struct PackedTurn {
  std::string uuid, chat, parent;
  Turn turn;  // without ids
  std::vector<PackedGiven> given;
};

struct PackedChange {
  std::int64_t number = 0;  // in this export alone
  Change change;            // without ids
  std::string turn, chat;
};

struct PackedRevision {
  std::int64_t number = 0, change = 0;
  std::string text, reason, kind, scene, track, state, project;
  std::optional<Time> valid_from, valid_to;
};

struct PackedSource {
  std::string turn, quote;
  std::optional<Time> said_at;
};

struct PackedMemory {
  std::int64_t line = 0;  // of the file, for what is wrong with it
  std::string project;
  Memory memory;  // without ids
  std::vector<PackedSource> sources;
  std::vector<PackedRevision> history;  // oldest first
};

struct PackedRelation {
  std::string from, kind, to;
};

struct PackedProbe {
  std::string uuid, project, query;
  std::vector<std::string> memories, turns;  // that it should find; none: nothing
  Time created_at{};
};

struct PackedTombstone {
  std::string uuid;
  Time at{};
};

struct Package {
  bool own = false;  // an export of ours; else memories of another program
  std::vector<PackedProject> projects;
  std::vector<PackedChat> chats;
  std::vector<PackedTurn> turns;
  std::vector<PackedChange> changes;
  std::vector<PackedMemory> memories;
  std::vector<PackedRelation> relations;
  std::vector<PackedProbe> probes;
  std::vector<PackedTombstone> tombstones;
};

// Reads an export of ours; or JSON lines with a "text" each, which are another program's memories; or SelfMind's own
// memory.db. ErrorKind::invalid names the line and what is wrong with it.
Result<Package> read_package(const std::string& path);

// SelfMind's memory.db, by its content; the file is only read. package.cpp's part.
Result<Package> read_selfmind_file(const std::string& path);

// The unique id of a memory that has none: the same for the same words at the same time, in every store.
std::string derived_uuid(Time at, std::string_view text);

}  // namespace selfmind::store

// What the store holds, as plain values. turn/, learn/ and recall/ work on these and never see SQL.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"

namespace selfmind::store {

using Id = std::int64_t;  // a row's short number; never used again once its row is gone
inline constexpr Id no_id = 0;

// Chats of which nothing is kept (private_chats.h), and their turns, are numbered from here on: the store's own numbers
// never come so far, and a script language counts further without loss.
inline constexpr Id first_private_id = Id{1} << 40;
inline bool is_private(Id chat_or_turn) { return chat_or_turn >= first_private_id; }

struct Project {
  Id id = no_id;
  std::string name;  // for people: the folder's or the repository's name
};

enum class Role { user, assistant };

enum class TurnState {
  unanswered,   // user: kept, no reply yet; can be sent (again)
  answered,     // user: a reply stands under it
  streaming,    // assistant: the reply is on its way, or its editor died
  done,         // assistant: complete
  stopped,      // assistant: the user stopped it; partial
  interrupted,  // assistant: the connection or the server broke it; partial
  refused,      // assistant: the model declined; never sent back
  offline,      // assistant: put together from memory, no model was asked; never sent
};

const char* to_text(Role role);
const char* to_text(TurnState state);
std::optional<Role> role_from(std::string_view text);
std::optional<TurnState> turn_state_from(std::string_view text);

struct Usage {  // tokens; as the server counted them
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t cache_read = 0;
  std::int64_t cache_write = 0;
};

// A memory as it was given to a reply. `revision` is the memory's at that time.
struct Given {
  Id memory = no_id;
  std::int64_t revision = 0;
  int rank = 0;  // from 1
  double score = 0;
};

struct Turn {
  Id id = no_id;
  std::string uuid;
  Id session = no_id;
  Id parent = no_id;  // the turn it follows; siblings share it
  Role role = Role::user;
  TurnState state = TurnState::unanswered;
  std::string text;          // as typed, or the reply's text
  std::string content;       // assistant: the content blocks as the API gave them, a JSON array; else empty
  std::string memory_block;  // user: the recalled memories exactly as they were sent; else empty
  std::vector<Given> given;  // user: the memories in that block
  std::string model;         // assistant
  std::string stop_reason;   // assistant
  std::string failure;       // assistant, interrupted or refused: what happened, one sentence
  Usage usage;               // assistant
  std::string kept_out;      // when it was just written: the secrets that were left out of it, in words; not stored
  Time created_at{};
};

struct Session {
  Id id = no_id;
  std::string uuid;
  Id project = no_id;
  std::string title;  // the start of its first message
  std::string draft;  // typed and not sent
  // Turns before this one are no longer sent; 0 sends from the first. Moves in one step (architecture: each cut costs
  // the prompt cache once).
  Id history_from = no_id;
  // Replies before this turn are sent without their thinking blocks, which are bound to what stood before them.
  Id thinking_from = no_id;
  Time created_at{};
  Time updated_at{};
};

// What the memory model thinks of a memory, 0 to 1 each.
struct Scores {
  double utility = 0;      // how likely it is to help in a later conversation
  double durability = 0;   // how long it will stay true
  double urgency = 0;      // how soon it matters
  double identity = 0;     // how much it says of who the user is
  double confidence = 0;   // how plainly the user said it
  double sensitivity = 0;  // how private it is
};

// A memory that another one may contradict.
struct Doubt {
  Id id = no_id;
  std::string text;

  bool operator==(const Doubt&) const = default;
};

struct Memory {
  Id id = no_id;
  std::string uuid;
  std::string text;
  std::string reason;   // a decision's "because", in the user's words; else empty
  std::string kind;     // of memory_kinds
  std::string scene;    // the topic; empty until scenes exist
  std::string track;    // autobiographical, epistemic; empty until tracks exist
  std::string state;    // active, archived, superseded, quarantined
  std::string origin;   // user, assistant, file, tool, import: whose words established it
  std::string made_by;  // remember (the user said so), learn (the memory model did), rules (without one)
  Id project = no_id;   // no_id: global
  std::string project_name;
  std::int64_t revision = 1;
  std::vector<Id> turns;                     // the turns that established it
  Id replaces = no_id;                       // the newest one that it superseded
  Id replaced_by = no_id;                    // superseded: by which
  std::vector<Doubt> contradicts;            // one that waits: the active ones that it may contradict
  std::optional<Scores> scores;              // none: the user said so, or a rule
  std::optional<Time> valid_from, valid_to;  // the first and the last moment at which it holds, where known
  Time created_at{};
  Time updated_at{};
};

inline constexpr const char* memory_kinds[] = {"fact", "preference", "correction", "context",  "plan",    "decision",
                                               "task", "risk",       "lesson",     "incident", "identity"};

// Which turn, and which words of it, established a memory.
struct Evidence {
  Id turn = no_id;
  std::string quote;  // verbatim; may be empty when a whole selection was remembered
};

struct MemoryDraft {
  std::string text;
  std::string reason;
  std::string kind = "fact";
  std::string scene;
  std::string track;
  std::string origin = "user";
  std::string made_by = "remember";
  std::string state = "active";  // quarantined: waits for the user
  Id project = no_id;
  std::optional<Scores> scores;
  std::optional<Time> valid_from, valid_to;
  Id same_as = no_id;        // a memory that the memory model takes it for; learn/clash.h decides
  std::vector<Id> replaces;  // those that it would have it replace; the same
  std::vector<Evidence> evidence;
};

// One verb of somebody's, with all the memories that it changed.
struct Change {
  Id id = no_id;
  std::string verb;     // add, accept, replace, archive, unarchive, expire, disuse, import, undo, rollback
  std::string made_by;  // user, learn, rules, upkeep
  Id turn = no_id;      // that was learned from
  Id session = no_id;
  Time at{};
};

// What a memory was after a change.
struct Revision {
  std::int64_t number = 0;  // from 1
  std::string text;
  std::string kind;
  std::string state;
  Change change;
};

struct Added {
  bool duplicate = false;
  Memory memory;           // the new one, or the one it duplicates
  Id replaces = no_id;     // that is superseded by it
  Id contradicts = no_id;  // perhaps; the new one waits for the user
  std::string kept_out;    // the secrets that were left out of it, in words
  bool forgotten = false;  // learned from words older than when the user forgot it: nothing was stored, no memory here
};

// Where what was said in a turn may be sent to be learned from.
struct LearnAt {
  std::string endpoint;  // base URL; empty: learned by rules, and sent nowhere
  std::string model;     // memory model
  bool review = false;   // what is learned from it waits for the user
};

// What a call to the memory model has cost; no model: there was none.
struct Spent {
  std::string model;
  Usage usage;
};

// A turn that waits to be learned from.
struct QueueEntry {
  Id id = no_id;
  Id turn = no_id;     // the user's message
  Id session = no_id;  // the chat it was said in
  Id project = no_id;
  std::string user_text;
  std::string reply_text;
  Id before = no_id;        // the reply that the message answers, if any
  std::string before_text;  // what it said
  std::string endpoint;     // base URL; what was said to one server is never sent to another
  std::string model;        // memory model
  bool review = false;      // what is learned from it waits for the user
  bool by_rules = false;    // there was no server to ask: it names none
  int attempts = 0;
  std::string lease;  // proof that this editor holds it
  Time said_at{};
};

}  // namespace selfmind::store

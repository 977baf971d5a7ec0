// What can happen to a turn, and what it can ask for. Plain values: a list of saved events replays a turn exactly.
#pragma once
#include <string>
#include <variant>
#include <vector>

#include "claude/types.h"
#include "recall/rank.h"
#include "store/records.h"

namespace selfmind::turn {

// Everything a turn needs to know that is not an event; fixed while it runs.
struct Settings {
  std::string model;
  int max_tokens = 16000;
  int top_k = 6;
  int history_turns = 12;
  bool online = true;
  std::string offline_why;  // when not online: the rest of a sentence
};

// Events, in the order in which they come -------------------------------------------------------------------------

struct Started {  // a new message
  store::Id chat;
  std::string text;
};
struct SentAgain {  // the chat's newest message, which has no reply yet or a broken one
  store::Id chat;
};
struct MessageKept {    // it is on disk; with the chat as the log has it
  store::Turn message;  // without the secrets that were typed
  store::Session session;
  std::vector<store::Turn> log;      // oldest first, the message included
  std::vector<store::Memory> given;  // the memories earlier messages were sent with, as they stand now
  std::string date;                  // today, YYYY-MM-DD
};
struct Recalled {
  std::vector<recall::Hit> hits;
  bool late = false;  // the deadline passed; go on without
};
struct RecallKept {              // what the message is sent with is on disk
  std::vector<store::Turn> log;  // as it stands now: words forgotten since the message was kept are cut from it
};
struct RecallStale {};  // it is not: a memory in it was forgotten meanwhile
struct Thinking {};
struct TextDelta {
  std::string text;
};
struct ReplyDone {
  claude::Reply reply;
};
struct ReplyFailed {
  Error error;
  claude::Reply partial;
  claude::Retry retry;
};
struct PauseOver {};  // before the next try: it is over, or was cut short
struct Tick {         // each limits::partial_interval while a request runs
  claude::Reply partial;
};
struct Stopped {  // by the user, or because the editor ended; the connection is closed already
  claude::Reply partial;
};
struct ReplyKept {
  store::Turn reply;
};
struct StoreFailed {
  Error error;
};

using Event = std::variant<Started, SentAgain, MessageKept, Recalled, RecallKept, RecallStale, Thinking, TextDelta,
                           ReplyDone, ReplyFailed, PauseOver, Tick, Stopped, ReplyKept, StoreFailed>;

// Commands --------------------------------------------------------------------------------------------------------

struct KeepMessage {
  store::Id chat;
  std::string text;
};
struct LoadMessage {
  store::Id chat;
};
struct Accept {  // tell the editor that the message is kept
  store::Id turn;
};
struct Recall {
  std::string query;
  int k;
  store::Id project;
  std::vector<store::Id> turns_sent;     // stand in the request already
  std::vector<store::Given> given_sent;  // so do these memories
};
struct KeepRecall {
  store::Id turn;
  std::string memory_block;
  std::vector<store::Given> given;
  store::Session session;  // with history_from and thinking_from as they are used now
};
struct Ask {
  claude::Request request;
};
struct Pause {  // before try `attempt`, from 1; the editor shows a countdown with the reason
  Error reason;
  claude::Retry retry;
  int attempt;
};
struct KeepPartial {  // no answer is waited for
  store::Turn reply;
};
struct KeepReply {
  store::Turn reply;
  std::vector<store::Id> answered;  // messages that this reply answers, the newest last
  bool queue = false;               // them, to be learned from: what a model was not shown or declined is not
};
struct Learn {};  // the turn succeeded: what is queued may be learned from
struct ShowRecalled {
  std::vector<recall::Hit> hits;
  bool late;
};
struct ShowThinking {};
struct ShowText {
  std::string text;
};
struct ShowNote {  // one quiet line
  std::string text;
  bool under_reply = false;  // else under the message
};
struct ShowDone {      // the last command of a turn
  std::string state;   // the reply's, or "failed"
  std::string notice;  // one line, or empty
  store::Id reply = store::no_id;
  std::string model;
  store::Usage usage;
};
struct Refuse {  // nothing was started; the answer to the editor's call
  Error error;
};

using Command = std::variant<KeepMessage, LoadMessage, Accept, Recall, KeepRecall, Ask, Pause, KeepPartial, KeepReply,
                             Learn, ShowRecalled, ShowThinking, ShowText, ShowNote, ShowDone, Refuse>;
using Commands = std::vector<Command>;

}  // namespace selfmind::turn

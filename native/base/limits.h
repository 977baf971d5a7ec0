// Every bound of the program, with its unit and the reason for its value.
#pragma once
#include <chrono>
#include <cstddef>

namespace selfmind::limits {

using namespace std::chrono_literals;

// RPC ------------------------------------------------------------------------------------------------------------
// A selection of a whole large file plus room; more is a bug or an attack.
inline constexpr std::size_t rpc_message_bytes = 16u << 20;
// The longest list Lua sends is the ids of a :Forget; the deepest thing that is sent is a memory in a list with what it
// contradicts. Depth and length multiply in what a header can reserve (elements ^ nesting), so both stay small.
inline constexpr std::size_t rpc_elements = 4096;
inline constexpr std::size_t rpc_depth = 9;

// Messages API ---------------------------------------------------------------------------------------------------
// One event; the largest seen carries a whole tool input. A server that sends more is broken.
inline constexpr std::size_t sse_event_bytes = 16u << 20;
// An error body is shown in part only; a proxy may answer with a page.
inline constexpr std::size_t http_error_body_bytes = 64u << 10;
// What a server says of a model is a side question, good for the next request.
inline constexpr auto lookup_timeout = 10s;
inline constexpr std::size_t lookup_bytes = 256u << 10;
// Room for a model that thinks though it was asked not to.
inline constexpr int thinking_tokens = 16'000;
// One field a correction; a server that refuses still more is none we can talk to.
inline constexpr int corrections = 4;
inline constexpr auto connect_timeout = 10s;
// Thinking that is not shown can be silent for three minutes before the first byte.
inline constexpr auto first_event_timeout = 300s;
// Between two lines of the stream; pings come more often than this.
inline constexpr auto idle_timeout = 120s;

// Turn -----------------------------------------------------------------------------------------------------------
// Above this the history is cut; estimated at four bytes a token.
inline constexpr std::size_t history_tokens = 60'000;
// A message the user types or selects; larger belongs into a file.
inline constexpr std::size_t message_bytes = 2u << 20;
// A running reply is written to the log this often. With the time to write it a killed editor loses a second at most.
inline constexpr auto partial_interval = 750ms;
// A reply whose writer has not been heard of for this long, and cannot be asked, is taken for interrupted.
inline constexpr auto reply_lease = 15s;
// What is shown and recalled of an earlier turn.
inline constexpr std::size_t excerpt_bytes = 600;

// Recall ---------------------------------------------------------------------------------------------------------
// Of a longer message this much is searched for; what follows is pasted text.
inline constexpr std::size_t question_bytes = 32u << 10;

// Memory ---------------------------------------------------------------------------------------------------------
// A memory is a sentence or a short selection, not a document.
inline constexpr std::size_t memory_bytes = 16u << 10;
// The question of a probe, which is as long as a message that one would ask.
inline constexpr std::size_t probe_bytes = 16u << 10;
// More from one exchange is the extractor's noise.
inline constexpr std::size_t memories_per_turn = 5;
// Shown to the memory model beside a message: enough to find what it changes, few enough to cost little.
inline constexpr std::size_t known_memories = 12;
// Of the reply that a message answers, its end: a list is chosen from there.
inline constexpr std::size_t before_bytes = 1500;
// A longer message says itself what it means, and is no mere assent.
inline constexpr std::size_t assent_bytes = 160;
// A topic's name.
inline constexpr std::size_t scene_bytes = 60;
// After this many failures that do not pass by themselves a queue entry is parked.
inline constexpr int learn_attempts = 5;
// An editor that holds an entry longer than this is taken for dead.
inline constexpr auto learn_lease = 10min;
// Entries learned after one successful turn: the turn itself and a few left over.
inline constexpr int learn_per_turn = 3;

// Store ----------------------------------------------------------------------------------------------------------
inline constexpr auto busy_timeout = 5s;
// How often an idle editor looks whether another one has changed the store; its lists have to be right within a second.
inline constexpr auto look_interval = 500ms;
// A passing memory (context, task, plan) that was learned and that nobody has needed for this long is archived.
inline constexpr auto unused_for = 24h * 180;
// What has ended or is unused is looked for this often.
inline constexpr auto upkeep_interval = 24h;
// A look waits no longer than this for the store; the next one comes soon, and who quits should not wait for it.
inline constexpr auto look_patience = 100ms;
// What an editor that quits leaves in the pipe has to be read and committed within this.
inline constexpr auto shutdown = 1s;

// Screen ---------------------------------------------------------------------------------------------------------
// Text is passed to the editor at most this often; the first text at once.
inline constexpr auto flush_interval = 40ms;

}  // namespace selfmind::limits

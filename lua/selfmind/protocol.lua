-- The words the plugin and the host share: doc/internals/protocol.md as Lua types. No behaviour.

local M = {}

---Compared in the handshake.
M.version = 1
---The plugin's own version, shown to the host.
M.plugin = '0.1.0'

---@class selfmind.Error
---@field kind string one of the kinds of protocol.md, or "host" when there is no host to ask (already reported)
---@field message string one sentence for the user

---@alias selfmind.Callback fun(err?: selfmind.Error, result?: table)

---@class selfmind.Hello
---@field protocol integer
---@field version string
---@field schema integer
---@field sqlite string
---@field journal string
---@field db string
---@field chat_model string
---@field memory_model string
---@field base_url string
---@field online boolean
---@field offline_why string
---@field read_only string why the store can only be read, or empty
---@field settings table<string, { value: any, from: string }> "editor", a variable of the environment, or "default"
---@field useless table<string, string> settings that were given and have no effect: why, by name
---@field lacking string what the retrieval preset lacks so far, a sentence, or empty
---@field key string where the key comes from; empty: there is none
---@field network table<string, string> proxy and certificate variables that are set

---@class selfmind.Project
---@field id integer
---@field name string

---@class selfmind.Turn
---@field id integer
---@field role "user"|"assistant"
---@field state string
---@field text string
---@field at string
---@field model? string
---@field notice? string
---@field given? integer[]
---@field usage? selfmind.Usage of a reply by a model
---@field cost_usd? number

---@class selfmind.Chat
---@field chat integer
---@field uuid string
---@field title string
---@field project selfmind.Project
---@field draft string
---@field busy boolean
---@field turns selfmind.Turn[]
---@field private boolean nothing of it is kept

---@class selfmind.FoundChat
---@field chat integer
---@field uuid string
---@field title string empty: nothing was sent in it yet
---@field updated_at string
---@field messages integer the user's
---@field turn? integer the newest message with the words, or whose reply has them
---@field excerpt string the line with the first of them

---@class selfmind.Scores 0 to 1 each
---@field utility number
---@field durability number
---@field urgency number
---@field identity number
---@field confidence number
---@field sensitivity number

---@class selfmind.Memory
---@field id integer
---@field uuid string
---@field text string
---@field kind string
---@field scope "project"|"global"
---@field scene string
---@field track string
---@field state string
---@field made_by? "remember"|"learn"|"rules" who made it: you, the memory model, or rules where there was none
---@field project string
---@field replaces? integer that it superseded
---@field replaced_by? integer superseded: by which
---@field contradicts? { id: integer, text: string }[] one that waits: the ones that stand and that it may contradict
---@field reason? string a decision's "because", in the user's words
---@field scores? selfmind.Scores what the memory model thinks of it
---@field valid_from? string
---@field valid_to? string the last moment at which it holds
---@field created_at string

---@class selfmind.Change one verb of somebody's
---@field verb string "add", "accept", "replace", "archive", "unarchive", "expire", "disuse", "import", "undo" …
---@field made_by "user"|"learn"|"rules"|"upkeep"
---@field at string
---@field turn? integer that was learned from
---@field chat? integer

---@class selfmind.History
---@field memory selfmind.Memory as it is now
---@field revisions { revision: integer, text: string, kind: string, state: string, change: selfmind.Change }[]
---@field sources { turn: integer, quote: string, chat: integer, at: string }[]

---@class selfmind.Undone
---@field change selfmind.Change that was taken back
---@field memories selfmind.Memory[] as they are now

---@class selfmind.RolledBack
---@field memories selfmind.Memory[] taken back
---@field kept selfmind.Memory[] the user changed them since
---@field turns integer from which nothing is learned any more

---@class selfmind.DayTurn
---@field id integer
---@field chat integer
---@field role "user"|"assistant"
---@field state string
---@field text string
---@field created_at string

---@class selfmind.Hit
---@field source "memory"|"turn"
---@field id integer
---@field text string
---@field excerpt string of a long text the place that the question is about
---@field score number
---@field created_at string
---@field kind? string
---@field scope? string
---@field role? "user"|"assistant"
---@field session? integer

---@class selfmind.Expected what a probe should find
---@field source "memory"|"turn"
---@field id integer
---@field text string
---@field state? string a memory's; one that is not "active" is not recalled any more
---@field place? integer in the answer to probe.run: where it came, from 1

---@class selfmind.Probe
---@field id integer
---@field uuid string
---@field query string
---@field scope "project"|"global"
---@field expect selfmind.Expected[] empty: nothing should be found
---@field created_at string
---@field replaced? integer in the answer to probe.add: the probe that asked the same
---@field first? selfmind.Hit in the answer to probe.run: what came first
---@field counted? boolean in the answer to probe.run: false where nothing it expects can be found any more

---@class selfmind.ProbeReport shares are from 0 to 1
---@field probes selfmind.Probe[]
---@field n integer how many were asked
---@field recall table<string, number> by how many were looked at: the share of what is expected
---@field any table<string, number> and of probes with at least one of it
---@field mrr? number
---@field none? number the share of those that expect nothing that got nothing

---@class selfmind.Remembered
---@field id integer
---@field state "stored"|"duplicate"
---@field text string

---@class selfmind.Forgotten
---@field memories selfmind.Memory[]
---@field kept selfmind.Memory[] that come from nothing but what goes, and stay
---@field name string of the chat or project that goes
---@field chats integer[] ids of those that go
---@field turns_gone integer their messages and replies
---@field turns_cut integer
---@field probes_gone integer that asked for nothing else
---@field probes_cut integer from which one of them or its words were cut
---@field copies integer backups that had something of it
---@field remains boolean
---@field remaining string[] why the words are in a file after all

---@class selfmind.RecalledEvent
---@field chat integer
---@field turn integer
---@field hits selfmind.Hit[]
---@field late? boolean

---@class selfmind.PausingEvent
---@field chat integer
---@field turn integer
---@field notice string
---@field milliseconds integer

---@class selfmind.NoteEvent
---@field chat integer
---@field turn integer
---@field notice string
---@field under "message"|"reply"

---@class selfmind.TextEvent
---@field chat integer
---@field turn integer
---@field text string

---@class selfmind.DoneEvent
---@field chat integer
---@field turn integer
---@field reply? integer
---@field state string
---@field notice? string
---@field model? string
---@field usage? selfmind.Usage
---@field cost_usd? number by the published prices; nil where the model has none

---@class selfmind.LearnedEvent
---@field chat integer
---@field turn integer
---@field stored selfmind.Memory[]
---@field duplicates integer

---@class selfmind.LearnFailedEvent
---@field chat integer
---@field turn integer
---@field notice string

return M

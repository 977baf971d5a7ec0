-- The open conversations of this editor: which there are, by their id and by their buffer. Holds state, does nothing.

local M = {}

---@class selfmind.Conversation
---@field id integer the host's
---@field uuid string
---@field folder string
---@field project string
---@field title string
---@field bufnr integer
---@field view selfmind.View
---@field hold selfmind.Hold
---@field busy boolean a turn runs
---@field streaming boolean some of the running reply has come
---@field offline boolean the newest message was, or the next one will be, answered from memory alone
---@field pause? selfmind.Countdown to the next try of the running turn
---@field seconds? integer of this pause that are left
---@field turn? integer the message being answered
---@field missed boolean text of the running reply went by before we looked
---@field hits table<integer, selfmind.Hit[]> what was recalled, by message
---@field given table<integer, integer[]> ids of the memories a message was sent with, from the log
---@field newest? integer the newest message
---@field saved_draft string what the host has
---@field model string that answers
---@field spent selfmind.Spent
---@field status? selfmind.Status as it was told last
---@field deleted? boolean there is nothing of it in the host any more
---@field private boolean nothing of it is kept
---@field gone boolean private: its host has gone, and the chat with it

local by_id = {} ---@type table<integer, selfmind.Conversation>
local by_buffer = {} ---@type table<integer, selfmind.Conversation>
local names = {} ---@type table<string, { id: integer, folder: string }> every chat seen, by buffer name

---@param uuid string
---@param private? boolean
---@return string
function M.name(uuid, private)
  return ('selfmind://%s/%s'):format(private and 'private' or 'chat', uuid)
end

---@param name string of a buffer
---@return string? uuid
---@return boolean private
function M.uuid(name)
  local kind, uuid = name:match('^selfmind://(%l+)/(.+)$')
  return uuid, kind == 'private'
end

---@param conversation selfmind.Conversation
function M.add(conversation)
  by_id[conversation.id] = conversation
  by_buffer[conversation.bufnr] = conversation
  names[M.name(conversation.uuid, conversation.private)] = { id = conversation.id, folder = conversation.folder }
end

---@param bufnr integer
function M.remove(bufnr)
  local conversation = by_buffer[bufnr]
  if conversation then
    by_buffer[bufnr] = nil
    if by_id[conversation.id] == conversation then
      by_id[conversation.id] = nil
    end
  end
end

---A private chat whose host has gone: its buffer still shows it, and no event is for it.
---@param conversation selfmind.Conversation
function M.lose(conversation)
  conversation.gone = true
  by_id[conversation.id] = nil
end

---@param folder string
---@return selfmind.Conversation? the private chat that is open there
function M.private_in(folder)
  for _, conversation in pairs(by_id) do
    if conversation.private and conversation.folder == folder then
      return conversation
    end
  end
end

---@param id integer
---@return selfmind.Conversation?
function M.of(id)
  return by_id[id]
end

---@param bufnr integer
---@return selfmind.Conversation?
function M.in_buffer(bufnr)
  return by_buffer[bufnr]
end

---@param name string of a buffer
---@return { id: integer, folder: string }?
function M.known(name)
  return names[name]
end

---@return selfmind.Conversation[]
function M.all()
  return vim.tbl_values(by_id)
end

---@return boolean
function M.any_busy()
  for _, conversation in pairs(by_id) do
    if conversation.busy then
      return true
    end
  end
  return false
end

return M

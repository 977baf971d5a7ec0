-- What has come of the replies that are being written, by chat: their buffers may go and come back meanwhile, and the
-- log has only a part of it. Holds state, does nothing.

local M = {}

local pieces = {} ---@type table<integer, string[]>

---@param chat integer
---@param text string
function M.add(chat, text)
  pieces[chat] = pieces[chat] or {}
  table.insert(pieces[chat], text)
end

---@param chat integer
---@return string? all that has come
function M.text(chat)
  return pieces[chat] and table.concat(pieces[chat])
end

---@param chat integer
function M.drop(chat)
  pieces[chat] = nil
end

---Their host has gone.
function M.drop_all()
  pieces = {}
end

return M

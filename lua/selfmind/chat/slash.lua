-- The four lines of the chat that are commands and no messages. Exact words only: "/etc/hosts" is a message. Pure.

local M = {}

local WITH_ARGUMENTS = { remember = true, forget = true }
local WITHOUT = { memories = true, stats = true }

---@class selfmind.Slash
---@field name "remember"|"forget"|"memories"|"stats"
---@field args string
---@field rest string what stands below the first line, and stays in the prompt

---@param text string
---@return selfmind.Slash? nil: a message
function M.parse(text)
  local first, rest = text:match('^([^\n]*)\n?(.*)$')
  local name, args = first:match('^/(%l+)%s*$'), ''
  if not name then
    name, args = first:match('^/(%l+)%s+(.-)%s*$')
  end
  if WITH_ARGUMENTS[name] or (WITHOUT[name] and args == '') then
    return { name = name, args = args, rest = rest }
  end
end

return M

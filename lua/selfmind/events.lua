-- The only door the host knocks on: `receive`, by nvim_exec_lua. It turns vim.NIL into nil, hands the event to the one
-- who knows what to do, and fires the User autocommand of the same meaning. An error in here ends here.

local M = {}

local log = require('selfmind.log')

---@param value any
---@return any the value without vim.NIL
local function without_nil(value)
  if value == vim.NIL then
    return nil
  end
  if type(value) ~= 'table' then
    return value
  end
  local copy = {}
  for key, item in pairs(value) do
    copy[key] = without_nil(item)
  end
  return copy
end

---@param event string
---@return fun(payload: table)
local function to_chat(event)
  return function(payload)
    require('selfmind.chat').on[event](payload)
  end
end

local handlers = {
  ['reply'] = function(payload)
    require('selfmind.host').answer(payload.id, payload.error, payload.result)
  end,
  ['turn/recalled'] = to_chat('turn/recalled'),
  ['turn/thinking'] = to_chat('turn/thinking'),
  ['turn/pausing'] = to_chat('turn/pausing'),
  ['turn/text'] = to_chat('turn/text'),
  ['turn/note'] = to_chat('turn/note'),
  ['turn/done'] = to_chat('turn/done'),
  ['learn/done'] = to_chat('learn/done'),
  ['learn/failed'] = to_chat('learn/failed'),
  ['upkeep/done'] = function(payload)
    require('selfmind.memories.history').kept_up(payload)
  end,
  ['memories/changed'] = function()
    require('selfmind.complete').refresh()
    require('selfmind.memories.buffer').refresh()
  end,
}

---@type table<string, string> event → name of its User autocommand; its `data` is the event's payload
M.autocommands = {
  ['turn/recalled'] = 'SelfMindRecalled',
  ['turn/done'] = 'SelfMindTurnDone',
  ['learn/done'] = 'SelfMindLearned',
  ['memories/changed'] = 'SelfMindMemoriesChanged',
}

---@param what string
---@param run fun()
local function guarded(what, run)
  local ok, why = xpcall(run, debug.traceback)
  if not ok then
    log.error(('internal error in %s: %s'):format(what, why))
  end
end

---@param name string
---@param payload? table
function M.receive(name, payload)
  require('selfmind.host').heard()
  local handler = handlers[name]
  if not handler then
    return log.debug('unknown event ' .. tostring(name))
  end
  local clean = without_nil(payload) or {}
  guarded(name, function()
    handler(clean)
  end)
  local pattern = M.autocommands[name]
  if pattern then
    guarded('a User autocommand for ' .. pattern, function()
      vim.api.nvim_exec_autocmds('User', { pattern = pattern, modeline = false, data = clean })
    end)
  end
end

return M

-- What waits for the user, in a small window: accept it, turn it down, see which words it was made of.

local M = {}

local api = vim.api
local host = require('selfmind.host')
local log = require('selfmind.log')
local validate = require('selfmind.validate')
local verbs = require('selfmind.memories.verbs')
local flat = require('selfmind.memories.line').flat

local KEYS = 'a accept · r it replaces · x turn down · A accept all · H why · q later'

---@param memories selfmind.Memory[]
---@return string[]
local function lines_of(memories)
  return vim.tbl_map(function(memory)
    local old = vim.tbl_map(function(doubt)
      return ('%d: %s'):format(doubt.id, flat(doubt.text))
    end, memory.contradicts or {})
    local doubt = #old > 0 and ('  (or does it replace %s?)'):format(table.concat(old, ' or ')) or ''
    return ('%5d  %-10s  %s%s'):format(memory.id, memory.kind, flat(memory.text), doubt)
  end, memories)
end

---@param memories selfmind.Memory[]
---@return integer[]
local function ids_of(memories)
  return vim.tbl_map(function(memory)
    return memory.id
  end, memories)
end

---@param folder string
---@param callback fun(memories: selfmind.Memory[])
local function waiting(folder, callback)
  host.notify('memory.list', { folder = folder, waiting = true }, function(err, result)
    if err then
      return log.failed(err)
    end
    callback(result.memories)
  end)
end

---@param doubts { id: integer, text: string }[]
---@param callback fun(old: integer[]) not called when nothing was chosen
local function which_of(doubts, callback)
  local ids = vim.tbl_map(function(doubt)
    return doubt.id
  end, doubts)
  if #doubts == 1 then
    return callback(ids)
  end
  local choices = vim.list_extend({ { text = 'all of them' } }, doubts)
  vim.ui.select(choices, {
    prompt = 'It replaces',
    format_item = function(choice)
      return choice.id and ('%d: %s'):format(choice.id, flat(choice.text)) or choice.text
    end,
  }, function(choice)
    if choice then
      callback(choice.id and { choice.id } or ids)
    end
  end)
end

---@param memories selfmind.Memory[]
---@param folder string
local function show(memories, folder)
  local bufnr, win = require('selfmind.float').open('to review', lines_of(memories), KEYS)

  local function again()
    waiting(folder, function(left)
      if api.nvim_win_is_valid(win) then
        api.nvim_win_close(win, true)
        if #left > 0 then
          show(left, folder)
        end
      end
    end)
  end

  ---@param lhs string
  ---@param description string
  ---@param run fun(memory: selfmind.Memory)
  local function key(lhs, description, run)
    vim.keymap.set('n', lhs, function()
      run(memories[api.nvim_win_get_cursor(win)[1]])
    end, { buffer = bufnr, nowait = true, desc = 'selfmind: ' .. description })
  end
  key('a', 'accept the memory', function(memory)
    verbs.change_state({ memory.id }, 'accept', again)
  end)
  key('r', 'accept it in place of what it contradicts', function(memory)
    if not memory.contradicts then
      return log.warn(('%d contradicts nothing: a accepts it'):format(memory.id))
    end
    which_of(memory.contradicts, function(old)
      verbs.change_state({ memory.id }, 'replace', again, old)
    end)
  end)
  key('x', 'turn the memory down', function(memory)
    verbs.change_state({ memory.id }, 'archive', again)
  end)
  key('A', 'accept all', function()
    verbs.change_state(ids_of(memories), 'accept', again)
  end)
  key('H', 'show which words it was made of', function(memory)
    require('selfmind.memories.history').show(memory.id)
  end)
end

---Opens the window when something waits.
---@param folder string
function M.open(folder)
  validate('folder', folder, 'string')
  waiting(folder, function(memories)
    if #memories == 0 then
      return log.info('nothing waits for you')
    end
    show(memories, folder)
  end)
end

return M

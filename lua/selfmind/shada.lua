-- What was forgotten, or is a secret, leaves the histories of commands and of input, and the shada file. Taking it out
-- of the history alone would not do: when Neovim quits it merges what the file still has.

local M = {}

local validate = require('selfmind.validate')
local flat = require('selfmind.memories.line').flat

local HISTORIES = { 'cmd', 'input' }
local SHORT = 12 -- bytes; a shorter word stands in commands that mean something else by it

---@param text string
---@return boolean
local function is_short(text)
  return #text < SHORT and not text:find('%s')
end

---@param entry string
---@return string? what it remembers; nil when it remembers nothing
local function remembered(entry)
  local rest = entry:match('^[^%a]*Remember!?%s*(.*)$') or entry:match('^[^%a]*SelfMind%s+remember!?%s*(.*)$')
  return rest and flat((rest:gsub('^%-%-global%s+', '')))
end

---@param entry string
---@param words string in one line
---@param kind string
---@return boolean
local function holds(entry, words, kind)
  local argument = remembered(entry)
  if is_short(words) then
    return argument == words or (kind == 'input' and entry == words)
  end
  if entry:find(words, 1, true) then
    return true
  end
  -- Text in front of a range of lines.
  return argument ~= nil and not is_short(argument) and words:find(argument, 1, true) ~= nil
end

---Commands with ids have the text behind a "#", cut short, when completion wrote them.
---@param entry string
---@param ids integer[]
---@return boolean
local function names(entry, ids)
  local before = entry:match('^(.-)#')
  for word in (before or ''):gmatch('%d+') do
    if vim.list_contains(ids, tonumber(word)) then
      return true
    end
  end
  return false
end

---@param words string[]
---@param ids integer[]
---@return boolean any
local function cut_histories(words, ids)
  local any = false
  for _, kind in ipairs(HISTORIES) do
    for number = vim.fn.histnr(kind), 1, -1 do
      local entry = flat(vim.fn.histget(kind, number))
      local found = entry ~= '' and kind == 'cmd' and names(entry, ids)
      for _, some in ipairs(words) do
        found = found or (entry ~= '' and holds(entry, some, kind))
      end
      if found then
        vim.fn.histdel(kind, number)
        any = true
      end
    end
  end
  return any
end

---@return string? path of the file that this Neovim writes when it quits
local function file()
  local name = vim.o.shadafile
  if vim.o.shada == '' or name == 'NONE' then
    return
  end
  return name ~= '' and name or vim.fs.joinpath(vim.fn.stdpath('state') --[[@as string]], 'shada', 'main.shada')
end

---@param path string
---@param words string[]
---@return boolean
local function stand_in(path, words)
  local shada = io.open(path, 'rb')
  if not shada then
    return false
  end
  local bytes = shada:read('*a')
  shada:close()
  return vim.iter(words):any(function(some)
    return bytes:find(some, 1, true) ~= nil
  end)
end

---@param texts string[] whatever holds one of them goes
---@param ids? integer[] of memories: commands that name one of them and show its text go, too
function M.cut(texts, ids)
  validate('texts', texts, 'table')
  local words = vim.tbl_filter(function(text)
    return text ~= ''
  end, vim.tbl_map(flat, texts))
  local any = cut_histories(words, ids or {})
  local path = file()
  if not path or vim.fn.filereadable(path) == 0 or not (any or stand_in(path, words)) then
    return
  end
  -- All that the file has is taken in first, so that nothing but this is lost when it is written anew.
  pcall(function()
    vim.cmd('silent rshada')
    cut_histories(words, ids or {})
    vim.cmd('silent wshada!')
  end)
end

return M

-- Completion for the commands. It never waits for the host: ids come from a list that is fetched in the background, at
-- first use and whenever the host says that the memories have changed.

local M = {}

local SHOWN_CHARACTERS = 72 -- of a memory's text in a candidate

local lists = {} ---@type table<string, selfmind.Memory[]> by folder
local asked = {} ---@type table<string, boolean>

---@param folder string
local function fetch(folder)
  local host = require('selfmind.host')
  if asked[folder] or not host.usable() then
    return -- a missing or failing host is reported by what the user runs, not by a <Tab>
  end
  asked[folder] = true
  host.notify('memory.list', { folder = folder }, function(err, result)
    asked[folder] = nil
    if not err then
      lists[folder] = result.memories
    end
  end)
end

---The memories have changed: fetches again what somebody has looked at.
function M.refresh()
  for folder in pairs(lists) do
    fetch(folder)
  end
end

---@param folder string
---@return selfmind.Memory[] what is known now
function M.memories(folder)
  if not lists[folder] then
    fetch(folder)
  end
  return lists[folder] or {}
end

---@param id integer
---@return selfmind.Memory?
function M.find(id)
  for _, list in pairs(lists) do
    for _, memory in ipairs(list) do
      if memory.id == id then
        return memory
      end
    end
  end
end

---A candidate is the id and, behind a "#" that `:Forget` reads over, the text.
---@param memory selfmind.Memory
---@return string
local function candidate(memory)
  local text = memory.text:gsub('%s+', ' ')
  if vim.fn.strchars(text) > SHOWN_CHARACTERS then
    text = vim.fn.strcharpart(text, 0, SHOWN_CHARACTERS - 1) .. '…'
  end
  return ('%d # %s'):format(memory.id, text)
end

---Pure: which memories a word means. Digits are the beginning of an id, anything else is looked for in the text.
---@param memories selfmind.Memory[]
---@param lead string
---@return string[]
function M.ids(memories, lead)
  local wanted = vim.fn.tolower(lead)
  local found = {}
  for _, memory in ipairs(memories) do
    local hit
    if lead:match('^%d+$') then
      hit = vim.startswith(tostring(memory.id), lead)
    else
      hit = vim.fn.tolower(memory.text):find(wanted, 1, true) ~= nil
    end
    if hit then
      found[#found + 1] = candidate(memory)
    end
  end
  return found
end

---For `:Forget`.
---@param lead string
---@param line string
---@return string[]
function M.forget(lead, line)
  if line:find('#', 1, true) then
    return {} -- behind a candidate that was taken
  end
  return M.ids(M.memories(vim.fn.getcwd()), lead)
end

---For `:Remember`.
---@param lead string
---@return string[]
function M.remember(lead)
  return lead:match('^%-') and { '--global' } or {}
end

---For `:SelfMind probe`: what it does, then ids of memories by their beginning or by a word, until the question begins.
---@param lead string
---@param rest string behind `probe`
---@return string[]
function M.probe(lead, rest)
  local name, before = rest:match('^(%l+)%s+(.*)$')
  if not name then
    return vim.tbl_filter(function(one)
      return vim.startswith(one, lead)
    end, require('selfmind.memories.probes').names())
  end
  local ids = before:sub(1, #before - #lead)
  if name ~= 'add' or lead == '' or ids:find('[^%d%s,]') then
    return {}
  end
  if lead:match('^%-') then
    return ids == '' and { '--nothing' } or {}
  end
  return vim.tbl_map(function(found)
    return (found:match('^%d+'))
  end, M.ids(M.memories(vim.fn.getcwd()), lead))
end

---For `:SelfMind`.
---@param lead string
---@param line string
---@return string[]
function M.selfmind(lead, line)
  local command, rest = line:match('SelfMind!?%s+(%S+)%s+(.*)$')
  if not command then
    return vim.tbl_filter(function(name)
      return vim.startswith(name, lead)
    end, require('selfmind.commands').names())
  end
  if command == 'forget' or command == 'history' or command == 'archive' then
    return M.forget(lead, rest)
  end
  if command == 'rollback' and not rest:find('%s') then
    return vim.tbl_filter(function(one)
      return vim.startswith(one, lead)
    end, { 'chat', 'since' })
  end
  if command == 'delete' and not rest:find('%s') then
    return vim.tbl_filter(function(one)
      return vim.startswith(one, lead)
    end, { 'chat', 'project' })
  end
  if command == 'probe' then
    return M.probe(lead, rest)
  end
  if command == 'record' then
    return vim.fn.getcompletion(lead, 'file')
  end
  return command == 'remember' and M.remember(lead) or {}
end

return M

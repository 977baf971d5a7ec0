-- The list of memories in a buffer: grouped by scope and kind, a line each, with keys to look closer and to forget.

local M = {}

local api = vim.api
local verbs = require('selfmind.memories.verbs')

local NAME = 'selfmind://memories'
local SCOPES = { 'project', 'global' }
local KINDS = { 'identity', 'preference', 'correction', 'decision', 'fact', 'context' } -- others follow, by name

---@class selfmind.MemoryList
---@field bufnr integer
---@field folder string
---@field by_line table<integer, selfmind.Memory>

local list ---@type selfmind.MemoryList?

local KEYS = {
  '<CR>  show everything known about the memory',
  'x     archive it: not recalled any more; u takes it back',
  'dd    forget it for good, after asking',
  'H     show what became of the memory, and of which words it was made',
  'u     take back the last change to the memories; not an erasure',
  'r     read the list again',
  'q     close',
  'g?    show these keys',
}

---@param memories selfmind.Memory[]
---@return table<string, table<string, selfmind.Memory[]>> by scope and kind
local function grouped(memories)
  local groups = { project = {}, global = {} }
  for _, memory in ipairs(memories) do
    local scope = groups[memory.scope] or groups.project
    scope[memory.kind] = scope[memory.kind] or {}
    table.insert(scope[memory.kind], memory)
  end
  return groups
end

---@param kinds table<string, any>
---@return string[] in the order they are shown
local function ordered(kinds)
  local names = vim.tbl_keys(kinds)
  table.sort(names, function(a, b)
    local at = vim.fn.index(KINDS, a) % 1000 -- -1, unknown, goes to the end
    local bt = vim.fn.index(KINDS, b) % 1000
    return at == bt and a < b or at < bt
  end)
  return names
end

---Pure: what the list shows.
---@param memories selfmind.Memory[]
---@return string[] lines
---@return table<integer, selfmind.Memory> by_line
function M.lines(memories)
  local lines, by_line = {}, {}
  local groups = grouped(memories)
  for _, scope in ipairs(SCOPES) do
    if next(groups[scope]) then
      lines[#lines + 1] = scope == 'global' and '# Everywhere' or '# This project'
      for _, kind in ipairs(ordered(groups[scope])) do
        lines[#lines + 1] = '## ' .. kind
        for _, memory in ipairs(groups[scope][kind]) do
          lines[#lines + 1] = ('%5d  %s'):format(memory.id, vim.trim((memory.text:gsub('%s+', ' '))))
          by_line[#lines] = memory
        end
      end
      lines[#lines + 1] = ''
    end
  end
  if #lines == 0 then
    lines = { 'Nothing is remembered here yet. :Remember TEXT keeps something.' }
  end
  return lines, by_line
end

---@param memories selfmind.Memory[]
local function render(memories)
  if not list or not api.nvim_buf_is_loaded(list.bufnr) then
    return
  end
  local lines, by_line = M.lines(memories)
  local under = {} ---@type table<integer, integer> the memory's id, by window
  for _, win in ipairs(vim.fn.win_findbuf(list.bufnr)) do
    local memory = list.by_line[api.nvim_win_get_cursor(win)[1]]
    under[win] = memory and memory.id
  end
  list.by_line = by_line
  vim.bo[list.bufnr].modifiable = true
  api.nvim_buf_set_lines(list.bufnr, 0, -1, false, lines)
  vim.bo[list.bufnr].modifiable = false
  -- Another Neovim may have changed what stands above: a key must not meet another memory than the one it was aimed at.
  for win, id in pairs(under) do
    for line, memory in pairs(by_line) do
      if memory.id == id then
        api.nvim_win_set_cursor(win, { line, api.nvim_win_get_cursor(win)[2] })
      end
    end
  end
end

---Reads the list again, if it is open. Also called when the host says that it has changed.
function M.refresh()
  if list and api.nvim_buf_is_loaded(list.bufnr) then
    verbs.list(list.folder, render)
  end
end

---@return selfmind.Memory?
local function under_cursor()
  return list and list.by_line[api.nvim_win_get_cursor(0)[1]]
end

---@param bufnr integer
local function map(bufnr)
  local function key(lhs, description, run)
    vim.keymap.set('n', lhs, run, { buffer = bufnr, nowait = true, desc = 'selfmind: ' .. description })
  end
  key('<CR>', 'show the memory', function()
    local memory = under_cursor()
    if memory then
      verbs.show(memory)
    end
  end)
  key('dd', 'forget the memory', function()
    local memory = under_cursor()
    if memory then
      verbs.forget({ memory.id }, { done = M.refresh })
    end
  end)
  key('x', 'archive the memory', function()
    local memory = under_cursor()
    if memory then
      verbs.change_state({ memory.id }, 'archive', M.refresh)
    end
  end)
  key('H', 'show the memory\'s history', function()
    local memory = under_cursor()
    if memory then
      require('selfmind.memories.history').show(memory.id)
    end
  end)
  key('u', 'take back the last change', function()
    if list then
      require('selfmind.memories.history').undo(list.folder, M.refresh)
    end
  end)
  key('r', 'read the list again', M.refresh)
  key('q', 'close', function()
    require('selfmind.chat.window').close(api.nvim_get_current_win())
  end)
  key('g?', 'show the keys', function()
    require('selfmind.float').open('memories', KEYS)
  end)
end

---@param bufnr integer
---@param folder string
local function set_up(bufnr, folder)
  local options = vim.bo[bufnr]
  options.buftype = 'nofile'
  options.bufhidden = 'hide'
  options.swapfile = false
  options.undofile = false
  options.undolevels = -1
  options.modifiable = false
  options.filetype = 'selfmind-memories'
  options.syntax = 'markdown'
  map(bufnr)
  list = { bufnr = bufnr, folder = folder, by_line = {} }
end

---For BufReadCmd: `:e`, and a session that names the list.
---@param bufnr integer
function M.read(bufnr)
  set_up(bufnr, list and list.folder or vim.fn.getcwd())
  M.refresh()
end

---@param folder string
function M.open(folder)
  verbs.list(folder, function(memories)
    local window = require('selfmind.chat.window')
    local bufnr = vim.fn.bufadd(NAME)
    vim.cmd(('noautocmd call bufload(%d)'):format(bufnr)) -- what it shows is here already
    set_up(bufnr, folder)
    render(memories)
    local win = window.find(bufnr)
    if win then
      api.nvim_set_current_win(win)
    else
      win = api.nvim_open_win(bufnr, true, { split = 'below', win = -1, height = math.floor(vim.o.lines * 0.4) })
    end
    vim.wo[win][0].wrap = true
    vim.wo[win][0].linebreak = true
  end)
end

return M

-- What the commands do. plugin/selfmind.lua defines them and comes here when one is used.

local M = {}

local log = require('selfmind.log')

---Loaded when first needed.
---@return table
local function chat()
  return require('selfmind.chat')
end

---@return table
local function verbs()
  return require('selfmind.memories.verbs')
end

---@return table
local function history()
  return require('selfmind.memories.history')
end

---@param text string
---@return integer[] ids
---@return string? word that is none
local function parse_ids(text)
  local ids = {}
  -- Behind a "#" stands the text that completion has added for the reader.
  for word in text:gsub('#.*$', ''):gmatch('[^%s,]+') do
    if not word:match('^%d+$') then
      return ids, word
    end
    ids[#ids + 1] = tonumber(word)
  end
  return ids
end

---Forgets by ids; without any, or by words, through the picker.
---@param text string
---@param force boolean
---@param folder string
function M.forget_from(text, force, folder)
  local ids, word = parse_ids(text)
  if #ids > 0 and word then
    return log.warn(('%s is no id: give the ids of memories only'):format(word))
  end
  if #ids > 0 then
    return verbs().forget(ids, { force = force })
  end
  require('selfmind.pick.select').open(folder, { words = word and text or nil, action = 'forget' })
end

---@param opts table as a command gets it
function M.forget(opts)
  M.forget_from(opts.args, opts.bang, vim.fn.getcwd())
end

---@param opts table
---@return string
local function text_of(opts)
  if opts.range == 0 then
    return opts.args
  end
  local lines = table.concat(vim.api.nvim_buf_get_lines(0, opts.line1 - 1, opts.line2, false), '\n')
  return opts.args == '' and lines or opts.args .. '\n' .. lines
end

---@param opts table
function M.remember(opts)
  local text = text_of(opts)
  local without = text:match('^%-%-global%s+(.*)$')
  local remember = {
    folder = vim.fn.getcwd(),
    force = opts.bang or nil,
    global = without and true or nil,
  }
  if vim.trim(without or text) ~= '' then
    return verbs().remember(without or text, remember)
  end
  vim.ui.input({ prompt = 'Remember: ' }, function(typed)
    if typed and vim.trim(typed) ~= '' then
      verbs().remember(typed, remember)
    end
  end)
end

function M.memories()
  require('selfmind.memories.buffer').open(vim.fn.getcwd())
end

---What happens from now on goes into a file, for a bug report; without a file that ends.
---@param opts table
local function record(opts)
  local host = require('selfmind.host')
  if require('selfmind.chat.conversations').any_busy() then
    return log.warn('a reply is still being written: wait for it, or stop it first')
  end
  local name = vim.trim(opts.args)
  if name == '' then
    local path = host.recording()
    if not path then
      return log.warn('nothing is being recorded: give a file, as in :SelfMind record /tmp/record.jsonl')
    end
    host.record(nil)
    return log.info('recorded, read it before you send it: ' .. path)
  end
  local path = vim.fn.fnamemodify(vim.fs.normalize(name), ':p')
  if vim.fn.filewritable(vim.fs.dirname(path)) ~= 2 then
    return log.warn('there is no folder to write into: ' .. vim.fs.dirname(path))
  end
  host.record(path)
  log.info('from the next use on, what happens is recorded; :SelfMind record ends it')
end

---@param opts table
---@param verb "archive"|"unarchive"
local function state_of(opts, verb)
  local ids, word = parse_ids(opts.args)
  if #ids == 0 or word then
    return log.warn(('give ids of memories, as in :SelfMind %s 12'):format(verb))
  end
  verbs().change_state(ids, verb)
end

---@type table<string, fun(opts: table)>
local subcommands = {
  chat = function()
    chat().open()
  end,
  new = function()
    chat().open({ fresh = true })
  end,
  private = function()
    chat().open({ private = true })
  end,
  ask = function(opts)
    local excerpt = opts.range > 0 and require('selfmind.chat.excerpt').of(0, opts.line1, opts.line2) or nil
    chat().ask(vim.trim(opts.args), excerpt)
  end,
  chats = function(opts)
    require('selfmind.pick.chats').open(opts.args, vim.fn.getcwd())
  end,
  toggle = function()
    chat().toggle()
  end,
  stop = function()
    chat().stop()
  end,
  retry = function()
    chat().retry()
  end,
  memories = M.memories,
  pick = function(opts)
    require('selfmind.pick.select').open(vim.fn.getcwd(), { words = opts.args })
  end,
  remember = M.remember,
  forget = M.forget,
  delete = function(opts)
    require('selfmind.chat.delete').command(opts.args, vim.fn.getcwd())
  end,
  stats = function()
    verbs().stats(vim.fn.getcwd())
  end,
  recall = function(opts)
    verbs().recall(opts.args, vim.fn.getcwd())
  end,
  probe = function(opts)
    require('selfmind.memories.probes').command(opts.args, vim.fn.getcwd())
  end,
  history = function(opts)
    local ids, word = parse_ids(opts.args)
    if #ids ~= 1 or word then
      return log.warn('give the id of one memory, as in :SelfMind history 12')
    end
    history().show(ids[1])
  end,
  review = function()
    require('selfmind.memories.review').open(vim.fn.getcwd())
  end,
  archive = function(opts)
    state_of(opts, 'archive')
  end,
  unarchive = function(opts)
    state_of(opts, 'unarchive')
  end,
  undo = function()
    history().undo(vim.fn.getcwd())
  end,
  asof = function(opts)
    history().as_of(opts.args, vim.fn.getcwd())
  end,
  rollback = function(opts)
    history().rollback(opts.args, vim.fn.getcwd())
  end,
  day = function(opts)
    history().day(opts.args, vim.fn.getcwd())
  end,
  record = record,
  restart = function()
    require('selfmind.host').restart()
  end,
  log = function()
    local lines = log.lines()
    require('selfmind.float').open('log', #lines > 0 and lines or { 'nothing yet' })
  end,
}

---@return string[]
function M.names()
  local names = vim.tbl_keys(subcommands)
  table.sort(names)
  return names
end

---`:SelfMind`, alone the chat.
---@param opts table
function M.selfmind(opts)
  local name, rest = opts.args:match('^(%S+)%s*(.*)$')
  local run = subcommands[name or 'chat']
  if not run then
    return log.warn(('unknown subcommand %s: there are %s'):format(name, table.concat(M.names(), ', ')))
  end
  run(vim.tbl_extend('force', opts, { args = rest or '' }))
end

return M

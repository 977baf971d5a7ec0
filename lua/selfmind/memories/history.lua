-- What became of memories: a memory's history, what was known on a day, what was said on it, and taking changes back.

local M = {}

local float = require('selfmind.float')
local here = require('selfmind.localtime')
local host = require('selfmind.host')
local log = require('selfmind.log')
local validate = require('selfmind.validate')
local oneline = require('selfmind.memories.line')

local flat, fitting = oneline.flat, oneline.fitting

---@param change selfmind.Change
---@return string
local function done_by(change)
  return ('%s by %s'):format(change.verb, change.made_by)
end

---@param memories selfmind.Memory[]
---@return string[]
local function memory_lines(memories)
  return vim.tbl_map(function(memory)
    return ('%5d  %-10s  %s'):format(memory.id, memory.kind, flat(memory.text))
  end, memories)
end

---@param method string
---@param params table
---@param callback fun(result: table)
local function ask(method, params, callback)
  host.notify(method, params, function(err, result)
    if err then
      return log.failed(err)
    end
    callback(result)
  end)
end

---The versions of a memory, and the words that established it.
---@param id integer
function M.show(id)
  validate('id', id, 'number')
  ask('memory.history', { id = id }, function(result)
    local lines = {}
    for _, revision in ipairs(result.revisions) do
      local change = revision.change
      local line = '%3d  %s  %-16s  %-11s  %s'
      lines[#lines + 1] =
        line:format(revision.revision, here(change.at), done_by(change), revision.state, flat(revision.text))
    end
    local memory = result.memory
    if memory.reason then
      lines[#lines + 1] = '     because: ' .. flat(memory.reason)
    end
    if memory.valid_from then
      lines[#lines + 1] = '     holds from ' .. here(memory.valid_from):sub(1, 10)
    end
    if memory.valid_to then
      lines[#lines + 1] = '     holds until ' .. here(memory.valid_to):sub(1, 10)
    end
    for _, source in ipairs(result.sources) do
      local line = '     %s  said in chat %d: %s'
      lines[#lines + 1] = line:format(here(source.at), source.chat, flat(source.quote))
    end
    float.open('history of ' .. id, lines)
  end)
end

---Takes back the last change to the memories of the project and the global ones, whoever made it.
---@param folder string
---@param done? fun()
function M.undo(folder, done)
  validate('folder', folder, 'string')
  ask('memory.undo', { folder = folder }, function(result)
    local texts = vim.tbl_map(function(memory)
      return flat(memory.text)
    end, result.memories)
    log.info(fitting(('taken back, %s: %s'):format(done_by(result.change), table.concat(texts, '; '))))
    if done then
      done()
    end
  end)
end

---The host has archived what nobody needs any more.
---@param payload { archived: selfmind.Memory[], why: "ended"|"unused" }
function M.kept_up(payload)
  local one = #payload.archived == 1
  local what = payload.why == 'ended' and 'ended' or 'not been needed for half a year'
  local line = ('%d %s %s and %s archived; :SelfMind undo brings %s back'):format(
    #payload.archived,
    one and 'memory has' or 'memories have',
    what,
    one and 'is' or 'are',
    one and 'it' or 'them'
  )
  log.info(fitting(line))
end

---The list as it was known then.
---@param date string
---@param folder string
function M.as_of(date, folder)
  validate('date', date, 'string')
  if vim.trim(date) == '' then
    return log.warn('give a day, as in :SelfMind asof 2026-11-30')
  end
  ask('memory.asof', { folder = folder, date = vim.trim(date) }, function(result)
    if #result.memories == 0 then
      return log.info('nothing was known then')
    end
    float.open('memories as of ' .. vim.trim(date), memory_lines(result.memories))
  end)
end

---What was said on a day.
---@param date string empty: today
---@param folder string
function M.day(date, folder)
  validate('date', date, 'string')
  local day = vim.trim(date) == '' and os.date('%Y-%m-%d') --[[@as string]] or vim.trim(date)
  ask('log.day', { folder = folder, date = day }, function(result)
    if #result.turns == 0 then
      return log.info('nothing was said on ' .. day)
    end
    local lines = {}
    for _, turn in ipairs(result.turns) do
      local who = turn.role == 'user' and 'you' or 'Claude'
      lines[#lines + 1] = ('%s  chat %d  %s'):format(here(turn.created_at), turn.chat, who)
      vim.list_extend(lines, vim.split(turn.text, '\n'))
      lines[#lines + 1] = ''
    end
    float.open(day, lines)
  end)
end

---`chat` alone means the chat in this window.
---@param args string
---@param folder string
---@return table? params
local function what(args, folder)
  local since = args:match('^since%s+(%S+)%s*$')
  if since then
    return { folder = folder, since = since }
  end
  local id = args:match('^chat%s+(%d+)%s*$')
  if id then
    return { folder = folder, chat = tonumber(id) }
  end
  local shown = require('selfmind.chat.conversations').in_buffer(vim.api.nvim_get_current_buf())
  if args:match('^chat%s*$') and shown then
    return { folder = folder, chat = shown.id }
  end
end

---Takes back all that was learned in a chat or since a time, after showing it.
---@param args string "chat", "chat 12", "since 2026-11-30T14:00"
---@param folder string
function M.rollback(args, folder)
  validate('args', args, 'string')
  local params = what(args, folder)
  if not params then
    return log.warn('roll back what: chat ID, chat alone in its window, or since 2026-11-30T14:00')
  end
  local looking = vim.tbl_extend('error', params, { dry_run = true })
  ask('memory.rollback', looking, function(found)
    if #found.memories == 0 then
      return log.info('nothing was learned there that still stands')
    end
    local lines = vim.list_extend({ 'Take back what was learned?' }, memory_lines(found.memories))
    if #found.kept > 0 then
      lines[#lines + 1] = ('%d that you changed since stay'):format(#found.kept)
    end
    -- Asked outside the host's call, which would otherwise lie on the stack for as long as the user thinks.
    vim.schedule(function()
      if vim.fn.confirm(table.concat(lines, '\n'), '&Take back\n&Keep', 2) == 1 then
        ask('memory.rollback', params, function(result)
          log.info(('taken back: %d; nothing is learned from there again'):format(#result.memories))
        end)
      end
    end)
  end)
end

return M

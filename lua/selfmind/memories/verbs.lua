-- What can be done with memories, as the user meets it: one line of answer each. Commands, slash lines, the list and
-- the picker all come here.

local M = {}

local host = require('selfmind.host')
local log = require('selfmind.log')
local validate = require('selfmind.validate')
local oneline = require('selfmind.memories.line')

local flat, fitting = oneline.flat, oneline.fitting

---@param text string
---@param opts { folder: string, global?: boolean, force?: boolean, tell?: fun(line: string) }
function M.remember(text, opts)
  validate('text', text, 'string')
  validate('opts', opts, 'table')
  local tell = opts.tell
  if vim.trim(text) == '' then
    return (tell or log.warn)('nothing to remember: give a text, as in :Remember I prefer tabs')
  end
  local params = { folder = opts.folder, text = text, global = opts.global, force = opts.force }
  host.notify('memory.remember', params, function(err, result)
    if err then
      return tell and tell(err.message) or log.failed(err)
    end
    local line = result.state == 'duplicate' and 'already known as %d: %s' or 'remembered %d: %s'
    line = line:format(result.id, flat(result.text))
    if result.kept_out then
      require('selfmind.shada').cut({ text })
      line = ('kept out %s · %s'):format(result.kept_out, line)
    end
    if tell then
      return tell(line)
    end
    log.info(fitting(line))
  end)
end

---@param memories selfmind.Memory[]
local function cut_from_histories(memories)
  local texts, ids = {}, {}
  for i, memory in ipairs(memories) do
    texts[i], ids[i] = memory.text, memory.id
  end
  require('selfmind.shada').cut(texts, ids)
end

---@param result selfmind.Forgotten
local function say_what_remains(result)
  for _, sentence in ipairs(result.remaining or {}) do
    log.warn(sentence)
  end
end

---@param ids integer[]
---@param done? fun()
local function erase(ids, done)
  host.notify('memory.forget', { ids = ids }, function(err, result)
    if err then
      return log.failed(err)
    end
    local lines = {}
    for _, memory in ipairs(result.memories) do
      lines[#lines + 1] = ('forgot %d: %s'):format(memory.id, flat(memory.text))
    end
    cut_from_histories(result.memories)
    if #lines > 1 then
      lines = { ('forgot %d memories: %s'):format(#lines, table.concat(ids, ', ')) }
    end
    log.info(fitting(table.concat(lines, '\n')))
    say_what_remains(result)
    if done then
      done()
    end
  end)
end

---Erases for good. Unless `force`, shows the texts and asks first.
---@param ids integer[]
---@param opts? { force?: boolean, done?: fun() }
function M.forget(ids, opts)
  validate('ids', ids, 'table')
  opts = opts or {}
  if opts.force then
    return erase(ids, opts.done)
  end
  host.notify('memory.forget', { ids = ids, dry_run = true }, function(err, result)
    if err then
      return log.failed(err)
    end
    local lines = { 'Forget for good?' }
    for _, memory in ipairs(result.memories) do
      lines[#lines + 1] = ('%d  %s'):format(memory.id, flat(memory.text))
    end
    if (result.probes_gone or 0) > 0 then -- a host of the same protocol may be older than probes
      lines[#lines + 1] = ('and %d %s for nothing else'):format(
        result.probes_gone,
        result.probes_gone == 1 and 'probe that asks' or 'probes that ask'
      )
    end
    -- Asked outside the host's call, which would otherwise lie on the stack for as long as the user thinks.
    vim.schedule(function()
      if vim.fn.confirm(table.concat(lines, '\n'), '&Forget\n&Keep', 2) == 1 then
        erase(ids, opts.done)
      end
    end)
  end)
end

local DONE = { accept = 'accepted', archive = 'archived', unarchive = 'unarchived', replace = 'accepted in its place' }

---Changes that are taken back by undo.
---@param ids integer[]
---@param verb "accept"|"archive"|"unarchive"|"replace"
---@param done? fun()
---@param old? integer[] for "replace": which of what it contradicts; nil: all of it
function M.change_state(ids, verb, done, old)
  validate('ids', ids, 'table')
  validate('verb', verb, 'string')
  host.notify('memory.' .. verb, { ids = ids, old = old }, function(err, result)
    if err then
      return log.failed(err)
    end
    local texts = vim.tbl_map(function(memory)
      return ('%d: %s'):format(memory.id, flat(memory.text))
    end, result.memories)
    log.info(fitting(DONE[verb] .. ' ' .. table.concat(texts, '; ')))
    if done then
      done()
    end
  end)
end

---Fetches the list for a window that shows it.
---@param folder string
---@param callback fun(memories: selfmind.Memory[])
function M.list(folder, callback)
  host.notify('memory.list', { folder = folder }, function(err, result)
    if err then
      return log.failed(err)
    end
    callback(result.memories)
  end)
end

---@param memory selfmind.Memory
function M.show(memory)
  local lines = { memory.text, '' }
  for _, field in ipairs({ 'id', 'kind', 'scope', 'project', 'scene', 'track', 'state', 'created_at', 'uuid' }) do
    local value = memory[field]
    if value ~= nil and value ~= '' then
      lines[#lines + 1] = ('%-11s %s'):format(field, value)
    end
  end
  require('selfmind.float').open('memory ' .. memory.id, lines)
end

---@param hits selfmind.Hit[]
---@return string[]
function M.hit_lines(hits)
  local lines = {}
  for _, hit in ipairs(hits) do
    local said = hit.role == 'assistant' and 'Claude said' or 'you said'
    local kind = hit.source == 'memory' and (hit.kind or 'memory') or said
    local name = hit.source == 'memory' and tostring(hit.id) or ''
    local score = hit.score and ('%.2f'):format(hit.score) or ''
    lines[#lines + 1] = ('%5s  %5s  %-12s %s'):format(score, name, kind, flat(hit.excerpt or hit.text))
  end
  return lines
end

---@param query string
---@param folder string
function M.recall(query, folder)
  validate('query', query, 'string')
  if vim.trim(query) == '' then
    return log.warn('give what to look for, as in :SelfMind recall which indentation')
  end
  host.notify('memory.recall', { folder = folder, query = query }, function(err, result)
    if err then
      return log.failed(err)
    end
    if #result.hits == 0 then
      return log.info('nothing comes to mind')
    end
    local title, footer = 'recall: ' .. flat(query), 'p: this is what it should find'
    local bufnr = require('selfmind.float').open(title, M.hit_lines(result.hits), footer)
    vim.keymap.set('n', 'p', function()
      local hit = result.hits[vim.api.nvim_win_get_cursor(0)[1]]
      require('selfmind.memories.probes').add(query, { hit }, folder)
    end, { buffer = bufnr, nowait = true, desc = 'selfmind: make it a probe' })
  end)
end

---@param value any
---@param name string
---@param lines string[]
local function stat_lines(value, name, lines)
  if type(value) ~= 'table' then
    lines[#lines + 1] = ('%-28s %s'):format(name, tostring(value))
    return
  end
  local keys = vim.tbl_keys(value)
  table.sort(keys, function(a, b)
    return tostring(a) < tostring(b)
  end)
  for _, key in ipairs(keys) do
    stat_lines(value[key], name == '' and tostring(key) or name .. '.' .. tostring(key), lines)
  end
end

---@param folder string
function M.stats(folder)
  host.notify('stats', { folder = folder }, function(err, result)
    if err then
      return log.failed(err)
    end
    local lines = {}
    stat_lines(result, '', lines)
    require('selfmind.float').open('statistics', lines)
  end)
end

return M

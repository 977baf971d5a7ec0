-- The user's own probes, as the user meets them: questions, and whether recall finds what it should.

local M = {}

local host = require('selfmind.host')
local log = require('selfmind.log')
local validate = require('selfmind.validate')
local oneline = require('selfmind.memories.line')

local flat = oneline.flat

---@class selfmind.ExpectedId
---@field source "memory"|"turn"
---@field id integer

---@param word string
---@return selfmind.ExpectedId?
local function id_of(word)
  local turn, id = word:match('^(turn:)(%d+)$')
  id = id or word:match('^%d+$')
  return id and { source = turn and 'turn' or 'memory', id = tonumber(id) }
end

---Pure: takes the ids in front off, "12", "12,15" or "turn:34".
---@param text string
---@return selfmind.ExpectedId[] expect
---@return string query
function M.parse(text)
  local expect = {}
  local rest = vim.trim(text)
  while true do
    local word, behind = rest:match('^([^%s,]+)[%s,]*(.*)$')
    local id = word and id_of(word)
    if not id then
      return expect, rest
    end
    expect[#expect + 1] = id
    rest = behind
  end
end

---@param query string
---@param expect selfmind.ExpectedId[] empty: nothing should be found
---@param folder string
function M.add(query, expect, folder)
  validate('query', query, 'string')
  validate('expect', expect, 'table')
  validate('folder', folder, 'string')
  local params = { folder = folder, query = query }
  for _, one in ipairs(expect) do
    local field = one.source == 'turn' and 'turns' or 'memories'
    params[field] = params[field] or {}
    table.insert(params[field], one.id)
  end
  host.notify('probe.add', params, function(err, probe)
    if err then
      return log.failed(err)
    end
    local ids = vim.tbl_map(function(one)
      return (one.source == 'turn' and 'turn ' or '') .. one.id
    end, probe.expect)
    local what = #ids > 0 and table.concat(ids, ', ') or 'nothing'
    log.info(oneline.fitting(('probe %d should find %s: %s'):format(probe.id, what, flat(probe.query))))
  end)
end

---@param text string
---@param folder string
local function add(text, folder)
  local nothing = text:match('^%-%-nothing%s+(.*)$')
  local expect, query = M.parse(text)
  if nothing then
    expect, query = {}, nothing
  end
  if query == '' or query == '--nothing' then
    return log.warn('give what it should find and the question, as in :SelfMind probe add 12 which port has staging')
  end
  if nothing or #expect > 0 then
    return M.add(query, expect, folder)
  end
  require('selfmind.pick.select').open(folder, {
    prompt = ('What should "%s" find?'):format(flat(query)),
    chosen = function(memory)
      M.add(query, { { source = 'memory', id = memory.id } }, folder)
    end,
  })
end

---@param expected selfmind.Expected
---@return string
local function place(expected)
  if expected.state and expected.state ~= 'active' then
    return expected.state
  end
  return expected.place and tostring(expected.place) or 'missed'
end

---@param probe selfmind.Probe
---@return string
local function places(probe)
  if #probe.expect == 0 then
    return probe.first and 'something' or 'nothing'
  end
  return table.concat(vim.tbl_map(place, probe.expect), ', ')
end

---@param label string
---@param item selfmind.Expected|selfmind.Hit
---@return string
local function detail(label, item)
  local name = item.source == 'memory' and tostring(item.id) or 'said'
  return ('       %-11s  %5s  %s'):format(label, name, flat(item.text))
end

---@param probe selfmind.Probe
---@param lines string[]
local function probe_lines(probe, lines)
  lines[#lines + 1] = ('%5d  %-11s  %s'):format(probe.id, places(probe), flat(probe.query))
  local missed = #probe.expect == 0
  for _, expected in ipairs(probe.expect) do
    if not expected.place then
      local label = place(expected)
      missed = missed or label == 'missed'
      lines[#lines + 1] = detail(label == 'missed' and 'expected' or label, expected)
    end
  end
  if missed and probe.first then
    lines[#lines + 1] = detail('came first', probe.first)
  end
end

---@param share number
---@return string
local function percent(share)
  return ('%.0f %%'):format(share * 100)
end

---Pure: what the float shows.
---@param report selfmind.ProbeReport
---@return string[]
function M.lines(report)
  local lines = {}
  for _, probe in ipairs(report.probes) do
    probe_lines(probe, lines)
  end
  lines[#lines + 1] = ''
  local figures = {}
  for _, k in ipairs({ '3', '6', '10' }) do
    if report.recall[k] then
      figures[#figures + 1] = ('%s in the first %s'):format(percent(report.recall[k]), k)
    end
  end
  if report.mrr then
    figures[#figures + 1] = ('MRR %.2f'):format(report.mrr)
  end
  lines[#lines + 1] = table.concat(vim.list_extend({ report.n .. ' asked' }, figures), ' · ')
  if report.none then
    lines[#lines + 1] = ('of those that should find nothing, %s found nothing'):format(percent(report.none))
  end
  local left_out = #report.probes - report.n
  if left_out > 0 then
    lines[#lines + 1] = ('%d not asked: what they should find is not recalled any more'):format(left_out)
  end
  return lines
end

---Asks all of the folder's project, and shows how it went.
---@param folder string
function M.run(folder)
  validate('folder', folder, 'string')
  host.notify('probe.run', { folder = folder }, function(err, report)
    if err then
      return log.failed(err)
    end
    if #report.probes == 0 then
      return log.info('there are no probes here: :SelfMind probe add {question} makes one')
    end
    require('selfmind.float').open('probes', M.lines(report))
  end)
end

---@param text string
local function remove(text)
  local id = tonumber(text:match('^%d+$'))
  if not id then
    return log.warn('give the number of a probe, as :SelfMind probe shows it')
  end
  host.notify('probe.remove', { id = id }, function(err)
    if err then
      return log.failed(err)
    end
    log.info(('probe %d is gone'):format(id))
  end)
end

---@type table<string, fun(text: string, folder: string)>
local subcommands = {
  add = add,
  run = function(_, folder)
    M.run(folder)
  end,
  remove = remove,
}

---@return string[]
function M.names()
  local names = vim.tbl_keys(subcommands)
  table.sort(names)
  return names
end

---`:SelfMind probe`, alone the same as `run`.
---@param text string
---@param folder string
function M.command(text, folder)
  validate('text', text, 'string')
  validate('folder', folder, 'string')
  local name, rest = text:match('^(%S+)%s*(.*)$')
  local run = subcommands[name or 'run']
  if not run then
    return log.warn(('unknown: probe %s; there are %s'):format(name, table.concat(M.names(), ', ')))
  end
  run(vim.trim(rest or ''), folder)
end

return M

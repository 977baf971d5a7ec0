-- What a streamed reply costs the editor: `nvim -l tests/bench/stream.lua`; needs /proc. A Neovim with a screen,
-- attached from outside, gets 5,000 events at 500 a second, in an empty chat and in one of 20,000 lines; beside it, in
-- the same run, the plain way: each piece is written as it comes, into a buffer that tree-sitter highlights.
-- $SELFMIND_BIN has the host and the test server, $SELFMIND_NVIM is the Neovim that is measured.

local here = vim.fs.dirname(vim.uv.fs_realpath(debug.getinfo(1, 'S').source:sub(2)))
local root = vim.fs.dirname(vim.fs.dirname(here))
package.path = root .. '/tests/e2e/?.lua;' .. package.path
vim.env.SELFMIND_BIN = vim.env.SELFMIND_BIN or (root .. '/build/bench/bin')
vim.env.SELFMIND_NVIM = vim.env.SELFMIND_NVIM or vim.v.progpath
vim.g.selfmind_root = root

local World = require('support.world')
local uv = vim.uv

local EVENTS = assert(tonumber(vim.env.BENCH_EVENTS or 5000), 'BENCH_EVENTS must be a number')
local EVENT_MS = 2
local KEY_EVENTS = 1500 -- of the replies in which keys are typed: runs of their own, as a key makes Neovim draw
local KEY_MS = 100
local LONG = 20000 -- lines
local WORDS_PER_EVENT = 3 -- as the server cuts a text
local FIRST = 'Once'
local COLUMNS, ROWS = 160, 48
local IDLE_MS = 2000
local STARTS, OPENINGS = 20, 5
local SETTLED_MS = 300 -- after the start of Neovim
local LIMIT_MS = 120000

---@return number
local function now()
  return uv.hrtime() / 1e6
end

---@param ms number
local function rest(ms)
  vim.wait(ms, function()
    return false
  end, ms)
end

---@param list number[]
---@param share number
---@return number
local function at(list, share)
  local sorted = vim.deepcopy(list)
  table.sort(sorted)
  return sorted[math.max(1, math.ceil(share * #sorted))] or 0
end

---@param pid integer
---@return number ms of the processor, of all its threads
local function cpu(pid)
  local ns = 0
  for thread in vim.fs.dir(('/proc/%d/task'):format(pid)) do
    local file = assert(io.open(('/proc/%d/task/%s/schedstat'):format(pid, thread)))
    ns = ns + assert(file:read('*n'))
    file:close()
  end
  return ns / 1e6
end

-- Markdown -------------------------------------------------------------------------------------------------------

local random -- from 0 to 1, the same in each run
local function seed()
  local state = 7
  random = function()
    state = (state * 16807) % 2147483647
    return state / 2147483647
  end
end

local WORDS = vim.split('buffer window stream reply cursor memory index token event line editor value state', ' ')

---@param count integer
---@return string
local function words(count)
  local list = {}
  for i = 1, count do
    local word = WORDS[1 + math.floor(random() * #WORDS)]
    local form = random()
    list[i] = form < 0.04 and ('`%s()`'):format(word) or form < 0.07 and ('**%s**'):format(word) or word
  end
  return table.concat(list, ' ')
end

---@return string a heading, paragraphs, a list and some code
local function section()
  local parts = { '### ' .. words(4), '', words(40) .. '.', '' }
  for _ = 1, 3 do
    parts[#parts + 1] = words(12)
  end
  vim.list_extend(parts, { '', '- ' .. words(7), '- ' .. words(9), '- ' .. words(6), '', '```lua' })
  for i = 1, 8 do
    parts[#parts + 1] = ('local value_%d = list[%d] + #list.items -- %s'):format(i, i, words(3))
  end
  vim.list_extend(parts, { '```', '', '' })
  return table.concat(parts, '\n')
end

---@param events integer
---@return string that the server cuts into so many events
local function reply_of(events)
  seed()
  local parts, blanks = { FIRST .. ' ' }, 1
  while blanks < events * WORDS_PER_EVENT do
    parts[#parts + 1] = section()
    blanks = blanks + select(2, parts[#parts]:gsub(' ', ''))
  end
  local text, wanted, last = table.concat(parts), events * WORDS_PER_EVENT - 1, 0
  for _ = 1, wanted do
    last = text:find(' ', last + 1, true)
  end
  return text:sub(1, last - 1)
end

---@return string[]
local function long_text()
  seed()
  local lines = {}
  while #lines < LONG do
    vim.list_extend(lines, vim.split(section(), '\n'))
  end
  return vim.list_slice(lines, 1, LONG)
end

-- One reply ------------------------------------------------------------------------------------------------------

---@class bench.Figures
---@field frozen number
---@field sending number
---@field ending number
---@field gap number
---@field cpu number
---@field key? number[]

---@param times number[] of the timer, in the editor
---@param from number
---@param to number
---@return number[] gaps that end after `from` and begin before `to`
local function gaps(times, from, to)
  local list = {}
  for i = 2, #times do
    if times[i] >= from and times[i - 1] <= to then
      list[#list + 1] = times[i] - times[i - 1]
    end
  end
  return list
end

---@param editor e2e.Neovim
---@return number[] grows by the time of each redraw that has changed the screen
local function redraws(editor)
  local times, drawn = {}, false
  local line = editor.draw_grid_line
  editor.draw_grid_line = function(self, ...)
    drawn = true
    line(self, ...)
  end
  editor.draw_flush = function()
    if drawn then
      times[#times + 1] = now()
    end
    drawn = false
  end
  return times
end

---@param times number[] of redraws
---@param from number
---@param to number
---@return number the longest time without one
local function longest(times, from, to)
  local most, last = 0, from
  for _, time in ipairs(times) do
    if time > from then
      most = math.max(most, time - last)
      last = time
      if time > to then
        return most
      end
    end
  end
  return math.max(most, to - last)
end

---@param inside { ticks: number[], changes: number[], keys: number[], ended: number }
---@param sent number when <CR> was typed
---@param times number[] of redraws
---@return bench.Figures
local function figures(inside, sent, times)
  local first, last = inside.changes[1], inside.changes[1]
  for _, change in ipairs(inside.changes) do
    last = change <= inside.ended and change or last
  end
  return {
    frozen = longest(times, first, last),
    sending = at(gaps(inside.ticks, sent, sent + 300), 1),
    ending = at(gaps(inside.ticks, last, math.huge), 1),
    gap = at(gaps(inside.ticks, first, last), 0.99),
  }
end

---@param world table
---@param editor e2e.Neovim
---@param bufnr integer
---@param typed string keys that lead to the reply but for the last
---@param with_keys boolean
---@return bench.Figures
local function measure(world, editor, bufnr, typed, with_keys)
  local result = world.root .. '/result.json'
  uv.fs_unlink(result)
  world.server:next({
    match = { kind = 'chat' },
    text = reply_of(with_keys and KEY_EVENTS or EVENTS),
    chunk_ms = EVENT_MS,
  })
  editor:lua('bench.watch(...)', { bufnr = bufnr, first = FIRST, result = result })
  editor:type(typed)
  rest(IDLE_MS)
  local idle = cpu(editor.pid)
  rest(IDLE_MS)
  idle = (cpu(editor.pid) - idle) / IDLE_MS -- what the measuring itself takes
  editor:lua('bench.reset()')
  local times = redraws(editor)
  local begun, sent = cpu(editor.pid), now()
  editor:send('nvim_input', '<CR>')
  local typed_at = {}
  local limit = sent + LIMIT_MS
  while not uv.fs_stat(result) do
    if with_keys then
      typed_at[#typed_at + 1] = now()
      editor:send('nvim_input', '<F12>')
    end
    rest(KEY_MS)
    assert(now() < limit, 'the reply does not end; the screen:\n' .. editor:screen())
  end
  local used, took = cpu(editor.pid) - begun, now() - sent
  local inside = vim.json.decode(table.concat(vim.fn.readfile(result)))
  local found = figures(inside, sent, times)
  found.cpu = (used - idle * took) / 1000
  found.key = {}
  for i, time in ipairs(inside.keys) do
    found.key[i] = time - typed_at[i]
  end
  return found
end

---@param world table
---@return e2e.Neovim
local function start(world)
  local editor = world:editor({ columns = COLUMNS, lines = ROWS, settings = '{ learning = "off" }' })
  editor:lua('_G.bench = dofile(...)', here .. '/stream_inside.lua')
  return editor
end

---@param world table
---@param editor e2e.Neovim
---@param lines string[] of a reply, which comes as fast as it can
local function fill(world, editor, lines)
  world.server:next({ match = { kind = 'chat' }, text = table.concat(lines, '\n'), chunk_bytes = 65536 })
  world:say(editor, 'Tell me a longer story.')
  editor:wait('the long reply', function()
    return not world:busy(editor) and editor:lua('return vim.fn.line("$")') > #lines
  end)
end

---@param lines string[] that the chat has already
---@param with_keys boolean
---@return bench.Figures
local function ours(lines, with_keys)
  local world = World.new()
  local editor = start(world)
  world:chat(editor)
  if #lines > 0 then
    fill(world, editor, lines)
  end
  local bufnr = editor:lua('return vim.api.nvim_get_current_buf()')
  local found = measure(world, editor, bufnr, '<C-\\><C-n>GATell me a long story.<C-\\><C-n>', with_keys)
  world:close()
  return found
end

---@param lines string[]
---@param with_keys boolean
---@return bench.Figures
local function plain(lines, with_keys)
  local world = World.new()
  local editor = start(world)
  local bufnr = editor:lua('return bench.open_plain(...)', tonumber(world.server.port), #lines > 0 and lines or { '' })
  local found = measure(world, editor, bufnr, '<C-\\><C-n>', with_keys)
  world:close()
  return found
end

-- Starting and opening -------------------------------------------------------------------------------------------

---@return number ms
local function startup()
  local code = ("lua local t = vim.uv.hrtime() vim.cmd.source(%q) io.stderr:write((vim.uv.hrtime() - t) / 1e6)"):format(
    root .. '/plugin/selfmind.lua')
  local taken = {}
  for i = 1, STARTS do
    local done = vim.system({
      vim.env.SELFMIND_NVIM, '--clean', '--headless', '--cmd', code, '+qa',
    }, { text = true }):wait()
    taken[i] = assert(tonumber(done.stderr:match('[%d.e-]+')), done.stderr)
  end
  return at(taken, 0.5)
end

---@param lines string[] that the chat has
---@return number ms from the command to the prompt on the screen, in a new Neovim
local function opening(lines)
  local taken = {}
  local world = World.new()
  local first = start(world)
  world:chat(first)
  if #lines > 0 then
    fill(world, first, lines)
  end
  first:quit()
  for i = 1, OPENINGS do
    local editor = start(world)
    rest(SETTLED_MS)
    local began = now()
    editor:send('nvim_input', ':SelfMind chat<CR>')
    assert(vim.wait(LIMIT_MS, function()
      return editor:screen():find('<CR> sends', 1, true) ~= nil
    end, 1))
    taken[i] = now() - began
    editor:quit()
  end
  world:close()
  return at(taken, 0.5)
end

-- The table ------------------------------------------------------------------------------------------------------

local function row(...)
  print(('%-42s %10s %10s %10s %10s   %s'):format(...))
end

---@param value number
---@return string
local function ms(value)
  return ('%.1f'):format(value)
end

local version = vim.system({ vim.env.SELFMIND_NVIM, '--version' }, { text = true }):wait().stdout:match('[^\n]*')
print(('%s, %d events, %d a second, screen %d x %d, load %.1f'):format(
  version, EVENTS, 1000 / EVENT_MS, COLUMNS, ROWS, uv.loadavg()))

local long = long_text()
local runs = {}
for _, way in ipairs({ ours, plain }) do
  for _, lines in ipairs({ {}, long }) do
    runs[#runs + 1] = way(lines, false)
    runs[#runs].key = way(lines, true).key
  end
end

---@param name string
---@param goal string
---@param value fun(run: bench.Figures): string
local function figure(name, goal, value)
  local cells = vim.tbl_map(value, runs)
  row(name, cells[1], cells[2], cells[3], cells[4], goal)
end

row('', 'selfmind', 'selfmind', 'plain', 'plain', 'goal')
row('lines in the chat before', 0, LONG, 0, LONG, '')
figure('longest time without a redraw, ms', '100', function(run)
  return ms(run.frozen)
end)
figure('stall at sending, ms', '50', function(run)
  return ms(run.sending)
end)
figure('stall at the end, ms', '50', function(run)
  return ms(run.ending)
end)
figure('timer gap p99, ms', '10', function(run)
  return ms(run.gap)
end)
figure('processor time of Neovim, s', '2', function(run)
  return ('%.2f'):format(run.cpu)
end)
row('  of the long chat beside the empty one', '', ('%.2f'):format(runs[2].cpu / runs[1].cpu), '',
  ('%.2f'):format(runs[4].cpu / runs[3].cpu), '1.30')
figure('a key is answered after, p50, ms', '', function(run)
  return ms(at(run.key, 0.5))
end)
figure('  at most, ms', '20', function(run)
  return ms(at(run.key, 1))
end)
print('')
print(('%-42s %10s %43s'):format('plugin/ sourced at the start, ms', ('%.2f'):format(startup()), '1'))
print(('%-42s %10s %44s'):format('first chat window, ms', ms(opening({})), '50'))
print(('%-42s %10s'):format(('  of a chat of %d lines, ms'):format(LONG), ms(opening(long))))

-- What the host keeps of SOAK_TURNS turns (2000), once spread over four chats and once in a single one:
-- `nvim -l tests/soak/memory.lua [four|one]`; needs /proc. Exits with 1 when a late turn costs more memory or more time
-- than an early one, or descriptors or threads become more. SOAK_HOST is a folder with another build of the host;
-- one with a sanitizer needs memory of its own, so give it fewer turns: below 1,000 no bytes and times are compared.

local here = vim.fs.dirname(vim.uv.fs_realpath(debug.getinfo(1, 'S').source:sub(2)))
local root = vim.fs.dirname(vim.fs.dirname(here))
package.path = root .. '/tests/e2e/?.lua;' .. package.path
vim.env.SELFMIND_BIN = vim.env.SELFMIND_BIN or (root .. '/build/dev/bin')

local Host = require('support.host')
local World = require('support.world')
local uv = vim.uv

local TURNS = assert(tonumber(vim.env.SOAK_TURNS or 2000), 'SOAK_TURNS must be a number')
local COMPARED = 1000 -- so many turns at least: SQLite's page cache has to be full in the first quarter
local SAMPLES = 8 -- of which the quarters are compared
local LOOKS, LOOK_MS = 10, 20
local LIMIT_MS = 30000 -- for one condition, on a busy machine
local MESSAGE_WORDS, REPLY_WORDS = 40, 250
local FACT_EVERY = 5
local GROWTH = 1.5 -- a late turn may cost so many times an early one
-- A heap takes memory in steps of 128 KiB (M_TOP_PAD), each of the three threads in its own, and the index's lists
-- double: half a megabyte may fall on either side of a sample.
local STEPS_KB = 512
-- A turn is kept as its message and its words, 1.9 KB were measured; three times that is something else as well.
local TURN_BYTES = 6 * 1024
-- The chat's connection, learning's, and that of the question about the model; curl closes them when it likes.
local CONNECTIONS = 3
local TICKS = 100 -- a second, in /proc (USER_HZ)
local SLOWER_MS = 2 -- of the processor for a turn: what its caches lose to the machine's other work
math.randomseed(tonumber(vim.env.SOAK_SEED or 1))

-- Words as people use them: the nth most frequent one an nth as often as the first, and always some new ones.
local SYLLABLES = { 'ba', 'de', 'fi', 'go', 'ku', 'la', 'me', 'ni', 'po', 'ru', 'sta', 'tre', 'vin', 'lor', 'ke', 'zu' }
local VOCABULARY = 20000

---@param number integer
---@return string
local function word(number)
  local text = ''
  repeat
    text = text .. SYLLABLES[number % #SYLLABLES + 1]
    number = math.floor(number / #SYLLABLES)
  until number == 0
  return text
end

---@param count integer
---@return string
local function prose(count)
  local words = {}
  for i = 1, count do
    words[i] = word(math.floor(VOCABULARY ^ math.random()))
  end
  return table.concat(words, ' ') .. '.'
end

---@param number integer of the turn
---@return string message
---@return boolean tells whether something is learned from it
local function message_of(number)
  if number % FACT_EVERY ~= 0 then
    return prose(MESSAGE_WORDS), false
  end
  return ('My Z%sx server listens on port %d. %s'):format(word(number), 20000 + number, prose(MESSAGE_WORDS - 7)), true
end

---@param path string
---@return string
local function read(path)
  local file = assert(io.open(path))
  local text = file:read('*a')
  file:close()
  return text
end

---@param pid integer
---@return integer files
---@return integer sockets
local function descriptors(pid)
  local files, sockets = 0, 0
  for name in vim.fs.dir(('/proc/%d/fd'):format(pid)) do
    local what = uv.fs_readlink(('/proc/%d/fd/%s'):format(pid, name))
    if what and vim.startswith(what, 'socket:') then
      sockets = sockets + 1
    elseif what then
      files = files + 1
    end
  end
  return files, sockets
end

---@param pid integer
---@return integer
local function threads(pid)
  return assert(tonumber(read(('/proc/%d/status'):format(pid)):match('Threads:%s*(%d+)')))
end

---Of the processor, so that other work on the machine does not count.
---@param pid integer
---@return number
local function cpu_ms(pid)
  local fields = vim.split(read(('/proc/%d/stat'):format(pid)):match('%) (.*)'), ' ')
  return (tonumber(fields[12]) + tonumber(fields[13])) * 1000 / TICKS
end

---@class soak.Look
---@field turn integer
---@field private_kb integer written by the process and by nobody else: heap, stacks and the like
---@field rss_kb integer
---@field files integer
---@field sockets integer
---@field threads integer

---The least of several looks: a host that rests still looks at its store now and then.
---@param pid integer
---@param turn integer
---@return soak.Look
local function look(pid, turn)
  local least = { turn = turn }
  for _ = 1, LOOKS do
    local rollup = read(('/proc/%d/smaps_rollup'):format(pid))
    local now = {
      private_kb = tonumber(rollup:match('Private_Dirty:%s*(%d+)')),
      rss_kb = tonumber(rollup:match('Rss:%s*(%d+)')),
      threads = threads(pid),
    }
    now.files, now.sockets = descriptors(pid)
    for name, value in pairs(now) do
      least[name] = math.min(least[name] or value, value)
    end
    vim.wait(LOOK_MS)
  end
  return least
end

---@param values number[]
---@param share number
---@return number
local function at(values, share)
  local sorted = vim.list_extend({}, values)
  table.sort(sorted)
  return sorted[math.max(1, math.ceil(share * #sorted))]
end

---@param host e2e.Host
---@param what string
---@param holds fun(): any
local function await(host, what, holds)
  local limit = uv.hrtime() + LIMIT_MS * 1e6
  while not vim.wait(1000, holds, 1) do
    local last = vim.inspect(host.events[#host.events])
    assert(not host.exited and uv.hrtime() < limit, 'waited in vain for ' .. what .. '; the last event: ' .. last)
  end
end

---@param host e2e.Host
---@param chat integer
---@param text string
---@param tells boolean
---@return number asked_ms until the request goes out
---@return number first_ms until the first text
local function take_turn(host, chat, text, tells)
  host.events = {}
  local start, seen, asked, first, done, learned = uv.hrtime(), 0, nil, nil, nil, not tells
  host:call('turn.start', { chat = chat, text = text })
  await(host, 'a turn', function()
    while seen < #host.events do
      seen = seen + 1
      local event = host.events[seen]
      if event.name == 'turn/recalled' then
        asked = uv.hrtime()
      elseif event.name == 'turn/text' then
        first = first or uv.hrtime()
      elseif event.name == 'turn/done' then
        done = event.payload
      elseif event.name == 'learn/done' then
        learned = true
      end
      assert(event.name ~= 'learn/failed', vim.inspect(event.payload))
    end
    return done and learned
  end)
  assert(done.state == 'done', vim.inspect(done))
  host.responses = {}
  return (asked - start) / 1e6, (first - start) / 1e6
end

local wrong = {} ---@type string[]
local function check(ok, ...)
  if not ok then
    wrong[#wrong + 1] = string.format(...)
  end
end

---@param looks soak.Look[]
---@param from integer
---@param to integer
---@return number bytes
local function bytes_per_turn(looks, from, to)
  return (looks[to].private_kb - looks[from].private_kb) * 1024 / (looks[to].turn - looks[from].turn)
end

---@param chats integer
local function run(chats)
  local world = World.new({ server = { log = '/dev/null' } })
  local env = vim.tbl_extend('force', world.env, {
    ASAN_OPTIONS = vim.env.ASAN_OPTIONS,
    TSAN_OPTIONS = vim.env.TSAN_OPTIONS,
  })
  local bin = vim.env.SELFMIND_BIN
  vim.env.SELFMIND_BIN = vim.env.SOAK_HOST or bin
  local folder = world:project('project')
  local host = Host.start({ env = env, cwd = folder, settings = { recall_deadline = 10000 } })
  vim.env.SELFMIND_BIN = bin
  local pid = host.process:get_pid()
  local idle_sockets = look(pid, 0).sockets -- to whoever started it
  local ids = {}
  for i = 1, chats do
    ids[i] = host:call('chat.open', { folder = folder, fresh = true }).chat
  end

  print(('\n%d turns in %d chat%s'):format(TURNS, chats, chats == 1 and '' or 's'))
  local format = '%6s %10s %8s %5s %7s %7s %7s %7s %14s %14s %8s'
  -- The last times are the fastest tenth and the middle. Until it asks the host alone is at work, then the server too.
  print(
    format:format(
      'turn',
      'private KB',
      'RSS KB',
      'files',
      'sockets',
      'threads',
      'turns/s',
      'cpu ms',
      'asks after ms',
      'text after ms',
      'store KB'
    )
  )
  local looks, asked_ms, first_ms, turn_ms = {}, {}, {}, {}
  -- A sample comes when the newest turn was one to learn from, and what came before it is learned too.
  local step = math.ceil(TURNS / SAMPLES / FACT_EVERY) * FACT_EVERY
  local start, cpu = uv.hrtime(), cpu_ms(pid)
  for turn = 1, step * SAMPLES do
    if (turn - 1) % step == 0 then
      local script = {}
      for i = 1, step do
        script[i] = { match = { kind = 'chat' }, text = prose(REPLY_WORDS) }
      end
      world.server:next(unpack(script))
    end
    asked_ms[#asked_ms + 1], first_ms[#first_ms + 1] = take_turn(host, ids[turn % chats + 1], message_of(turn))
    if turn % step == 0 then
      local seconds = (uv.hrtime() - start) / 1e9
      local now = look(pid, turn)
      looks[#looks + 1] = now
      turn_ms[#turn_ms + 1] = (cpu_ms(pid) - cpu) / step
      local store = uv.fs_stat(world.env.XDG_DATA_HOME .. '/selfmind/memory.db').size
      print(
        format:format(
          turn,
          now.private_kb,
          now.rss_kb,
          now.files,
          now.sockets,
          now.threads,
          ('%.1f'):format(step / seconds),
          ('%.1f'):format(turn_ms[#turn_ms]),
          ('%.1f / %.1f'):format(at(asked_ms, 0.1), at(asked_ms, 0.5)),
          ('%.1f / %.1f'):format(at(first_ms, 0.1), at(first_ms, 0.5)),
          math.floor(store / 1024)
        )
      )
      asked_ms, first_ms, start, cpu = {}, {}, uv.hrtime(), cpu_ms(pid)
    end
  end
  local opened = uv.hrtime()
  local shown = #host:call('chat.open', { folder = folder, chat = ids[1] }).turns
  print(('chat.open: %d rows in %.0f ms'):format(shown, (uv.hrtime() - opened) / 1e6))
  host:stop()
  check(host.exited == 0, 'the host ended with %s', host.exited)
  world:close()

  local quarter, half = SAMPLES / 4, SAMPLES / 2
  local early, late = bytes_per_turn(looks, quarter, half), bytes_per_turn(looks, SAMPLES - quarter, SAMPLES)
  local slack = STEPS_KB * 1024 / (quarter * step)
  local range = 'bytes a turn, %d to %d: %.0f'
  print(range:format(looks[quarter].turn, looks[half].turn, early))
  print(range:format(looks[SAMPLES - quarter].turn, looks[SAMPLES].turn, late))
  print(range:format(looks[quarter].turn, looks[SAMPLES].turn, bytes_per_turn(looks, quarter, SAMPLES)))
  for i = quarter + 1, SAMPLES do
    local before, now = looks[quarter], looks[i]
    check(now.files <= before.files, 'turn %d: %d files, %d before', now.turn, now.files, before.files)
    check(now.sockets <= idle_sockets + CONNECTIONS, 'turn %d: %d sockets', now.turn, now.sockets)
    check(now.threads <= before.threads, 'turn %d: %d threads, %d before', now.turn, now.threads, before.threads)
  end
  if TURNS < COMPARED then
    return
  end
  check(late <= GROWTH * math.max(early, 0) + slack, 'a late turn costs %.0f bytes, an early one %.0f', late, early)
  check(late <= TURN_BYTES + slack, 'a turn costs %.0f bytes', late)
  check(
    turn_ms[SAMPLES] <= GROWTH * turn_ms[quarter] + SLOWER_MS,
    'a late turn takes %.1f ms of the processor, an early one %.1f',
    turn_ms[SAMPLES],
    turn_ms[quarter]
  )
end

if not uv.fs_stat('/proc/self/smaps_rollup') then
  print('This system has no /proc; the memory of the host was not measured.')
  os.exit(0)
end
local only = _G.arg and _G.arg[1]
assert(only == nil or only == 'four' or only == 'one', 'four, one, or nothing for both')
for name, chats in vim.spairs({ four = 4, one = 1 }) do
  if only == nil or only == name then
    run(chats)
  end
end
print(('\nwrong: %d'):format(#wrong))
for _, line in ipairs(wrong) do
  print('  ' .. line)
end
os.exit(#wrong == 0 and 0 or 1)

-- Kills a host or its Neovim at random moments of a turn, SOAK_KILLS times (200), and looks at the store after each:
-- `nvim -l tests/soak/kill.lua`; needs the sqlite3 program. Exits with 1 when an acknowledged message was lost, more
-- than the last second of a reply, when something was learned twice, or the file is not whole.

local here = vim.fs.dirname(vim.uv.fs_realpath(debug.getinfo(1, 'S').source:sub(2)))
local root = vim.fs.dirname(vim.fs.dirname(here))
package.path = root .. '/tests/e2e/?.lua;' .. package.path
vim.env.SELFMIND_BIN = vim.env.SELFMIND_BIN or (root .. '/build/dev/bin')
vim.env.SELFMIND_NVIM = vim.env.SELFMIND_NVIM or vim.v.progpath
vim.g.selfmind_root = root

local World = require('support.world')
local uv = vim.uv

local KILLS = assert(tonumber(vim.env.SOAK_KILLS or 200), 'SOAK_KILLS must be a number')
local MOMENT_MS = 2600 -- a turn with its learning takes about two seconds
local SAMPLE_MS = 25
local FLUSH_MS = 1000 -- what may be lost of a reply
local SLACK_MS = 400 -- from the screen to the disk, on a machine that has other work
local REPLY_WORDS = 150
math.randomseed(tonumber(vim.env.SOAK_SEED or os.time()))

local wrong = {} ---@type string[]
local function check(ok, ...)
  if not ok then
    wrong[#wrong + 1] = string.format(...)
    print(wrong[#wrong])
  end
end

local world = World.new()
local store = world.env.XDG_DATA_HOME .. '/selfmind/memory.db'

---@param sql string
---@return table[] rows
local function query(sql)
  local done = vim.system({ 'sqlite3', '-json', '-cmd', '.timeout 10000', store, sql }, { text = true }):wait(20000)
  assert(done.code == 0, done.stderr)
  return done.stdout == '' and {} or vim.json.decode(done.stdout)
end

---@return integer?
local function host_pid(editor)
  return editor:lua([[
    for _, channel in ipairs(vim.api.nvim_list_chans()) do
      if channel.mode == 'rpc' and channel.argv then
        return vim.fn.jobpid(channel.id)
      end
    end
  ]])
end

local function alive(pid)
  local stat = io.open('/proc/' .. pid .. '/stat')
  if not stat then
    return false
  end
  local text = stat:read('*a')
  stat:close()
  return text:match('%) (%a)') ~= 'Z'
end

---@class soak.Sample
---@field at number ms
---@field acknowledged boolean
---@field words integer of the reply on the screen

---@param editor e2e.Neovim
---@return soak.Sample
local function look(editor)
  local seen = editor:lua([[
    local conversation = require('selfmind.chat.conversations').in_buffer(vim.api.nvim_get_current_buf())
    local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), ' ')
    local last = 0
    for number in text:gmatch('word(%d+)%f[^%w]') do
      last = math.max(last, tonumber(number))
    end
    return { conversation and conversation.turn ~= nil or false, last }
  ]])
  return { at = uv.hrtime() / 1e6, acknowledged = seen[1], words = seen[2] }
end

---@param text string
---@return integer
local function last_word(text)
  local last = 0
  for number in text:gmatch('word(%d+)') do
    last = math.max(last, tonumber(number))
  end
  return last
end

local killed = { host = 0, neovim = 0 }
local phases = { { 'before the message was acknowledged', 0 }, { 'in the reply', 0 }, { 'after it', 0 } }
local worst_ms = 0

---Takes part in a turn until a random moment, and kills.
---@param round integer
---@param fact string
---@return soak.Sample[] samples
---@return string victim
---@return number when
local function kill_in_a_turn(round, fact)
  local editor = world:editor()
  world:chat(editor, 'new')
  local pid = assert(host_pid(editor), 'no host runs in round ' .. round)
  world.server:next({ match = { kind = 'chat' }, tokens = REPLY_WORDS, per_second = 100 })
  world:say(editor, fact)
  local start, moment = uv.hrtime() / 1e6, math.random() * MOMENT_MS
  local samples = {} ---@type soak.Sample[]
  while uv.hrtime() / 1e6 - start < moment do
    samples[#samples + 1] = look(editor)
    vim.wait(SAMPLE_MS)
  end
  local victim, now = math.random(2) == 1 and 'host' or 'neovim', uv.hrtime() / 1e6
  if victim == 'host' then
    uv.kill(pid, 'sigkill')
  end
  editor:kill('sigkill')
  assert(
    vim.wait(10000, function()
      return not alive(pid)
    end, 5),
    'the host does not end'
  )
  killed[victim] = killed[victim] + 1
  return samples, victim, now
end

---@param round integer
local function one(round)
  local fact = ('My service%d listens on port %d.'):format(round, 20000 + round)
  local samples, victim, now = kill_in_a_turn(round, fact)
  local last = samples[#samples] or { acknowledged = false, words = 0 }
  local phase = not last.acknowledged and 1 or last.words < REPLY_WORDS - 1 and 2 or 3
  phases[phase][2] = phases[phase][2] + 1

  local messages = query(("SELECT id FROM turn WHERE text = '%s'"):format(fact))
  check(#messages <= 1, 'round %d: the message is there %d times', round, #messages)
  check(#messages == 1 or not last.acknowledged, 'round %d: an acknowledged message was lost (%s)', round, victim)
  if #messages == 1 then
    local reply = query('SELECT text FROM turn WHERE parent = ' .. messages[1].id)[1]
    local kept, lost_ms = reply and last_word(reply.text) or 0, 0
    for _, sample in ipairs(samples) do
      if sample.words > kept then
        lost_ms = math.max(lost_ms, now - sample.at)
      end
    end
    worst_ms = math.max(worst_ms, lost_ms)
    check(lost_ms <= FLUSH_MS + SLACK_MS, 'round %d: %.0f ms of the reply were lost (%s)', round, lost_ms, victim)
  end
  local whole = query('PRAGMA integrity_check')[1]
  check(whole.integrity_check == 'ok', 'round %d: %s', round, whole.integrity_check)
  check(#query('PRAGMA foreign_key_check') == 0, 'round %d: rows refer to nothing', round)
end

---What was left in the queue is learned with the next turns, and once.
local function work_off()
  local editor = world:editor()
  world:chat(editor, 'new')
  local function rest()
    return query('SELECT count(*) AS n FROM learn_queue')[1].n
  end
  for round = 1, KILLS do
    if rest() == 0 then
      break
    end
    world:say(editor, 'Any news? ' .. round)
    editor:wait('the reply', function()
      return not world:busy(editor)
    end)
    vim.wait(300, function()
      return rest() == 0
    end, 50)
  end
  check(rest() == 0, 'the queue was not worked off')
  editor:kill()
end

for round = 1, KILLS do
  one(round)
  if round % 20 == 0 then
    print(('%d of %d'):format(round, KILLS))
  end
end
work_off()
for _, row in ipairs(query('SELECT text, count(*) AS n FROM memory GROUP BY text HAVING n > 1')) do
  check(false, 'learned %d times: %s', row.n, row.text)
end
local not_learned = query(
  "SELECT text FROM turn WHERE text LIKE 'My service%' AND state = 'answered' AND NOT EXISTS "
    .. "(SELECT 1 FROM memory_source WHERE memory_source.turn = turn.id)"
)
for _, turn in ipairs(not_learned) do
  check(false, 'answered and not learned from: %s', turn.text)
end
local facts = query("SELECT count(*) AS n FROM memory WHERE text LIKE '%service%'")[1].n
local answered = query("SELECT count(*) AS n FROM turn WHERE text LIKE 'My service%' AND state = 'answered'")[1].n
check(facts == answered, '%d messages with a fact were answered and %d facts learned', answered, facts)
world:close()

local function row(name, value)
  print(('%-44s %s'):format(name, value))
end
row('killed: hosts', killed.host)
row('killed: Neovims', killed.neovim)
for _, phase in ipairs(phases) do
  row('  ' .. phase[1], phase[2])
end
row('most lost of a reply', ('%.0f ms'):format(worst_ms))
row('messages answered / facts learned', ('%d / %d'):format(answered, facts))
row('wrong', #wrong)
for i = 1, math.min(#wrong, 20) do
  print('  ' .. wrong[i])
end
os.exit(#wrong == 0 and 0 or 1)

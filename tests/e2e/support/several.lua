-- Several Neovims on one store: each tells facts and asks for what another has told, all at once, and afterwards it is
-- counted what was learned, what each request carried, and what went wrong.

local M = {}

local World = require('support.world')

local uv = vim.uv

local LIMIT_MS = 60000 -- for one condition, on a busy machine
local AGAIN_EVERY = 5 -- so manieth fact is told by a second Neovim too

---@class several.Fact
---@field name string
---@field port integer
---@field teller integer which Neovim

---@class several.Ask
---@field fact several.Fact
---@field late boolean recall missed its deadline and the chat went on without it
---@field carried? "memory"|"words"
---@field sent? boolean

---@class several.Report
---@field facts integer
---@field again integer facts that a second Neovim told too
---@field asks integer
---@field by_memory integer requests that carried the memory
---@field by_words integer requests that carried the words it was told with, not learned yet
---@field late integer
---@field turn_ms number[] from <CR> to the reply's end, sorted
---@field wrong string[] what must not be; empty is a pass

-- Words that no stemmer joins and no other fact has.
local SYLLABLES = { 'ba', 'de', 'fi', 'go', 'ku', 'la', 'me', 'ni', 'po', 'ru' }

---@param number integer
---@return string
local function name_of(number)
  local name = 'Zo'
  for digit in ('%04d'):format(number):gmatch('%d') do
    name = name .. SYLLABLES[digit + 1]
  end
  return name .. 'x'
end

---@param fact several.Fact
---@return string
local function telling(fact)
  return ('My %s server listens on port %d.'):format(fact.name, fact.port)
end

-- Hears what the host tells the editor, before the plugin does.
local LISTEN = [[
  local events = require('selfmind.events')
  local receive = events.receive
  _G.heard = { wrong = {}, late = false }
  events.receive = function(name, payload)
    if name == 'learn/failed' or name == 'turn/done' and payload.state ~= 'done' then
      table.insert(_G.heard.wrong, name .. ': ' .. tostring(payload.notice))
    elseif name == 'turn/recalled' then
      _G.heard.late = payload.late
    end
    return receive(name, payload)
  end
]]

local WRONG = [[
  local wrong = vim.deepcopy(_G.heard.wrong)
  for _, line in ipairs(require('selfmind.log').lines()) do
    if line:find(' WARN ', 1, true) or line:find(' ERROR ', 1, true) then
      wrong[#wrong + 1] = line
    end
  end
  if vim.v.errmsg ~= '' then
    wrong[#wrong + 1] = vim.v.errmsg
  end
  return wrong
]]

local Run = {}
Run.__index = Run

---Waits in a coroutine, so that the other Neovims go on.
---@param what string
---@param holds fun(): any
local function await(what, holds)
  local limit = uv.hrtime() + LIMIT_MS * 1e6
  while not holds() do
    assert(uv.hrtime() < limit, 'waited in vain for ' .. what)
    coroutine.yield()
  end
end

---Says something and waits for the end of the reply.
function Run:say(seat, text)
  local editor, start = self.editors[seat], uv.hrtime()
  self.world:say(editor, text)
  await('the reply to ' .. text, function()
    return not self.world:busy(editor)
  end)
  table.insert(self.turn_ms, (uv.hrtime() - start) / 1e6)
end

---@return several.Fact
function Run:new_fact(seat)
  local number = #self.facts + 1
  local fact = { name = name_of(number), port = 20000 + number, teller = seat }
  self.facts[number] = fact
  return fact
end

---Tells a fact that another has told too, or a new one.
function Run:tell(seat)
  for i, fact in ipairs(self.to_tell_again) do
    if fact.teller ~= seat then
      table.remove(self.to_tell_again, i)
      self.again = self.again + 1
      return self:say(seat, telling(fact))
    end
  end
  local fact = self:new_fact(seat)
  if fact.port % AGAIN_EVERY == 0 then
    table.insert(self.to_tell_again, fact) -- at the same time, if another is free
  end
  self:say(seat, telling(fact))
  table.insert(self.told, fact)
end

---Asks for the newest fact that another Neovim has told and nobody has asked for, by its name alone: questions are said
---too, and those that look alike would be recalled in the fact's place. How well recall ranks is measured elsewhere.
function Run:ask(seat)
  for i = #self.told, 1, -1 do
    local fact = self.told[i]
    local question = (fact.name .. '?')
    if fact.teller ~= seat and not self.asks[question] then
      local ask = { fact = fact, late = false }
      self.asks[question] = ask
      self:say(seat, question)
      ask.late = self.editors[seat]:lua('return _G.heard.late')
      return
    end
  end
end

---@param seat integer
---@param ends integer
function Run:live(seat, ends)
  while uv.hrtime() < ends do
    self:tell(seat)
    self:ask(seat)
    coroutine.yield()
  end
end

---All at once, each as fast as it can.
function Run:all(ends)
  local running = {}
  for seat = 1, #self.editors do
    running[seat] = coroutine.create(function()
      self:live(seat, ends)
    end)
  end
  while #running > 0 do
    for i = #running, 1, -1 do
      local ok, why = coroutine.resume(running[i])
      if not ok then
        table.insert(self.wrong, tostring(why))
      end
      if coroutine.status(running[i]) == 'dead' then
        table.remove(running, i)
      end
    end
    vim.wait(1, function()
      return false
    end, 1)
  end
end

---Lets what is queued be learned; an editor learns a few turns after each of its own.
function Run:learn_the_rest()
  local limit = uv.hrtime() + LIMIT_MS * 1e6
  while vim.json.decode(self.world:host('stats', '--json').stdout).queue > 0 do
    if uv.hrtime() > limit then
      return table.insert(self.wrong, 'turns were left in the learn queue')
    end
    self.world:say(self.editors[1], 'Go on.')
    self.editors[1]:wait('the reply', function()
      return not self.world:busy(self.editors[1])
    end)
  end
end

function Run:check_memories()
  local count = {}
  for _, memory in ipairs(self.world:memories()) do
    local port = memory.text:match('listens on port (%d+)')
    if port then
      count[tonumber(port)] = (count[tonumber(port)] or 0) + 1
    else
      table.insert(self.wrong, 'learned what was not told: ' .. memory.text)
    end
  end
  for _, fact in ipairs(self.facts) do
    if count[fact.port] ~= 1 then
      table.insert(self.wrong, ('%s was learned %d times'):format(telling(fact), count[fact.port] or 0))
    end
  end
end

---Looks at what each question was sent with.
function Run:check_requests()
  for line in io.lines(self.world.server.log) do
    local body = vim.json.decode(line).body
    local content = type(body) == 'table' and not body.output_config and body.messages[#body.messages].content or {}
    local ask = type(content) == 'table' and content[#content] and self.asks[content[#content].text]
    if ask and not ask.sent then
      ask.sent = true
      for _, message in ipairs(body.messages) do
        for _, block in ipairs(message.content) do
          if block.text and block.text:find(('port %d'):format(ask.fact.port), 1, true) then
            ask.carried = block.text:match("The user's " .. ask.fact.name) and 'memory' or ask.carried or 'words'
          end
        end
      end
    end
  end
end

---@param editors integer
---@param seconds integer
---@return table run
---@return several.Report
function M.run(editors, seconds)
  local run = setmetatable(
    { editors = {}, facts = {}, told = {}, to_tell_again = {}, asks = {}, turn_ms = {}, wrong = {}, again = 0 },
    Run
  )
  run.world = World.new()
  for seat = 1, editors do
    -- A fast machine tells more in this time than a day's budget is for.
    run.editors[seat] = run.world:editor({ settings = '{ learning_budget = 1000000000 }' })
    run.world:chat(run.editors[seat], 'new')
    run.editors[seat]:lua(LISTEN)
  end
  run:all(uv.hrtime() + seconds * 1e9)
  run:learn_the_rest()
  run:check_memories()
  run:check_requests()
  for seat, editor in ipairs(run.editors) do
    for _, line in ipairs(editor:lua(WRONG)) do
      table.insert(run.wrong, ('Neovim %d: %s'):format(seat, line))
    end
  end
  return run, run:report()
end

---@return several.Report
function Run:report()
  local report = {
    facts = #self.facts,
    again = self.again,
    asks = 0,
    by_memory = 0,
    by_words = 0,
    late = 0,
    turn_ms = self.turn_ms,
    wrong = self.wrong,
  }
  table.sort(report.turn_ms)
  for question, ask in pairs(self.asks) do
    report.asks = report.asks + 1
    report.late = report.late + (ask.late and 1 or 0)
    if ask.carried then
      report['by_' .. ask.carried] = report['by_' .. ask.carried] + 1
    elseif not ask.late then
      table.insert(report.wrong, 'did not see what was told before: ' .. question)
    end
  end
  return report
end

---How long the list of memories in one Neovim takes to show what another has been told to remember.
---@param times integer
---@return number[] milliseconds, sorted
function Run:list_ms(times)
  local list, other = self.editors[1], self.editors[2]
  list:command('Memories')
  local ms = {}
  for i = 1, times do
    local fact = self:new_fact(2)
    local start = uv.hrtime()
    other:command('Remember The ' .. fact.name .. ' server was remembered.')
    list:wait('the list to show ' .. fact.name, function()
      return self.world:text(list):find(fact.name, 1, true)
    end)
    ms[i] = (uv.hrtime() - start) / 1e6
  end
  table.sort(ms)
  return ms
end

function Run:close()
  self.world:close()
end

return M

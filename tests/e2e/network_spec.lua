-- A network that does its worst: each time one sentence, the message kept, the next one works, and :qa! never waits.
-- The limits, which take minutes, are tested in tests/native/io/curl_test.cpp; here the user does not wait for them.
local World = require('support.world')
local host = require('support.host')
local uv = vim.uv

local BEGUN = 'The tide tables say that the water is high at noon'
local QUIT_MS = 2000 -- 60 were measured; the machine may be busy

---@class network.Situation
---@field [1] string
---@field entry table what the server does with a request
---@field tries? integer how many requests meet it, until the chat gives up
---@field reply? string what comes of a reply
---@field endless? boolean it ends when the user stops it
---@field note? string the line under the message or the reply; HOST stands for the address. Without it all is well

local STOPPED = 'Stopped · gR sends again'
local STOPPED_REPLY = 'Stopped · gC continues · gR sends again'
local BROKE_OFF = 'The connection to HOST broke off; send again (gR)'
local BROKEN_REPLY = 'interrupted: The connection to HOST broke off · gC continues · gR sends again'

---@type network.Situation[]
local situations = {
  { 'stalls before it answers', entry = { hang = true }, endless = true, note = STOPPED },
  { 'stalls after the head', entry = { hang = true, head = true }, endless = true, note = STOPPED },
  {
    'stalls in the middle of a reply',
    entry = { hang = true, after_text = BEGUN },
    endless = true,
    reply = BEGUN,
    note = STOPPED_REPLY,
  },
  { 'drips from the first byte on', entry = { drip_ms = 1000 }, endless = true, note = STOPPED },
  {
    'drips in the middle of a reply',
    entry = { drip_ms = 1000, after_text = BEGUN },
    endless = true,
    reply = BEGUN,
    note = STOPPED_REPLY,
  },
  -- Two retries, and one request goes twice: over a connection that was kept from before, and over a new one.
  { 'resets the connection without a word', entry = { reset = true }, tries = 4, note = BROKE_OFF },
  { 'resets the connection after the head', entry = { reset = true, head = true }, tries = 3, note = BROKE_OFF },
  {
    'resets the connection in the middle of a reply',
    entry = { reset = true, after_text = BEGUN },
    reply = BEGUN,
    note = BROKEN_REPLY,
  },
  {
    'ends the answer before a word of it',
    entry = { end_short = true },
    tries = 3,
    note = 'The connection ended before the reply began; send again (gR)',
  },
  {
    'ends the answer cleanly in the middle of a reply',
    entry = { end_short = true, after_text = BEGUN },
    reply = BEGUN,
    note = 'interrupted: The connection ended in the middle of the reply · gC continues · gR sends again',
  },
  {
    'sends a 529 event after ten deltas',
    entry = {
      after_text = ('wave after wave '):rep(10) .. 'comes in',
      error_event = { type = 'overloaded_error', message = 'Overloaded; try later' },
    },
    reply = ('wave after wave '):rep(10) .. 'comes in',
    note = 'interrupted: The server is overloaded: "Overloaded; try later" · gC continues · gR sends again',
  },
  { 'compresses its answer', entry = { gzip = true }, reply = 'You said: first message' },
  {
    'compresses its answer and resets the connection',
    entry = { gzip = true, reset = true, after_text = BEGUN },
    reply = BEGUN,
    note = BROKEN_REPLY,
  },
  {
    'answers with a page and 200',
    entry = { status = 200, body = '<!DOCTYPE html>\n<html>\n\n<body>Log in here; then go on.</body></html>\n' },
    note = 'The server at HOST answered with something that is no reply of the Messages API; check the base URL'
      .. ' · gR sends it again',
  },
  {
    'answers with a page and 413',
    entry = { status = 413, body = '<html><head><title>413 Request Entity Too Large</title></head></html>' },
    note = 'refused: The request was too large for the server at HOST (413); send less text, or start a new chat.',
  },
}

describe('a server that', function()
  local world, editor

  before_each(function()
    world = World.new()
    editor = world:editor({ columns = 400 }) -- wide: no sentence is wrapped
    world:chat(editor)
  end)

  after_each(function()
    world:close()
  end)

  ---@return string[] the lines on the screen that say how a turn ended, and what can be done
  local function notes()
    local found = {}
    for line in editor:screen():gmatch('[^\n]+') do
      if line:find('gR', 1, true) or line:find('refused:', 1, true) then
        found[#found + 1] = vim.trim((line:gsub('^.*│', ''))) -- without the window beside the chat's
      end
    end
    return found
  end

  ---@return string[] what the plugin, or Neovim, has complained about
  local function complaints()
    local text = editor:lua("return vim.api.nvim_exec2('messages', { output = true }).output")
    return vim.tbl_filter(function(line)
      return line:find('selfmind:', 1, true) ~= nil or line:find('E%d+:') ~= nil
    end, vim.split(text, '\n'))
  end

  ---Says the first message and waits until the server is at it.
  ---@param situation network.Situation
  ---@param tries integer how many requests meet it
  local function meet(situation, tries)
    for _ = 1, tries do
      world.server:next(vim.tbl_extend('error', { match = { kind = 'chat' } }, situation.entry))
    end
    world:say(editor, 'first message')
    editor:wait('the request', function()
      return #world.server:requests('chat') > 0
    end)
    if situation.reply and situation.endless then
      world:read(editor, situation.reply)
    end
  end

  ---@param situation network.Situation
  local function check_kept(situation)
    local lines = vim.split(world:text(editor), '\n')
    assert.equals(1, vim.iter(lines):fold(0, function(count, line)
      return count + (line == 'first message' and 1 or 0)
    end), world:text(editor))
    if situation.reply then
      local _, times = world:text(editor):gsub(vim.pesc(situation.reply), '')
      assert.equals(1, times, world:text(editor))
    end
  end

  local function check_next_works()
    local before = #world.server:requests('chat')
    editor:wait('the end of the turn', function()
      return not world:busy(editor)
    end)
    world:say(editor, 'second message')
    editor:wait('the second reply', function()
      return world:text(editor):find('You said: .-second message') and not world:busy(editor)
    end)
    local requests = world.server:requests('chat')
    assert.equals(before + 1, #requests)
    assert.equals(200, requests[#requests].answered, requests[#requests].why)
  end

  local function reopen()
    editor = world:editor({ columns = 400 })
    world:chat(editor)
    world:read(editor, 'first message')
  end

  for _, situation in ipairs(situations) do
    local name = situation[1]

    it(name .. ': one sentence, the message is kept, and the next one works', function()
      meet(situation, situation.tries or 1)
      if situation.endless then
        editor:type('<C-\\><C-n><C-c>')
      end
      editor:wait('the end of the turn', function()
        return not world:busy(editor)
          and (#notes() > 0 or not situation.note and world:text(editor):find(situation.reply, 1, true))
      end)
      assert.same({ situation.note and situation.note:gsub('HOST', '127.0.0.1:' .. world.server.port) }, notes())
      assert.is_true(editor:lua('return vim.bo.modifiable'))
      assert.equals(situation.tries or 1, #world.server:requests('chat'))
      check_kept(situation)
      editor:type(':e<CR>')
      world:read(editor, 'first message')
      editor:wait('the note of the log', function()
        return #notes() == (situation.note and 1 or 0)
      end)
      check_kept(situation)
      check_next_works()
      assert.same({}, complaints())
      editor:quit()
      reopen()
      check_kept(situation)
    end)

    it(name .. ': :qa! does not wait, and the message is kept', function()
      meet(situation, 1)
      local pid, start = world:host_pid(editor), uv.hrtime()
      local ms = editor:quit()
      editor:wait('the end of the host', function()
        return not World.alive(pid)
      end)
      local host_ms = (uv.hrtime() - start) / 1e6
      assert.is_true(ms < QUIT_MS, ms .. ' ms')
      assert.is_true(host_ms < QUIT_MS, host_ms .. ' ms')
      reopen()
      check_kept(situation.endless and situation or { entry = {} })
      check_next_works()
      assert.same({}, complaints())
    end)
  end
end)

describe('a message that is too large for the server', function()
  it('does not make the next one too large as well, and can be sent again', function()
    local world = World.new({ server = { args = { '--body-limit', '100000' } } })
    local process = host.start({ env = world.env, cwd = world:project('project') })
    local chat = process:call('chat.open', { folder = world:project('project'), fresh = true }).chat
    local large = process:say(chat, ('large '):rep(20000))
    assert.equals('refused', large.state)
    assert.truthy(large.notice:find('too large for the server at 127.0.0.1:%d+ %(413%); send less text'), large.notice)
    assert.equals('You said: small', process:say(chat, 'small').text:match('You said: .*'))
    assert.equals('refused', process:say(chat, ('large '):rep(20000)).state)
    process:call('turn.retry', { chat = chat })
    process:wait('the second refusal', function()
      local requests = world.server:heard()
      return #vim.tbl_filter(function(entry)
        return entry.answered == 413
      end, requests) == 3
    end)
    process:stop()
    world:close()
  end)
end)

describe('many turns that fail', function()
  it('leave no file open in the host', function()
    local world = World.new()
    local process = host.start({ env = world.env, cwd = world:project('project') })
    local fds = '/proc/' .. process.process:get_pid() .. '/fd'
    if not uv.fs_stat(fds) then
      world:close()
      return pending('no /proc here')
    end
    local chat = process:call('chat.open', { folder = world:project('project'), fresh = true }).chat
    ---@param situation network.Situation
    local function fail(situation)
      local before = #world.server:requests('chat')
      world.server:next(vim.tbl_extend('error', { match = { kind = 'chat' } }, situation.entry))
      local turn = process:call('turn.start', { chat = chat, text = 'A message.' }).turn
      if situation.endless then
        process:wait('the request', function()
          return #world.server:requests('chat') > before
        end)
        process:call('turn.stop', { chat = chat })
      end
      process:wait('the end of the turn', function()
        local last = process.events[#process.events]
        return last and last.name == 'turn/done' and last.payload.turn == turn
      end)
    end
    local function fail_in_every_way()
      for _, situation in ipairs(situations) do
        if situation.note and not situation.tries then
          fail(situation)
        end
      end
    end
    local function open_files()
      return #vim.fn.readdir(fds)
    end
    fail_in_every_way()
    local limit = open_files() + 2 -- connections kept for the next request, of the chat and of learning
    for _ = 1, 5 do
      fail_in_every_way()
    end
    assert.is_true(open_files() <= limit, ('%d files, %d at most'):format(open_files(), limit))
    process:stop()
    world:close()
  end)
end)

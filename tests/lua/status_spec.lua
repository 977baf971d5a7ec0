-- What a chat says of itself: in its winbar, for a status line, in vim.b.selfmind.

local Child = require('support.child')

local USAGE = { input = 500, output = 300, cache_read = 9000, cache_write = 500 }

describe('a chat\'s status', function()
  local child

  before_each(function()
    child = Child.start()
  end)

  after_each(function()
    child:stop()
  end)

  local function emit(name, payload)
    child:emit(name, vim.tbl_extend('force', { chat = 1, turn = 101 }, payload))
  end

  ---@return string what a status line shows
  local function line()
    return child:lua([[
      return vim.api.nvim_eval_statusline("%{%v:lua.require'selfmind'.statusline()%}", { maxwidth = 500 }).str
    ]])
  end

  ---@return string what the chat's winbar shows, blanks taken together
  local function winbar()
    return vim.trim((child:lua([[
      local win = vim.fn.bufwinid(_G.chat_buffer)
      return vim.api.nvim_eval_statusline(vim.wo[win].winbar, { winid = win, use_winbar = true }).str
    ]]):gsub('%s+', ' ')))
  end

  local function about()
    return child:lua('return vim.b[_G.chat_buffer].selfmind')
  end

  local function online()
    child:lua("require('selfmind.host').info().online = true")
  end

  it('is empty where no chat is in sight, and loads nothing for it', function()
    assert.equals('', line())
    assert.is_false(child:lua("return package.loaded['selfmind.host'] ~= nil"))
    child:chat()
    assert.equals('claude-opus-4-8 · offline', line())
    child:cmd('wincmd p')
    assert.equals('claude-opus-4-8 · offline', line()) -- it is in this tab page
    child:cmd('tabnew')
    assert.equals('', line())
    assert.equals('claude-opus-4-8 · offline', child:lua("return require('selfmind').statusline(_G.chat_buffer)"))
    assert.equals('', child:lua("return require('selfmind').statusline(vim.api.nvim_get_current_buf())"))
    assert.is_false(child:lua("return (pcall(require('selfmind').statusline, 'x'))"))
  end)

  it('follows a message from its sending to its reply, with what that used', function()
    child:chat()
    assert.equals('offline', about().state)
    child:send('x')
    assert.equals('sending', about().state)
    emit('turn/thinking', {})
    assert.equals('sending', about().state)
    emit('turn/text', { text = 'Hello' })
    assert.equals('streaming', about().state)
    assert.equals('claude-opus-4-8 · streaming', line())
    emit('turn/done', { state = 'done', reply = 102, model = 'claude-opus-4-8', usage = USAGE, cost_usd = 0.0123 })
    assert.equals('claude-opus-4-8 · idle · 10.3k tokens · 90% cached · $0.0123', line())
    child:send('y')
    emit('turn/done', { turn = 102, state = 'done', reply = 104, usage = USAGE, cost_usd = 0.5 })
    assert.same({
      chat = 1,
      title = '',
      project = about().project,
      private = false,
      model = 'claude-opus-4-8',
      state = 'idle',
      tokens = { input = 1000, output = 600, cache_read = 18000, cache_write = 1000 },
      cached = 0.9,
      cost_usd = 0.5123,
    }, about())
    assert.equals('claude-opus-4-8 · idle · 20.6k tokens · 90% cached · $0.51', line())
  end)

  it('counts a reply once, and none that failed', function()
    child:chat()
    for _ = 1, 2 do
      emit('turn/done', { state = 'done', reply = 102, usage = USAGE, cost_usd = 0.01 })
    end
    emit('turn/done', { state = 'failed', notice = 'no' })
    assert.equals(0.01, about().cost_usd)
    assert.equals(300, about().tokens.output)
  end)

  it('shows no cost where the price of a reply is not known', function()
    child:chat()
    emit('turn/done', { state = 'done', reply = 102, usage = USAGE, cost_usd = 0.01 })
    emit('turn/done', { state = 'done', reply = 104, usage = USAGE })
    emit('turn/done', { state = 'done', reply = 106, usage = USAGE, cost_usd = 0.01 })
    assert.is_nil(about().cost_usd)
    assert.equals('claude-opus-4-8 · idle · 30.9k tokens · 90% cached', line())
  end)

  it('has what was used before, when the chat is opened again', function()
    local function reply(id, state, cost)
      local turn = { id = id, role = 'assistant', state = state, text = 'x', at = 'x', model = 'm' }
      return vim.tbl_extend('error', turn, { usage = USAGE, cost_usd = cost })
    end
    child:chat()
    child:host('test.log', {
      chat = 1,
      turns = {
        { id = 1, role = 'user', state = 'answered', text = 'x', at = 'x' },
        reply(2, 'stopped', 0.5),
        reply(3, 'done', 0.25),
      },
    })
    child:cmd('edit')
    child:wait('the log', 'return vim.b.selfmind.cost_usd == 0.75')
    assert.equals(600, about().tokens.output)
    emit('turn/done', { turn = 1, state = 'done', reply = 3, usage = USAGE, cost_usd = 0.25 }) -- was in the log
    assert.equals(0.75, about().cost_usd)
  end)

  it('of an older host, which tells no costs, has the tokens of what is seen', function()
    child:chat()
    child:host('test.log', {
      chat = 1,
      turns = { { id = 2, role = 'assistant', state = 'done', text = 'x', at = 'x', model = 'm' } },
    })
    child:cmd('edit')
    child:settle()
    emit('turn/done', { state = 'done', reply = 102, usage = USAGE })
    assert.equals('claude-opus-4-8 · idle · 10.3k tokens · 90% cached', line())
  end)

  it('counts down', function()
    child:chat()
    child:send('x')
    emit('turn/pausing', { notice = 'Overloaded; wait.', milliseconds = 60000 })
    assert.equals('claude-opus-4-8 · countdown 60 s', line())
    assert.equals('countdown', about().state)
    child:wait('the next second', 'return vim.b.selfmind.seconds == 59')
    child:type('gR')
    assert.equals('sending', about().state)
    assert.is_nil(about().seconds)
    emit('turn/done', { state = 'failed' })
    assert.equals('idle', about().state)
  end)

  it('is offline after an answer from memory, and idle after one from Claude', function()
    child:chat()
    online()
    child:send('x')
    local nothing = { input = 0, output = 0, cache_read = 0, cache_write = 0 }
    emit('turn/done', { state = 'offline', reply = 102, usage = nothing })
    assert.equals('claude-opus-4-8 · offline', line())
    child:send('y')
    emit('turn/done', { state = 'done', reply = 104 })
    assert.equals('claude-opus-4-8 · idle', line())
  end)

  it('is idle again when the message was refused, or the host has gone', function()
    child:chat()
    child:host('test.answer', { method = 'turn.start', error = { kind = 'io', message = 'the disk is full' } })
    child:send('x')
    assert.equals('offline', about().state)
    child:send('y')
    assert.equals('sending', about().state)
    child:lua("require('selfmind.host').notify('test.exit', { code = 1 })")
    child:wait_message('the host ended')
    assert.equals('offline', about().state)
    assert.equals('claude-opus-4-8 · offline', line())
  end)

  it('of a private chat says so, and when it is gone', function()
    child:cmd('SelfMind private')
    child:wait('the chat', "return vim.bo.filetype == 'selfmind'")
    assert.equals('private · claude-opus-4-8 · offline', line())
    child:lua("require('selfmind.host').notify('test.exit', { code = 1 })")
    child:wait_message('the host ended')
    assert.equals('private · claude-opus-4-8 · gone', line())
  end)

  it('shows a model\'s name as it is, whatever stands in it', function()
    child:lua([[require('selfmind').setup({ chat_model = '100%{1+1}%#Error#\n%%m' })]])
    child:chat()
    assert.equals('100%{1+1}%#Error# %%m · offline', line())
    assert.truthy(vim.endswith(winbar(), '100%{1+1}%#Error# %%m · offline'))
  end)

  describe('in the winbar', function()
    ---@param title string
    local function titled(title)
      child:lua([[
        local conversation = require('selfmind.chat.conversations').of(1)
        conversation.title, conversation.project = ..., 'ledger'
        require('selfmind.chat.status').update(conversation)
      ]], title)
    end

    it('stands with the project and the title, as much as there is room for', function()
      child:chat()
      emit('turn/done', { state = 'done', reply = 102, usage = USAGE, cost_usd = 0.0123 })
      titled('50% off %m?')
      child:cmd('only')
      assert.equals(
        'ledger · 50% off %m? claude-opus-4-8 · idle · 10.3k tokens · 90% cached · $0.0123',
        winbar()
      )
      child:cmd('vsplit | vertical resize 74')
      assert.equals('ledger · 50… claude-opus-4-8 · idle · 10.3k tokens · 90% cached · $0.0123', winbar())
      for _, case in ipairs({
        { 60, 'claude-opus-4-8 · idle · 10.3k tokens · 90% cached · $0.0123' },
        { 59, 'claude-opus-4-8 · idle · 10.3k tokens · $0.0123' },
        { 46, 'idle · 10.3k tokens · $0.0123' },
        { 28, 'idle · $0.0123' },
        { 13, 'idle' },
        { 2, 'i…' },
      }) do
        child:cmd('vertical resize ' .. case[1])
        assert.equals(case[2], winbar())
      end
    end)

    it('is drawn anew when something happens', function()
      child:chat()
      child:send('x')
      assert.truthy(vim.endswith(winbar(), '· sending'))
      emit('turn/text', { text = 'Hello' })
      assert.truthy(vim.endswith(winbar(), '· streaming'))
    end)

    local function value()
      return child:lua('return vim.wo.winbar')
    end

    for how, command in pairs({
      ['another buffer'] = 'enew',
      ['a file'] = 'edit /tmp/selfmind-no-such-file',
      ['the buffer that was there'] = 'buffer #',
      ['nothing, its buffer being deleted'] = 'bdelete!',
      ['something else, as the last window'] = 'only | SelfMind toggle',
      ['a file in a split'] = 'split /tmp/selfmind-no-such-file',
    }) do
      it('goes when the window shows ' .. how, function()
        child:chat()
        child:cmd('buffer 1 | buffer #')
        assert.are_not.equal('', value())
        child:cmd(command)
        assert.are_not.equal('selfmind', child:lua('return vim.bo.filetype'))
        assert.equals('', value())
      end)
    end

    it('comes with the chat into any window', function()
      child:chat()
      local ours = value()
      child:cmd('wincmd p')
      assert.equals('', value())
      child:lua('vim.api.nvim_win_set_buf(0, _G.chat_buffer)')
      assert.equals(ours, value())
      child:cmd('tab split')
      assert.equals(ours, value())
    end)

    it('leaves alone one that the user has set there', function()
      child:chat()
      child:cmd('setlocal winbar=mine')
      child:cmd('buffer 1')
      assert.equals('', value())
      child:lua('vim.api.nvim_win_set_buf(0, _G.chat_buffer)')
      assert.equals('mine', value())
      emit('turn/done', { state = 'done' })
      assert.equals('mine', value())
    end)

    it('stands in place of one that is for all windows', function()
      child:cmd('set winbar=everywhere')
      child:chat()
      assert.truthy(vim.endswith(winbar(), 'claude-opus-4-8 · offline'))
      child:cmd('wincmd p')
      assert.equals('everywhere', value())
    end)

    it('is none where the setting says so', function()
      child:lua("require('selfmind').setup({ window = { winbar = false } })")
      child:chat()
      assert.equals('', value())
      assert.equals('claude-opus-4-8 · offline', line())
    end)
  end)
end)

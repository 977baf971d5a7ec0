-- The host process: missing, old, dying. One clear message each, and the next use starts it again.

local Child = require('support.child')

describe('the host', function()
  local child

  after_each(function()
    child:stop()
  end)

  local function messages_with(text)
    return vim.tbl_filter(function(message)
      return message:find(text, 1, true) ~= nil
    end, child:messages())
  end

  it('is not started before it is needed', function()
    child = Child.start()
    assert.same({}, child:lua([[
      return vim.tbl_filter(function(name) return name:find('selfmind') end, vim.tbl_keys(package.loaded))
    ]]))
  end)

  it('is greeted with the settings', function()
    child = Child.start({ settings = { top_k = 3, db = '~/x.db' } })
    child:chat()
    local hello = child:seen('hello')[1].params
    assert.equals(1, hello.protocol)
    assert.equals(3, hello.settings.top_k)
    assert.equals(vim.fs.normalize('~/x.db'), hello.settings.db)
  end)

  it('names the command that builds it when it is missing', function()
    child = Child.start({ settings = { host = { cmd = '/nowhere/host' } } })
    child:cmd('SelfMind chat')
    child:wait_message('host.cmd names /nowhere/host, which cannot be run')
    child:lua("vim.g.selfmind = nil require('selfmind').setup({})")
    if child:lua("return require('selfmind.host').find() == nil") then
      child:cmd('Remember something')
      child:wait_message(':!make -C ' .. Child.root .. ' build')
    end
    assert.equals(1, #messages_with('cannot be run'))
  end)

  it('gives the message back when it is missing at the time of sending', function()
    child = Child.start()
    child:chat()
    child:lua("require('selfmind.host').notify('test.exit', { code = 3 })")
    child:wait_message('the host ended (code 3)')
    child:lua("require('selfmind').setup({ host = { cmd = '/nowhere/host' } })")
    child:type('iprecious words<Esc><CR>')
    child:wait_message('cannot be run')
    assert.same({ '', '', 'precious words' }, child:lines())
    assert.equals(2, #child:messages())
  end)

  for _, case in ipairs({
    { '0', 'the host speaks protocol 0 and the plugin 1: run :!make -C' },
    { '2', 'the host speaks protocol 2 and the plugin 1: the plugin in this Neovim is the older one, restart Neovim' },
  }) do
    it('of protocol ' .. case[1] .. ' is told to be another version, once', function()
      child = Child.start({ env = { FAKE_PROTOCOL = case[1] } })
      child:lua("vim.cmd('SelfMind chat') vim.cmd('Remember a') vim.cmd('SelfMind stats')")
      child:wait_message(case[2])
      child:lua("vim.fn.getcompletion('Forget ', 'cmdline')") -- no new try, no new message
      child:sync() -- who waited for an answer was told in the same moment
      assert.equals(1, #child:messages())
    end)
  end

  it('passes on why it cannot work', function()
    child = Child.start({ env = { FAKE_HELLO = 'error' } })
    child:cmd('Remember a')
    child:wait_message('the store cannot be opened: no such folder')
    assert.equals(1, #child:messages())
  end)

  it('is reported with its last words when it dies at once', function()
    child = Child.start({ env = { FAKE_HELLO = 'die' } })
    child:cmd('Remember a')
    child:wait_message('the host ended unexpectedly (code 127). It said: symbol lookup error.')
    assert.equals(1, #child:messages())
  end)

  for _, how in ipairs({ 'exit', 'garbage' }) do
    it('is reported once when it ends by ' .. how .. ' in a reply, and starts again', function()
      child = Child.start()
      child:chat()
      child:send('x')
      child:emit('turn/text', { chat = 1, turn = 101, text = 'par' })
      child:lua("require('selfmind.host').notify(...)", 'test.' .. how, { code = 3 })
      child:wait_message('the host ended (code')
      child:wait('the note', [[
        for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, -1, 0, -1, { details = true })) do
          for _, line in ipairs(mark[4].virt_lines or {}) do
            if line[1][1]:find('the host has gone') then return true end
          end
        end
      ]])
      assert.equals(1, #messages_with('ended'))
      child:send('again')
      child:wait_message('there is no such chat')
      assert.equals('again', child:lines()[#child:lines()])
      child:cmd('Remember plums')
      child:wait_message('remembered 13: plums')
      assert.is_nil(table.concat(child:messages()):find('Invalid channel', 1, true))
    end)
  end

  it('that dies at its start is not started again and again', function()
    local starts = vim.fn.tempname()
    child = Child.start({ env = { FAKE_HELLO = 'die', FAKE_STARTS = starts } })
    for attempt = 1, 3 do
      child:cmd('Remember a')
      child:wait('message ' .. attempt, 'return #_G.messages == ...', attempt)
      child:lua("vim.fn.getcompletion('Forget ', 'cmdline')") -- a <Tab> starts nothing
    end
    child:wait_message('at its start 3 times in a row (code 127) and is not started again. It said: symbol lookup')
    child:cmd('Remember a')
    child:wait_message('the host fails at its start: :SelfMind log shows why, :SelfMind restart tries again')
    assert.equals(3, #vim.fn.readfile(starts))
    assert.equals(4, #child:messages())
    child:lua("vim.env.FAKE_HELLO = nil")
    child:cmd('SelfMind restart')
    child:cmd('Remember plums')
    child:wait_message('remembered 13: plums')
  end)

  it('that answers nothing is reported once, and restart replaces it with the chat as it was', function()
    child = Child.start()
    child:lua("require('selfmind.host').silence_ms = 300")
    child:chat()
    child:send('before')
    child:emit('turn/done', { chat = 1, turn = 101, state = 'done' })
    local pid = child:host_pid()
    vim.uv.kill(pid, 'sigstop')
    child:type('iprecious words<Esc><CR>')
    child:cmd('Remember a')
    child:wait_message('no answer from the host for 0.3 s: :SelfMind restart replaces it')
    child:cmd('Remember b')
    child:wait('a second without another message', [[
      _G.since = _G.since or vim.uv.hrtime()
      return vim.uv.hrtime() - _G.since > 1e9
    ]])
    assert.equals(1, #child:messages())
    child:cmd('SelfMind restart')
    child:wait_message('the host was started anew')
    child:wait('the words in the prompt', [[
      local lines = vim.api.nvim_buf_get_lines(_G.chat_buffer, 0, -1, false)
      return lines[#lines] == 'precious words'
    ]])
    assert.truthy(table.concat(child:lines(), '\n'):find('before', 1, true))
    child:wait('the end of the old one', 'return vim.uv.kill(..., 0) ~= 0', pid)
    child:cmd('Remember plums')
    child:wait_message('remembered 13: plums')
    assert.equals(3, #child:messages())
  end)

  for _, case in ipairs({
    { 'after that was noticed', true, 'a' },
    { 'before that was noticed, with more under way than a pipe holds', false, ('many words '):rep(30000) },
  }) do
    it('that is stopped does not hold up :qa and does not stay behind, ' .. case[1], function()
      child = Child.start()
      child:lua("require('selfmind.host').silence_ms = 300")
      child:chat()
      local pid = child:host_pid()
      vim.uv.kill(pid, 'sigstop')
      child:lua("require('selfmind').remember(...)", case[3])
      if case[2] then
        child:wait_message('no answer from the host')
      end
      vim.rpcnotify(child.channel, 'nvim_command', 'qa!')
      -- Held up, it would wait for ever: the limit is for slow machines.
      assert.equals(0, vim.fn.jobwait({ child.channel }, 10000)[1])
      assert.is_true(vim.wait(10000, function() -- it counts as long as nobody has collected it
        return vim.uv.kill(pid, 0) ~= 0
      end))
    end)
  end

  it('that is replaced while it runs is reported once, and restart takes the new one', function()
    local program = vim.fn.tempname()
    local function build(version)
      vim.fn.writefile({
        '#!/bin/sh',
        ('exec "%s" -u NONE -i NONE -l "%s/tests/lua/support/fake_host.lua" # %s'):format(
          vim.v.progpath,
          Child.root,
          version
        ),
      }, program .. '.new')
      vim.uv.fs_chmod(program .. '.new', tonumber('755', 8))
      vim.uv.fs_rename(program .. '.new', program)
    end
    build('first')
    child = Child.start({ settings = { host = { cmd = program } } })
    child:cmd('Remember pears')
    child:wait_message('remembered 13: pears')
    local pid = child:host_pid()
    build('second, longer')
    child:cmd('Remember plums')
    child:wait_message('remembered 13: plums')
    child:cmd('Remember apples')
    child:wait_message('remembered 13: apples')
    assert.equals(1, #messages_with('the host was built anew: :SelfMind restart changes to the new one'))
    child:cmd('SelfMind restart')
    child:cmd('Remember figs')
    child:wait_message('remembered 13: figs')
    assert.are_not.equal(pid, child:host_pid())
    assert.equals(6, #child:messages())
  end)

  it('records when it is asked to, from the next use on, until that is ended', function()
    local file, arguments = vim.fn.tempname(), vim.fn.tempname()
    child = Child.start({ env = { FAKE_STARTS = arguments } })
    child:cmd('SelfMind record')
    child:wait_message('nothing is being recorded: give a file')
    child:cmd('SelfMind record /nowhere/at/all')
    child:wait_message('there is no folder to write into: /nowhere/at')
    child:chat()
    child:cmd('SelfMind record ' .. file)
    child:wait_message('from the next use on, what happens is recorded')
    child:cmd('Remember pears')
    child:wait_message('remembered 13: pears')
    child:cmd('SelfMind record')
    child:wait_message('recorded, read it before you send it: ' .. file)
    child:cmd('Remember plums')
    child:wait_message('remembered 13: plums')
    assert.same({ '', '--record ' .. file, '' }, vim.fn.readfile(arguments))
  end)

  it('does not record in the middle of a reply', function()
    child = Child.start()
    child:chat()
    child:send('x')
    child:cmd('SelfMind record ' .. vim.fn.tempname())
    child:wait_message('a reply is still being written')
  end)

  it('that cannot record says why, and works without', function()
    child = Child.start({ env = { FAKE_HELLO = 'die' } })
    child:cmd('SelfMind record ' .. vim.fn.tempname())
    child:cmd('Remember a')
    child:wait_message('nothing is recorded, the host did not start (code 127). It said: symbol lookup error.')
    child:lua("vim.env.FAKE_HELLO = nil")
    child:cmd('Remember plums')
    child:wait_message('remembered 13: plums')
    assert.is_true(child:lua("return require('selfmind.host').recording() == nil"))
  end)

  it('answers a long text with one line that asks for no <CR>', function()
    child = Child.start()
    child:lua("vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'one', ('many words '):rep(30), 'three', '四四四四四' })")
    child:cmd('2,4Remember')
    local message = child:wait_message('remembered 13: many words')
    assert.is_true(vim.fn.strdisplaywidth(message) <= child:lua('return vim.v.echospace'), message)
    assert.truthy(vim.endswith(message, '…'))
  end)

  for _, text in ipairs({ 'plums', ('plums and pears '):rep(60000) }) do
    it(('is still sent what was said right before quitting, all %d bytes'):format(#text), function()
      local path = vim.fn.tempname()
      child = Child.start({ env = { FAKE_LOG = path } })
      vim.rpcnotify(
        child.channel,
        'nvim_exec_lua',
        "require('selfmind').remember(...) vim.cmd('qa!')",
        { text }
      )
      vim.fn.jobwait({ child.channel }, 2000)
      assert.is_true(vim.wait(2000, function()
        return vim.fn.filereadable(path) == 1
          and table.concat(vim.fn.readfile(path)):find('"' .. text .. '"', 1, true) ~= nil
      end))
    end)
  end

  it('does not hold up :qa, and says nothing then', function()
    child = Child.start()
    child:chat()
    local began = vim.uv.now()
    vim.rpcnotify(child.channel, 'nvim_command', 'qa')
    assert.equals(0, vim.fn.jobwait({ child.channel }, 1500)[1])
    vim.uv.update_time()
    assert.is_true(vim.uv.now() - began < 1000)
  end)
end)

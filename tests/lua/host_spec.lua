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

  it('is told to be another version, once', function()
    child = Child.start({ env = { FAKE_PROTOCOL = '2' } })
    child:lua("vim.cmd('SelfMind chat') vim.cmd('Remember a') vim.cmd('SelfMind stats')")
    child:wait_message('the host speaks protocol 2 and the plugin 1: run :!make -C')
    child:sync() -- who waited for an answer was told in the same moment
    assert.equals(1, #child:messages())
  end)

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

  it('is still sent what was said right before quitting', function()
    local path = vim.fn.tempname()
    child = Child.start({ env = { FAKE_LOG = path } })
    vim.rpcnotify(child.channel, 'nvim_exec_lua', "vim.cmd('Remember plums') vim.cmd('qa!')", {})
    vim.fn.jobwait({ child.channel }, 2000)
    assert.is_true(vim.wait(2000, function()
      return vim.fn.filereadable(path) == 1
        and table.concat(vim.fn.readfile(path)):find('["memory.remember"', 1, true) ~= nil
    end))
  end)

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

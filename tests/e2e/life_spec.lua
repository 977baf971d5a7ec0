-- The life of the real host, seen from the editor: killed, stopped, replaced, of another version. One message each, and
-- the chat goes on as it was.
local World = require('support.world')
local uv = vim.uv

describe('the host', function()
  local world, editor

  before_each(function()
    world = World.new()
  end)

  after_each(function()
    world:close()
  end)

  ---@return integer
  local function host_pid()
    return world:host_pid(editor)
  end

  ---@return string[] what the plugin has said
  local function messages()
    local text = editor:lua("return vim.api.nvim_exec2('messages', { output = true }).output")
    return vim.tbl_filter(function(line)
      return line:find('selfmind:', 1, true) ~= nil or line:find('E%d+:') ~= nil
    end, vim.split(text, '\n'))
  end

  local function open()
    editor = world:editor({ columns = 120 })
    world:chat(editor)
  end

  ---Sends a message whose reply begins with `text` and then comes no further.
  local function begin_reply(text)
    world.server:next({ match = { kind = 'chat' }, after_text = text, hang = true })
    world:say(editor, 'first message')
    world:read(editor, text)
  end

  local function goes_on()
    world:say(editor, 'second message')
    editor:wait('the second reply', function()
      return world:text(editor):find('You said: .-second message') and not world:busy(editor)
    end)
  end

  it('killed in a reply: one message, what had come stays in sight, and the next message works', function()
    open()
    begin_reply('The tide tables say')
    editor:type('<C-\\><C-n>Gityped meanwhile <Esc>')
    uv.kill(host_pid(), 'sigkill')
    editor:see('the host ended (code 137). The next use starts it again.')
    editor:wait('the end of the turn', function()
      return not world:busy(editor)
    end)
    assert.truthy(world:text(editor):find('The tide tables say', 1, true))
    assert.truthy(world:text(editor):find('typed meanwhile', 1, true))
    goes_on()
    assert.equals(1, #messages(), vim.inspect(messages()))
    assert.truthy(world:text(editor):find('typed meanwhile second message', 1, true))
    editor:type('<C-\\><C-n>:e<CR>')
    world:read(editor, 'first message')
    assert.equals(0, #vim.tbl_filter(function(request)
      return request.answered ~= 200
    end, world.server:requests('chat')))
  end)

  it('stopped in a reply: one message, restart replaces it, and the next message works', function()
    open()
    editor:lua("require('selfmind.host').silence_ms = 500")
    editor:command('SelfMind restart')
    begin_reply('The tide tables say')
    local pid = host_pid()
    uv.kill(pid, 'sigstop')
    editor:type('<C-\\><C-n><C-c>')
    editor:command('Remember pears')
    editor:see('no answer from the host for 0.5 s: :SelfMind restart replaces it')
    editor:command('SelfMind restart')
    editor:wait('the end of the stopped one', function()
      return uv.kill(pid, 0) ~= 0
    end)
    assert.truthy(world:text(editor):find('The tide tables say', 1, true))
    goes_on()
    assert.equals(3, #messages(), vim.inspect(messages()))
  end)

  it('stopped does not hold up :qa', function()
    open()
    local pid = host_pid()
    uv.kill(pid, 'sigstop')
    editor:command('Remember pears')
    local ms = editor:quit()
    uv.kill(pid, 'sigkill')
    assert.is_true(ms < 1000, ms .. ' ms')
  end)

  it('built anew while it runs: one message, the old one goes on, restart takes the new one', function()
    local program = world.root .. '/selfmind-host'
    local function build()
      assert(uv.fs_copyfile(vim.env.SELFMIND_BIN .. '/selfmind-host', program .. '.new'))
      assert(uv.fs_rename(program .. '.new', program)) -- as a linker replaces it
    end
    build()
    editor = world:editor({ columns = 120, settings = ('{ host = { cmd = %q } }'):format(program) })
    world:chat(editor)
    local pid = host_pid()
    build()
    editor:command('Remember pears')
    editor:see('remembered 1: pears')
    editor:command('Remember plums')
    editor:see('remembered 2: plums')
    assert.equals(3, #messages(), vim.inspect(messages()))
    assert.truthy(messages()[1]:find('the host was built anew: :SelfMind restart changes to the new one', 1, true))
    editor:command('SelfMind restart')
    goes_on()
    assert.are_not.equal(pid, host_pid())
    assert.equals(4, #messages(), vim.inspect(messages()))
  end)

  for _, case in ipairs({
    { 0, 'the plugin in this Neovim is the older one: restart Neovim, or update the plugin' },
    { 2, 'build the host again with `make build` in the plugin\'s folder, then :SelfMind restart' },
  }) do
    it('and a plugin of protocol ' .. case[1] .. ': one message with the mend', function()
      editor = world:editor({ columns = 200 }) -- the mend needs room, or it asks for <CR>
      editor:lua("require('selfmind.protocol').version = ...", case[1])
      editor:lua("vim.cmd('Remember pears') vim.cmd('SelfMind chat') vim.cmd('SelfMind stats')")
      editor:wait('the message', function()
        return #messages() > 0
      end)
      editor:lua("vim.fn.getcompletion('Forget ', 'cmdline')")
      assert.equals(1, #messages(), vim.inspect(messages()))
      assert.truthy(messages()[1]:find(case[2], 1, true), messages()[1])
    end)
  end

  it('records what happens, without secrets, and the recording replays the same', function()
    open()
    local file = world.root .. '/record.jsonl'
    editor:command('SelfMind record ' .. file)
    world:say(editor, 'My port is 5433, my key sk-ant-api03-0123456789abcdef.')
    editor:wait('the reply', function()
      return world:text(editor):find('You said: ') and not world:busy(editor)
    end)
    editor:wait('what was learned', function()
      return #world:memories() > 0 and table.concat(vim.fn.readfile(file)):find('"show_learned"', 1, true)
    end)
    uv.kill(host_pid(), 'sigkill')
    editor:see('the host ended (code 137)')
    goes_on() -- recorded too, behind what the killed one had recorded
    editor:command('SelfMind record')
    local text = table.concat(vim.fn.readfile(file), '\n')
    assert.truthy(text:find('[secret', 1, true))
    assert.is_nil(text:find('0123456789abcdef', 1, true))
    assert.is_nil(text:find('test-key', 1, true))
    assert.equals('rw-------', vim.fn.getfperm(file))
    local replayed = world:host('--replay', file)
    assert.equals('', replayed.stderr)
    assert.truthy(replayed.stdout:find('^2 turns, %d+ events: all the same\n$'), replayed.stdout)
    assert.equals(0, replayed.code)
  end)

  it('has the defaults of the schema, from which help and validation come', function()
    world.env.ANTHROPIC_BASE_URL = nil
    editor = world:editor()
    editor:lua('vim.g.selfmind = { host = vim.g.selfmind.host }')
    editor:command('Remember pears')
    editor:see('remembered 1: pears')
    local told, schema = unpack(editor:lua([[
      local defaults = {}
      for _, setting in ipairs(require('selfmind.schema').settings) do
        if setting.host then defaults[setting.key] = setting.host_default end
      end
      return { require('selfmind.host').info().settings, defaults }
    ]]))
    schema.db = world.env.XDG_DATA_HOME .. '/selfmind/memory.db'
    for key, default in pairs(schema) do
      assert.equals(default, told[key].value, key)
      assert.equals('default', told[key].from, key)
      told[key] = nil
    end
    assert.same({}, told)
  end)
end)

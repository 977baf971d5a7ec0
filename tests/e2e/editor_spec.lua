-- What a hurried user does: undo, close, quit, kill, resize, a second Neovim; all with the real host.
local World = require('support.world')
local uv = vim.uv

describe('in the editor', function()
  local world

  before_each(function()
    world = World.new()
  end)

  after_each(function()
    world:close()
  end)

  ---@return e2e.Neovim with a chat open, and a long reply coming
  local function mid_stream(words)
    local editor = world:editor()
    world:chat(editor)
    world.server:next({ tokens = words or 2000, per_second = 400 })
    world:say(editor, 'Tell me a long story.')
    editor:wait('some of the reply', function()
      return #world:text(editor) > 300
    end)
    return editor
  end

  local function messages(editor)
    return editor:lua("return vim.api.nvim_exec2('messages', { output = true }).output")
  end

  it('a reply is one undo step, and the message another', function()
    local editor = world:editor()
    world:chat(editor)
    local before = world:text(editor)
    world:say(editor, 'I prefer tabs over spaces.')
    editor:see('learned')
    local after = world:text(editor)
    editor:type('u')
    local undone = world:text(editor)
    assert.falsy(undone:find('You said', 1, true))
    assert.truthy(undone:find('I prefer tabs', 1, true))
    editor:command('undo 0')
    assert.equals(before, world:text(editor))
    editor:type('<C-r><C-r><C-r><C-r>')
    assert.equals(after, world:text(editor))
    -- The log is not touched by any of it.
    editor:type('uu')
    editor:command('edit')
    world:read(editor, 'You said: I prefer tabs')
  end)

  it('u in the middle of a reply takes away what had come, and the rest still comes', function()
    local editor = mid_stream(600)
    editor:type('u')
    editor:wait('the end', function()
      return not world:busy(editor)
    end)
    assert.is_true(editor:lua('return vim.bo.modifiable'))
    editor:command('edit')
    editor:wait('the whole reply', function()
      return #world:text(editor) > 2500
    end)
  end)

  it('stop closes the connection at once and keeps what had come, marked so', function()
    local editor = mid_stream()
    editor:type('<C-c>')
    editor:see('Stopped')
    local gone = editor:wait('the server to notice', function()
      local heard = world.server:heard()
      return heard[#heard].closed_early and heard[#heard]
    end)
    assert.equals(1, gone.n)
    local text = world:text(editor)
    editor:quit()
    local second = world:editor()
    world:chat(second)
    second:see('Stopped')
    world:read(second, vim.trim(text):sub(-40))
  end)

  for _, way in ipairs({ 'quit', 'bdelete', 'bwipeout', 'wincmd o', 'SelfMind toggle', 'tabnew', 'enew' }) do
    it((':%s in the middle of a reply is no error, and the reply is there afterwards'):format(way), function()
      local editor = mid_stream(400)
      editor:command(way)
      local reply = editor:wait('the reply in the log', function()
        local stats = vim.json.decode(world:host('stats', '--json').stdout)
        return stats.turns == 2
      end)
      assert.is_true(reply)
      assert.equals('', editor:lua('return vim.v.errmsg'))
      editor:command('SelfMind chat')
      editor:wait('the whole reply', function()
        return #world:text(editor) > 1800
      end)
    end)
  end

  it('a terminal that gets small and large again keeps the prompt in sight', function()
    local editor = mid_stream(1000)
    editor:request('nvim_ui_try_resize', 30, 8)
    editor:request('nvim_ui_try_resize', 120, 40)
    editor:wait('the end', function()
      return not world:busy(editor)
    end)
    editor:see('<CR> sends')
    assert.equals('', editor:lua('return vim.v.errmsg'))
  end)

  it(':Remember and :qa! in one breath still store', function()
    local editor = world:editor({ commands = { 'Remember The user quits fast.', 'qa!' } })
    editor:wait_exit()
    editor:wait('the memory', function()
      return #world:memories() == 1
    end)
  end)

  it('the host ends when its Neovim quits, and what had come of a reply is kept', function()
    local editor = mid_stream()
    local pid = world:host_pid(editor)
    assert.is_true(World.alive(pid))
    editor:quit()
    editor:wait('the host to end', function()
      return not World.alive(pid)
    end)
    local second = world:editor()
    world:chat(second)
    world:read(second, 'Tell me a long story.')
    second:see('Stopped')
  end)

  it('the host ends when its Neovim is killed', function()
    local editor = mid_stream()
    local pid = world:host_pid(editor)
    editor:kill('sigkill')
    editor:wait('the host to end', function()
      return not World.alive(pid)
    end)
  end)

  ---Waits until some of the running reply is on disk.
  local function part_on_disk(editor)
    editor:wait('a part on disk', function()
      return vim.json.decode(world:host('stats', '--json').stdout).turns == 2
    end)
  end

  for key, asks in pairs({ gC = 'Continue your last reply', gR = 'Tell me a long story.' }) do
    it('when host and Neovim are killed, message and reply so far are there, and ' .. key .. ' goes on', function()
      local editor = mid_stream()
      part_on_disk(editor)
      uv.kill(world:host_pid(editor), 'sigkill')
      editor:kill('sigkill')
      local second = world:editor({ columns = 300 })
      world:chat(second)
      second:see('interrupted: The editor ended')
      second:see('gC continues')
      assert.truthy(world:text(second):find('Tell me a long story.', 1, true))
      second:type('<C-\\><C-n>' .. key)
      world:read(second, 'You said: ' .. asks)
      local requests = world.server:requests('chat')
      local sent = requests[#requests].body.messages
      assert.truthy(vim.startswith(sent[#sent].content[1].text, asks))
      if key == 'gC' then
        assert.equals('assistant', sent[2].role)
        assert.truthy(world:text(second):find(sent[2].content[1].text:sub(1, 200), 1, true))
      else
        assert.equals(1, #sent)
      end
    end)
  end

  it('a killed host is one message, and the next message works', function()
    local editor = mid_stream()
    part_on_disk(editor)
    uv.kill(world:host_pid(editor), 'sigkill')
    editor:wait('the message', function()
      return messages(editor):find('the host ended', 1, true)
    end)
    world:say(editor, 'Are you there?')
    world:read(editor, 'You said: Are you there?')
    local requests = world.server:requests('chat')
    assert.equals(3, #requests[#requests].body.messages) -- what had come of the first reply goes along
  end)

  it('what one Neovim remembers the other recalls in its next turn', function()
    local first, second = world:editor(), world:editor()
    world:chat(first)
    world:chat(second, 'new')
    first:command('Remember The release branch is called harvest.')
    first:wait('the memory', function()
      return #world:memories() == 1
    end)
    world:say(second, 'What is the release branch called?')
    world:read(second, 'harvest')
  end)

  it('what is typed while a reply comes stays where it is, and a draft survives the quit', function()
    local editor = mid_stream(500)
    editor:type('GAa draft <C-o>:let g:typed = 1<CR>of mine')
    editor:wait('the end', function()
      return not world:busy(editor)
    end)
    assert.equals('a draft of mine', editor:lua('return vim.api.nvim_get_current_line()'))
    editor:quit()
    local second = world:editor()
    world:chat(second)
    world:read(second, 'a draft of mine')
  end)

  it('a restored session shows the chat, and it can go on', function()
    local editor = world:editor()
    world:chat(editor)
    world:say(editor, 'I prefer tabs over spaces.')
    editor:see('learned')
    local session = world.root .. '/session.vim'
    editor:command('mksession! ' .. session)
    editor:quit()
    local second = world:editor({ commands = { 'silent source ' .. session } })
    second:see('I do not know that yet.')
    second:lua("vim.api.nvim_set_current_win(vim.fn.win_findbuf(vim.fn.bufnr('selfmind://chat'))[1])")
    world:say(second, 'Are you still there?')
    world:read(second, 'You said: Are you still there?')
    assert.equals(2, #world.server:requests('chat'))
  end)

  it('a long line in the prompt is sent as one line, whatever textwidth says', function()
    local editor = world:editor()
    editor:command('set textwidth=40 formatoptions+=at')
    world:chat(editor)
    world:say(editor, 'This sentence is a good deal longer than forty columns are.')
    world:read(editor, 'You said: This sentence is a good deal longer than forty columns are.')
  end)

  for _, keys in ipairs({
    'i<C-w><C-w><C-w>tail question<C-s>',
    'kJJJxxatail question<C-s>',
    'kkJJAtail question<C-s>',
    'kkdGotail question<C-s>',
    'ggdGitail question<C-s>',
  }) do
    it(('what was said is never sent as the user\'s own words: %s'):format(keys), function()
      local editor = world:editor()
      world:chat(editor)
      world:say(editor, 'I prefer oat milk.')
      editor:see('learned')
      editor:type('<C-\\><C-n>G' .. keys)
      editor:wait('the second message', function()
        return #world.server:requests('chat') == 2
      end)
      local messages_sent = world.server:requests('chat')[2].body.messages
      local newest = messages_sent[#messages_sent].content
      assert.equals('tail question', newest[#newest].text)
    end)
  end

  it('the key is in no argument, log or error', function()
    world.env.ANTHROPIC_API_KEY = 'sk-secret-of-this-test'
    local editor = mid_stream(100)
    local pid = world:host_pid(editor)
    local file = assert(io.open('/proc/' .. pid .. '/cmdline'))
    assert.falsy(file:read('*a'):find('secret', 1, true))
    file:close()
    editor:wait('the end', function()
      return not world:busy(editor)
    end)
    assert.falsy(messages(editor):find('secret', 1, true))
    editor:quit()
    local found = vim.system({ 'grep', '-rl', 'sk-secret', world.root }, { text = true }):wait()
    assert.equals('', found.stdout)
  end)
end)

-- A private chat: answered as any, and nowhere once it is over.
local World = require('support.world')

describe('a private chat', function()
  local world

  before_each(function()
    world = World.new()
  end)

  after_each(function()
    world:close()
  end)

  ---@return string[] the files of this world that have `word` in them, whatever they are
  local function holders(word)
    local done = vim.system({ 'grep', '-rlF', word, world.root }, { text = true }):wait()
    return vim.split(done.stdout, '\n', { trimempty = true })
  end

  local function answered(editor, count)
    editor:wait('reply ' .. count, function()
      return not world:busy(editor) and #world.server:requests('chat') == count
    end)
  end

  ---A Neovim that leaves as many traces as it can.
  local function talkative()
    local editor = world:editor({ columns = 120 })
    local state = world.root .. '/state'
    editor:command(('set swapfile undofile updatecount=1 directory=%s undodir=%s'):format(state, state))
    return editor
  end

  it('is told what is known, remembers its own turns, and leaves nothing in any file', function()
    world:host('remember', 'The staging gate is called Westtor.')
    local editor = talkative()
    world:chat(editor, 'private')
    editor:see('private, nothing of this is kept')
    editor:see('── private · <CR> sends')
    world:say(editor, 'My zirconium ring opens the staging gate; what is it called?')
    answered(editor, 1)
    editor:see('1 memory recalled')
    world:say(editor, 'I always wear the hafnium ring on Fridays.')
    answered(editor, 2)
    editor:type('<C-\\><C-n>Gidrafting with niobium<C-\\><C-n>')
    local sent = world.server:requests('chat')
    assert.truthy(sent[1].raw:find('The staging gate is called Westtor.', 1, true))
    assert.truthy(sent[2].raw:find('My zirconium ring opens the staging gate', 1, true))
    assert.equals(200, sent[2].answered)

    -- The usual chat beside it is kept and learned from.
    world:chat(editor)
    assert.falsy(world:text(editor):find('zirconium', 1, true))
    world:say(editor, 'I prefer tabs over spaces.')
    editor:wait('the learn queue to be empty', function()
      local learning = world.server:requests('learn')
      return #learning > 0 and vim.json.decode(world:host('stats', '--json').stdout).queue == 0
    end)
    local learning = world.server:requests('learn')
    assert.equals(1, #learning)
    assert.truthy(learning[1].raw:find('I prefer tabs over spaces.', 1, true))
    assert.falsy(learning[1].raw:find('zirconium', 1, true))
    assert.equals(2, vim.json.decode(world:host('stats', '--json').stdout).turns)
    editor:command('set shadafile=' .. world.root .. '/state/main.shada')
    editor:command('wshada!')
    editor:quit()
    for _, word in ipairs({ 'zirconium', 'hafnium', 'niobium' }) do
      assert.same({}, holders(word))
    end
    assert.equals(1, vim.fn.filereadable(world.root .. '/state/main.shada'))
    assert.truthy(#holders('tabs over spaces') > 0)

    local second = world:editor()
    world:chat(second)
    world:read(second, 'I prefer tabs over spaces.')
    assert.falsy(world:text(second):find('zirconium', 1, true))
    assert.falsy(world:host('log').stdout:find('zirconium', 1, true))
    assert.falsy(world:host('recall', '--json', 'zirconium ring').stdout:find('zirconium', 1, true))
  end)

  for how, leave in pairs({
    [':qa! in the middle of a reply'] = function(editor)
      editor:quit()
    end,
    ['a killed Neovim'] = function(editor)
      editor:kill()
    end,
  }) do
    it('is gone with ' .. how, function()
      local editor = talkative()
      world:chat(editor, 'private')
      world.server:next({ match = { kind = 'chat' }, after_text = 'The hafnium tables say', hang = true })
      world:say(editor, 'My zirconium ring is lost.')
      world:read(editor, 'The hafnium tables say')
      local name = editor:lua('return vim.api.nvim_buf_get_name(0)')
      assert.truthy(vim.startswith(name, 'selfmind://private/'))
      local pid = world:host_pid(editor)
      leave(editor)
      vim.wait(20000, function()
        return not World.alive(pid)
      end, 10)
      assert.is_false(World.alive(pid))
      assert.same({}, holders('zirconium'))
      assert.same({}, holders('hafnium'))

      local second = world:editor({ columns = 120 })
      world:chat(second)
      assert.falsy(world:text(second):find('zirconium', 1, true))
      second:command('edit ' .. name) -- as a session would
      second:see('That private chat is gone')
    end)
  end

  it('that is closed is gone without a question, and the next one is another', function()
    local editor = world:editor()
    world:chat(editor, 'private')
    world:say(editor, 'My zirconium ring is lost.')
    answered(editor, 1)
    local name = editor:lua('return vim.api.nvim_buf_get_name(0)')
    editor:command('enew') -- hidden is not closed
    world:chat(editor, 'private')
    world:read(editor, 'My zirconium ring is lost.')
    editor:command('edit')
    world:read(editor, 'My zirconium ring is lost.')
    editor:type(':quit<CR>')
    editor:wait('the end of the chat', function()
      return editor:lua('return vim.fn.bufnr(...)', name) == -1
    end)
    world:chat(editor, 'private')
    assert.falsy(world:text(editor):find('zirconium', 1, true))
    world:say(editor, 'What did I lose?')
    answered(editor, 2)
    assert.falsy(world.server:requests('chat')[2].raw:find('zirconium', 1, true))
  end)

  it('goes with its host, says so, and the usual chat goes on', function()
    local editor = world:editor({ columns = 120 })
    world:chat(editor)
    world:say(editor, 'I prefer tabs over spaces.')
    answered(editor, 1)
    world:chat(editor, 'private')
    world:say(editor, 'My zirconium ring is lost.')
    answered(editor, 2)
    editor:command('SelfMind restart')
    editor:see('this private chat is gone with')
    assert.truthy(world:text(editor):find('zirconium', 1, true)) -- it can still be read
    world:say(editor, 'Are you still there?')
    assert.equals(2, #world.server:requests('chat'))
    world:chat(editor)
    world:say(editor, 'And you?')
    answered(editor, 3)
    world:chat(editor, 'private')
    assert.falsy(world:text(editor):find('zirconium', 1, true))
    world:say(editor, 'Hello.')
    answered(editor, 4)
  end)

  it('keeps what is remembered there on purpose, and what is forgotten leaves it', function()
    local editor = world:editor({ columns = 120 })
    world:chat(editor, 'private')
    world:say(editor, '/remember The staging gate is called Westtor.')
    editor:wait('the memory', function()
      return #world:memories() == 1
    end)
    world:say(editor, 'What is the staging gate called?')
    answered(editor, 1)
    assert.truthy(world.server:requests('chat')[1].raw:find('The staging gate is called Westtor.', 1, true))
    editor:command('Forget! ' .. world:memories()[1].id)
    editor:wait('the forget', function()
      return #world:memories() == 0
    end)
    world:say(editor, 'And the other gate?')
    answered(editor, 2)
    assert.falsy(world.server:requests('chat')[2].raw:find('Westtor', 1, true))
  end)
end)

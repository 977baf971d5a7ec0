-- Reading a chat with the keys a user types: its turns, its code blocks, its winbar; with the real host.
local World = require('support.world')

local REPLY = table.concat({
  'Four backticks hold three:',
  '',
  '````markdown',
  '```lua',
  'print(1)',
  '```',
  '````',
  '',
  'And in a list:',
  '',
  '1. this',
  '   ~~~lua',
  '   local size = 4',
  '   ~~~',
}, '\n')

describe('reading a chat', function()
  local world, editor

  before_each(function()
    world = World.new()
  end)

  after_each(function()
    world:close()
  end)

  ---A file in one window and a chat in the other.
  local function start(settings)
    local path = world:project('project') .. '/pool.lua'
    vim.fn.writefile({ 'local host = "staging"', 'local size = 8', 'return size' }, path)
    editor = world:editor({ columns = 160, settings = settings })
    editor:command('edit ' .. path)
    world:chat(editor)
  end

  ---@param text string
  ---@param reply table for the server's script
  local function say(text, reply)
    world.server:next(reply)
    world:say(editor, text)
  end

  local function register(name)
    return editor:lua('return vim.fn.getreg(...)', name)
  end

  local function line()
    return editor:lua('return vim.api.nvim_get_current_line()')
  end

  local function file()
    return editor:lua([[
      return table.concat(vim.api.nvim_buf_get_lines(vim.fn.bufnr('pool.lua'), 0, -1, false), '\n')
    ]])
  end

  local function windows()
    return editor:lua('return #vim.api.nvim_list_wins()')
  end

  it('jumps, selects and yanks by turns and blocks, and leaves what was said as it was', function()
    start()
    say('Show me fences.', { text = REPLY })
    world:read(editor, '   ~~~\n')
    editor:see('idle')
    local before = world:text(editor)
    editor:type('2[[j')
    assert.equals('Show me fences.', line())
    editor:type(']]j"ayim')
    assert.equals(REPLY .. '\n', register('a'))
    editor:type('/print<CR>gy')
    assert.equals('```lua\nprint(1)\n```\n', register('"'))
    editor:see('yanked 3 lines of markdown')
    editor:type('/size<CR>"byic')
    assert.equals('   local size = 4\n', register('b'))
    editor:type('vac"cy')
    assert.equals('   ~~~lua\n   local size = 4\n   ~~~\n', register('c'))
    editor:type('y]]') -- to the prompt
    assert.equals('   ~~~lua\n   local size = 4\n   ~~~\n\n', register('"'))
    editor:type('5]]gy')
    editor:see('the cursor is in no code block')
    assert.equals(before, world:text(editor))
  end)

  it('puts a block into the file beside it, and one u there takes it back', function()
    start()
    editor:type('<C-w>p2G<C-w>p')
    say('Show me fences.', { text = REPLY })
    world:read(editor, '   ~~~\n')
    editor:type('[[/size<CR>gA')
    assert.equals('local host = "staging"\nlocal size = 8\nlocal size = 4\nreturn size', file())
    editor:see('inserted 1 line of lua into pool.lua')
    editor:type('<C-w>p')
    assert.equals('local size = 4', line())
    editor:type('u')
    assert.equals('local host = "staging"\nlocal size = 8\nreturn size', file())
    editor:type(':setlocal nomodifiable<CR><C-w>pgA')
    editor:see('pool.lua cannot be changed')
  end)

  it('compares a block with the file, takes a change over with dp, and closes without a trace', function()
    start()
    say('The whole file, please.', { text = '```lua\nlocal host = "staging"\nlocal size = 4\nreturn size\n```' })
    world:read(editor, 'return size\n```')
    editor:type('[[/host<CR>g=')
    editor:see('code block of the chat')
    assert.equals(3, windows())
    editor:type('2Gdp')
    assert.equals('local host = "staging"\nlocal size = 4\nreturn size', file())
    editor:type('q')
    assert.equals(2, windows())
    assert.equals('selfmind', editor:lua('return vim.bo.filetype'))
    editor:type('<C-w>p')
    assert.same(
      { false, false, true, 'manual' },
      editor:lua('return { vim.wo.diff, vim.wo.scrollbind, vim.wo.wrap, vim.wo.foldmethod }')
    )
    assert.equals('', editor:lua('return vim.v.errmsg'))
  end)

  it('takes what there is of a block that is still coming; it ends with its reply, closed or not', function()
    start()
    say('Write me a loop.', { after_text = 'Sure:\n```lua\nfor i = 1, 3 do\n  print(i)', hang = true })
    world:read(editor, 'print(i)')
    editor:see('streaming')
    editor:type('[[/for i<CR>gy')
    assert.equals('for i = 1, 3 do\n  print(i)\n', register('"'))
    editor:type('<C-c>')
    editor:see('Stopped')
    say('Thanks all the same.', { text = 'You are welcome.' })
    world:read(editor, 'You are welcome.')
    editor:type('gg/welcome<CR>"bgy')
    editor:see('the cursor is in no code block')
    editor:type('gg/print<CR>"bgy')
    assert.equals('for i = 1, 3 do\n  print(i)\n', register('b'))
  end)

  ---@return string? "$0.0123" on the screen
  local function cost()
    return editor:screen():match('tokens.- · (%$%d+%.%d+)')
  end

  it('shows in its winbar what it does and has cost, and again when it is opened later', function()
    start()
    editor:see('claude-opus-4-8 · idle')
    say('Hello.', { text = 'Hello to you.', delay_ms = 300 })
    editor:see('claude-opus-4-8 · sending')
    local spent = editor:wait('the cost', cost)
    local about = editor:lua('return vim.b.selfmind')
    assert.equals('idle', about.state)
    assert.is_true(about.cost_usd > 0 and about.tokens.output > 0)
    assert.equals(('$%.4f'):format(about.cost_usd), spent)
    editor:command('enew')
    editor:wait('the winbar to go', function()
      return not editor:screen():find('claude-opus-4-8', 1, true)
    end)
    editor:quit()
    start()
    assert.equals(spent, editor:wait('the cost', cost))
    assert.same(about.tokens, editor:lua('return vim.b.selfmind.tokens'))
  end)

  it('is shown in a status line too, also a model with a name that looks like one', function()
    world:close()
    world = World.new({ offline = true })
    start('{ chat_model = "100%m %{1+1}%#Error#" }')
    editor:command([[set statusline=<%{%v:lua.require'selfmind'.statusline()%}>]])
    editor:see('<100%m %{1+1}%#Error# · offline>')
    local _, shown = editor:screen():gsub('100%%m %%{1%+1}%%#Error# · offline', '')
    assert.equals(3, shown) -- in two status lines and a winbar
  end)
end)

local Child = require('support.child')

-- Runs a Neovim with a shada file of its own, headless, to its end.
local function neovim(file, ...)
  local command = { vim.v.progpath, '--clean', '-i', file, '--headless', '--cmd', 'set rtp^=' .. Child.root }
  for _, step in ipairs({ ... }) do
    vim.list_extend(command, { '-c', step })
  end
  vim.list_extend(command, { '-c', 'qa!' })
  local done = vim.system(command, { text = true }):wait(20000)
  assert.equals(0, done.code, done.stderr)
end

local function remember_in_history(...)
  local steps = {}
  for _, entry in ipairs({ ... }) do
    steps[#steps + 1] = ('call histadd("cmd", %s)'):format(vim.fn.string(entry))
  end
  return unpack(steps)
end

local function has(file, words)
  local shada = assert(io.open(file, 'rb'))
  local bytes = shada:read('*a')
  shada:close()
  return bytes:find(words, 1, true) ~= nil
end

describe('the shada file', function()
  local file

  before_each(function()
    file = vim.fn.tempname() .. '.shada'
  end)

  it('loses a forgotten memory that an earlier session has written into it, and nothing else', function()
    neovim(file, remember_in_history('Remember The user has 3 cats.', 'echo "another command"'))
    assert.is_true(has(file, '3 cats'))
    neovim(file, [[lua require('selfmind.shada').cut({ 'The user has 3 cats.' }, { 12 })]])
    assert.is_false(has(file, '3 cats'))
    assert.is_true(has(file, 'another command'))
  end)

  it('is not written anew when it has nothing of it', function()
    neovim(file, remember_in_history('echo "another command"'))
    neovim(
      file,
      [[lua vim.cmd = setmetatable({}, { __call = function(_, c) if c:find('shada') then vim.fn.writefile({ c }, ']]
        .. file
        .. [[.written') end end })]],
      [[lua require('selfmind.shada').cut({ 'The user has 3 cats.' }, { 12 })]]
    )
    assert.equals(0, vim.fn.filereadable(file .. '.written'))
  end)

  it('loses what another Neovim has written since this one started', function()
    neovim(
      file,
      ([[call system(['%s', '--clean', '-i', '%s', '--headless', '-c', '%s', '-c', 'qa!'])]]):format(
        vim.v.progpath,
        file,
        'call histadd("cmd", "Remember my 3 cats at home")'
      ),
      [[lua assert(vim.fn.histget('cmd', -1):find('cats') == nil)]],
      [[lua require('selfmind.shada').cut({ 'my 3 cats at home' })]]
    )
    assert.is_false(has(file, '3 cats'))
  end)
end)

describe('the histories', function()
  local child

  before_each(function()
    child = Child.start()
  end)

  after_each(function()
    child:stop()
  end)

  local function left(entries, texts, ids, kind)
    return child:lua(
      [[
        local entries, texts, ids, kind = ...
        vim.fn.histdel(kind)
        for _, entry in ipairs(entries) do vim.fn.histadd(kind, entry) end
        require('selfmind.shada').cut(texts, ids)
        local left = {}
        for number = 1, vim.fn.histnr(kind) do
          local entry = vim.fn.histget(kind, number)
          if entry ~= '' then left[#left + 1] = entry end
        end
        return left
      ]],
      entries,
      texts,
      ids or {},
      kind or 'cmd'
    )
  end

  it('lose every command that holds the words, however it is spelled', function()
    assert.same(
      { 'echo 1' },
      left({
        'Remember The user has 3 cats.',
        'SelfMind remember The user has 3 cats.',
        'Remember! --global The user has 3 cats.',
        'echo "The user has 3 cats."',
        'SelfMind recall The user has 3 cats.?',
        'echo 1',
      }, { 'The user has 3 cats.' })
    )
  end)

  it('lose the text that stood in front of remembered lines', function()
    local text = 'the password of the router\nis hunter2hunter2'
    assert.same(
      { "'<,'>Remember the key" },
      left({ "'<,'>Remember the password of the router", "'<,'>Remember the key" }, { text })
    )
  end)

  it('lose a short word only where it was remembered', function()
    assert.same(
      { 'echo "a tab stop"', 'Remember tabs' },
      left({ 'Remember tab', 'SelfMind remember  tab ', 'echo "a tab stop"', 'Remember tabs' }, { 'tab' })
    )
  end)

  it('lose commands that show a part of the text behind an id', function()
    assert.same(
      { 'Forget 13 # Another memory' },
      left(
        { 'Forget 12 # The user has a very lo…', 'Forget 13 # Another memory' },
        { 'Some other words entirely' },
        { 12 }
      )
    )
  end)

  it('lose what was typed where a command asked for it', function()
    assert.same({ 'cats' }, left({ 'The user has 3 cats.', 'cats' }, { 'The user has 3 cats.' }, {}, 'input'))
    assert.same({ 'cats' }, left({ 'tab', 'cats' }, { 'tab' }, {}, 'input'))
  end)

  it('stay as they are where there is nothing to cut', function()
    assert.same({ 'echo 1' }, left({ 'echo 1' }, { '', '  ' }))
  end)
end)

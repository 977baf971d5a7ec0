-- No undo step holds both the user's text and Claude's, and none loses any.

local Child = require('support.child')

describe('undo in the chat', function()
  local child

  before_each(function()
    child = Child.start()
    child:chat()
  end)

  after_each(function()
    child:stop()
  end)

  local function text(piece)
    child:emit('turn/text', { chat = 1, turn = 101, text = piece })
  end

  local function body()
    return table.concat(child:lines(), '|')
  end

  it('takes a reply back in one step, and the sending in another', function()
    child:send('hello')
    for _, piece in ipairs({ 'One', ' two', '\nthree', ' four' }) do
      text(piece)
    end
    assert.equals('||hello||One two|three four||', body())
    child:type('u')
    assert.equals('||hello||', body())
    child:type('u')
    assert.equals('||hello', body())
    child:type('<C-r><C-r>')
    assert.equals('||hello||One two|three four||', body())
  end)

  it('never goes back behind an opened conversation', function()
    child:send('hello')
    child:type('uuuuuu')
    assert.equals('||', body())
    child:type(':undo 0<CR>')
    assert.equals('||', body())
    assert.equals('── <CR> sends · g? shows the keys', child:shown()[1][1])
  end)

  it('shows the headers again after undo and redo', function()
    child:send('hello')
    text('Hi')
    local before = child:shown()
    child:type('uu')
    assert.is_nil(child:shown()[3])
    child:type('<C-r><C-r>')
    assert.equals('you', child:wait('the header', [[
      local found = vim.api.nvim_buf_get_extmarks(0, require('selfmind.chat.marks').namespace, { 1, 0 }, { 1, 0 },
        { details = true })
      return found[1] and not found[1][4].invalid and found[1][4].virt_text[1][1]
    ]]))
    assert.same(before[1], child:shown()[1])
    assert.same(before[3], child:shown()[3])
  end)

  it('takes the quiet lines away with the text they belong to', function()
    child:send('hello')
    child:emit('turn/recalled', { chat = 1, turn = 101, hits = { { source = 'turn', id = 3, text = 'x', score = 1 } } })
    text('Hi\nthere')
    child:emit('turn/done', { chat = 1, turn = 101, state = 'stopped', notice = 'stopped' })
    local before = child:shown()
    assert.same({ 'stopped · gC continues · gR sends again' }, before[5])
    child:type('u')
    assert.same({ '1 memory recalled · gm shows them' }, child:shown()[2])
    assert.is_nil(child:shown()[5])
    child:type('u')
    assert.same({ [0] = before[0], [1] = before[6] }, child:shown())
    child:type('<C-r><C-r>')
    assert.same(before, child:shown())
  end)

  it('starts a new block when the reply is undone while it comes', function()
    child:send('hello')
    text('One two')
    child:type('u')
    assert.equals('||hello||', body())
    text('three')
    text(' four')
    assert.equals('||hello||three four||', body())
    assert.equals('claude · claude-opus-4-8', child:shown()[3][1])
    child:type('u')
    assert.equals('||hello||', body())
  end)

  it('goes on when the sending itself is undone while the reply comes', function()
    child:send('hello')
    text('One')
    child:type('uu')
    assert.equals('||hello', body())
    text(' two')
    assert.equals('|| two||hello', body())
    child:emit('turn/done', { chat = 1, turn = 101, state = 'done' })
    assert.equals('|| two||hello', body())
  end)

  it('keeps the user\'s steps apart from the reply\'s while the user types in the prompt', function()
    child:send('hello')
    text('One')
    child:type('i')
    child:type('next')
    text(' two') -- held: a key was pressed just now
    assert.equals('||hello||One||next', body())
    child:wait('the pause', [[return vim.api.nvim_buf_get_lines(0, 4, 5, false)[1] == 'One two' ]])
    child:type(' question')
    text('\nthree')
    child:wait('the pause', [[return vim.api.nvim_buf_get_lines(0, 5, 6, false)[1] == 'three' ]])
    child:type('<Esc>')
    assert.equals('||hello||One two|three||next question', body())

    local steps = {}
    for _ = 1, 6 do
      steps[#steps + 1] = body()
      child:type('u')
    end
    assert.same({
      '||hello||One two|three||next question',
      '||hello||One two||next question',
      '||hello||One two||next',
      '||hello||One||next',
      '||hello||One||',
      '||hello||',
    }, steps)
    child:type('<C-r><C-r><C-r><C-r><C-r><C-r>')
    assert.equals('||hello||One two|three||next question', body())
  end)

  it('holds text for two seconds at most', function()
    child:send('hello')
    child:type('i')
    local began = vim.uv.now()
    child:type('a')
    text('One')
    local shown
    while not shown and vim.uv.now() - began < 4000 do
      child:type('b')
      shown = body():find('One', 1, true) ~= nil
    end
    local took = vim.uv.now() - began
    assert.is_true(shown and took > 1000 and took < 3500, 'took ' .. took)
    child:type('<Esc>')
    assert.truthy(body():find('||hello||One||ab+$'))
  end)

  it('mixes no steps and loses no text, whatever the user does meanwhile', function()
    -- The user writes small letters in the prompt, Claude capital ones.
    child:send('1')
    math.randomseed(20)
    local typed = 0
    for _ = 1, 40 do
      local choice = math.random(5)
      if choice <= 2 then
        text(string.char(64 + math.random(26)) .. (math.random(4) == 1 and '\n' or ''))
      elseif choice == 3 then
        child:type('GA' .. string.char(96 + math.random(26)) .. '<Esc>')
        typed = typed + 1
      elseif choice == 4 then
        child:type('Go' .. string.char(96 + math.random(26)) .. '<CR><Esc>')
        typed = typed + 1
      else
        child:type('GAx')
        text('Y')
        child:type('z<CR><Esc>')
        typed = typed + 2
      end
    end
    child:wait('the rest', [[
      local hold = require('selfmind.chat.conversations').in_buffer(_G.chat_buffer).hold
      return #hold.items == 0 and #hold.text == 0
    ]])
    local final = body()
    local states = child:lua([[
      local function count(pattern)
        local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
        return select(2, text:gsub(pattern, ''))
      end
      local found = {}
      for seq = vim.fn.undotree().seq_last, 1, -1 do
        vim.cmd('silent undo ' .. seq)
        found[#found + 1] = { count('%l'), count('%u') }
      end
      vim.cmd('silent undo ' .. vim.fn.undotree().seq_last)
      return found
    ]])
    assert.equals(final, body())
    assert.equals(typed, states[1][1])
    for i = 2, #states do
      local small, capital = states[i - 1][1] - states[i][1], states[i - 1][2] - states[i][2]
      assert.is_true(small >= 0 and capital >= 0 and (small == 0 or capital == 0), ('step %d: %d %d'):format(
        i, small, capital))
    end
  end)

  it('leaves the undo of other buffers alone', function()
    child:cmd('wincmd p')
    child:lua('_G.other_levels = vim.o.undolevels')
    child:type('ione<Esc>otwo<Esc>')
    child:cmd('wincmd p')
    child:send('hello')
    child:cmd('wincmd p')
    text('One')
    child:type('ofour<Esc>')
    text(' two')
    child:type('u')
    assert.same({ 'one', 'two' }, child:lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)'))
    assert.equals(child:lua('return _G.other_levels'), child:lua('return vim.o.undolevels'))
  end)
end)

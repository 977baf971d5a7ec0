-- Windows that follow the reply, and windows that do not.

local Child = require('support.child')

describe('following the reply', function()
  local child

  before_each(function()
    child = Child.start({ settings = { window = { position = 'bottom', height = 10 } } })
    child:chat()
  end)

  after_each(function()
    child:stop()
  end)

  local function stream(from, to)
    for i = from, to do
      child:emit('turn/text', { chat = 1, turn = 101, text = ('line %d\n'):format(i) })
    end
  end

  ---@return { cursor: integer[], top: integer, bottom: integer, last: integer }
  local function view(win)
    return child:lua([[
      local win = ...
      return vim.api.nvim_win_call(win, function()
        vim.cmd('redraw')
        return {
          cursor = vim.api.nvim_win_get_cursor(win),
          top = vim.fn.line('w0'), bottom = vim.fn.line('w$'), last = vim.fn.line('$'),
        }
      end)
    ]], win)
  end

  local function current()
    return child:lua('return vim.api.nvim_get_current_win()')
  end

  it('keeps the prompt and the end in sight while the cursor is in the prompt', function()
    child:send('hello')
    stream(1, 40)
    local seen = view(current())
    assert.equals(seen.last, seen.bottom)
    assert.equals(seen.last, seen.cursor[1])
    assert.equals('line 40', child:lines()[seen.last - 3])
  end)

  it('shows the end of a paragraph that is taller than the window', function()
    child:send('hello')
    for _ = 1, 30 do
      child:emit('turn/text', { chat = 1, turn = 101, text = ('word '):rep(20) })
    end
    local seen = view(current())
    assert.equals(seen.last, seen.bottom)
    assert.is_true(child:lua([[
      return vim.fn.screenpos(0, vim.fn.line('$'), 1).row > 0
        and vim.fn.screenpos(0, 5, vim.fn.col({ 5, '$' }) - 1).row > 0
    ]]))
  end)

  it('stops when the cursor leaves upwards, and goes on when it comes back', function()
    child:send('hello')
    stream(1, 20)
    child:type('5k')
    local before = view(current())
    stream(21, 60)
    local after = view(current())
    assert.same(before.cursor, after.cursor)
    assert.equals(before.top, after.top)
    child:type('G')
    stream(61, 80)
    after = view(current())
    assert.equals(after.last, after.bottom)
  end)

  it('follows a cursor on the last line of the reply', function()
    child:send('hello')
    stream(1, 5)
    child:type('2k')
    stream(6, 30)
    local seen = view(current())
    assert.equals(seen.last - 2, seen.cursor[1])
    assert.equals(seen.last, seen.bottom)
  end)

  it('leaves the cursor in the prompt where it is typing', function()
    child:send('hello')
    child:type('ifirst line<CR>second line<Esc>k0ll')
    local bottom = child:lua("return vim.fn.line('$') - vim.fn.line('.')")
    stream(1, 40)
    local seen = view(current())
    assert.same({ seen.last - bottom, 2 }, seen.cursor)
    assert.equals(seen.last, seen.bottom)
    child:type('iXX<Esc>')
    assert.equals('fiXXrst line', child:lines()[seen.last - 1])
  end)

  it('decides for each window, in other tab pages too', function()
    child:send('hello')
    stream(1, 30)
    local follower = current()
    child:cmd('split')
    local reader = current()
    child:type('10G')
    local before = view(reader)
    child:cmd('tab split')
    local elsewhere = current()
    child:type('G')
    child:cmd('tabnew')
    stream(31, 60)
    local after = view(reader)
    assert.same(before.cursor, after.cursor)
    assert.equals(before.top, after.top)
    for _, win in ipairs({ follower, elsewhere }) do
      local seen = view(win)
      assert.equals(seen.last, seen.cursor[1])
      assert.equals(seen.last, seen.bottom)
    end
  end)

  it('keeps the end at the bottom when the window is resized', function()
    child:send('hello')
    stream(1, 40)
    for _, height in ipairs({ 4, 20, 10 }) do
      child:cmd('resize ' .. height)
      child:type('<Ignore>')
      local seen = view(current())
      assert.equals(seen.last, seen.bottom)
      assert.equals(height - 1, seen.bottom - seen.top + 1) -- one line is the winbar's
    end
  end)

  it('resumes when the user scrolls back to the end', function()
    child:send('hello')
    stream(1, 40)
    child:type('gg')
    child:lua("vim.cmd('redraw')")
    for _ = 1, 40 do
      child:type('<C-e>')
    end
    child:lua("vim.cmd('redraw')")
    child:type('<Ignore>')
    stream(41, 60)
    local seen = view(current())
    assert.equals(seen.last, seen.bottom)
    assert.is_true(seen.cursor[1] < seen.last - 2)
  end)
end)

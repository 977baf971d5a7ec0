-- What waits for the user: the window, its keys, and what they send.

local Child = require('support.child')

describe('the review', function()
  local child

  before_each(function()
    child = Child.start()
  end)

  after_each(function()
    child:stop()
  end)

  ---@param first string the first line begins with it
  local function shown(first)
    return child:wait('a window with ' .. first, [[
      local config = vim.api.nvim_win_get_config(0)
      local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
      return config.relative ~= '' and vim.startswith(vim.trim(lines[1]), ...) and lines
    ]], first)
  end

  it('lists what waits, and takes a decision for each', function()
    child:cmd('SelfMind review')
    assert.equals(2, #shown('200  preference  The user may like plums.'))
    child:type('a')
    child:wait_message('accepted 200: The user may like plums.')
    assert.equals(1, #shown('201'))
    child:type('x')
    child:wait_message('archived 201: The user moves in May.')
    child:wait('the window to close', "return vim.api.nvim_win_get_config(0).relative == ''")
    assert.same({ ids = { 200 } }, child:seen('memory.accept')[1].params)
    assert.same({ ids = { 201 } }, child:seen('memory.archive')[1].params)
    child:cmd('SelfMind review')
    child:wait_message('nothing waits for you')
  end)

  it('asks whether one replaces those that it may contradict', function()
    child:cmd('SelfMind review')
    local lines = shown('200')
    assert.is_truthy(lines[2]:find('(or does it replace 7: The user moves in June.?)', 1, true))
    child:type('r')
    child:wait_message('200 contradicts nothing')
    child:type('jr')
    child:wait_message('accepted in its place 201: The user moves in May.')
    assert.same({ ids = { 201 }, old = { 7 } }, child:seen('memory.replace')[1].params)
  end)

  it('accepts all at once', function()
    child:cmd('SelfMind review')
    shown('200')
    child:type('A')
    child:wait_message('accepted 200: The user may like plums.; 201: The user moves in May.')
    child:wait('the window to close', "return vim.api.nvim_win_get_config(0).relative == ''")
  end)

  it('leaves everything when it is closed', function()
    child:cmd('SelfMind review')
    shown('200')
    child:type('q')
    child:cmd('SelfMind review')
    assert.equals(2, #shown('200'))
  end)

  it('is told of in the chat, apart from what was learned', function()
    child:chat()
    child:send('hello')
    child:emit('learn/done', {
      chat = child:lua("return require('selfmind.chat.conversations').in_buffer(_G.chat_buffer).id"),
      turn = 1,
      stored = { { id = 200, text = 'The user may like plums.', state = 'quarantined' } },
      duplicates = 0,
    })
    child:wait('the line', [[
      local ns = require('selfmind.chat.marks').namespace
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(_G.chat_buffer, ns, 0, -1, { details = true })) do
        for _, line in ipairs(mark[4].virt_lines or {}) do
          for _, chunk in ipairs(line) do
            if chunk[1]:find('to review: The user may like plums. (200)', 1, true) then return true end
          end
        end
      end
    ]])
  end)
end)

describe('archiving', function()
  local child

  before_each(function()
    child = Child.start()
  end)

  after_each(function()
    child:stop()
  end)

  it('is a command and a key of the list', function()
    child:cmd('SelfMind archive 7')
    child:wait_message('archived 7: The user prefers tabs over spaces.')
    child:cmd('SelfMind unarchive 7')
    child:wait_message('unarchived 7: The user prefers tabs over spaces.')
    child:cmd('SelfMind archive tabs')
    child:wait_message('give ids of memories')
    child:cmd('Memories')
    child:wait('the list', 'return vim.api.nvim_buf_line_count(0) > 3')
    child:type('/3 cats<CR>x')
    child:wait_message('archived 12: The user has 3 cats.')
  end)
end)

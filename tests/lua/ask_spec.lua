-- :SelfMind ask, on a range of lines and without one.

local Child = require('support.child')

describe(':SelfMind ask', function()
  local child

  before_each(function()
    child = Child.start()
  end)

  after_each(function()
    child:stop()
  end)

  ---@param lines string[]
  ---@param name? string
  ---@param filetype? string
  local function source(lines, name, filetype)
    child:lua(
      [[
        local lines, name, filetype = ...
        vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
        if name then
          vim.api.nvim_buf_set_name(0, name)
        end
        vim.bo.filetype = filetype or ''
      ]],
      lines,
      name,
      filetype
    )
  end

  local function sent()
    local texts = {}
    for _, call in ipairs(child:seen('turn.start')) do
      texts[#texts + 1] = call.params.text
    end
    return texts
  end

  it('sends the question with the lines below it, and says where they are from', function()
    source({ 'local a = 1', 'return a', 'x' }, 'src/one two.lua', 'lua')
    child:cmd('1,2SelfMind ask why is this slow?')
    child:settle()
    assert.same(
      { 'why is this slow?\n\nFrom src/one two.lua, lines 1 to 2:\n```lua\nlocal a = 1\nreturn a\n```' },
      sent()
    )
  end)

  it('fences lines with more backticks than any run of them has', function()
    source({ '```lua', 'a ````', '```' }, 'notes.md', 'markdown')
    child:cmd('1,3SelfMind ask what is this?')
    child:settle()
    assert.same(
      { 'what is this?\n\nFrom notes.md, lines 1 to 3:\n`````markdown\n```lua\na ````\n```\n`````' },
      sent()
    )
  end)

  it('asks without lines as well', function()
    child:cmd('SelfMind ask what is the time complexity of a heap?')
    child:settle()
    assert.same({ 'what is the time complexity of a heap?' }, sent())
  end)

  it('without a question puts the lines into the prompt, where the user types', function()
    source({ 'one' })
    child:cmd('1SelfMind ask')
    child:settle()
    assert.same({}, sent())
    child:type('why?')
    child:type('<C-s>')
    child:settle()
    assert.same({ 'why?\n\nFrom a buffer without a name, line 1:\n```\none\n```' }, sent())
  end)

  it('sends nothing over a message that is being typed, and loses nothing of it', function()
    source({ 'one' }, 'a.txt')
    child:chat()
    child:type('ihalf a thought<Esc>')
    child:cmd('wincmd p')
    child:cmd('1SelfMind ask and this?')
    child:settle()
    assert.same({}, sent())
    local prompt = table.concat(child:lines(), '\n')
    assert.truthy(prompt:find('half a thought\n\nand this?\n\nFrom a.txt, line 1:\n```\none\n```', 1, true))
  end)

  it('waits in the prompt while a reply is being written', function()
    child:chat()
    child:send('first')
    child:cmd('SelfMind ask second?')
    child:settle()
    assert.same({ 'first' }, sent())
    assert.truthy(table.concat(child:lines(), '\n'):find('second?', 1, true))
  end)
end)

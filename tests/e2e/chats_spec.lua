-- The chats of a project: listed, searched, and opened at the message.
local World = require('support.world')

describe('the chats of a project', function()
  local world

  before_each(function()
    world = World.new()
  end)

  after_each(function()
    world:close()
  end)

  local function ask(editor, text)
    world:say(editor, text)
    world:read(editor, 'You said: ' .. text)
    editor:wait('the end of the reply', function()
      return not world:busy(editor)
    end)
  end

  ---Answers the picker with the entry that has `text`, and gives the list.
  local function choose(editor, command, text)
    editor:lua(
      [[
        local text = ...
        _G.listed = nil
        vim.ui.select = function(items, opts, chosen)
          _G.listed = vim.tbl_map(opts.format_item, items)
          for i, line in ipairs(_G.listed) do
            if line:find(text, 1, true) then
              return chosen(items[i], i)
            end
          end
        end
      ]],
      text
    )
    editor:command(command)
    editor:wait('the list', function()
      return editor:lua('return _G.listed ~= nil')
    end)
    return editor:lua('return _G.listed')
  end

  it('are found by what was said, and open at the message', function()
    local editor = world:editor()
    world:chat(editor)
    ask(editor, 'How hot is the kiln?')
    for i = 1, 6 do
      ask(editor, ('Another question, number %d.'):format(i))
    end
    world:chat(editor, 'new')
    ask(editor, 'And the oven?')
    editor:type('ihalf a thought<Esc>')
    local all = choose(editor, 'SelfMind chats', 'no such chat')
    assert.equals(2, #all)
    assert.truthy(all[1]:find('And the oven? · 1 message', 1, true))
    local found = choose(editor, 'SelfMind chats KILN', 'How hot')
    assert.equals(1, #found)
    editor:wait('the message', function()
      return editor:lua("return vim.api.nvim_get_current_line()") == 'How hot is the kiln?'
    end)
    choose(editor, 'SelfMind chats', 'And the oven?')
    world:read(editor, 'half a thought')
  end)

  it('without a chat, or without these words, is one sentence', function()
    local editor = world:editor()
    editor:command('SelfMind chats')
    editor:see('no chat in this project yet')
    world:chat(editor)
    ask(editor, 'And the oven?')
    editor:command('SelfMind chats kiln')
    editor:see('no chat here has these words')
  end)
end)
